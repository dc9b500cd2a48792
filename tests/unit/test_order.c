/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders: the published values of the mixed-radix paper, brute force, and the ORDER texts. */
#include "unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "order/order_metrics.h"
#include "order/order_nodes.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct smap_hierarchy hierarchy(const char *text, size_t node_levels)
{
    struct smap_hierarchy h;
    struct smap_error err = {""};
    if (smap_hierarchy_parse(&h, text, &err))
        fail_msg("%s: %s", text, err.text);
    if (h.level[0].name[0] == '\0')
        h.node_levels = node_levels;
    return h;
}

static struct smap_order order(const char *text, const struct smap_hierarchy *h)
{
    struct smap_order o;
    struct smap_error err = {""};
    if (smap_order_parse(&o, text, h, &err))
        fail_msg("%s: %s", text, err.text);
    return o;
}

/* Table 1 (rank 10 on [[2, 2, 4]]), Figure 2's captions, and the ring costs and percentages that
 * section 3.3 gives for two of the orders, for communicators of 4. */
static void test_paper_example(void **state)
{
    static const struct {
        const char *order;
        uint64_t new_rank;
        const char *distribution;
    } cases[] = {
        {"0-1-2", 9, "cyclic:cyclic"}, {"0-2-1", 5, "cyclic:block"}, {"1-0-2", 10, ""},
        {"1-2-0", 12, "block:cyclic"}, {"2-0-1", 6, "plane=4"},      {"2-1-0", 10, "block:block"},
    };
    struct smap_hierarchy h = hierarchy("2,2,4", 1);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_order o = order(cases[i].order, &h);
        char distribution[32];
        assert_int_equal(smap_order_new_rank(&h, &o, 10), cases[i].new_rank);
        assert_int_equal(smap_order_core(&h, &o, cases[i].new_rank), 10);
        smap_order_distribution(distribution, &h, &o);
        assert_string_equal(distribution, cases[i].distribution);
        char *text = smap_order_format(&o);
        assert_string_equal(text, cases[i].order);
        free(text);
    }
}

