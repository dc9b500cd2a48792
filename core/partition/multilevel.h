/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides a graph into groups of exact sizes, equal or not, without knowing anything about a grid:
 * halves it again and again, each time at many sizes (multilevel recursive bisection). */
#ifndef SMAP_MULTILEVEL_H
#define SMAP_MULTILEVEL_H

#include <stdint.h>

#include "base/error.h"
#include "partition/refine_graph.h"

/* group_of_cell[c] becomes a group of 0 ... groups - 1; group g gets size[g] cells, which together
 * are all of them. Another seed is another division. O(edges log groups), a few times as much
 * memory as the graph has. */
int smap_multilevel(uint32_t group_of_cell[], const struct smap_refine_graph *graph,
                    const uint32_t size[], uint32_t groups, uint64_t seed, struct smap_error *err);

#endif
