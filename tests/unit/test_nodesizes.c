/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks per node in Slurm's notation: what is read, what is refused, and first / node_at as each
 * other's inverse. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "step/nodesizes.h"

static struct smap_nodesizes *parse(const char *text)
{
    struct smap_error err = {""};
    struct smap_nodesizes *sizes = NULL;
    if (smap_nodesizes_parse(&sizes, text, &err) != SMAP_OK)
        fail_msg("'%.100s': %s", text, err.text);
    return sizes;
}

static void test_parse(void **state)
{
    static const struct {
        const char *text, *canonical;
        uint32_t nodes, tasks, uniform, last;
    } cases[] = {
        {"1(x2)", "1(x2)", 2, 2, 1, 1},
        {"3(x2),1", "3(x2),1", 3, 7, 0, 1},
        {"2", "2", 1, 2, 2, 2},
        {"48(x50),16", "48(x50),16", 51, 2416, 0, 16},
        {"4,3,3", "4,3(x2)", 3, 10, 0, 3},
        {"2,2", "2(x2)", 2, 4, 2, 2},
        {"2(x3),2,2(x2)", "2(x6)", 6, 12, 2, 2},
        {"1(x1)", "1", 1, 1, 1, 1},
        {"007(x02)", "7(x2)", 2, 14, 7, 7},
        {"1,2,1", "1,2,1", 3, 4, 0, 1},
        {"4294967295", "4294967295", 1, UINT32_MAX, UINT32_MAX, UINT32_MAX},
        {"1(x4294967295)", "1(x4294967295)", UINT32_MAX, UINT32_MAX, 1, 1},
        {"65535(x65537)", "65535(x65537)", 65537, UINT32_MAX, 65535, 65535},
        {"4294967294,1", "4294967294,1", 2, UINT32_MAX, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_nodesizes *sizes = parse(cases[i].text);
        char *text = smap_nodesizes_format(sizes);
        assert_string_equal(text, cases[i].canonical);
        assert_int_equal(smap_nodesizes_nodes(sizes), cases[i].nodes);
        assert_int_equal(smap_nodesizes_tasks(sizes), cases[i].tasks);
        assert_int_equal(smap_nodesizes_uniform(sizes), cases[i].uniform);
        assert_int_equal(smap_nodesizes_size(sizes, cases[i].nodes - 1), cases[i].last);
        assert_int_equal(smap_nodesizes_first(sizes, cases[i].nodes), cases[i].tasks);
        assert_int_equal(smap_nodesizes_node_at(sizes, cases[i].tasks - 1), cases[i].nodes - 1);
        free(text);
        smap_nodesizes_destroy(sizes);
    }
}

static const char *const garbage[] = {
    "",
    ",",
    "1,",
    ",1",
    "1,,2",
    "0",
    "0(x2)",
    "2,0",
    "2(x0)",
    "2(x)",
    "2(",
    "2(x3",
    "2(3)",
    "2(X3)",
    "2x3",
    "2(x3)4",
    "2(x3)(x2)",
    "2(x3) ",
    " 2",
    "2 ",
    "1, 2",
    "-1",
    "+1",
    "1.5",
    "a",
    "1(x-2)",
    "1(x+2)",
    "1(x2))",
    "(x2)",
    "1;2",
    "1\n",
    "0x10",
    "1(x1,2)",
    "4294967296",
    "2(x4294967296)",
    "99999999999999999999",
};

static void test_refusals(void **state)
{
    static const char *const too_many[] = {
        "65536(x65536)",    "4294967295,1",   "1,4294967295",
        "2(x2147483648)",   "4294967295(x2)", "4294967295(x4294967295)",
        "1(x4294967295),1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
        struct smap_error err = {""};
        struct smap_nodesizes *sizes = NULL;
        char want[256];
        snprintf(want, sizeof(want), "'%s' is not a list of tasks per node like 48(x50),16",
                 garbage[i]);
        if (smap_nodesizes_parse(&sizes, garbage[i], &err) != SMAP_EINVAL || sizes)
            fail_msg("'%s' was taken", garbage[i]);
        assert_string_equal(err.text, want);
        assert_int_equal(smap_nodesizes_parse(&sizes, garbage[i], NULL), SMAP_EINVAL);
    }
    for (size_t i = 0; i < sizeof(too_many) / sizeof(too_many[0]); i++) {
        struct smap_error err = {""};
        struct smap_nodesizes *sizes = NULL;
        if (smap_nodesizes_parse(&sizes, too_many[i], &err) != SMAP_EINVAL || sizes)
            fail_msg("'%s' was taken", too_many[i]);
        assert_string_equal(err.text, "more than 4294967295 tasks");
    }
    smap_nodesizes_destroy(NULL);
}

static void test_create(void **state)
{
    struct smap_error err = {""};
    struct smap_nodesizes *sizes = NULL;
    (void)state;
    assert_int_equal(smap_nodesizes_create(&sizes, NULL, 0, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "no nodes");
    assert_int_equal(smap_nodesizes_create(&sizes, (const uint32_t[]){3, 0, 2}, 3, &err),
                     SMAP_EINVAL);
    assert_string_equal(err.text, "node 1 has no task");
    assert_int_equal(smap_nodesizes_create(&sizes, (const uint32_t[]){UINT32_MAX, 1}, 2, &err),
                     SMAP_EINVAL);
    assert_string_equal(err.text, "more than 4294967295 tasks");
    assert_null(sizes);
    assert_int_equal(smap_nodesizes_create(&sizes, (const uint32_t[]){3, 3, 1}, 3, &err), SMAP_OK);
    char *text = smap_nodesizes_format(sizes);
    assert_string_equal(text, "3(x2),1");
    free(text);
    smap_nodesizes_destroy(sizes);
}

/* Against the list written out. */
static void check(const struct smap_nodesizes *sizes, const uint32_t counts[], uint32_t nodes)
{
    uint32_t first = 0;
    assert_int_equal(smap_nodesizes_nodes(sizes), nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        assert_int_equal(smap_nodesizes_size(sizes, i), counts[i]);
        assert_int_equal(smap_nodesizes_first(sizes, i), first);
        for (uint32_t q = first; q < first + counts[i]; q++)
            if (q == first || q == first + counts[i] - 1 || counts[i] < 50)
                assert_int_equal(smap_nodesizes_node_at(sizes, q), i);
        first += counts[i];
    }
    assert_int_equal(smap_nodesizes_first(sizes, nodes), first);
    assert_int_equal(smap_nodesizes_first(sizes, nodes + 7), first);
    assert_int_equal(smap_nodesizes_tasks(sizes), first);
}

static void test_random(void **state)
{
    uint64_t seed = 4242;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        uint32_t counts[60], nodes = unit_between(&seed, 1, 60);
        uint32_t largest = unit_between(&seed, 1, round % 2 ? 3 : 4000);
        struct smap_error err = {""};
        struct smap_nodesizes *sizes = NULL;
        bool uniform = true;
        for (uint32_t i = 0; i < nodes; i++) {
            counts[i] =
                i && unit_between(&seed, 0, 1) ? counts[i - 1] : unit_between(&seed, 1, largest);
            uniform = uniform && counts[i] == counts[0];
        }
        assert_int_equal(smap_nodesizes_create(&sizes, counts, nodes, &err), SMAP_OK);
        check(sizes, counts, nodes);
        assert_int_equal(smap_nodesizes_uniform(sizes), uniform ? counts[0] : 0);
        char *text = smap_nodesizes_format(sizes);
        struct smap_nodesizes *again = parse(text);
        check(again, counts, nodes);
        char *same = smap_nodesizes_format(again);
        assert_string_equal(text, same);
        free(text);
        free(same);
        smap_nodesizes_destroy(sizes);
        smap_nodesizes_destroy(again);
    }
}

/* A million runs: 1,2,1,2,... */
static void test_million_runs(void **state)
{
    const uint32_t nodes = 1000000;
    struct smap_text text = {0};
    uint64_t seed = 99;
    (void)state;
    for (uint32_t i = 0; i < nodes; i++)
        smap_text_add(&text, i ? ",%d" : "%d", i % 2 ? 2 : 1);
    char *list = smap_text_take(&text);
    struct smap_nodesizes *sizes = parse(list);
    assert_int_equal(smap_nodesizes_tasks(sizes), 1500000);
    assert_int_equal(smap_nodesizes_uniform(sizes), 0);
    for (int round = 0; round < 100000; round++) {
        uint32_t i = unit_between(&seed, 0, nodes - 1), first = i / 2 * 3 + i % 2;
        assert_int_equal(smap_nodesizes_size(sizes, i), i % 2 ? 2 : 1);
        assert_int_equal(smap_nodesizes_first(sizes, i), first);
        assert_int_equal(smap_nodesizes_node_at(sizes, first), i);
        assert_int_equal(smap_nodesizes_node_at(sizes, first + i % 2), i);
    }
    char *same = smap_nodesizes_format(sizes);
    assert_string_equal(same, list);
    free(same);
    free(list);
    smap_nodesizes_destroy(sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_create),       cmocka_unit_test(test_random),
        cmocka_unit_test(test_million_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
