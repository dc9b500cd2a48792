/* SPDX-License-Identifier: BSD-3-Clause */
/* `best` on communication graphs: exact sizes, never worse than blocked, the same every time, the
 * optimum on small ones, what the bound says. And the divisions that it begins with. */
#include "unit.h"

#include <string.h>

#include "best/algorithms.h"
#include "best/best.h"
#include "bound/bound.h"
#include "grid/score.h"
#include "partition/divide.h"
#include "partition/multilevel.h"
#include "partition/refine_moves.h"
#include "unit_graph.h"

enum { NODES_MAX = 64 };

struct problem {
    struct smap_grid grid;
    struct smap_nodesizes *sizes;
    struct smap_graph *graph;
    struct smap_instance in;
    uint32_t size[NODES_MAX], nodes;
};

/* The graph on nodes of random sizes, each at most `largest`, or all of that but the last. */
static void set_up(struct problem *p, struct smap_graph *graph, uint32_t largest, bool equal,
                   uint64_t *seed)
{
    *p = (struct problem){.graph = graph};
    for (uint32_t left = graph->cells; left > 0; left -= p->size[p->nodes++]) {
        uint32_t size = equal ? largest : unit_between(seed, 1, largest);
        p->size[p->nodes] = size > left || p->nodes + 1 == NODES_MAX ? left : size;
    }
    assert_int_equal(smap_grid_init(&p->grid, 1, &graph->cells, NULL, NULL), SMAP_OK);
    assert_int_equal(smap_nodesizes_create(&p->sizes, p->size, p->nodes, NULL), SMAP_OK);
    p->in = (struct smap_instance){&p->grid, NULL, p->sizes, graph};
}

static void tear_down(struct problem *p)
{
    smap_nodesizes_destroy(p->sizes);
    smap_graph_destroy(p->graph);
}

static void check_sizes(const struct problem *p, const uint32_t node_of[])
{
    uint32_t count[NODES_MAX] = {0};
    for (uint32_t c = 0; c < p->grid.cells; c++) {
        assert_in_range(node_of[c], 0, p->nodes - 1);
        count[node_of[c]]++;
    }
    assert_memory_equal(count, p->size, p->nodes * sizeof(*count));
}

static struct smap_score score_of(const struct problem *p, const uint32_t node_of[])
{
    struct smap_score score;
    assert_int_equal(smap_score_nodes(&score, NULL, &p->in, node_of, p->nodes, NULL), SMAP_OK);
    return score;
}

/* Maps by an algorithm; node_of gets the nodes. */
static struct smap_score map(uint32_t node_of[], const struct problem *p, const char *algorithm,
                             enum smap_effort effort)
{
    struct smap_mapping *mapping = NULL;
    const struct smap_mapping_options options = {.effort = effort};
    assert_int_equal(smap_mapping_from_text(&mapping, algorithm, &p->in, &options, NULL), SMAP_OK);
    assert_int_equal(smap_mapping_nodes(node_of, mapping, NULL), SMAP_OK);
    const struct smap_best_result *result = smap_best_result(mapping);
    struct smap_score score = score_of(p, node_of);
    if (result) {
        assert_int_equal(result->score.jsum, score.jsum);
        assert_int_equal(result->score.jmax, score.jmax);
        assert_true(result->bound <= score.jsum);
    }
    smap_mapping_destroy(mapping);
    check_sizes(p, node_of);
    return score;
}

static struct smap_graph *random_graph(int kind, uint64_t *seed)
{
    uint32_t small = unit_between(seed, 2, 60);
    switch (kind % 5) {
    case 0:
        return unit_ocean(unit_between(seed, 4, 20), unit_between(seed, 4, 20), 3, 0, seed);
    case 1:
        return unit_ocean(unit_between(seed, 4, 16), unit_between(seed, 4, 16), 2, 6, seed);
    case 2:
        return unit_mesh(unit_between(seed, 20, 300), 1, 4, 5, seed);
    case 3:
        return unit_mesh(unit_between(seed, 20, 300), 7, 8, UINT64_C(1) << 45, seed);
    default:
        return unit_mesh(small, small, 1, 1, seed); /* nearly or quite without edges */
    }
}

static void test_never_worse(void **state)
{
    uint64_t seed = smap_random_state(3);
    (void)state;
    for (int i = 0; i < 30; i++) {
        struct problem p;
        set_up(&p, random_graph(i, &seed), unit_between(&seed, 4, 40), i % 2, &seed);
        uint32_t *node_of = calloc(2 * p.grid.cells, sizeof(*node_of));
        uint32_t *again = node_of + p.grid.cells;
        assert_non_null(node_of);
        enum smap_effort effort = i % 6 ? SMAP_EFFORT_FAST : SMAP_EFFORT_NORMAL;
        struct smap_score blocked = map(node_of, &p, "blocked", effort);
        struct smap_score best = map(node_of, &p, "best", effort);
        assert_true(best.jsum <= blocked.jsum);
        map(again, &p, "best", effort);
        assert_memory_equal(again, node_of, p.grid.cells * sizeof(*again));
        map(node_of, &p, "random:3", effort);
        free(node_of);
        tear_down(&p);
    }
}

