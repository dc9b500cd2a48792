/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders: in which sequence the levels of a hierarchy are walked through, fastest-varying first.
 * Algorithms 2 and 3 of the mixed-radix paper (see hierarchy.h). With [[2, 2, 4]] the order 1-2-0
 * takes sockets in turn, then cores, and begins the next node when the first is full.
 * Reading orders from option values: order_parse.h. */
#ifndef SMAP_ORDER_H
#define SMAP_ORDER_H

#include "order/hierarchy.h"

struct smap_order {
    size_t count;                         /* the hierarchy's */
    unsigned char level[SMAP_LEVELS_MAX]; /* sigma: level[0] varies fastest */
    /* joined[i]: level[i] and level[i + 1], the one directly around it, count as one level, because
     * one of them was not named. That makes a difference on irregular machines only. */
    bool joined[SMAP_LEVELS_MAX];
    bool membind; /* the text asked for memory binding */
};

/* h-1, ..., 1, 0: the enumeration that changes nothing. */
struct smap_order smap_order_natural(size_t count);

/* "2-1-0"; NULL without memory; the caller frees. */
char *smap_order_format(const struct smap_order *order);

/* The order inside one node: the first node_levels levels taken out, the others renumbered. Local
 * task i of every node takes core i of this order, however the whole order interleaves nodes. */
struct smap_order smap_order_inside_node(const struct smap_order *order, size_t node_levels);

/* Algorithms 1 and 2: the new rank of leaf `core` (the paper's COMPUTENEWRANK), and its inverse,
 * the leaf that gets rank `rank`. Both O(levels). */
uint64_t smap_order_new_rank(const struct smap_hierarchy *hierarchy, const struct smap_order *order,
                             uint64_t core);
uint64_t smap_order_core(const struct smap_hierarchy *hierarchy, const struct smap_order *order,
                         uint64_t rank);

/* Algorithm 3: core[r] is the leaf of rank r, for r < count; O(count), not O(leaves). count above
 * the number of leaves is refused. */
int smap_order_cores(uint64_t *core, size_t count, const struct smap_hierarchy *hierarchy,
                     const struct smap_order *order, struct smap_error *err);

/* All count! orders, one after the other, by Heap's algorithm:
 *   for (smap_orders_begin(&all, n); smap_orders_next(&all);) use(&all.order); */
struct smap_orders {
    struct smap_order order;
    size_t counter[SMAP_LEVELS_MAX];
    size_t depth;
    bool started;
};
void smap_orders_begin(struct smap_orders *all, size_t count);
bool smap_orders_next(struct smap_orders *all);

#endif
