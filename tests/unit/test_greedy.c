/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of greedy-distributed against the thesis' algorithms, carried out as they stand there,
 * on random instances. */
#include "unit_instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/greedy_distributed.h"

enum { CELLS_MAX = 400, EDGES_MAX = 32 };

/* Everything as tables: who talks to whom, which position is on which node. */
struct tables {
    struct instance in;
    uint32_t p, nodes, node_at[CELLS_MAX];
    size_t count[CELLS_MAX];
    uint32_t to[CELLS_MAX][EDGES_MAX], weight[CELLS_MAX][EDGES_MAX];
};

static void fill_tables(struct tables *t)
{
    uint32_t coords[SMAP_DIMS_MAX];
    t->p = t->in.grid.cells;
    t->nodes = smap_nodesizes_nodes(t->in.sizes);
    assert_true(t->p <= CELLS_MAX && t->in.stencil->count <= EDGES_MAX);
    for (uint32_t c = 0; c < t->p; c++) {
        t->node_at[c] = smap_nodesizes_node_at(t->in.sizes, c);
        t->count[c] = 0;
        smap_grid_coords(coords, &t->in.grid, c);
        for (size_t r = 0; r < t->in.stencil->count; r++)
            if (smap_grid_neighbour(&t->to[c][t->count[c]], &t->in.grid, coords,
                                    smap_stencil_offset(t->in.stencil, r), 1))
                t->weight[c][t->count[c]++] = t->in.stencil->weights[r];
    }
}

/* One to three dimensions, any of them of size 1, periodic or not, directed or not, in pieces or
 * not, with weights; nodes equal, unequal, one, or one for each cell. */
static void random_tables(struct tables *t, uint64_t *seed)
{
    static const char *const stencils[][4] = {
        {"nn", "hops", "3*5;-1", "17"},
        {"moore", "component", "diagonal", "1,0*7;0,1;-1,-2*3"},
        {"nn", "crank-nicolson", "diagonal", "0,0,1*2;1,1,0;-5,0,0*9"},
    };
    static const uint32_t most[] = {100, 19, 7};
    bool periodic[SMAP_DIMS_MAX];
    char dims[32], sizes[4 * CELLS_MAX];
    uint32_t ndims = unit_between(seed, 1, 3), d[3] = {1, 1, 1};
    for (uint32_t i = 0; i < ndims; i++) {
        d[i] = unit_between(seed, 1, most[ndims - 1]);
        periodic[i] = unit_between(seed, 0, 1);
    }
    uint32_t left = d[0] * d[1] * d[2], largest = unit_between(seed, 1, left);
    uint32_t least = unit_between(seed, 0, 1) ? largest : 1;
    snprintf(dims, sizeof(dims),
             ndims == 1   ? "%u"
             : ndims == 2 ? "%ux%u"
                          : "%ux%ux%u",
             d[0], d[1], d[2]);
    for (size_t used = 0; left > 0;) {
        uint32_t n = unit_between(seed, least, largest);
        n = n < left ? n : left;
        used += (size_t)snprintf(sizes + used, sizeof(sizes) - used, "%s%u", used ? "," : "", n);
        left -= n;
    }
    instance_init(&t->in, dims, stencils[ndims - 1][unit_between(seed, 0, 3)], sizes, periodic);
    fill_tables(t);
}

/* Distances from all starters; UINT32_MAX: none leads there. */
static void find_distances(uint32_t distance[], const struct tables *t, const bool starter[])
{
    uint32_t queue[CELLS_MAX], head = 0, tail = 0;
    for (uint32_t c = 0; c < t->p; c++) {
        distance[c] = starter[c] ? 0 : UINT32_MAX;
        if (starter[c])
            queue[tail++] = c;
    }
    for (; head < tail; head++)
        for (size_t e = 0; e < t->count[queue[head]]; e++) {
            uint32_t next = t->to[queue[head]][e];
            if (distance[next] == UINT32_MAX) {
                distance[next] = distance[queue[head]] + 1;
                queue[tail++] = next;
            }
        }
}

/* The first is cell 0, and each of the others the greatest of the farthest. */
static void test_starters(void **state)
{
    static struct tables t;
    uint32_t starters[CELLS_MAX], distance[CELLS_MAX];
    uint64_t seed = 1;
    (void)state;
    for (int round = 0; round < 300; round++) {
        bool starter[CELLS_MAX] = {true};
        random_tables(&t, &seed);
        assert_int_equal(smap_greedy_starters(starters, UNIT_INSTANCE(&t.in), NULL), SMAP_OK);
        for (uint32_t node = 1; node < t.nodes; node++) {
            uint32_t farthest = 0;
            find_distances(distance, &t, starter);
            for (uint32_t c = 1; c < t.p; c++)
                if (distance[c] >= distance[farthest])
                    farthest = c;
            starter[farthest] = true;
        }
        for (uint32_t c = 0, node = 0; c < t.p; c++)
            if (starter[c])
                assert_int_equal(starters[node++], c);
        instance_release(&t.in);
    }
}

