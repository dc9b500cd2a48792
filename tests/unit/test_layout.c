/* SPDX-License-Identifier: BSD-3-Clause */
/* Slurm's own layouts: examples worked out by hand, and a simulation that moves one task at a time.
 */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step/layout.h"

static const struct {
    const char *text;
    enum smap_distribution distribution;
    uint32_t plane;
} rules[] = {
    {"block", SMAP_BLOCK, 0},
    {"BLOCK", SMAP_BLOCK, 0},
    {"*", SMAP_BLOCK, 0},
    {"unset", SMAP_BLOCK, 0},
    {"block:cyclic", SMAP_BLOCK, 0},
    {"block:block:fcyclic", SMAP_BLOCK, 0},
    {"*:block", SMAP_BLOCK, 0},
    {"block,NoPack", SMAP_BLOCK, 0},
    {"NoPack", SMAP_BLOCK, 0},
    {"cyclic", SMAP_CYCLIC, 0},
    {"Cyclic:block", SMAP_CYCLIC, 0},
    {"cyclic,Pack", SMAP_CYCLIC, 0}, /* packing is for block */
    {"block,Pack", SMAP_PACK, 0},
    {"block:cyclic,pack", SMAP_PACK, 0},
    {"Pack", SMAP_PACK, 0},
    {"plane=1", SMAP_PLANE, 1},
    {"Plane=4", SMAP_PLANE, 4},
    {"plane=4,NoPack", SMAP_PLANE, 4},
    {"plane=4294967295", SMAP_PLANE, UINT32_MAX},
};

static void test_rule_parse(void **state)
{
    static const char *const bad_planes[] = {
        "plane",    "plane=",   "plane=0",          "plane=-1",  "plane=4x",
        "plane:4",  "plane=x4", "plane=4294967296", "plane:x=4", "plane=4=4",
        "planes=4", "plane= 4", "plane=4:4",
    };
    static const char *const no_rules[] = {
        "arbitrary", "",        "magic",  "blocks", "blo",
        "cyclic=4",  "block=4", " block", "block ", "fcyclic",
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        struct smap_error err = {""};
        struct smap_layout_rule rule = {SMAP_PACK, 77};
        if (smap_layout_rule_parse(&rule, rules[i].text, &err) != SMAP_OK)
            fail_msg("'%s': %s", rules[i].text, err.text);
        assert_int_equal(rule.distribution, rules[i].distribution);
        assert_int_equal(rule.plane, rules[i].plane);
    }
    for (size_t i = 0; i < sizeof(bad_planes) / sizeof(bad_planes[0]); i++) {
        struct smap_error err = {""};
        struct smap_layout_rule rule;
        char want[64];
        snprintf(want, sizeof(want), "'%s' is no distribution", bad_planes[i]);
        if (smap_layout_rule_parse(&rule, bad_planes[i], &err) != SMAP_EINVAL)
            fail_msg("'%s' was taken", bad_planes[i]);
        assert_string_equal(err.text, want);
    }
    for (size_t i = 0; i < sizeof(no_rules) / sizeof(no_rules[0]); i++) {
        struct smap_error err = {""};
        struct smap_layout_rule rule;
        char want[64];
        snprintf(want, sizeof(want), "distribution '%s' is not a rule", no_rules[i]);
        if (smap_layout_rule_parse(&rule, no_rules[i], &err) != SMAP_ENOTSUP)
            fail_msg("'%s' was taken", no_rules[i]);
        assert_string_equal(err.text, want);
    }
}

