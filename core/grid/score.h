/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mapping costs: the weights of the directed edges c -> c + R whose ends are on different
 * nodes (2020 paper, section II). Edges that leave a non-periodic dimension do not exist; in
 * periodic dimensions they wrap, double edges count twice, and an edge from a cell to itself never
 * crosses. */
#ifndef SMAP_SCORE_H
#define SMAP_SCORE_H

#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

struct smap_score {
    uint64_t jsum; /* over all edges */
    uint64_t jmax; /* outgoing from the worst node */
    uint64_t jmin; /* outgoing from the best node */
};

/* node_of_cell: an entry below nodes for each cell, of whatever the cells are divided over: the
 * sizes of the instance are not looked at and may be NULL. out, if not NULL, gets the outgoing
 * weight of each of the nodes. O(k p) time, O(nodes) memory. */
int smap_score_nodes(struct smap_score *score, uint64_t out[], const struct smap_instance *instance,
                     const uint32_t node_of_cell[], uint32_t nodes, struct smap_error *err);

/* How many ordered pairs of cells talk, the first to the second, and are on different nodes: the
 * messages of an exchange in which all that goes from one to the other is one message. O(k p) time,
 * or O(edges), and 4 bytes a cell. */
int smap_score_pairs(uint64_t *pairs, const struct smap_instance *instance,
                     const uint32_t node_of_cell[], struct smap_error *err);

#endif
