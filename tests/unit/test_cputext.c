/* SPDX-License-Identifier: BSD-3-Clause */
/* Cpus as texts: lists, masks, and the lists of srun's --cpu-bind. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cputext.h"
#include "base/text.h"

static char *join(const unsigned cpus[], size_t count)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < count; i++)
        smap_text_add(&text, "%s%u", i ? "," : "", cpus[i]);
    return smap_text_take(&text);
}

typedef int reader(unsigned **cpus, size_t *count, const char *text, struct smap_error *err);

static void check(reader *read, const char *text, const char *wanted)
{
    struct smap_error err = {""};
    unsigned *cpus = NULL;
    size_t count = 0;
    int rc = read(&cpus, &count, text, &err);
    char *joined = rc == SMAP_OK ? join(cpus, count) : strdup("refused");
    if (strcmp(joined, wanted) != 0)
        fail_msg("%s: %s, not %s (%s)", text, joined, wanted, err.text);
    free(joined);
    free(cpus);
}

static void test_lists(void **state)
{
    static const char *const cases[][2] = {
        {"0", "0"},         {"0-3,8", "0,1,2,3,8"}, {"8,0-3,2-4", "0,1,2,3,4,8"},
        {"65535", "65535"}, {"", "refused"},        {"0,", "refused"},
        {"3-1", "refused"}, {"65536", "refused"},   {"0-99999999999999999999", "refused"},
        {"0x3", "refused"}, {" 0", "refused"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check(smap_cpus_from_list, cases[i][0], cases[i][1]);
}

static void test_masks(void **state)
{
    static const char *const cases[][2] = {
        {"1", "0"},
        {"0xF0", "4,5,6,7"},
        {"0X101", "0,8"},
        {"80000000", "31"},
        {"1,00000000", "32"},
        {"3,00000001,80000000", "31,32,64,65"},
        {"000000000000000000000000000000000000000001", "0"},
        {"0", "refused"},
        {"", "refused"},
        {"0x", "refused"},
        {"fg", "refused"},
        {"1,0", "refused"},
        {",00000001", "refused"},
        {"-1", "refused"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check(smap_cpus_from_mask, cases[i][0], cases[i][1]);
    /* The last cpu that there can be, and one more. */
    static char text[SMAP_CPUS_MAX / 4 + 2];
    memset(text, '0', sizeof(text) - 1);
    text[1] = '8';
    check(smap_cpus_from_mask, text, "65535");
    text[0] = '1';
    check(smap_cpus_from_mask, text, "refused");
}

/* "0 4 1,2": the cpus of each entry. */
static char *entries(const struct smap_cpubind *bind)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < bind->count; i++) {
        char *cpus = join(bind->cpus + bind->first[i], bind->first[i + 1] - bind->first[i]);
        smap_text_add(&text, "%s%s", i ? " " : "", cpus);
        free(cpus);
    }
    return smap_text_take(&text);
}

static void test_binds(void **state)
{
    static const struct {
        const char *text, *entries, *refusal;
    } cases[] = {
        {"map_cpu:0", "0", NULL},
        {"map_cpu:0,4,0x8,0XF", "0 4 8 15", NULL},
        {"map_cpu:0*2,4*1", "0 0 4", NULL},
        {"quiet,map_cpu:3,1", "3 1", NULL},
        {"verbose,mask_cpu:f", "0,1,2,3", NULL},
        {"v,mask_cpu:0x3*2,0xC", "0,1 0,1 2,3", NULL},
        {"mask_cpu:10", "4", NULL},
        {"", NULL, "not a list like map_cpu:0,8,16 or mask_cpu:0xff,0xff00"},
        {"cores", NULL, "not a list like map_cpu:0,8,16 or mask_cpu:0xff,0xff00"},
        {"map_ldom:0", NULL, "not a list like map_cpu:0,8,16 or mask_cpu:0xff,0xff00"},
        {"map_cpu:", NULL, "'' is no number of a cpu"},
        {"map_cpu:0,", NULL, "'' is no number of a cpu"},
        {"map_cpu:0,ff", NULL, "'ff' is no number of a cpu"},
        {"map_cpu:0x", NULL, "'0x' is no number of a cpu"},
        {"map_cpu:65536", NULL, "'65536' is no number of a cpu"},
        {"map_cpu:-1", NULL, "'-1' is no number of a cpu"},
        {"map_cpu:0-3", NULL, "'0-3' is no number of a cpu"},
        {"map_cpu:0*0", NULL, "'0*0' is no number of a cpu"},
        {"map_cpu:0*", NULL, "'0*' is no number of a cpu"},
        {"map_cpu:0*2x", NULL, "'0*2x' is no number of a cpu"},
        {"map_cpu:0*65536,0", NULL, "more than 65536 entries"},
        {"mask_cpu:0", NULL, "'0' is no mask like 0xff"},
        {"mask_cpu:f,*2", NULL, "'*2' is no mask like 0xff"},
        {"mask_cpu:x", NULL, "'x' is no mask like 0xff"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_cpubind bind;
        int rc = smap_cpubind_parse(&bind, cases[i].text, &err);
        char *got = rc == SMAP_OK ? entries(&bind) : NULL;
        if (strcmp(got ? got : "", cases[i].entries ? cases[i].entries : "") != 0)
            fail_msg("%s: %s", cases[i].text, got ? got : err.text);
        if (cases[i].refusal)
            assert_string_equal(err.text, cases[i].refusal);
        free(got);
        smap_cpubind_clear(&bind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_binds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