static void test_grid_algorithms(void **state)
{
    uint64_t seed = smap_random_state(4);
    struct problem p;
    (void)state;
    set_up(&p, unit_mesh(40, 1, 2, 1, &seed), 8, true, &seed);
    for (size_t i = 0; smap_algorithm_at(i); i++) {
        struct smap_mapping *mapping = NULL;
        struct smap_error err = {""};
        if (smap_algorithm_at(i)->graphs)
            continue;
        assert_int_equal(smap_mapping_create(&mapping, smap_algorithm_at(i), &p.in, NULL, &err),
                         SMAP_ENOTSUP);
        assert_non_null(strstr(err.text, " needs a grid; best maps communication graphs"));
    }
    tear_down(&p);
}

/* The lowest J_sum over all divisions, from cell on. */
static uint64_t brute_force(const struct problem *p, uint32_t node_of[], uint32_t left[],
                            uint32_t cell)
{
    uint64_t lowest = UINT64_MAX;
    if (cell == p->grid.cells)
        return score_of(p, node_of).jsum;
    for (uint32_t node = 0; node < p->nodes; node++) {
        if (left[node] == 0)
            continue;
        left[node]--;
        node_of[cell] = node;
        uint64_t found = brute_force(p, node_of, left, cell + 1);
        left[node]++;
        lowest = found < lowest ? found : lowest;
    }
    return lowest;
}

static void test_optimum(void **state)
{
    uint64_t seed = smap_random_state(5);
    (void)state;
    for (int i = 0; i < 30; i++) {
        struct problem p;
        uint32_t node_of[16], left[NODES_MAX];
        uint64_t bound;
        set_up(&p, unit_mesh(unit_between(&seed, 2, 9), i % 3 + 1, 2, 4, &seed), 4, i % 2, &seed);
        memcpy(left, p.size, sizeof(left));
        uint64_t optimum = brute_force(&p, node_of, left, 0);
        assert_int_equal(map(node_of, &p, "best", SMAP_EFFORT_NORMAL).jsum, optimum);
        assert_int_equal(smap_bound_jsum(&bound, &p.in, NULL), SMAP_OK);
        assert_true(bound <= optimum);
        tear_down(&p);
    }
}

/* What the bound must find: a ring is cut as often as there are nodes less one, at its light edges;
 * a star loses all leaves that its node has no room for; parts that fit cost nothing. */
static void test_bounds(void **state)
{
    struct unit_edges *e = calloc(1, sizeof(*e));
    struct problem p;
    uint64_t seed = 1, bound;
    uint32_t node_of[12];
    (void)state;
    assert_non_null(e);
    e->ranks = 12;
    for (uint32_t r = 0; r < 12; r++)
        unit_both(e, r, (r + 1) % 12, 1 + r % 3);
    set_up(&p, unit_graph(e), 4, true, &seed);
    assert_int_equal(smap_bound_jsum(&bound, &p.in, NULL), SMAP_OK);
    assert_int_equal(bound, 4);
    tear_down(&p);
    e->count = 0;
    for (uint32_t r = 1; r < 12; r++)
        unit_edge(e, r, 0, r);
    set_up(&p, unit_graph(e), 4, true, &seed);
    assert_int_equal(smap_bound_jsum(&bound, &p.in, NULL), SMAP_OK);
    assert_int_equal(bound, 18); /* half of 1 + ... + 8 by degrees, 1 + 2 by parts */
    assert_int_equal(map(node_of, &p, "best", SMAP_EFFORT_NORMAL).jsum, 36);
    tear_down(&p);
    e->count = 0;
    for (uint32_t r = 0; r < 12; r++)
        unit_both(e, r, (r + 3) % 12, 7);
    set_up(&p, unit_graph(e), 4, true, &seed);
    assert_int_equal(smap_bound_jsum(&bound, &p.in, NULL), SMAP_OK);
    assert_int_equal(bound, 0);
    assert_int_equal(map(node_of, &p, "best", SMAP_EFFORT_FAST).jsum, 0);
    tear_down(&p);
    free(e);
}

