/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/order.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

struct smap_order smap_order_natural(size_t count)
{
    struct smap_order order = {.count = count};
    for (size_t i = 0; i < count; i++)
        order.level[i] = (unsigned char)(count - 1 - i);
    return order;
}

char *smap_order_format(const struct smap_order *order)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < order->count; i++)
        smap_text_add(&text, "%s%u", i ? "-" : "", (unsigned)order->level[i]);
    return smap_text_take(&text);
}

struct smap_order smap_order_inside_node(const struct smap_order *order, size_t node_levels)
{
    struct smap_order inside = {.membind = order->membind};
    for (size_t i = 0; i < order->count; i++) {
        if (order->level[i] < node_levels)
            continue;
        inside.joined[inside.count] = order->joined[i];
        inside.level[inside.count++] = (unsigned char)(order->level[i] - node_levels);
    }
    return inside;
}

/* Algorithm 2: the rank of the leaf with these coordinates. */
static uint64_t rank_of(const struct smap_hierarchy *hierarchy, const struct smap_order *order,
                        const uint64_t *coordinate)
{
    uint64_t rank = 0;
    uint64_t factor = 1;
    for (size_t i = 0; i < order->count; i++) {
        rank += coordinate[order->level[i]] * factor;
        factor *= hierarchy->level[order->level[i]].arity;
    }
    return rank;
}

uint64_t smap_order_new_rank(const struct smap_hierarchy *hierarchy, const struct smap_order *order,
                             uint64_t core)
{
    uint64_t coordinate[SMAP_LEVELS_MAX];
    smap_hierarchy_coordinates(coordinate, hierarchy, core);
    return rank_of(hierarchy, order, coordinate);
}

/* stride[i]: distance in leaf numbers between neighbours of level i. */
static void strides(uint64_t stride[SMAP_LEVELS_MAX], const struct smap_hierarchy *h)
{
    uint64_t leaves = 1;
    for (size_t i = h->count; i-- > 0;) {
        stride[i] = leaves;
        leaves *= h->level[i].arity;
    }
}

uint64_t smap_order_core(const struct smap_hierarchy *hierarchy, const struct smap_order *order,
                         uint64_t rank)
{
    uint64_t stride[SMAP_LEVELS_MAX];
    uint64_t core = 0;
    strides(stride, hierarchy);
    for (size_t i = 0; i < order->count; i++) {
        size_t level = order->level[i];
        core += rank % hierarchy->level[level].arity * stride[level];
        rank /= hierarchy->level[level].arity;
    }
    return core;
}

int smap_order_cores(uint64_t *core, size_t count, const struct smap_hierarchy *hierarchy,
                     const struct smap_order *order, struct smap_error *err)
{
    uint64_t leaves = smap_hierarchy_product(hierarchy);
    uint64_t stride[SMAP_LEVELS_MAX];
    uint64_t digit[SMAP_LEVELS_MAX] = {0};
    uint64_t at = 0;
    if (count > leaves)
        return smap_fail(err, SMAP_ENOTSUP, "%zu cores wanted, but there are %" PRIu64, count,
                         leaves);
    strides(stride, hierarchy);
    /* Algorithm 3 asks every core for its rank; counting the ranks up like an odometer gives their
     * cores directly, and touches only the cores that are wanted. */
    for (size_t r = 0; r < count; r++) {
        core[r] = at;
        for (size_t i = 0; i < order->count; i++) {
            size_t level = order->level[i];
            uint64_t arity = hierarchy->level[level].arity;
            at += stride[level];
            if (++digit[i] < arity)
                break;
            at -= arity * stride[level];
            digit[i] = 0;
        }
    }
    return SMAP_OK;
}

void smap_orders_begin(struct smap_orders *all, size_t count)
{
    memset(all, 0, sizeof(*all));
    all->order.count = count;
    for (size_t i = 0; i < count; i++)
        all->order.level[i] = (unsigned char)i;
    all->depth = 1;
}

bool smap_orders_next(struct smap_orders *all)
{
    unsigned char *level = all->order.level;
    if (!all->started)
        return all->started = true;
    /* Heap's algorithm without recursion: counter[i] is the loop variable of recursion depth i. */
    while (all->depth < all->order.count) {
        size_t i = all->depth;
        if (all->counter[i] < i) {
            size_t j = i % 2 ? all->counter[i] : 0;
            unsigned char kept = level[i];
            level[i] = level[j];
            level[j] = kept;
            all->counter[i]++;
            all->depth = 1;
            return true;
        }
        all->counter[i] = 0;
        all->depth++;
    }
    return false;
}
