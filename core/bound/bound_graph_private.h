/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SMAP_BOUND_GRAPH_PRIVATE_H
#define SMAP_BOUND_GRAPH_PRIVATE_H

#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

/* smap_bound_jsum of an instance with a graph, the larger of two bounds.
 *
 * Degrees: at most n - 1 neighbours of a rank are on its node, n being the largest node size; the
 * others cost at least what the lightest of them cost.
 *
 * Parts: a connected part of the graph with s ranks is on at least ceil(s / n) nodes, and all parts
 * together lie at least once on each of the N nodes. Where a part is on t nodes, the edges between
 * these connect them, so at least t - 1 of them, without a circle; and no forest of so many edges
 * is lighter than the first ones that Kruskal's algorithm takes. */
int smap_bound_graph(uint64_t *bound, const struct smap_instance *instance, struct smap_error *err);

#endif
