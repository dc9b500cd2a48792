/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/order_nodes.h"

#include <stdbool.h>
#include <string.h>

#include "order/order_parse.h"
#include "step/layout.h"

/* Levels around the nodes are known from H alone. */
static int check_words(const char *order, struct smap_error *err)
{
    char name[SMAP_NAME_SIZE];
    for (const char *word = order; *word; word += *word == ',') {
        size_t length = strcspn(word, ",");
        if (smap_level_canonical(name, word, length) && strcmp(name, "membind") != 0 &&
            !smap_level_is_known(name) && !smap_level_is_fake(name))
            return smap_fail(err, SMAP_EINVAL,
                             "--rank-order=%.120s: no level is called '%s', unless "
                             "--rank-hierarchy has it in front of node",
                             order, name);
        word += length;
    }
    return SMAP_OK;
}

/* What the order says about nodes as far as words alone tell. */
static int block_of_words(uint32_t *block, const char *order, struct smap_error *err)
{
    struct smap_layout_rule rule;
    char name[SMAP_NAME_SIZE];
    size_t length = strcspn(order, ",");
    *block = SMAP_WHOLE_NODE;
    if (!smap_order_names(order, "node")) {
        if (smap_layout_rule_parse(&rule, order, NULL) == SMAP_OK)
            *block = rule.distribution == SMAP_CYCLIC  ? 1
                     : rule.distribution == SMAP_PLANE ? rule.plane
                                                       : SMAP_WHOLE_NODE;
        return SMAP_OK;
    }
    if (check_words(order, err) != SMAP_OK)
        return SMAP_EINVAL;
    if (smap_level_canonical(name, order, length) && strcmp(name, "node") == 0) {
        *block = 1;
        return SMAP_OK;
    }
    for (const char *word = order; word; word = strchr(word, ',')) {
        word += *word == ',';
        length = strcspn(word, ",");
        if (smap_level_canonical(name, word, length) && strcmp(name, "node") == 0 &&
            (word[length] == '\0' || strcmp(word + length, ",membind") == 0))
            return SMAP_OK;
    }
    return smap_fail(err, SMAP_EINVAL,
                     "--rank-order=%.120s: with node between other levels, --rank-hierarchy must "
                     "say how many there are of each",
                     order);
}

/* Finds out which leading levels of a parsed hierarchy are nodes, and puts them there if none are.
 * srun does not know how many cores a node has: bare numbers count nodes if there is a task for
 * every core. */
static int settle_nodes(struct smap_hierarchy *h, uint32_t nodes, uint32_t tasks,
                        struct smap_error *err)
{
    bool bare = h->level[0].name[0] == '\0';
    if (nodes > 0 && tasks % nodes == 0)
        smap_hierarchy_split(h, nodes, tasks / nodes, tasks / nodes);
    return bare || h->node_levels > 0 ? SMAP_OK : smap_hierarchy_add_nodes(h, nodes, err);
}

int smap_order_block(uint32_t *block, const char *order, const char *hierarchy, uint32_t nodes,
                     uint32_t tasks, struct smap_error *err)
{
    struct smap_hierarchy h;
    struct smap_order parsed;
    uint64_t faster = 1;
    if (!hierarchy)
        return block_of_words(block, order, err);
    *block = SMAP_WHOLE_NODE;
    int rc = smap_hierarchy_parse(&h, hierarchy, err);
    if (rc == SMAP_OK)
        rc = settle_nodes(&h, nodes, tasks, err);
    if (rc != SMAP_OK || h.node_levels == 0)
        return rc;
    rc = smap_order_parse(&parsed, order, &h, err);
    if (rc != SMAP_OK) {
        /* Numbers may count the levels inside the node only. */
        struct smap_hierarchy inside = smap_hierarchy_inside_node(&h);
        return smap_order_parse(&parsed, order, &inside, NULL) == SMAP_OK ? SMAP_OK : rc;
    }
    size_t i = 0;
    for (; i < parsed.count && parsed.level[i] >= h.node_levels; i++)
        faster *= h.level[parsed.level[i]].arity;
    for (size_t k = i; k < i + h.node_levels; k++)
        if (k >= parsed.count || parsed.level[k] != h.node_levels - 1 - (k - i))
            return smap_fail(err, SMAP_EINVAL,
                             "--rank-order=%.120s: node and the levels around it must lie side by "
                             "side, node fastest",
                             order);
    if (i + h.node_levels < parsed.count && faster < SMAP_WHOLE_NODE)
        *block = (uint32_t)faster;
    return SMAP_OK;
}
