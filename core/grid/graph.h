/* SPDX-License-Identifier: BSD-3-Clause */
/* Who talks to whom where no grid and stencil say it: a communication graph of ranks, as a record
 * of a run or a mesh partitioner gives it. Directed edges with weights, such as bytes sent. */
#ifndef SMAP_GRAPH_H
#define SMAP_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* All weights of a graph together: sums of them fit 64 bits, and their doubles too. */
#define SMAP_GRAPH_WEIGHT_MAX (INT64_MAX / 2)

/* The edges of row r are first[r] ... first[r + 1] - 1: to which rank, with what weight (at least
 * 1). In each row ranks ascend, and no rank is its own neighbour. */
struct smap_graph {
    uint32_t cells; /* ranks */
    uint32_t rows;
    uint32_t *own; /* row r is rank own[r], ascending: only these ranks are known, the others have
                    * no edges here. NULL: every rank has its row */
    uint64_t *first;
    uint32_t *to;
    uint64_t *weight;
};

/* A list of directed edges in any order. */
struct smap_edges {
    uint64_t count;
    const uint32_t *from, *to;
    const uint64_t *weight; /* NULL: all 1 */
    const uint32_t *own; /* ranks, ascending: edges between others are dropped; NULL: all count */
    uint32_t own_count;
};

/* A graph of so many ranks. Edges between the same two are added up; those of a rank with itself
 * and those of weight 0 are no communication. SMAP_EINVAL: a rank that is not there, or weights
 * beyond SMAP_GRAPH_WEIGHT_MAX. O(ranks + edges), times log own_count. */
int smap_graph_create(struct smap_graph **graph, uint32_t cells, const struct smap_edges *edges,
                      struct smap_error *err);
void smap_graph_destroy(struct smap_graph *graph);

/* The graph of ranks first ... first + count - 1 alone, numbered from 0; of one with all rows. */
int smap_graph_part(struct smap_graph **part, const struct smap_graph *graph, uint32_t first,
                    uint32_t count, struct smap_error *err);

/* The row of a rank; false if it has none. */
bool smap_graph_row(uint32_t *row, const struct smap_graph *graph, uint32_t cell);

#endif
