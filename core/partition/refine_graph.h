/* SPDX-License-Identifier: BSD-3-Clause */
/* Who talks to whom, cell by cell: what refinement reads, whether a grid and a stencil or a graph
 * say it. Built for all cells of an instance or for a subset of them (the cells of one node, to be
 * split over its sockets), so one search serves every level of the machine. */
#ifndef SMAP_REFINE_GRAPH_H
#define SMAP_REFINE_GRAPH_H

#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"
#include "grid/score.h"

/* The edges of cell c are first[c] ... first[c + 1] - 1. A neighbour appears once per offset that
 * leads to it, so in small periodic grids more than once. */
struct smap_refine_graph {
    uint32_t cells;
    uint64_t *first;
    uint32_t *to;
    uint32_t *both; /* weight there and back: what a cut between the two costs */
    uint32_t *out;  /* weight there alone: what it adds to J of this cell's group */
    /* Both are in units of 2^shift, rounded down, with `both` at least 1, so that the sum of a
     * cell's `both` fits 31 bits; 0 unless a graph with such weights says otherwise. */
    unsigned shift;
    /* Only cells of the same kind may be exchanged by smap_refine_sum; NULL: any. The caller's, not
     * freed with the graph. */
    const uint32_t *kind;
};

/* subset: count cells of the instance, ascending, which become cells 0 ... count - 1 of the graph;
 * edges to other cells are left out. NULL: all cells. The instance's sizes are not looked at. O(k
 * p) time and memory for a stencil of k offsets, O(k count log count) for a subset; a graph's edges
 * take the place of k p. */
int smap_refine_graph_create(struct smap_refine_graph **graph, const struct smap_instance *instance,
                             const uint32_t subset[], uint32_t count, struct smap_error *err);
void smap_refine_graph_destroy(struct smap_refine_graph *graph);

/* J of a division into groups, in the graph's units; out gets the outgoing weight of each group
 * (groups entries). */
void smap_refine_graph_score(struct smap_score *score, uint64_t out[],
                             const struct smap_refine_graph *graph, const uint32_t group_of_cell[],
                             uint32_t groups);

/* Numbers the connected components 0, 1, ... in order of their first cell; returns how many. */
uint32_t smap_refine_graph_components(uint32_t component_of_cell[],
                                      const struct smap_refine_graph *graph, uint32_t stack[]);

#endif