static void test_paper_metrics(void **state)
{
    static const struct {
        const char *hierarchy;
        const char *order;
        uint64_t size;
        uint64_t ring;
        double percent[4];
    } cases[] = {
        {"2,2,4", "0-1-2", 4, 9, {0, 100.0 / 3, 200.0 / 3}},
        {"2,2,4", "1-0-2", 4, 7, {0, 100.0 / 3, 200.0 / 3}},
        {"2,2,4", "2-1-0", 4, 3, {100, 0, 0}},
        {"16,2,2,8", "1-3-2-0", 16, 45, {700.0 / 15, 0, 800.0 / 15, 0}},
        {"16,2,2,8", "3-1-0-2", 16, 17, {700.0 / 15, 0, 800.0 / 15, 0}},
        {"16,2,2,8", "0-1-2-3", 16, 60, {0, 0, 0, 100}},
        {"16,2,2,8", "3-2-1-0", 1, 0, {0, 0, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_hierarchy h = hierarchy(cases[i].hierarchy, 1);
        struct smap_order o = order(cases[i].order, &h);
        uint64_t ring;
        double percent[SMAP_LEVELS_MAX];
        assert_int_equal(smap_order_ring_cost(&ring, &h, &o, cases[i].size, NULL), SMAP_OK);
        assert_int_equal(ring, cases[i].ring);
        assert_int_equal(smap_order_pair_percent(percent, &h, &o, cases[i].size, NULL), SMAP_OK);
        for (size_t l = 0; l < h.count; l++)
            assert_true(fabs(percent[l] - cases[i].percent[l]) < 1e-9);
    }
}

/* Figure 9 and section 4.3: cores of a LUMI node. */
static void test_lumi_lists(void **state)
{
    static const struct {
        const char *order;
        size_t count;
        uint64_t core[16];
    } cases[] = {
        {"2-1-0-3", 8, {0, 8, 16, 24, 32, 40, 48, 56}},
        {"1-2-0-3", 8, {0, 16, 32, 48, 8, 24, 40, 56}},
        {"2-1-0-3", 4, {0, 8, 16, 24}},
        {"0-1-2-3", 2, {0, 64}},
        {"0-1-2-3", 8, {0, 64, 16, 80, 32, 96, 48, 112}},
        {"1-0-2-3", 8, {0, 16, 32, 48, 64, 80, 96, 112}},
        {"1-2-3-0", 16, {0, 16, 32, 48, 8, 24, 40, 56, 1, 17, 33, 49, 9, 25, 41, 57}},
        {"3-0-1-2", 8, {0, 1, 2, 3, 4, 5, 6, 7}},
    };
    struct smap_hierarchy h = hierarchy("2,4,2,8", 0);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_order o = order(cases[i].order, &h);
        uint64_t core[16];
        assert_int_equal(smap_order_cores(core, cases[i].count, &h, &o, NULL), SMAP_OK);
        assert_memory_equal(core, cases[i].core, cases[i].count * sizeof(core[0]));
    }
    struct smap_error err;
    struct smap_order natural = smap_order_natural(4);
    assert_int_equal(smap_order_cores(NULL, 129, &h, &natural, &err), SMAP_ENOTSUP);
    assert_string_equal(err.text, "129 cores wanted, but there are 128");
}

/* How texts are read; each case is the hierarchy, the text, and the numbers it means. */
static void test_texts(void **state)
{
    static const char lumi[] = "socket:2,numa:4,l3:2,core:8";
    static const char hydra[] = "node:16,socket:2,fake:2,core:8";
    static const char *const cases[][3] = {
        {lumi, "2-1-0-3", "2-1-0-3"},
        {lumi, "2,1,0,3", "2-1-0-3"},
        /* A name stands for all objects of its kind: outer levels not named go with it. */
        {lumi, "numa,l3,core", "1-0-2-3"},
        {lumi, "numa", "1-0-3-2"},
        {lumi, "l3", "2-1-0-3"},
        {lumi, "core", "3-2-1-0"},
        {lumi, "socket", "0-3-2-1"},
        {lumi, "l3,numa,core,socket", "2-1-3-0"},
        {lumi, "l3,socket,core", "2-1-0-3"},
        {lumi, "core,numa", "3-2-1-0"},
        {lumi, "core-socket", "3-2-1-0"},
        {lumi, "NUMANode,Package", "1-0-3-2"},
        {lumi, "block:block", "3-2-1-0"},
        {lumi, "cyclic:cyclic", "0-3-2-1"},
        /* Nodes are slowest unless they are named. */
        {hydra, "core,socket,node", "3-2-1-0"},
        {hydra, "fake,core", "2-1-3-0"},
        {hydra, "socket", "1-3-2-0"},
        {hydra, "node", "0-3-2-1"},
        {hydra, "socket,node", "1-0-3-2"},
        {hydra, "node,core", "0-3-2-1"},
        {hydra, "block", "1-3-2-0"},
        {hydra, "block:cyclic", "1-3-2-0"},
        {hydra, "BLOCK:Block", "3-2-1-0"},
        {hydra, "cyclic", "0-1-3-2"},
        {hydra, "cyclic:block", "0-3-2-1"},
        {hydra, "plane=8", "3-0-2-1"},
        {hydra, "plane=1", "0-3-2-1"},
        {hydra, "plane=32", "3-2-1-0"},
        {"rack:3,node:4,core:2", "node", "1-0-2"},
        {"rack:3,node:4,core:2", "core", "2-1-0"},
        {"rack:3,node:4,core:2", "rack,core", "0-2-1"},
        {"fake1:2,fake2:4", "fake1", "0-1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_hierarchy h = hierarchy(cases[i][0], 0);
        struct smap_order o = order(cases[i][1], &h);
        char *text = smap_order_format(&o);
        if (strcmp(text, cases[i][2]) != 0)
            fail_msg("%s on %s: %s, not %s", cases[i][1], cases[i][0], text, cases[i][2]);
        free(text);
        assert_false(o.membind);
        char with[64];
        snprintf(with, sizeof(with), "%s,membind", cases[i][1]);
        struct smap_order bound = order(with, &h);
        assert_true(bound.membind);
        bound.membind = false;
        assert_memory_equal(&bound, &o, sizeof(o));
    }
}

/* Names of levels that coincide on the machine, and of kinds of which there is one. */
static void test_aliases(void **state)
{
    static const char *const cases[][2] = {
        {"numa,core", "0-1"},
        {"l3,core", "0-1"},
        {"core,l3", "1-0"},
        {"numa,l3,core", "0-1"},
        {"socket,core", "1-0"},
        /* numa is outside of the l3 that it equals: where it stands counts. */
        {"l3,core,numa", "1-0"},
        {"numa,core,l3", "0-1"},
    };
    struct smap_hierarchy h = hierarchy("numa:4,core:8", 0);
    h.level[0].alias_count = 2;
    strcpy(h.level[0].alias[0], "numa");
    strcpy(h.level[0].alias[1], "l3");
    h.trivial_count = 1;
    strcpy(h.trivial[0], "socket");
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_order o = order(cases[i][0], &h);
        char *text = smap_order_format(&o);
        if (strcmp(text, cases[i][1]) != 0)
            fail_msg("%s: %s, not %s", cases[i][0], text, cases[i][1]);
        free(text);
    }
}

static void test_refused(void **state)
{
    static const char lumi[] = "socket:2,numa:4,l3:2,core:8";
    static const char *const cases[][3] = {
        {lumi, "numa,l4", "no level 'l4' here; levels are socket:2, numa:4, l3:2, core:8"},
        {lumi, "node,core", "no level 'node' here; levels are socket:2, numa:4, l3:2, core:8"},
        {lumi, "2-1",
         "2 of 4 levels; socket:2, numa:4, l3:2, core:8 are 0 to 3, each exactly once"},
        {lumi, "2-1-0-4", "no level 4; 4 levels are 0 to 3"},
        {lumi, "2-1-2-0", "level 2 is there twice"},
        {lumi, "2-1-0-", "level numbers look like 2-1-0"},
        {lumi, "2--1", "level numbers look like 2-1-0"},
        {lumi, "2-1-0-3x", "level numbers look like 2-1-0"},
        {lumi, "99999999999999999999-1", "level numbers look like 2-1-0"},
        {lumi, "0-1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16", "more levels than a hierarchy can have"},
        {lumi, "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "more levels than a hierarchy can have"},
        {lumi, "core,l3,core", "a level is there twice"},
        {lumi, "socket,package", "a level is there twice"},
        {lumi, "core,", "level names look like core,socket,node"},
        {lumi, "core;l3", "level names look like core,socket,node"},
        {lumi, ",core", "level names look like core,socket,node"},
        {lumi, "core,2", "level names look like core,socket,node"},
        {lumi, "", "empty; give level numbers (2-1-0), names (core,socket,node) or block:cyclic"},
        {lumi, "core,block", "Slurm's words look like block:cyclic and do not mix with levels"},
        {lumi, "block:", "the word for sockets is block or cyclic"},
        {lumi, "block:fcyclic", "the word for sockets is block or cyclic"},
        {lumi, "block:block:block", "two words are enough, for nodes and sockets"},
        {lumi, "block,core", "only ,membind can follow here"},
        {lumi, "plane=3", "a plane of whole inner levels has 1, 8 cores"},
        {lumi, "plane=0", "a plane has a size, as in plane=4"},
        {lumi, "plane", "a plane has a size, as in plane=4"},
        {lumi, "membind", "an order comes before membind"},
        {lumi, "membind,core", "an order comes before membind"},
        {lumi, "core,membind,l3", "membind comes last"},
        {"2,4", "core", "no level 'core' here; levels are 2, 4, without names: give their numbers"},
        {"fake:2,fake:2,core:2", "fake,core",
         "levels 0 and 1 are called 'fake'; give numbers, or call them fake1 and fake2"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct smap_hierarchy h = hierarchy(cases[i][0], 0);
        struct smap_order o;
        struct smap_error err = {""};
        char expected[512];
        snprintf(expected, sizeof(expected), "--rank-order=%s: %s", cases[i][1], cases[i][2]);
        assert_int_equal(smap_order_parse(&o, cases[i][1], &h, &err), SMAP_EINVAL);
        assert_string_equal(err.text, expected);
    }
}

/* Ranks per block and node; 0: refused with the text. 4 nodes, 32 tasks. */
static void test_block(void **state)
{
    static const struct {
        const char *order, *hierarchy;
        uint32_t block;
        const char *error;
    } cases[] = {
        {"core", NULL, SMAP_WHOLE_NODE, NULL},
        {"core,node", NULL, SMAP_WHOLE_NODE, NULL},
        {"core,node,membind", NULL, SMAP_WHOLE_NODE, NULL},
        {"node,core", NULL, 1, NULL},
        {"block:cyclic", NULL, SMAP_WHOLE_NODE, NULL},
        {"cyclic", NULL, 1, NULL},
        {"plane=4", NULL, 4, NULL},
        {"2-1-0", NULL, SMAP_WHOLE_NODE, NULL},
        {"core,node,numa", NULL, 0,
         "--rank-order=core,node,numa: with node between other levels, --rank-hierarchy must say "
         "how many there are of each"},
        {"rack,node,core", NULL, 0,
         "--rank-order=rack,node,core: no level is called 'rack', unless --rank-hierarchy has it "
         "in "
         "front of node"},
        {"core,node,fake", "node:4,fake:2,core:4", 4, NULL},
        {"2-0-1", "4,2,4", 4, NULL},
        {"1-0", "2,4", SMAP_WHOLE_NODE, NULL},
        {"1-0-2", "2,2,8", 1, NULL}, /* several numbers multiply to the nodes */
        {"2-1-0", "2,2,8", SMAP_WHOLE_NODE, NULL},
        {"2-1-0-3", "2,2,4,2", 4, NULL},
        {"0-1-2", "2,2,8", 0,
         "--rank-order=0-1-2: node and the levels around it must lie side by side, node fastest"},
        {"node,rack,core", "rack:2,node:2,core:8", 1, NULL},
        {"core,node,rack", "rack:2,node:2,core:8", SMAP_WHOLE_NODE, NULL},
        {"core,node,rack,numa", "rack:2,node:2,numa:2,core:4", 4, NULL},
        {"rack,node,core", "rack:2,node:2,core:8", 0,
         "--rank-order=rack,node,core: node and the levels around it must lie side by side, node "
         "fastest"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        uint32_t block = 0;
        int rc = smap_order_block(&block, cases[i].order, cases[i].hierarchy, 4, 32, &err);
        assert_string_equal(err.text, cases[i].error ? cases[i].error : "");
        assert_int_equal(rc == SMAP_OK ? block : 0, cases[i].block);
    }
}

static void test_check(void **state)
{
    size_t numbers;
    struct smap_error err;
    (void)state;
    assert_int_equal(smap_order_check(&numbers, "2-1-0,membind", NULL), SMAP_OK);
    assert_int_equal(numbers, 3);
    assert_int_equal(smap_order_check(&numbers, "numa,fake2,l3,core", NULL), SMAP_OK);
    assert_int_equal(numbers, 0);
    assert_int_equal(smap_order_check(NULL, "plane=4", NULL), SMAP_OK);
    assert_int_equal(smap_order_check(NULL, "2-1-3", &err), SMAP_EINVAL);
    assert_string_equal(err.text, "--rank-order=2-1-3: no level 3; 3 levels are 0 to 2");
    assert_int_equal(smap_order_check(NULL, "numma", &err), SMAP_EINVAL);
    const char *refusal =
        "--rank-order=numma: no level is called 'numma'; there are node, socket, ";
    assert_memory_equal(err.text, refusal, strlen(refusal));
    assert_int_equal(smap_order_check(NULL, "rack,node,core", NULL), SMAP_OK);
    assert_true(smap_order_names("core,hwthread", "pu"));
    assert_false(smap_order_names("core", "pu"));
    assert_false(smap_order_names("1-0", "core"));
}

/* Bare numbers. */
static struct smap_hierarchy of_numbers(const uint64_t arity[], size_t count, size_t node_levels)
{
    char text[SMAP_LEVELS_MAX * 22] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%" PRIu64, i ? "," : "",
                                 arity[i]);
    return hierarchy(text, node_levels);
}

static struct smap_hierarchy random_hierarchy(uint64_t *seed, size_t most_levels, uint32_t arity)
{
    uint64_t a[SMAP_LEVELS_MAX];
    size_t count = unit_between(seed, 1, (uint32_t)most_levels);
    for (size_t i = 0; i < count; i++)
        a[i] = unit_between(seed, 1, arity);
    return of_numbers(a, count, unit_between(seed, 0, (uint32_t)count));
}

/* 1 + levels crossed, by coordinates. */
static uint64_t distance(const struct smap_hierarchy *h, uint64_t a, uint64_t b)
{
    uint64_t x[SMAP_LEVELS_MAX];
    uint64_t y[SMAP_LEVELS_MAX];
    smap_hierarchy_coordinates(x, h, a);
    smap_hierarchy_coordinates(y, h, b);
    for (size_t i = 0; i < h->count; i++)
        if (x[i] != y[i])
            return h->count - i;
    return 0;
}

/* Algorithm 3 to the letter, ring and pairs by definition, for all orders of random hierarchies. */
static void test_brute_force(void **state)
{
    uint64_t seed = 20231112;
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct smap_hierarchy h = random_hierarchy(&seed, 4, 5);
        uint64_t leaves = smap_hierarchy_product(&h);
        uint64_t list[625];
        uint64_t cores[625];
        struct smap_orders all;
        for (smap_orders_begin(&all, h.count); smap_orders_next(&all);) {
            uint32_t size = unit_between(&seed, 1, (uint32_t)leaves);
            for (uint64_t c = 0; c < leaves; c++) {
                uint64_t r = smap_order_new_rank(&h, &all.order, c);
                assert_true(r < leaves);
                assert_int_equal(smap_order_core(&h, &all.order, r), c);
                if (r < size)
                    list[r] = c;
            }
            assert_int_equal(smap_order_cores(cores, size, &h, &all.order, NULL), SMAP_OK);
            assert_memory_equal(list, cores, size * sizeof(list[0]));

            uint64_t ring = 0;
            uint64_t expected = 0;
            uint64_t pairs[SMAP_LEVELS_MAX] = {0};
            double percent[SMAP_LEVELS_MAX];
            for (uint32_t a = 0; a + 1 < size; a++)
                expected += distance(&h, list[a], list[a + 1]);
            for (uint32_t a = 0; a < size; a++)
                for (uint32_t b = 0; b < a; b++)
                    pairs[distance(&h, list[a], list[b]) - 1]++;
            assert_int_equal(smap_order_ring_cost(&ring, &h, &all.order, size, NULL), SMAP_OK);
            assert_int_equal(ring, expected);
            assert_int_equal(smap_order_pair_percent(percent, &h, &all.order, size, NULL), SMAP_OK);
            for (size_t l = 0; l < h.count; l++) {
                double all_pairs = size > 1 ? size * (size - 1.0) / 2 : 1.0;
                assert_true(fabs(percent[l] - 100.0 * (double)pairs[l] / all_pairs) < 1e-9);
            }
            struct smap_order inside = smap_order_inside_node(&all.order, h.node_levels);
            assert_int_equal(inside.count, h.count - h.node_levels);
        }
    }
}

/* The tasks of one node, in the order of their ranks, walk through the node's own order. */
static void test_inside_node(void **state)
{
    uint64_t seed = 5;
    (void)state;
    for (int round = 0; round < 100; round++) {
        struct smap_hierarchy h = random_hierarchy(&seed, 5, 4);
        struct smap_hierarchy inside = smap_hierarchy_inside_node(&h);
        uint64_t leaves = smap_hierarchy_product(&h);
        uint64_t per_node = smap_hierarchy_product(&inside);
        uint64_t *local = calloc(leaves / per_node, sizeof(*local));
        struct smap_orders all;
        smap_orders_begin(&all, h.count);
        for (uint32_t skip = unit_between(&seed, 1, 20); skip && smap_orders_next(&all); skip--)
            continue;
        struct smap_order inner = smap_order_inside_node(&all.order, h.node_levels);
        for (uint64_t r = 0; r < leaves; r++) {
            uint64_t core = smap_order_core(&h, &all.order, r);
            uint64_t node = core / per_node;
            assert_int_equal(smap_order_core(&inside, &inner, local[node]), core % per_node);
            local[node]++;
        }
        free(local);
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Where Slurm puts rank r of a full machine, nodes x sockets x cores, one task per core: the layout
 * of its dist_tasks.c, retold. */
static uint64_t slurm_core(const char *word, uint64_t plane, const uint64_t a[3], uint64_t r)
{
    uint64_t per_node = a[1] * a[2];
    uint64_t node = r / per_node;
    uint64_t local = r % per_node;
    if (word[0] == 'c') {
        node = r % a[0];
        local = r / a[0];
    } else if (word[0] == 'p') {
        node = r / plane % a[0];
        local = r / plane / a[0] * plane + r % plane;
    }
    const char *second = strchr(word, ':');
    if (second && second[1] == 'c')
        local = local % a[1] * a[2] + local / a[1];
    return node * per_node + local;
}

static bool slurm_equals(const char *word, const struct smap_hierarchy *h,
                         const struct smap_order *o, const uint64_t a[3])
{
    uint64_t plane = word[0] == 'p' ? strtoull(strchr(word, '=') + 1, NULL, 10) : 1;
    for (uint64_t r = 0; r < a[0] * a[1] * a[2]; r++)
        if (slurm_core(word, plane, a, r) != smap_order_core(h, o, r))
            return false;
    return true;
}

static void test_distributions(void **state)
{
    static const char *const words[] = {"block:block", "block:cyclic", "cyclic:block",
                                        "cyclic:cyclic"};
    uint64_t seed = 4711;
    (void)state;
    for (int round = 0; round < 200; round++) {
        uint64_t a[4];
        for (int i = 0; i < 4; i++)
            a[i] = unit_between(&seed, 1, 4);
        struct smap_hierarchy h = of_numbers(a, 4, 1);
        a[2] *= a[3]; /* Slurm sees the cores of a socket only */
        struct smap_orders all;
        for (smap_orders_begin(&all, 4); smap_orders_next(&all);) {
            char text[32];
            smap_order_distribution(text, &h, &all.order);
            if (text[0]) {
                assert_true(slurm_equals(text, &h, &all.order, a));
                continue;
            }
            for (size_t w = 0; w < COUNT(words); w++)
                assert_false(slurm_equals(words[w], &h, &all.order, a));
            for (uint64_t plane = 1; plane <= a[1] * a[2]; plane++) {
                snprintf(text, sizeof(text), "plane=%" PRIu64, plane);
                assert_false(a[1] * a[2] % plane == 0 && slurm_equals(text, &h, &all.order, a));
            }
        }
    }
    /* Section 4.2: Slurm's default on Hydra. */
    char text[32];
    struct smap_hierarchy hydra = hierarchy("node:32,socket:2,fake:2,core:8", 0);
    struct smap_order slurm_default = order("1-3-2-0", &hydra);
    smap_order_distribution(text, &hydra, &slurm_default);
    assert_string_equal(text, "block:cyclic");
}

static void test_all_orders(void **state)
{
    static const size_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    (void)state;
    for (size_t n = 0; n < COUNT(factorial); n++) {
        struct smap_orders all;
        size_t count = 0;
        uint64_t *seen = calloc(factorial[n], sizeof(*seen));
        for (smap_orders_begin(&all, n); smap_orders_next(&all);) {
            unsigned levels = 0;
            assert_true(count < factorial[n]);
            for (size_t i = 0; i < n; i++) {
                levels |= 1u << all.order.level[i];
                seen[count] = seen[count] * 16 + all.order.level[i];
            }
            assert_int_equal(levels, (1u << n) - 1);
            count++;
        }
        assert_int_equal(count, factorial[n]);
        qsort(seen, count, sizeof(*seen), by_value);
        for (size_t i = 1; i < count; i++)
            assert_true(seen[i] != seen[i - 1]);
        free(seen);
    }
}

static void test_sizes(void **state)
{
    struct smap_hierarchy h = hierarchy("2,2", 0);
    struct smap_hierarchy large = hierarchy("1048576,1048576,1048576", 0);
    struct smap_order o = smap_order_natural(2);
    struct smap_order l = smap_order_natural(3);
    struct smap_error err;
    uint64_t value;
    double percent[2];
    (void)state;
    assert_int_equal(smap_order_ring_cost(&value, &h, &o, 0, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "a communicator of 0 ranks; 1 to 4 are possible");
    assert_int_equal(smap_order_pair_percent(percent, &h, &o, 5, NULL), SMAP_EINVAL);
    assert_int_equal(smap_order_pair_percent(percent, &large, &l, UINT64_C(1) << 33, NULL),
                     SMAP_ENOTSUP);
    assert_int_equal(smap_order_ring_cost(&value, &large, &l, UINT64_C(1) << 60, NULL), SMAP_OK);
    assert_true(value ==
                (UINT64_C(1) << 60) - 1 + (UINT64_C(1) << 40) - 1 + (UINT64_C(1) << 20) - 1);
}

/* 10^6 cores; the limit holds for a plain build, not under sanitizers or valgrind. */
static void test_speed(void **state)
{
    enum { CORES = 1000000 };
    struct smap_hierarchy h = hierarchy("50,5,2,4,5,2,50", 0);
    struct smap_order o = order("3-0-1-5-2-6-4", &h);
    uint64_t *core = malloc(CORES * sizeof(*core));
    double best = 1e9;
    const char *preload = getenv("LD_PRELOAD");
    (void)state;
    assert_int_equal(smap_hierarchy_product(&h), CORES);
    for (int i = 0; i < 5; i++) {
        struct timespec t[2];
        clock_gettime(CLOCK_MONOTONIC, &t[0]);
        assert_int_equal(smap_order_cores(core, CORES, &h, &o, NULL), SMAP_OK);
        clock_gettime(CLOCK_MONOTONIC, &t[1]);
        double ms = 1e3 * (double)(t[1].tv_sec - t[0].tv_sec) +
                    1e-6 * (double)(t[1].tv_nsec - t[0].tv_nsec);
        best = ms < best ? ms : best;
    }
    print_message("10^6 cores: %.1f ms\n", best);
    if (!preload || !strstr(preload, "valgrind"))
        assert_true(best < 50.0);
    free(core);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper_example), cmocka_unit_test(test_paper_metrics),
        cmocka_unit_test(test_lumi_lists),    cmocka_unit_test(test_texts),
        cmocka_unit_test(test_aliases),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_block),         cmocka_unit_test(test_block),
        cmocka_unit_test(test_check),         cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_inside_node),   cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_all_orders),    cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