static const struct {
    struct smap_layout_rule rule;
    uint32_t capacity[4], nodes;
    const char *node_of_rank;
    const char *sizes; /* NULL: a node without a task */
} by_hand[] = {
    /* 10 tasks on 3 nodes of 8: the counts of a cyclic deal */
    {{SMAP_BLOCK, 0}, {8, 8, 8}, 3, "0000111222", "4,3(x2)"},
    {{SMAP_CYCLIC, 0}, {8, 8, 8}, 3, "0120120120", "4,3(x2)"},
    {{SMAP_PACK, 0}, {8, 8, 8}, 3, "0000000012", "8,1(x2)"},
    {{SMAP_PLANE, 2}, {8, 8, 8}, 3, "0011220011", "4(x2),2"},
    {{SMAP_PLANE, 4}, {8, 8, 8}, 3, "0000111122", "4(x2),2"},
    {{SMAP_PLANE, 100}, {8, 8, 8}, 3, "0000000012", "8,1(x2)"},
    /* unequal nodes */
    {{SMAP_BLOCK, 0}, {4, 1, 3}, 3, "0001222", "3,1,3"},
    {{SMAP_BLOCK, 0}, {4, 2, 4, 2}, 4, "000011222233", "4,2,4,2"},
    {{SMAP_CYCLIC, 0}, {4, 2, 4, 2}, 4, "012301230202", "4,2,4,2"},
    {{SMAP_PLANE, 2}, {4, 1, 1}, 3, "001200", "4,1(x2)"},
    {{SMAP_PACK, 0}, {2, 3, 2}, 3, "001112", "2,3,1"},
    /* more tasks than places */
    {{SMAP_BLOCK, 0}, {4, 4}, 2, "0000011111", "5(x2)"},
    {{SMAP_BLOCK, 0}, {1, 3}, 2, "0001111", "3,4"},
    {{SMAP_CYCLIC, 0}, {4, 4}, 2, "0101010101", "5(x2)"},
    {{SMAP_CYCLIC, 0}, {4, 2}, 2, "01010100", "5,3"}, /* two more places, not in turn */
    {{SMAP_PACK, 0}, {2, 2}, 2, "000111", "3(x2)"},
    {{SMAP_PACK, 0}, {1, 3}, 2, "0001111", "3,4"},
    {{SMAP_PLANE, 2}, {1, 1}, 2, "001101", "3(x2)"},
    /* planes of one put the first task on each node and then forget how many fit */
    {{SMAP_PLANE, 1}, {4, 1}, 2, "01010", "3,2"},
    /* fewer tasks than nodes */
    {{SMAP_BLOCK, 0}, {2, 2, 2}, 3, "01", NULL},
    {{SMAP_PACK, 0}, {2, 2, 2}, 3, "01", NULL},
    {{SMAP_PLANE, 2}, {2, 2, 2}, 3, "0", NULL},
    {{SMAP_CYCLIC, 0}, {3}, 1, "000", "3"},
};

/* The ranks as one digit per rank: the node it is on. */
static void test_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++) {
        struct smap_error err = {""};
        struct smap_nodesizes *sizes = NULL;
        uint32_t node_of_rank[16], tasks = (uint32_t)strlen(by_hand[i].node_of_rank);
        char got[17] = "";
        assert_int_equal(smap_layout_nodes(node_of_rank, &by_hand[i].rule, by_hand[i].capacity,
                                           by_hand[i].nodes, tasks, &err),
                         SMAP_OK);
        for (uint32_t r = 0; r < tasks; r++)
            got[r] = (char)('0' + node_of_rank[r]);
        if (strcmp(got, by_hand[i].node_of_rank) != 0)
            fail_msg("case %zu: %s, not %s", i, got, by_hand[i].node_of_rank);
        int rc = smap_layout_sizes(&sizes, node_of_rank, tasks, by_hand[i].nodes, &err);
        assert_int_equal(rc, by_hand[i].sizes ? SMAP_OK : SMAP_EINVAL);
        if (rc != SMAP_OK) {
            assert_non_null(strstr(err.text, " has no task"));
            continue;
        }
        char *text = smap_nodesizes_format(sizes);
        assert_string_equal(text, by_hand[i].sizes);
        free(text);
        smap_nodesizes_destroy(sizes);
    }
}

#define NODES_MAX 12

/* The machine of the simulation: places left on each node, tasks on it. */
struct machine {
    uint32_t nodes, tasks, placed;
    int64_t left[NODES_MAX];
    uint32_t count[NODES_MAX];
};

static bool any_left(const struct machine *m)
{
    for (uint32_t i = 0; i < m->nodes; i++)
        if (m->left[i] > 0)
            return true;
    return false;
}

static void put(struct machine *m, uint32_t node)
{
    if (m->placed == m->tasks)
        return;
    m->placed++;
    m->left[node]--;
    m->count[node]++;
}

