/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs that get smaller: cells with heavy edges between them are taken together, two by two
 * (heavy-edge matching; Karypis and Kumar, "A fast and high quality multilevel scheme for
 * partitioning irregular graphs", SIAM J. Sci. Comput. 20, 1998). */
#ifndef SMAP_COARSEN_H
#define SMAP_COARSEN_H

#include <stdint.h>

#include "base/error.h"
#include "partition/refine_graph.h"

/* Edges as in smap_refine_graph, weights both ways together; each cell stands for so many. */
struct smap_coarse {
    uint32_t cells;
    uint64_t *first;
    uint32_t *to;
    uint64_t *weight;
    uint32_t *size;
};

/* smap_coarse_clear frees, also after a failure and a zeroed one. */
int smap_coarse_init(struct smap_coarse *coarse, uint32_t cells, uint64_t edges,
                     struct smap_error *err);
void smap_coarse_clear(struct smap_coarse *coarse);

/* The graph of refinement, every cell for itself. */
int smap_coarse_copy(struct smap_coarse *coarse, const struct smap_refine_graph *graph,
                     struct smap_error *err);

/* Which cells may be taken together. */
struct smap_coarsening {
    uint32_t size_max;       /* no pair stands for more */
    const uint32_t *kind_of; /* only cells of the same kind; NULL: any */
    uint64_t random;         /* chooses the order in which cells look for partners; is drawn from */
};

/* The next smaller graph; coarse_of[c] is the cell that c is part of. */
int smap_coarsen(struct smap_coarse *coarse, uint32_t coarse_of[], const struct smap_coarse *fine,
                 struct smap_coarsening *how, struct smap_error *err);

#endif
