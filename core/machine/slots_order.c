/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of a request, for the levels of a machine. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "machine/slots_private.h"

/* The levels as refusals name them: nodes only where there are several. */
static char *levels_text(const struct smap_slot_walk *walk)
{
    struct smap_text text = {0};
    char *inside = smap_shape_text(&walk->shape, ", ");
    for (size_t i = 0; i < walk->full.node_levels; i++)
        if (walk->full.level[i].arity > 1)
            smap_text_add(&text, "%s%s%" PRIu64 ", ", walk->full.level[i].name,
                          walk->full.level[i].name[0] ? ":" : "", walk->full.level[i].arity);
    if (inside)
        smap_text_add(&text, "%s", inside);
    else
        text.failed = true;
    free(inside);
    return smap_text_take(&text);
}

/* Numbers that count the levels inside the node only: the nodes are slowest then. */
static int parse_inner(const char *text, struct smap_slot_walk *walk, struct smap_error *err)
{
    struct smap_hierarchy inside = smap_hierarchy_inside_node(&walk->full);
    size_t nodes = walk->full.node_levels;
    struct smap_order order;
    char *levels = smap_shape_text(&walk->shape, ", ");
    int rc = levels ? smap_order_parse_shape(&order, text, &inside, levels, err) : smap_nomem(err);
    free(levels);
    if (rc != SMAP_OK)
        return rc;
    for (size_t i = 0; i < order.count; i++)
        order.level[i] = (unsigned char)(order.level[i] + nodes);
    for (size_t i = nodes; i-- > 0;)
        order.level[order.count++] = (unsigned char)i;
    walk->order = order;
    return SMAP_OK;
}

static int parse_order(const char *text, struct smap_slot_walk *walk, struct smap_error *err)
{
    size_t numbers;
    int rc = SMAP_OK;
    if (!text) {
        walk->order = smap_order_natural(walk->full.count);
        return SMAP_OK;
    }
    char *levels = levels_text(walk);
    if (!levels)
        return smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < walk->shape.refused_count; i++)
        if (smap_order_names(text, walk->shape.refused[i].name))
            rc = smap_fail(err, SMAP_ENOTSUP, "--rank-order=%s: %s; levels are %s", text,
                           walk->shape.refused[i].reason, levels);
    if (rc == SMAP_OK) {
        smap_order_check(&numbers, text, NULL);
        rc = numbers > 0 && numbers != walk->full.count
                 ? parse_inner(text, walk, err)
                 : smap_order_parse_shape(&walk->order, text, &walk->full, levels, err);
    }
    free(levels);
    return rc;
}

int smap_slot_walk_order(struct smap_slot_walk *walk, const struct smap_slot_request *request,
                         struct smap_error *err)
{
    const char *order = request->order && request->order[0] ? request->order : NULL;
    int rc = SMAP_OK;
    if (walk->full.node_levels == 0)
        rc = smap_hierarchy_add_nodes(&walk->full, request->nodes ? request->nodes : 1, err);
    return rc == SMAP_OK ? parse_order(order, walk, err) : rc;
}