/* How many tasks go where. Whether there is room is asked between rounds, never within one. */
static void simulate_counts(struct machine *m, const struct smap_layout_rule *rule)
{
    if (rule->distribution == SMAP_PACK || rule->distribution == SMAP_PLANE)
        for (uint32_t i = 0; i < m->nodes; i++)
            put(m, i);
    if (rule->distribution == SMAP_PACK) {
        for (uint32_t i = 0; i < m->nodes; i++)
            while (m->left[i] > 0 && m->placed < m->tasks)
                put(m, i);
        while (m->placed < m->tasks)
            for (uint32_t i = 0; i < m->nodes; i++)
                put(m, i);
    }
    if (rule->distribution == SMAP_BLOCK)
        while (m->placed < m->tasks) {
            bool room = any_left(m);
            for (uint32_t i = 0; i < m->nodes; i++)
                if (m->left[i] > 0 || !room)
                    put(m, i);
        }
    if (rule->distribution == SMAP_PLANE) {
        bool room = true;
        for (uint32_t done = 1; m->placed < m->tasks; done = 0) {
            uint32_t before = m->placed;
            for (uint32_t i = 0; i < m->nodes; i++)
                for (uint32_t k = done; k < rule->plane && m->placed < m->tasks; k++)
                    if (m->left[i] > 0 || !room)
                        put(m, i);
            room = room && any_left(m) && m->placed > before;
        }
    }
}

static void simulate(const struct smap_layout_rule *rule, const uint32_t capacity[], uint32_t nodes,
                     uint32_t tasks, uint32_t node_of_rank[])
{
    struct machine m = {.nodes = nodes, .tasks = tasks};
    uint32_t rank = 0, total = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        m.left[i] = capacity[i];
        total += capacity[i];
    }
    if (rule->distribution == SMAP_CYCLIC) {
        for (; total < tasks; total += nodes)
            for (uint32_t i = 0; i < nodes; i++)
                m.left[i]++;
        while (rank < tasks)
            for (uint32_t i = 0; i < nodes && rank < tasks; i++)
                if (m.left[i]-- > 0)
                    node_of_rank[rank++] = i;
        return;
    }
    simulate_counts(&m, rule);
    uint32_t plane = rule->distribution == SMAP_PLANE ? rule->plane : UINT32_MAX;
    while (rank < tasks)
        for (uint32_t i = 0; i < nodes; i++)
            for (uint32_t k = 0; k < plane && m.count[i] > 0; k++, m.count[i]--)
                node_of_rank[rank++] = i;
}

static void test_random(void **state)
{
    uint64_t seed = 2205;
    (void)state;
    for (int round = 0; round < 30000; round++) {
        struct smap_layout_rule rule = {(enum smap_distribution)unit_between(&seed, 0, 3), 0};
        uint32_t capacity[NODES_MAX], got[256], want[256], most = unit_between(&seed, 1, 9);
        uint32_t nodes = unit_between(&seed, 1, NODES_MAX), room = 0;
        for (uint32_t i = 0; i < nodes; i++)
            room += capacity[i] = unit_between(&seed, 1, most);
        uint32_t tasks = unit_between(&seed, 1, 2 * room);
        if (rule.distribution == SMAP_PLANE)
            rule.plane = unit_between(&seed, 1, 10);
        memset(got, 0xff, sizeof(got));
        assert_int_equal(smap_layout_nodes(got, &rule, capacity, nodes, tasks, NULL), SMAP_OK);
        simulate(&rule, capacity, nodes, tasks, want);
        for (uint32_t r = 0; r < tasks; r++)
            if (got[r] != want[r])
                fail_msg("round %d, rule %d plane %" PRIu32 ", %" PRIu32 " tasks on %" PRIu32
                         " nodes of %" PRIu32 ", %" PRIu32 ", ...: rank %" PRIu32 " on %" PRIu32
                         ", not %" PRIu32,
                         round, (int)rule.distribution, rule.plane, tasks, nodes, capacity[0],
                         nodes > 1 ? capacity[1] : 0, r, got[r], want[r]);
        assert_int_equal(got[tasks], UINT32_MAX); /* nothing behind the last rank */
    }
}

