/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap order: what orders do to a communicator. */
#include "order/order.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "order/order_metrics.h"
#include "tool/tool.h"

/* All orders of more levels than this would be a flood. */
#define ALL_LEVELS_MAX 7

static int find_hierarchy(struct smap_hierarchy *h, const struct args *args, struct smap_error *err)
{
    struct smap_topology *topology = NULL;
    bool regular = true;
    if (args->request.hierarchy && !args->topology)
        return args_hierarchy(0, h, args, err);
    int rc = args_topology(&topology, args, err);
    if (rc == SMAP_OK)
        rc = smap_topology_hierarchy(h, &regular, topology, SMAP_LEAF_AUTO, err);
    if (rc == SMAP_OK && !regular) {
        char *shape = smap_topology_text(topology, SMAP_LEAF_AUTO);
        rc =
            smap_fail(err, SMAP_ENOTSUP, "orders are compared on regular machines, this one has %s",
                      shape ? shape : "another shape");
        free(shape);
    }
    smap_topology_destroy(topology);
    return rc;
}

static char *percent_text(const double percent[], size_t levels)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < levels; i++)
        smap_text_add(&text, "%s%.1f", i ? " " : "", percent[i]);
    return smap_text_take(&text);
}

static int add_order(struct smap_table *table, const struct smap_hierarchy *h,
                     const struct smap_order *order, uint64_t ranks, struct smap_error *err)
{
    double percent[SMAP_LEVELS_MAX];
    char distribution[32];
    uint64_t cost;
    int rc = smap_order_ring_cost(&cost, h, order, ranks, err);
    if (rc == SMAP_OK)
        rc = smap_order_pair_percent(percent, h, order, ranks, err);
    if (rc != SMAP_OK)
        return rc;
    smap_order_distribution(distribution, h, order);
    char *name = smap_order_format(order), *percents = percent_text(percent, h->count);
    smap_table_add(table, "%s", name ? name : "");
    smap_table_add(table, "%" PRIu64, ranks);
    smap_table_add(table, "%" PRIu64, cost);
    smap_table_add(table, "%s", percents ? percents : "");
    smap_table_add(table, "%s", distribution);
    free(name);
    free(percents);
    return SMAP_OK;
}

static int add_orders(struct smap_table *table, const struct args *args,
                      const struct smap_hierarchy *h, uint64_t ranks, struct smap_error *err)
{
    struct smap_orders all;
    int rc = SMAP_OK;
    if (args->request.order) {
        rc = smap_order_parse(&all.order, args->request.order, h, err);
        return rc == SMAP_OK ? add_order(table, h, &all.order, ranks, err) : rc;
    }
    if (h->count > ALL_LEVELS_MAX)
        return smap_fail(err, SMAP_EINVAL,
                         "%zu levels have too many orders to list, name one with --rank-order",
                         h->count);
    for (smap_orders_begin(&all, h->count); rc == SMAP_OK && smap_orders_next(&all);)
        rc = add_order(table, h, &all.order, ranks, err);
    return rc;
}

int command_order(const struct args *args)
{
    static const char *const columns[] = {"order",        "ranks",        "ring_cost",
                                          "pair_percent", "distribution", NULL};
    static const char *const formats[] = {"table", "csv", "json", NULL};
    struct smap_error err = {""};
    struct smap_hierarchy h;
    struct smap_table *table = smap_table_create(columns);
    const char *format;
    uint64_t ranks;
    smap_table_text_column(table, "order");
    smap_table_text_column(table, "pair_percent");
    int rc = args_format(formats, &format, args, &err);
    if (rc == SMAP_OK)
        rc = args_tasks(args, &ranks, &err);
    if (rc == SMAP_OK)
        rc = find_hierarchy(&h, args, &err);
    if (rc == SMAP_OK)
        rc = add_orders(table, args, &h, ranks ? ranks : smap_hierarchy_product(&h), &err);
    if (rc == SMAP_OK)
        rc = table_print(table, format, &err);
    smap_table_destroy(table);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