/* Each node begins with its starter, takes no cell twice, and takes the same alone. */
static void test_take(void **state)
{
    static struct tables t;
    uint32_t starters[CELLS_MAX], cells[CELLS_MAX], alone[CELLS_MAX];
    uint64_t seed = 2;
    (void)state;
    for (int round = 0; round < 300; round++) {
        random_tables(&t, &seed);
        const struct smap_instance *in = UNIT_INSTANCE(&t.in);
        assert_int_equal(smap_greedy_starters(starters, in, NULL), SMAP_OK);
        assert_int_equal(smap_greedy_take(cells, in, starters, 0, t.nodes, NULL), SMAP_OK);
        for (uint32_t node = 0, q = 0; node < t.nodes; node++) {
            uint32_t n = smap_nodesizes_size(t.in.sizes, node);
            bool taken[CELLS_MAX] = {false};
            assert_int_equal(cells[q], starters[node]);
            assert_int_equal(smap_greedy_take(alone, in, starters, node, node + 1, NULL), SMAP_OK);
            assert_memory_equal(alone, cells + q, n * sizeof(*alone));
            for (uint32_t i = 0; i < n; i++) {
                assert_false(taken[cells[q + i]]);
                taken[cells[q + i]] = true;
            }
            q += n;
        }
        instance_release(&t.in);
    }
}

/* The weight from a cell to others than those on the node: what leaves it, or would. */
static int64_t count_off(const struct tables *t, const uint32_t cell_at[], uint32_t cell,
                         uint32_t node)
{
    int64_t off = 0;
    for (size_t e = 0; e < t->count[cell]; e++) {
        bool on = false;
        for (uint32_t i = 0; i < t->p; i++)
            on = on || (t->node_at[i] == node && cell_at[i] == t->to[cell][e]);
        off += on || t->to[cell][e] == cell ? 0 : t->weight[cell][e];
    }
    return off;
}

static uint32_t count_copies(const struct tables *t, const uint32_t cell_at[], uint32_t cell)
{
    uint32_t copies = 0;
    for (uint32_t i = 0; i < t->p; i++)
        copies += cell_at[i] == cell;
    return copies;
}

/* Algorithm 5: every pair of an unassigned cell and a place of a duplicate. */
static void check_up(uint32_t cell_at[], const struct tables *t)
{
    for (uint32_t u = 0; u < t->p; u++) {
        int64_t most = INT64_MIN;
        uint32_t place = 0;
        if (count_copies(t, cell_at, u) > 0)
            continue;
        for (uint32_t d = 0; d < t->p; d++) {
            bool twice = count_copies(t, cell_at, d) > 1;
            for (uint32_t i = 0; twice && i < t->p; i++) {
                if (cell_at[i] != d)
                    continue;
                int64_t gain = count_off(t, cell_at, d, t->node_at[i]) -
                               count_off(t, cell_at, u, t->node_at[i]);
                if (gain >= most) {
                    most = gain;
                    place = i;
                }
            }
        }
        cell_at[place] = u;
    }
}

/* What nodes have taken, and what they could as well have taken: any cells, once a node. */
static void test_settle(void **state)
{
    static struct tables t;
    uint32_t starters[CELLS_MAX], want[CELLS_MAX], got[CELLS_MAX];
    uint64_t seed = 3;
    (void)state;
    for (int round = 0; round < 150; round++) {
        random_tables(&t, &seed);
        while (t.p > 60) {
            instance_release(&t.in);
            random_tables(&t, &seed);
        }
        const struct smap_instance *in = UNIT_INSTANCE(&t.in);
        assert_int_equal(smap_greedy_starters(starters, in, NULL), SMAP_OK);
        assert_int_equal(smap_greedy_take(want, in, starters, 0, t.nodes, NULL), SMAP_OK);
        for (uint32_t node = 0, q = 0; round % 3 == 0 && node < t.nodes; node++) {
            uint32_t first = unit_between(&seed, 0, t.p - 1);
            for (uint32_t i = 0; i < smap_nodesizes_size(t.in.sizes, node); i++)
                want[q++] = (first + i) % t.p;
        }
        memcpy(got, want, sizeof(got));
        check_up(want, &t);
        assert_int_equal(smap_greedy_settle(got, in, NULL), SMAP_OK);
        assert_memory_equal(got, want, t.p * sizeof(*got));
        instance_release(&t.in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starters),
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