/* The counts that a step has are the counts that the rules give on nodes of just that size. */
static void test_full_nodes(void **state)
{
    uint64_t seed = 31337;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint32_t capacity[NODES_MAX], got[256], tasks = 0;
        uint32_t nodes = unit_between(&seed, 1, NODES_MAX);
        for (uint32_t i = 0; i < nodes; i++)
            tasks += capacity[i] = unit_between(&seed, 1, 20);
        for (int d = SMAP_BLOCK; d <= SMAP_PACK; d++) {
            struct smap_layout_rule rule = {(enum smap_distribution)d, unit_between(&seed, 2, 5)};
            struct smap_nodesizes *sizes = NULL;
            assert_int_equal(smap_layout_nodes(got, &rule, capacity, nodes, tasks, NULL), SMAP_OK);
            assert_int_equal(smap_layout_sizes(&sizes, got, tasks, nodes, NULL), SMAP_OK);
            for (uint32_t i = 0; i < nodes; i++)
                assert_int_equal(smap_nodesizes_size(sizes, i), capacity[i]);
            smap_nodesizes_destroy(sizes);
        }
    }
}

/* Blocks dealt in rounds: by hand, and the form without a table against the table. */
static void test_blocks(void **state)
{
    static const struct {
        const char *sizes;
        uint32_t block;
        const char *nodes;
    } cases[] = {
        {"2,2", 1, "0101"},     {"4,4", 2, "00110011"},  {"3,1,2", 1, "012020"},
        {"3,1,2", 2, "001220"}, {"1,4,2", 3, "0111221"}, {"2,2", 100, "0011"},
        {"5", 2, "00000"},
    };
    uint64_t seed = 4;
    struct smap_error err = {""};
    struct smap_nodesizes *sizes;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t node[16];
        assert_int_equal(smap_nodesizes_parse(&sizes, cases[i].sizes, &err), SMAP_OK);
        assert_int_equal(smap_layout_blocks(node, sizes, cases[i].block, &err), SMAP_OK);
        for (size_t r = 0; r < strlen(cases[i].nodes); r++)
            assert_int_equal(node[r], cases[i].nodes[r] - '0');
        smap_nodesizes_destroy(sizes);
    }
    for (int round = 0; round < 200; round++) {
        uint32_t counts[9], nodes = unit_between(&seed, 1, 9), node[9 * 12], seen[9] = {0};
        for (uint32_t i = 0; i < nodes; i++)
            counts[i] = unit_between(&seed, 1, 12);
        uint32_t block = unit_between(&seed, 1, 14);
        assert_int_equal(smap_nodesizes_create(&sizes, counts, nodes, &err), SMAP_OK);
        assert_int_equal(smap_layout_blocks(node, sizes, block, &err), SMAP_OK);
        for (uint32_t rank = 0; rank < smap_nodesizes_tasks(sizes); rank++)
            assert_int_equal(smap_layout_block_rank(sizes, block, node[rank], seen[node[rank]]++),
                             rank);
        smap_nodesizes_destroy(sizes);
    }
    assert_int_equal(smap_nodesizes_parse(&sizes, "2,2", &err), SMAP_OK);
    assert_int_equal(smap_layout_blocks(NULL, sizes, 0, &err), SMAP_EINVAL);
    smap_nodesizes_destroy(sizes);
}

static void test_edges(void **state)
{
    struct smap_error err = {""};
    struct smap_layout_rule rule = {SMAP_BLOCK, 0};
    struct smap_nodesizes *sizes = NULL;
    uint32_t nothing = 7;
    (void)state;
    assert_int_equal(smap_layout_nodes(NULL, &rule, &nothing, 0, 4, &err), SMAP_EINVAL);
    assert_string_equal(err.text, "no nodes");
    for (int d = SMAP_BLOCK; d <= SMAP_PACK; d++) {
        rule = (struct smap_layout_rule){(enum smap_distribution)d, 3};
        assert_int_equal(smap_layout_nodes(NULL, &rule, &nothing, 1, 0, &err), SMAP_OK);
    }
    assert_int_equal(smap_layout_sizes(&sizes, (const uint32_t[]){0, 2, 2}, 3, 3, &err),
                     SMAP_EINVAL);
    assert_string_equal(err.text, "node 1 has no task");
    assert_null(sizes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule_parse), cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_random),     cmocka_unit_test(test_full_nodes),
        cmocka_unit_test(test_blocks),     cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
