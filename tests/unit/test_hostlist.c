/* SPDX-License-Identifier: BSD-3-Clause */
/* Node names: what is expanded to what, in which order, and what is refused. */
#include "unit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "step/hostlist.h"

static char *joined(const struct smap_hostlist *hosts)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < hosts->count; i++)
        smap_text_add(&text, "%s%s", i ? "," : "", hosts->names[i]);
    return smap_text_take(&text);
}

static void test_expand(void **state)
{
    static const char *const cases[][2] = {
        {"n1", "n1"},
        {"n1,n2", "n1,n2"},
        {"n[0-3,07]", "n0,n1,n2,n3,n07"},
        {"n[0-3,07],gpu[1-2]-ib", "n0,n1,n2,n3,n07,gpu1-ib,gpu2-ib"},
        {"node[7-8],node[66,70]", "node7,node8,node66,node70"},
        {"node66,node7", "node66,node7"}, /* as given, never sorted */
        {"n[3,1,2]", "n3,n1,n2"},
        {"b,a,c,a", "b,a,c,a"}, /* names may repeat: a host file */
        {"n[1,1]", "n1,n1"},
        {"n[008-011]", "n008,n009,n010,n011"},
        {"n[8-11]", "n8,n9,n10,n11"},
        {"n[98-101]", "n98,n99,n100,n101"},
        {"n[098-0101]", "n098,n099,n100,n101"},
        {"n[00]", "n00"},
        {"n[5]", "n5"},
        {"r[1-2]n[01-02]", "r1n01,r1n02,r2n01,r2n02"},
        {"r[1-2]n[1-2]s[1-2]", "r1n1s1,r1n1s2,r1n2s1,r1n2s2,r2n1s1,r2n1s2,r2n2s1,r2n2s2"},
        {"r[1,3]-n[5-6].cluster", "r1-n5.cluster,r1-n6.cluster,r3-n5.cluster,r3-n6.cluster"},
        {"[1-3]", "1,2,3"},
        {"[1-2][3-4]", "13,14,23,24"},
        {"n[9223372036854775807]", "n9223372036854775807"},
        {"a-b_c.d", "a-b_c.d"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_hostlist *hosts = NULL;
        if (smap_hostlist_parse(&hosts, cases[i][0], &err) != SMAP_OK)
            fail_msg("'%s': %s", cases[i][0], err.text);
        char *text = joined(hosts);
        assert_string_equal(text, cases[i][1]);
        free(text);
        smap_hostlist_destroy(hosts);
    }
    smap_hostlist_destroy(NULL);
}

static void test_refused(void **state)
{
    static const char *const cases[] = {
        "",
        ",",
        "n1,",
        ",n1",
        "n1,,n2",
        "n[",
        "n]",
        "n[]",
        "n[1",
        "n1]",
        "n[1]]",
        "n[[1]]",
        "n[1-]",
        "n[-1]",
        "n[1-2-3]",
        "n[2-1]",
        "n[1,]",
        "n[,1]",
        "n[1,,2]",
        "n[a]",
        "n[1-b]",
        "n[1;2]",
        "n[ 1]",
        "n[1 ]",
        "n[+1]",
        "n[0x1]",
        "n]1[2]",
        "n[1]x[",
        "n[1]x]",
        "n[9223372036854775808]",
        "n[99999999999999999999]",
        "n[1-99999999999999999999]",
        "n1,m[2-1]",
        "n[1],m[",
        "a[1-2]b[2-1]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_hostlist *hosts = NULL;
        if (smap_hostlist_parse(&hosts, cases[i], &err) != SMAP_EINVAL || hosts)
            fail_msg("'%s' was taken", cases[i]);
        assert_non_null(strstr(err.text, "is not a list of nodes like n[0-3],n7"));
        assert_int_equal(smap_hostlist_parse(&hosts, cases[i], NULL), SMAP_EINVAL);
    }
}

static void test_limits(void **state)
{
    struct smap_error err = {""};
    struct smap_hostlist *hosts = NULL;
    (void)state;
    assert_int_equal(smap_hostlist_parse(&hosts, "a[1-9999]b[0-999999999999999]", &err),
                     SMAP_EINVAL);
    assert_string_equal(err.text, "more than 1000000 nodes");
    assert_null(hosts);
    assert_int_equal(smap_hostlist_parse(&hosts, "n[000000-999999]", &err), SMAP_OK);
    assert_int_equal(hosts->count, SMAP_HOSTS_MAX);
    assert_string_equal(hosts->names[0], "n000000");
    assert_string_equal(hosts->names[999999], "n999999");
    smap_hostlist_destroy(hosts);
}

static char *repeated(const char *begin, const char *piece, size_t times, const char *end)
{
    struct smap_text text = {0};
    smap_text_add(&text, "%s", begin);
    for (size_t i = 0; i < times; i++)
        smap_text_add(&text, "%s", piece);
    smap_text_add(&text, "%s", end);
    return smap_text_take(&text);
}

/* Names as long as they may be, and longer by a letter, by zeros, by groups: the last once took the
 * stack with it. */
static void test_long_names(void **state)
{
    static const struct {
        const char *begin, *piece;
        size_t times;
        const char *end;
        bool good;
    } cases[] = {
        {"", "n", 255, "", true},        {"", "n", 256, "", false},
        {"n[", "0", 253, "1]", true},    {"n[", "0", 254, "1]", false},
        {"n[", "0", 254, "1-3]", false}, {"n[1]", "n", 253, "", true},
        {"n[1]", "n", 254, "", false},   {"n", "[0]", 254, "", true},
        {"n", "[0]", 255, "", false},    {"n", "[0]", 200000, "", false},
        {"n", "[0-1]", 255, "", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_hostlist *hosts = NULL;
        char *text = repeated(cases[i].begin, cases[i].piece, cases[i].times, cases[i].end);
        int rc = smap_hostlist_parse(&hosts, text, &err);
        if (cases[i].good) {
            assert_int_equal(rc, SMAP_OK);
            assert_int_equal(strlen(hosts->names[0]), SMAP_HOST_NAME_MAX);
        } else {
            assert_int_equal(rc, SMAP_EINVAL);
            assert_string_equal(err.text, "a node name is longer than 255 characters");
        }
        smap_hostlist_destroy(hosts);
        free(text);
    }
}

/* Random lists written in both notations at once. */
static void add_word(struct smap_text *compact, struct smap_text *full, uint64_t *seed)
{
    static const char *const stems[] = {"n", "gpu-", "r1", "x.y"};
    static const char *const tails[] = {"", "", "-ib", ".site.org"};
    const char *stem = stems[unit_between(seed, 0, 3)], *tail = tails[unit_between(seed, 0, 3)];
    int width = (int)unit_between(seed, 1, 4);
    uint32_t ranges = unit_between(seed, 0, 3);
    if (ranges == 0) {
        smap_text_add(compact, "%s%s", stem, tail);
        smap_text_add(full, "%s%s\n", stem, tail);
        return;
    }
    smap_text_add(compact, "%s[", stem);
    for (uint32_t r = 0; r < ranges; r++) {
        uint32_t low = unit_between(seed, 0, 120), high = low + unit_between(seed, 0, 12);
        /* A range keeps the width that its first number is written with. */
        smap_text_add(compact, "%s%0*" PRIu32, r ? "," : "", width, low);
        if (high > low || unit_between(seed, 0, 1))
            smap_text_add(compact, "-%" PRIu32, high);
        for (uint32_t number = low; number <= high; number++)
            smap_text_add(full, "%s%0*" PRIu32 "%s\n", stem, width, number, tail);
    }
    smap_text_add(compact, "]%s", tail);
}

static void test_random(void **state)
{
    uint64_t seed = 1066;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct smap_text compact = {0}, full = {0}, got = {0};
        struct smap_error err = {""};
        struct smap_hostlist *hosts = NULL;
        for (uint32_t words = unit_between(&seed, 1, 5); words > 0; words--) {
            add_word(&compact, &full, &seed);
            if (words > 1)
                smap_text_add(&compact, ",");
        }
        char *list = smap_text_take(&compact), *want = smap_text_take(&full);
        if (smap_hostlist_parse(&hosts, list, &err) != SMAP_OK)
            fail_msg("'%s': %s", list, err.text);
        for (size_t i = 0; i < hosts->count; i++)
            smap_text_add(&got, "%s\n", hosts->names[i]);
        char *names = smap_text_take(&got);
        assert_string_equal(names, want);
        free(names);
        free(list);
        free(want);
        smap_hostlist_destroy(hosts);
    }
}

static void test_find(void **state)
{
    struct smap_hostlist *hosts = NULL;
    (void)state;
    assert_int_equal(smap_hostlist_parse(&hosts, "n[1-3],m,n2", NULL), SMAP_OK);
    assert_int_equal(smap_hostlist_find(hosts, "n1"), 0);
    assert_int_equal(smap_hostlist_find(hosts, "n2"), 1); /* the first of both */
    assert_int_equal(smap_hostlist_find(hosts, "m"), 3);
    assert_true(smap_hostlist_find(hosts, "n4") == SIZE_MAX);
    assert_true(smap_hostlist_find(hosts, "n") == SIZE_MAX);
    assert_true(smap_hostlist_find(hosts, "n10") == SIZE_MAX);
    assert_true(smap_hostlist_find(hosts, "N1") == SIZE_MAX);
    assert_true(smap_hostlist_find(hosts, "") == SIZE_MAX);
    smap_hostlist_destroy(hosts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expand),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_find),
        cmocka_unit_test(test_long_names), cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
