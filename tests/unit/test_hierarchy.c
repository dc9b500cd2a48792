/* SPDX-License-Identifier: BSD-3-Clause */
/* Hierarchies: the texts, and Algorithm 1 of the mixed-radix paper. */
#include "unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "order/hierarchy.h"
#include "order/order.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct smap_hierarchy parsed(const char *text)
{
    struct smap_hierarchy h;
    struct smap_error err = {""};
    if (smap_hierarchy_parse(&h, text, &err))
        fail_msg("%s: %s", text, err.text);
    return h;
}

static void test_accepted(void **state)
{
    static const struct {
        const char *text;
        const char *formatted;
        uint64_t product;
        size_t node_levels;
    } cases[] = {
        {"16,2,2,8", "16,2,2,8", 512, 0},
        {"8", "8", 8, 0},
        {"1,1", "1,1", 1, 0},
        {"node:16,socket:2,fake:2,core:8", "node:16,socket:2,fake:2,core:8", 512, 1},
        {"Package:2,NUMANode:4,CCX:2,Core:8", "socket:2,numa:4,l3:2,core:8", 128, 0},
        {"rack:2,switch_1:3,node:16,core:4", "rack:2,switch_1:3,node:16,core:4", 384, 3},
        {"fake:2,fake:2,core:2,hwthread:2", "fake:2,fake:2,core:2,pu:2", 16, 0},
        {"socket:2,group:2,group2:3,fake1:2,core:1", "socket:2,group:2,group2:3,fake1:2,core:1", 24,
         0},
        {"18446744073709551615", "18446744073709551615", UINT64_MAX, 0},
        {"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2", 2, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_hierarchy h = parsed(cases[i].text);
        char *formatted = smap_hierarchy_format(&h);
        assert_string_equal(formatted, cases[i].formatted);
        struct smap_hierarchy again = parsed(formatted);
        assert_memory_equal(&again, &h, sizeof(h));
        assert_true(smap_hierarchy_product(&h) == cases[i].product);
        assert_int_equal(h.node_levels, cases[i].node_levels);
        free(formatted);
    }
}

static void test_refused(void **state)
{
    static const char *const cases[][2] = {
        {"", "--rank-hierarchy=: level 0: levels are numbers, 16,2,8, or named numbers, "
             "node:16,socket:2,core:8"},
        {"16,,8", "--rank-hierarchy=16,,8: level 1: levels are numbers, 16,2,8, or named numbers, "
                  "node:16,socket:2,core:8"},
        {"16,2,", "--rank-hierarchy=16,2,: level 2: levels are numbers, 16,2,8, or named numbers, "
                  "node:16,socket:2,core:8"},
        {"16,0,8", "--rank-hierarchy=16,0,8: level 1: a level has at least 1 member"},
        {"16x2", "--rank-hierarchy=16x2: level 0: levels are separated by ','"},
        {"-2", "--rank-hierarchy=-2: level 0: levels are numbers, 16,2,8, or named numbers, "
               "node:16,socket:2,core:8"},
        {" 2", "--rank-hierarchy= 2: level 0: levels are numbers, 16,2,8, or named numbers, "
               "node:16,socket:2,core:8"},
        {"socket",
         "--rank-hierarchy=socket: level 0: a name is followed by ':' and a number, as in "
         "socket:2"},
        {"socket:", "--rank-hierarchy=socket:: level 0: levels are numbers, 16,2,8, or named "
                    "numbers, node:16,socket:2,core:8"},
        {"socket:2,4", "--rank-hierarchy=socket:2,4: name all levels or none"},
        {"2,core:4", "--rank-hierarchy=2,core:4: name all levels or none"},
        {"socket:2,package:2", "--rank-hierarchy=socket:2,package:2: 'socket' is there twice"},
        {"node:2,scoket:2",
         "--rank-hierarchy=node:2,scoket:2: no level is called 'scoket'; there "
         "are socket, die, numa, l3, l2, gpu, group, core, pu, and fake for one of "
         "your own"},
        {"x:2,core:2",
         "--rank-hierarchy=x:2,core:2: no level is called 'x'; there are socket, die, "
         "numa, l3, l2, gpu, group, core, pu, and fake for one of your own"},
        {"rack:2,core:2",
         "--rank-hierarchy=rack:2,core:2: no level is called 'rack'; there are "
         "socket, die, numa, l3, l2, gpu, group, core, pu, and fake for one of your "
         "own"},
        {"block:2,node:2", "--rank-hierarchy=block:2,node:2: 'block' is a word of orders, not a "
                           "level"},
        {"abcdefghijklmnop:2,node:1", "--rank-hierarchy=abcdefghijklmnop:2,node:1: level 0: a name "
                                      "has at most 15 letters, digits and '_'"},
        {"18446744073709551616", "--rank-hierarchy=18446744073709551616: level 0: levels are "
                                 "numbers, 16,2,8, or named numbers, node:16,socket:2,core:8"},
        {"4294967296,4294967296", "--rank-hierarchy=4294967296,4294967296: the product of the "
                                  "levels does not fit in 64 bits"},
        {"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
         "--rank-hierarchy=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1: more than 16 levels"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_hierarchy h = {.count = 77};
        struct smap_error err = {""};
        assert_int_equal(smap_hierarchy_parse(&h, cases[i][0], &err), SMAP_EINVAL);
        assert_string_equal(err.text, cases[i][1]);
        assert_int_equal(h.count, 77);
        assert_int_equal(smap_hierarchy_parse(&h, cases[i][0], NULL), SMAP_EINVAL);
    }
}

static void test_nodes(void **state)
{
    struct smap_error err = {""};
    struct smap_hierarchy named = parsed("socket:2,core:8");
    struct smap_hierarchy bare = parsed("2,8");
    struct smap_hierarchy full = parsed("1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1");
    struct smap_hierarchy large = parsed("4294967296,2");
    (void)state;
    assert_int_equal(smap_hierarchy_add_nodes(&named, 16, &err), SMAP_OK);
    assert_int_equal(smap_hierarchy_add_nodes(&bare, 16, &err), SMAP_OK);
    char *text = smap_hierarchy_format(&named);
    assert_string_equal(text, "node:16,socket:2,core:8");
    free(text);
    text = smap_hierarchy_format(&bare);
    assert_string_equal(text, "16,2,8");
    free(text);
    assert_int_equal(bare.node_levels, 1);
    struct smap_hierarchy inside = smap_hierarchy_inside_node(&named);
    assert_int_equal(inside.count, 2);
    assert_int_equal(inside.node_levels, 0);
    assert_int_equal(smap_hierarchy_find(&inside, "core"), 1);
    assert_true(smap_hierarchy_find(&inside, "node") == SIZE_MAX);

    assert_int_equal(smap_hierarchy_add_nodes(&named, 0, &err), SMAP_EINVAL);
    assert_int_equal(smap_hierarchy_add_nodes(&full, 1, &err), SMAP_EINVAL);
    assert_int_equal(smap_hierarchy_add_nodes(&large, UINT64_C(1) << 40, &err), SMAP_EINVAL);
    assert_int_equal(large.count, 2);
}

/* What is known of a step, and how many levels of H then count its nodes; -1: it does not fit. */
static void test_split(void **state)
{
    static const struct {
        const char *hierarchy;
        uint64_t nodes, least, most;
        int node_levels;
    } cases[] = {
        {"2,2,4", 4, 4, 4, 2},
        {"2,2,4", 2, 8, 8, 1},
        {"2,2,4", 4, 5, UINT64_MAX, -1}, /* too few leaves for the tasks of a node */
        {"2,2,4", 4, 3, UINT64_MAX, 2},
        {"2,2,4", 16, 1, UINT64_MAX, -1}, /* no level is left inside */
        {"2,2,4", 3, 1, UINT64_MAX, -1},
        {"4,1,8", 4, 8, 8, 1}, /* the fewest */
        {"1,4,8", 4, 8, 8, 2},
        {"1,8", 1, 8, 8, 1},
        {"2,2,4", 0, 16, 16, 0}, /* only the leaves are known */
        {"2,2,4", 0, 8, 8, 1},
        {"2,2,4", 0, 4, 4, 2},
        {"2,2,4", 0, 1, 1, -1},
        {"2,2,4", 0, 5, 7, -1},
        {"socket:2,core:4", 2, 4, 4, -1}, /* names say it themselves */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_hierarchy h = parsed(cases[i].hierarchy);
        bool fits = smap_hierarchy_split(&h, cases[i].nodes, cases[i].least, cases[i].most);
        assert_int_equal(fits ? (int)h.node_levels : -1, cases[i].node_levels);
        assert_true(fits || h.node_levels == 0);
    }
    struct smap_hierarchy set = parsed("2,2,4");
    set.node_levels = 1;
    assert_false(smap_hierarchy_split(&set, 4, 4, 4));
    assert_int_equal(set.node_levels, 1);
}

/* Rank 10 of Figure 1, and Knuth's 3 weeks, 2 days, 9 hours, 22 minutes and 32 seconds. */
static void test_coordinates(void **state)
{
    static const struct {
        const char *hierarchy;
        uint64_t rank;
        uint64_t coordinate[5];
    } cases[] = {
        {"2,2,4", 10, {1, 0, 2}}, {"2,2,4", 0, {0, 0, 0}},
        {"2,2,4", 15, {1, 1, 3}}, {"52,7,24,60,60", 2020952, {3, 2, 9, 22, 32}},
        {"1,3,1", 2, {0, 2, 0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_hierarchy h = parsed(cases[i].hierarchy);
        uint64_t coordinate[SMAP_LEVELS_MAX];
        smap_hierarchy_coordinates(coordinate, &h, cases[i].rank);
        for (size_t l = 0; l < h.count; l++)
            assert_true(coordinate[l] == cases[i].coordinate[l]);
        /* The inverse of Algorithm 1 is Algorithm 2 with the natural order (section 3.1). */
        struct smap_order natural = smap_order_natural(h.count);
        assert_true(smap_order_new_rank(&h, &natural, cases[i].rank) == cases[i].rank);
    }
}

static void test_names(void **state)
{
    char name[SMAP_NAME_SIZE];
    (void)state;
    assert_true(smap_level_canonical(name, "L3Cache rest", 7));
    assert_string_equal(name, "l3");
    assert_false(smap_level_canonical(name, "", 0));
    assert_false(smap_level_canonical(name, "3l", 2));
    assert_false(smap_level_canonical(name, "a b", 3));
    assert_true(smap_level_is_known("group7"));
    assert_false(smap_level_is_known("group7x"));
    assert_false(smap_level_is_known("fake"));
    assert_true(smap_level_is_fake("fake12"));
    assert_false(smap_level_is_fake("faker"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_nodes),       cmocka_unit_test(test_split),
        cmocka_unit_test(test_coordinates), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
