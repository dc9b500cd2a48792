/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower bounds: never above the exact optimum of any small instance, and tight where they should
 * be. */
#include "unit_instance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "best/best.h"
#include "bound/bound.h"
#include "grid/score.h"

static uint64_t bound_of(const struct instance *in)
{
    struct smap_error err = {""};
    uint64_t bound;
    assert_int_equal(smap_bound_jsum(&bound, UNIT_INSTANCE(in), &err), SMAP_OK);
    return bound;
}

/* Branch and bound over the node of each cell in turn; weight[a][b] is what a cut between the cells
 * costs. Nodes of one size that are still empty are interchangeable. */
#define CELLS 16
struct exact {
    uint32_t cells;
    uint32_t nodes;
    uint64_t weight[CELLS][CELLS];
    uint32_t left[CELLS];
    uint32_t size[CELLS];
    uint32_t node[CELLS];
    uint64_t best;
};

static void branch(struct exact *x, uint32_t cell, uint64_t cost)
{
    if (cost >= x->best)
        return;
    if (cell == x->cells) {
        x->best = cost;
        return;
    }
    for (uint32_t i = 0; i < x->nodes; i++) {
        bool twin = false;
        uint64_t more = 0;
        for (uint32_t j = 0; j < i; j++)
            twin = twin || (x->left[i] == x->size[i] && x->left[j] == x->size[j] &&
                            x->size[i] == x->size[j]);
        if (twin || x->left[i] == 0)
            continue;
        for (uint32_t c = 0; c < cell; c++)
            more += x->node[c] != i ? x->weight[c][cell] : 0;
        x->node[cell] = i;
        x->left[i]--;
        branch(x, cell + 1, cost + more);
        x->left[i]++;
    }
}

static uint64_t optimum(const struct instance *in)
{
    struct exact x = {.cells = in->grid.cells, .nodes = smap_nodesizes_nodes(in->sizes)};
    assert_in_range(x.cells, 1, CELLS);
    for (uint32_t cell = 0; cell < x.cells; cell++)
        for (size_t r = 0; r < in->stencil->count; r++) {
            uint32_t coords[SMAP_DIMS_MAX];
            bool inside = true;
            smap_grid_coords(coords, &in->grid, cell);
            for (size_t i = 0; i < in->grid.ndims; i++) {
                int64_t size = in->grid.dims[i];
                int64_t to = (int64_t)coords[i] + smap_stencil_offset(in->stencil, r)[i];
                if (in->grid.periodic[i])
                    to = (to % size + size) % size;
                inside = inside && to >= 0 && to < size;
                coords[i] = (uint32_t)to;
            }
            if (!inside)
                continue;
            uint32_t to = smap_grid_cell(&in->grid, coords);
            x.weight[cell][to] += in->stencil->weights[r];
            x.weight[to][cell] += in->stencil->weights[r];
        }
    for (uint32_t i = 0; i < x.nodes; i++)
        x.left[i] = x.size[i] = smap_nodesizes_size(in->sizes, i);
    x.best = UINT64_MAX;
    branch(&x, 0, 0);
    return x.best;
}

static void random_sizes(char *text, size_t room, uint32_t cells, uint64_t *seed)
{
    size_t used = 0;
    uint32_t equal = unit_between(seed, 0, 1), n = unit_between(seed, 1, cells);
    while (cells > 0) {
        uint32_t size = equal ? n : unit_between(seed, 1, cells);
        size = size < cells ? size : cells;
        used += (size_t)snprintf(text + used, room - used, "%s%" PRIu32, used ? "," : "", size);
        cells -= size;
    }
}

