/* SPDX-License-Identifier: BSD-3-Clause */
/* What an order does to a communicator (section 3.3 of the mixed-radix paper), and how it compares
 * to other orders and to Slurm's own layouts. A communicator of `size` is the first one: ranks
 * 0 .. size-1 of the reordered world. Sizes from 1 to the number of leaves; refused otherwise. */
#ifndef SMAP_ORDER_METRICS_H
#define SMAP_ORDER_METRICS_H

#include "order/order_parse.h"

/* Sum over the hops 0 -> 1 -> ... -> size-1 (no hop back) of 1 + the number of levels crossed.
 * Closed form, O(levels). */
int smap_order_ring_cost(uint64_t *cost, const struct smap_hierarchy *hierarchy,
                         const struct smap_order *order, uint64_t size, struct smap_error *err);

/* percent[i], i < levels: the share of process pairs that meet inside the i-th level counted from
 * the innermost (as the paper prints them: [100, 0, 0] is packed) and not already further inside.
 * All zero for size 1. Closed form, O(levels^2); size < 2^32. */
int smap_order_pair_percent(double *percent, const struct smap_hierarchy *hierarchy,
                            const struct smap_order *order, uint64_t size, struct smap_error *err);

/* The value of srun's --distribution that ranks every core of the hierarchy alike, for one task per
 * core: "block:block", "block:cyclic", "cyclic:block", "cyclic:cyclic" or "plane=4"; "" if there
 * is none. Nodes are the leading node_levels levels, sockets the level of that name or, in a
 * hierarchy of bare numbers, the next one. */
void smap_order_distribution(char text[32], const struct smap_hierarchy *hierarchy,
                             const struct smap_order *order);

#endif
