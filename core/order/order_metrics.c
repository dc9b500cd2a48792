/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/order_metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int check_size(const struct smap_hierarchy *h, uint64_t size, struct smap_error *err)
{
    uint64_t leaves = smap_hierarchy_product(h);
    if (size == 0 || size > leaves)
        return smap_fail(err, SMAP_EINVAL,
                         "a communicator of %" PRIu64 " ranks; 1 to %" PRIu64 " are possible", size,
                         leaves);
    return SMAP_OK;
}

int smap_order_ring_cost(uint64_t *cost, const struct smap_hierarchy *hierarchy,
                         const struct smap_order *order, uint64_t size, struct smap_error *err)
{
    uint64_t sum = 0;
    size_t outermost = hierarchy->count;
    int rc = check_size(hierarchy, size, err);
    if (rc != SMAP_OK)
        return rc;
    /* Counting up is an odometer: the hop to rank r moves the fastest k+1 levels where r is a
     * multiple of their predecessors' product and no more, and costs what the outermost of the
     * moved levels costs. */
    uint64_t carries = size - 1;
    for (size_t k = 0; k < order->count; k++) {
        uint64_t arity = hierarchy->level[order->level[k]].arity;
        uint64_t hops = carries - carries / arity;
        uint64_t part;
        if (arity > 1 && order->level[k] < outermost)
            outermost = order->level[k];
        if (__builtin_mul_overflow(hops, hierarchy->count - outermost, &part) ||
            __builtin_add_overflow(sum, part, &sum))
            return smap_fail(err, SMAP_EINVAL, "the ring cost of %" PRIu64 " ranks is too large",
                             size);
        carries /= arity;
    }
    *cost = sum;
    return SMAP_OK;
}

/* Ordered pairs (x, y), x and y in [0, size), whose leaves agree on the outermost `depth` levels.
 * By the digits of size, slowest first: x and y both below the digit's full blocks, one of them, or
 * none. A full block of the faster levels holds `weight` ranks, and `free` of them agree with any
 * given one on all levels that must. */
static uint64_t pairs_inside(const struct smap_hierarchy *h, const struct smap_order *order,
                             uint64_t size, size_t depth)
{
    uint64_t weight[SMAP_LEVELS_MAX + 1] = {1};
    uint64_t free[SMAP_LEVELS_MAX + 1] = {1};
    uint64_t pairs = 0;
    for (size_t i = 0; i < order->count; i++) {
        uint64_t arity = h->level[order->level[i]].arity;
        weight[i + 1] = weight[i] * arity;
        free[i + 1] = free[i] * (order->level[i] < depth ? 1 : arity);
    }
    for (size_t i = order->count; i-- > 0;) {
        uint64_t digit = size / weight[i];
        uint64_t rest = size % weight[i];
        if (order->level[i] < depth)
            pairs += digit * weight[i] * free[i];
        else
            pairs += digit * digit * weight[i] * free[i] + 2 * digit * rest * free[i];
        size = rest;
    }
    /* A size that is the whole product was taken as one digit above its range by the slowest level,
     * which is right: that many full blocks. */
    return pairs;
}

int smap_order_pair_percent(double *percent, const struct smap_hierarchy *hierarchy,
                            const struct smap_order *order, uint64_t size, struct smap_error *err)
{
    int rc = check_size(hierarchy, size, err);
    if (rc != SMAP_OK)
        return rc;
    if (size > UINT32_MAX)
        return smap_fail(err, SMAP_ENOTSUP,
                         "pairs are counted for up to %" PRIu32 " ranks, not %" PRIu64, UINT32_MAX,
                         size);
    uint64_t all = size * (size - 1);
    uint64_t inner = size; /* pairs of a rank with itself */
    for (size_t i = 0; i < hierarchy->count; i++) {
        uint64_t outer = pairs_inside(hierarchy, order, size, hierarchy->count - 1 - i);
        percent[i] = all ? 100.0 * (double)(outer - inner) / (double)all : 0.0;
        inner = outer;
    }
    return SMAP_OK;
}

/* Whether both give every leaf the same rank: levels of one member do not matter. */
static bool same_mapping(const struct smap_hierarchy *h, const struct smap_order *a,
                         const struct smap_order *b)
{
    size_t i = 0;
    size_t j = 0;
    for (;;) {
        while (i < a->count && h->level[a->level[i]].arity == 1)
            i++;
        while (j < b->count && h->level[b->level[j]].arity == 1)
            j++;
        if (i == a->count || j == b->count)
            return i == a->count && j == b->count;
        if (a->level[i++] != b->level[j++])
            return false;
    }
}

void smap_order_distribution(char text[32], const struct smap_hierarchy *hierarchy,
                             const struct smap_order *order)
{
    static const char *const words[] = {"block:block", "block:cyclic", "cyclic:block",
                                        "cyclic:cyclic"};
    struct smap_order slurm;
    uint64_t plane = 1;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        snprintf(text, 32, "%s", words[i]);
        if (smap_order_parse(&slurm, text, hierarchy, NULL) == SMAP_OK &&
            same_mapping(hierarchy, order, &slurm))
            return;
    }
    for (size_t i = hierarchy->count; i-- > hierarchy->node_levels;) {
        plane *= hierarchy->level[i].arity;
        snprintf(text, 32, "plane=%" PRIu64, plane);
        if (smap_order_parse(&slurm, text, hierarchy, NULL) == SMAP_OK &&
            same_mapping(hierarchy, order, &slurm))
            return;
    }
    text[0] = '\0';
}
