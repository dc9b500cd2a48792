/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of greedy-distributed, for those who let every node fill itself (contrib/mpi): the 2019
 * thesis, section 4.2, algorithms 4 to 6. Starters are found first, one for each node and far from
 * each other; then every node takes cells from its starter on, as if it were alone, so that some
 * cells are taken by several nodes and others by none; last all know what all have taken and put
 * that right. Each part gives the same wherever it is done. Instances have a grid and a stencil. */
#ifndef SMAP_GREEDY_DISTRIBUTED_H
#define SMAP_GREEDY_DISTRIBUTED_H

#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

/* starters[i], for each of the N nodes, becomes the cell from which node i is filled: N cells in
 * rising order. About O(k p log N) time, O(p) memory. */
int smap_greedy_starters(uint32_t starters[], const struct smap_instance *in,
                         struct smap_error *err);

/* cells becomes what the nodes first to last - 1 take, node after node, n_i cells each; no cell
 * twice in one node. O(k^2) time a cell and O(p) memory. */
int smap_greedy_take(uint32_t cells[], const struct smap_instance *in, const uint32_t starters[],
                     uint32_t first, uint32_t last, struct smap_error *err);

/* cell_at has what all nodes have taken, node after node: p cells. Afterwards every cell stands
 * there once. O(k) a cell that nobody has taken, and about n_i + log N; O(p) memory. */
int smap_greedy_settle(uint32_t cell_at[], const struct smap_instance *in, struct smap_error *err);

#endif
