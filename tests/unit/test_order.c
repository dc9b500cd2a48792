/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders: the published values of the mixed-radix paper, and the ORDER texts. */
#include "unit_order.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order/order_metrics.h"
#include "order/order_nodes.h"

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
    unit_append(h.level[0].alias[0], SMAP_NAME_SIZE, "numa");
    unit_append(h.level[0].alias[1], SMAP_NAME_SIZE, "l3");
    h.trivial_count = 1;
    unit_append(h.trivial[0], SMAP_NAME_SIZE, "socket");
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
         "2 numbers for 4 levels; socket:2, numa:4, l3:2, core:8 are 0 to 3, each exactly once"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper_example), cmocka_unit_test(test_paper_metrics),
        cmocka_unit_test(test_lumi_lists),    cmocka_unit_test(test_texts),
        cmocka_unit_test(test_aliases),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_block),         cmocka_unit_test(test_block),
        cmocka_unit_test(test_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
