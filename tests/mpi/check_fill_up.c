/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy-distributed, with every node filling itself: the same cells as the core has, with blocks
 * of ranks on each node, ranks dealt to the nodes in turn, and nodes of unequal size, all of them
 * pretended (STENCILMAP_MPI_NODE). */
#include <stdio.h>
#include <stdlib.h>

#include "best/algorithms.h"
#include "check.h"
#include "fill_up.h"

/* This process's cell by the core alone; SMAP_NO_CELL if it has none. */
static uint32_t expect(const struct smap_instance *in, const struct smap_nodesplit *split)
{
    struct smap_mapping *mapping = NULL;
    uint32_t cell = SMAP_NO_CELL;
    if (smap_mapping_create(&mapping, &smap_algorithm_greedy_distributed, in, NULL, NULL) ==
        SMAP_OK)
        cell = smap_mapping_cell(mapping, smap_nodesplit_position(split));
    smap_mapping_destroy(mapping);
    return cell;
}

static void check_instance(const char *nodes, const char *dims, const char *stencil,
                           const bool periodic[])
{
    struct smap_grid grid;
    struct smap_stencil *offsets = NULL;
    struct smap_nodesplit split;
    struct smap_searched searched = {.cell = SMAP_NO_CELL};
    uint32_t d[SMAP_DIMS_MAX];
    size_t ndims;
    bool column, ok;
    setenv("STENCILMAP_MPI_NODE", nodes, 1);
    bool good = smap_dims_parse(d, &ndims, &column, dims, NULL) == SMAP_OK &&
                smap_grid_init(&grid, ndims, d, periodic, NULL) == SMAP_OK &&
                smap_stencil_parse(&offsets, stencil, ndims, NULL) == SMAP_OK &&
                smap_nodesplit_init(MPI_COMM_WORLD, &split, &ok) == MPI_SUCCESS && ok;
    if (!good)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const struct smap_instance instance = {&grid, offsets, split.sizes, NULL};
    good = smap_fill_up(&searched, MPI_COMM_WORLD, &instance, &split) == MPI_SUCCESS;
    good = good && (searched.verdict.judgement == SMAP_JUDGED_BETTER ||
                    searched.verdict.judgement == SMAP_JUDGED_NO_GAIN);
    check(good && searched.cell == expect(&instance, &split), "%s %s%s on nodes by %s", dims,
          stencil, periodic ? " periodic" : "", nodes);
    smap_nodesplit_clear(&split);
    smap_stencil_destroy(offsets);
}

int main(int argc, char **argv)
{
    static const bool periodic[SMAP_DIMS_MAX] = {true, false, true};
    static const char *const stencils[] = {"nn",       "moore",     "component",
                                           "diagonal", "hops-last", "1,2"};
    static const char *const nodes[] = {"rank/1", "rank/3", "rank%2"};
    char square[32], line[32];
    MPI_Init(&argc, &argv);
    int size = check_size(MPI_COMM_WORLD), rows = size % 2 ? 1 : 2;
    snprintf(square, sizeof(square), "%dx%d", rows, size / rows);
    snprintf(line, sizeof(line), "%dx1", size);
    for (size_t n = 0; n < sizeof(nodes) / sizeof(nodes[0]); n++)
        for (size_t s = 0; s < sizeof(stencils) / sizeof(stencils[0]); s++) {
            check_instance(nodes[n], square, stencils[s], NULL);
            check_instance(nodes[n], square, stencils[s], periodic);
            check_instance(nodes[n], line, stencils[s], NULL);
        }
    MPI_Finalize();
    return check_failures() > 0;
}