/* The parts of the search alone keep sizes, whatever they are given. */
static void test_divisions(void **state)
{
    uint64_t seed = smap_random_state(6);
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct problem p;
        struct smap_refine_graph *graph = NULL;
        struct smap_coarse coarse = {0};
        set_up(&p, random_graph(i, &seed), unit_between(&seed, 1, 40), i % 2, &seed);
        uint32_t *node_of = calloc(p.grid.cells, sizeof(*node_of));
        assert_non_null(node_of);
        assert_int_equal(smap_refine_graph_create(&graph, &p.in, NULL, 0, NULL), SMAP_OK);
        assert_int_equal(smap_multilevel(node_of, graph, p.size, p.nodes, (uint64_t)i + 1, NULL),
                         SMAP_OK);
        check_sizes(&p, node_of);
        if (i % 3 == 0) /* all on one node: sizes are far off, and chains long */
            memset(node_of, 0, p.grid.cells * sizeof(*node_of));
        const struct smap_refine_schedule schedule = {
            .steps = 20000, .start = i % 2 ? 1000 : 100, .halves = 2, .seed = 1};
        assert_int_equal(smap_coarse_copy(&coarse, graph, NULL), SMAP_OK);
        assert_int_equal(smap_refine_moves(node_of, &coarse, p.size, p.nodes, &schedule, NULL),
                         SMAP_OK);
        check_sizes(&p, node_of);
        smap_coarse_clear(&coarse);
        smap_refine_graph_destroy(graph);
        free(node_of);
        tear_down(&p);
    }
}

/* A smaller graph has the same weight between its cells as the larger one between those taken
 * together, and the same sizes. */
static void test_coarsen(void **state)
{
    uint64_t seed = smap_random_state(7);
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct problem p;
        struct smap_refine_graph *graph = NULL;
        struct smap_coarse fine = {0}, coarse = {0};
        struct smap_coarsening how = {.size_max = 2, .random = 5};
        set_up(&p, random_graph(i, &seed), 8, true, &seed);
        assert_int_equal(smap_refine_graph_create(&graph, &p.in, NULL, 0, NULL), SMAP_OK);
        uint32_t cells = graph->cells, *coarse_of = calloc(cells, sizeof(*coarse_of));
        uint32_t *size = calloc(cells, sizeof(*size));
        assert_non_null(coarse_of);
        assert_non_null(size);
        assert_int_equal(smap_coarse_copy(&fine, graph, NULL), SMAP_OK);
        assert_int_equal(smap_coarsen(&coarse, coarse_of, &fine, &how, NULL), SMAP_OK);
        for (uint32_t c = 0; c < cells; c++) {
            uint64_t there = 0, sum = 0;
            size[coarse_of[c]]++;
            for (uint64_t e = coarse.first[coarse_of[c]]; e < coarse.first[coarse_of[c] + 1]; e++)
                there += coarse.weight[e];
            for (uint32_t d = 0; d < cells; d++)
                for (uint64_t e = fine.first[d];
                     coarse_of[d] == coarse_of[c] && e < fine.first[d + 1]; e++)
                    sum += coarse_of[fine.to[e]] != coarse_of[c] ? fine.weight[e] : 0;
            assert_int_equal(there, sum);
        }
        assert_memory_equal(coarse.size, size, coarse.cells * sizeof(*size));
        assert_true(coarse.cells >= (cells + 1) / 2);
        smap_coarse_clear(&fine);
        smap_coarse_clear(&coarse);
        smap_refine_graph_destroy(graph);
        free(coarse_of);
        free(size);
        tear_down(&p);
    }
}

/* The ranks of one node over its sockets: never more than in order. */
static void test_inside_a_node(void **state)
{
    uint64_t seed = smap_random_state(8);
    (void)state;
    for (int i = 0; i < 40; i++) {
        struct problem p;
        uint32_t cells[24], count = 0, group_of[24], in_order[24], size[2];
        uint64_t between[2] = {0, 0};
        set_up(&p, random_graph(i, &seed), 8, true, &seed);
        for (uint32_t c = 0; c < p.grid.cells && count < 24; c++)
            if (unit_between(&seed, 0, 2) == 0)
                cells[count++] = c;
        size[0] = count / 3;
        size[1] = count - size[0];
        const struct smap_division division = {cells, count, size, 2, i % 2};
        if (size[0] > 0) {
            assert_int_equal(smap_divide(group_of, &p.in, &division, NULL), SMAP_OK);
            for (uint32_t k = 0; k < count; k++)
                in_order[k] = k >= size[0];
            for (uint32_t k = 0; k < count; k++)
                for (uint64_t e = p.graph->first[cells[k]]; e < p.graph->first[cells[k] + 1]; e++)
                    for (uint32_t m = 0; m < count; m++)
                        if (cells[m] == p.graph->to[e]) {
                            between[0] += group_of[k] != group_of[m] ? p.graph->weight[e] : 0;
                            between[1] += in_order[k] != in_order[m] ? p.graph->weight[e] : 0;
                        }
            uint64_t rounding = between[1] >> 25; /* of weights beyond 31 bits */
            assert_true(between[0] <= between[1] + rounding);
        }
        tear_down(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_worse),   cmocka_unit_test(test_grid_algorithms),
        cmocka_unit_test(test_optimum),       cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_divisions),     cmocka_unit_test(test_coarsen),
        cmocka_unit_test(test_inside_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
