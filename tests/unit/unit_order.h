/* SPDX-License-Identifier: BSD-3-Clause */
/* Hierarchies and orders by their texts. */
#ifndef STENCILMAP_UNIT_ORDER_H
#define STENCILMAP_UNIT_ORDER_H

#include "unit.h"

#include "order/order_parse.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline struct smap_hierarchy hierarchy(const char *text, size_t node_levels)
{
    struct smap_hierarchy h;
    struct smap_error err = {""};
    if (smap_hierarchy_parse(&h, text, &err))
        fail_msg("%s: %s", text, err.text);
    if (h.level[0].name[0] == '\0')
        h.node_levels = node_levels;
    return h;
}

static inline struct smap_order order(const char *text, const struct smap_hierarchy *h)
{
    struct smap_order o;
    struct smap_error err = {""};
    if (smap_order_parse(&o, text, h, &err))
        fail_msg("%s: %s", text, err.text);
    return o;
}

#endif
