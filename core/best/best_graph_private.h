/* SPDX-License-Identifier: BSD-3-Clause */
/* The starts of `best` where there is no grid: divisions by the graph alone. */
#ifndef SMAP_BEST_GRAPH_PRIVATE_H
#define SMAP_BEST_GRAPH_PRIVATE_H

#include "best/best_state_private.h"

/* Nothing to do without a graph that may be refined. */
int smap_best_graph(struct smap_best_state *s, struct smap_error *err);

#endif
