/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading what somebody else wrote into an environment. */
#include "unit.h"

#include <stdlib.h>

#include "env.h"

static char *const env[] = {
    "A=1",         "AB=2",      "EMPTY=",        "LONG=12345", "LINE=a\nb",
    "ESC=\033[2J", "DEL=a\177", "UTF8=\303\244", "NUMBER=12",  "BIG=99999999999999999999",
    "SIGN=-1",     "TAIL=1x",   "A=9",           NULL};

static void values_by_name(void **state)
{
    static const struct {
        const char *name, *value;
    } cases[] = {{"A", "1"}, {"AB", "2"}, {"EMPTY", ""}, {"B", NULL}, {"LON", NULL}, {"", NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *value = env_get(env, cases[i].name);
        if (cases[i].value)
            assert_string_equal(value, cases[i].value);
        else
            assert_null(value);
    }
    assert_null(env_get(NULL, "A"));
}

static void copies_are_bounded_and_printable(void **state)
{
    static const struct {
        const char *name;
        size_t max;
        bool copied, refused;
    } cases[] = {
        {"LONG", 5, true, false},  {"LONG", 4, false, true},   {"EMPTY", 0, true, false},
        {"LINE", 99, false, true}, {"ESC", 99, false, true},   {"DEL", 99, false, true},
        {"UTF8", 99, false, true}, {"NONE", 99, false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool refused = false;
        char *copy = env_copy(env, cases[i].name, cases[i].max, &refused);
        assert_int_equal(copy != NULL, cases[i].copied);
        assert_int_equal(refused, cases[i].refused);
        if (copy)
            assert_string_equal(copy, env_get(env, cases[i].name));
        free(copy);
    }
}

static void numbers(void **state)
{
    (void)state;
    assert_int_equal(env_number(env, "NUMBER", 12), 12);
    assert_int_equal(env_number(env, "NUMBER", 11), 0);
    assert_int_equal(env_number(env, "BIG", UINT32_MAX), 0);
    assert_int_equal(env_number(env, "SIGN", 99), 0);
    assert_int_equal(env_number(env, "TAIL", 99), 0);
    assert_int_equal(env_number(env, "EMPTY", 99), 0);
    assert_int_equal(env_number(env, "NONE", 99), 0);
}

/* As --cpu-bind, --mem-bind, and the variables that Slurm makes of them (seen on 22.05). */
static void words_that_bind(void **state)
{
    static const char *const none[] = {"", "verbose", "quiet", "v", "q", "verbose,quiet", "quiet,"};
    static const char *const some[] = {"none",
                                       "quiet,none",
                                       "verbose,coresverbose,cores",
                                       "quiet,map_cpu:0",
                                       "mask_cpu:f",
                                       "quiet,mask_cpu:f,f0",
                                       "local",
                                       "verbose,local",
                                       "sockets",
                                       "verbosely",
                                       "map_mem:0,1"};
    (void)state;
    assert_false(env_chooses_binding(NULL));
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
        assert_false(env_chooses_binding(none[i]));
    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
        assert_true(env_chooses_binding(some[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_name),
        cmocka_unit_test(copies_are_bounded_and_printable),
        cmocka_unit_test(numbers),
        cmocka_unit_test(words_that_bind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