/* All kinds of small instances: at most 12 cells, 1-D to 4-D, periodic or not, any stencil. */
static void random_instance(struct instance *in, uint64_t *seed)
{
    static const char *const stencils[] = {"nn",   "moore",     "component",      "diagonal",
                                           "hops", "hops-last", "crank-nicolson", NULL};
    char dims[64] = "", offsets[256] = "", sizes[128];
    bool periodic[SMAP_DIMS_MAX] = {false};
    uint32_t cells = 1, ndims = unit_between(seed, 1, 4);
    size_t used = 0;
    for (uint32_t i = 0; i < ndims; i++) {
        uint32_t size = unit_between(seed, 1, 12 / cells < 6 ? 12 / cells : 6);
        used +=
            (size_t)snprintf(dims + used, sizeof(dims) - used, "%s%" PRIu32, i ? "x" : "", size);
        periodic[i] = unit_between(seed, 0, 2) == 0;
        cells *= size;
    }
    const char *name = stencils[unit_between(seed, 0, 7)];
    used = 0;
    for (uint32_t k = 0; !name && k < 4; k++) {
        for (uint32_t i = 0; i < ndims; i++)
            used += (size_t)snprintf(
                offsets + used, sizeof(offsets) - used, "%s%d", i ? "," : (k ? ";" : ""),
                i == k % ndims ? 1 + (int)k % 3 : (int)unit_between(seed, 0, 4) / 2 - 1);
        used += (size_t)snprintf(offsets + used, sizeof(offsets) - used, "*%" PRIu32,
                                 unit_between(seed, 1, 5));
    }
    if (ndims == 1 && name && strcmp(name, "component") == 0)
        name = "nn";
    random_sizes(sizes, sizeof(sizes), cells, seed);
    instance_init(in, dims, name ? name : offsets, sizes, periodic);
}

/* No bound is above the optimum, and `best` is not below it; on instances this small it finds it
 * nearly always. */
static void test_against_optimum(void **state)
{
    uint64_t seed = 4711;
    unsigned rounds = 3000, reached = 0, tight = 0;
    (void)state;
    for (unsigned round = 0; round < rounds; round++) {
        struct instance in;
        struct smap_error err = {""};
        struct smap_mapping *mapping = NULL;
        const struct smap_mapping_options fast = {.effort = SMAP_EFFORT_FAST};
        random_instance(&in, &seed);
        uint64_t exact = optimum(&in), bound = bound_of(&in);
        if (bound > exact) {
            char *stencil = smap_stencil_format(in.stencil),
                 *grid = smap_dims_format(in.grid.dims, in.grid.ndims, false);
            char *sizes = smap_nodesizes_format(in.sizes);
            fail_msg("%s %s %s periodic %d%d%d%d: bound %" PRIu64 ", optimum %" PRIu64, grid, sizes,
                     stencil, in.grid.periodic[0], in.grid.periodic[1], in.grid.periodic[2],
                     in.grid.periodic[3], bound, exact);
        }
        assert_int_equal(smap_mapping_from_text(&mapping, "best", UNIT_INSTANCE(&in), &fast, &err),
                         SMAP_OK);
        assert_true(smap_best_result(mapping)->score.jsum >= exact);
        reached += smap_best_result(mapping)->score.jsum == exact;
        tight += bound == exact;
        smap_mapping_destroy(mapping);
        instance_release(&in);
    }
    assert_in_range(reached, rounds * 99 / 100, rounds);
    assert_in_range(tight, rounds / 3, rounds);
}

/* Where the bound is known by hand. */
static void test_known(void **state)
{
    static const struct {
        const char *dims, *sizes, *stencil;
        bool periodic[2];
        uint64_t bound;
    } known[] = {
        {"50x48", "48(x50)", "nn", {0}, 1204},
        {"50x48", "48(x50)", "hops", {0}, 2724},
        {"75x64", "48(x100)", "nn", {0}, 2522},
        {"75x64", "48(x100)", "hops", {0}, 5882},
        {"50x48", "48(x50)", "component", {0}, 96},
        {"75x64", "48(x100)", "component", {0}, 192},
        {"1000x1000", "125(x8000)", "nn", {0}, 364000},
        {"4x6", "4(x6)", "nn", {0}, 28},
        {"4x4", "4(x4)", "nn", {1, 1}, 32},
        {"2x4", "4(x2)", "nn", {1, 1}, 8},
        {"7x5", "35", "moore", {0}, 0},
        {"3000x2000", "3000000(x2)", "nn", {0}, 3860},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct instance in;
        instance_init(&in, known[i].dims, known[i].stencil, known[i].sizes, known[i].periodic);
        uint64_t bound = bound_of(&in);
        if (bound != known[i].bound)
            fail_msg("%s %s %s: %" PRIu64 ", known %" PRIu64, known[i].dims, known[i].sizes,
                     known[i].stencil, bound, known[i].bound);
        instance_release(&in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_optimum),
        cmocka_unit_test(test_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
