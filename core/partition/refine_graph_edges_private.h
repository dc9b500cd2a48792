/* SPDX-License-Identifier: BSD-3-Clause */
/* The second maker of refinement's graph: from a communication graph. */
#ifndef SMAP_REFINE_GRAPH_EDGES_PRIVATE_H
#define SMAP_REFINE_GRAPH_EDGES_PRIVATE_H

#include "grid/graph.h"
#include "partition/refine_graph.h"

/* Fills *g, all zero before; the caller destroys it, also after a failure. */
int smap_refine_graph_fill(struct smap_refine_graph *g, const struct smap_graph *graph,
                           const uint32_t subset[], uint32_t count, struct smap_error *err);

/* The place of a cell in an ascending list; UINT32_MAX: it is not there. */
uint32_t smap_refine_graph_find(const uint32_t subset[], uint32_t count, uint32_t cell);

#endif
