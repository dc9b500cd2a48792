/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/seats.h"

/* Level numbers say which hierarchy they are about; the texts of a refusal name the tool's option,
 * ours is --hierarchy. */
static int blame_hierarchy(struct smap_error *err, int rc)
{
    static const char theirs[] = "--rank-hierarchy";
    if (strncmp(err->text, theirs, strlen(theirs)) == 0) {
        size_t skip = strlen("rank-");
        memmove(err->text + 2, err->text + 2 + skip, strlen(err->text + 2 + skip) + 1);
    }
    return rc;
}

/* Who sits where; `inside` gets what levels there are in a node. */
static void find_seats(struct bench_orders *all, struct smap_hierarchy *inside,
                       const struct bench_machine *m)
{
    uint32_t size = (uint32_t)m->size, n = smap_nodesizes_uniform(m->split.sizes);
    struct bench_seat own = bench_seat_own();
    struct bench_seat *seats = bench_alloc(size, sizeof(*seats));
    uint32_t *leaf = bench_alloc(size, sizeof(*leaf));
    MPI_Allgather(&own, sizeof(own), MPI_BYTE, seats, sizeof(own), MPI_BYTE, m->plain);
    all->bound = bench_seats_sort(leaf, inside, seats, size, n);
    all->leaf = leaf[m->plain_rank];
    free(seats);
    free(leaf);
}

/* The hierarchy of all processes, with the nodes in front; *h is that of a node so far. */
static int find_hierarchy(struct smap_hierarchy *h, const struct bench_machine *m, const char *text,
                          struct smap_error *err)
{
    uint32_t nodes = smap_nodesizes_nodes(m->split.sizes);
    uint32_t n = smap_nodesizes_uniform(m->split.sizes);
    int rc = text ? smap_hierarchy_parse(h, text, err) : SMAP_OK;
    if (rc != SMAP_OK)
        return blame_hierarchy(err, rc);
    uint64_t product = smap_hierarchy_product(h);
    if (nodes == 1 && product == n)
        return SMAP_OK;
    if (h->node_levels == 0 && product == n)
        return blame_hierarchy(err, smap_hierarchy_add_nodes(h, nodes, err));
    if (product != (uint64_t)m->size)
        return smap_fail(err, SMAP_EINVAL,
                         "--hierarchy=%.100s: product %" PRIu64
                         " is neither the %d processes nor the %" PRIu32 " of a node",
                         text, product, m->size, n);
    struct smap_hierarchy inside = smap_hierarchy_inside_node(h);
    if (h->node_levels > 0 && smap_hierarchy_product(&inside) != n)
        return smap_fail(err, SMAP_EINVAL,
                         "--hierarchy=%.100s: there are %" PRIu32 " nodes of %" PRIu32 " processes",
                         text, nodes, n);
    smap_hierarchy_split(h, nodes, n, n);
    return SMAP_OK;
}

static int find_comm_size(struct bench_orders *all, const struct bench_machine *m,
                          const struct bench_options *o, struct smap_error *err)
{
    uint32_t size = (uint32_t)m->size;
    all->comm_size = o->comm_size ? o->comm_size : smap_nodesizes_uniform(m->split.sizes);
    if (all->comm_size > size || size % all->comm_size)
        return smap_fail(err, SMAP_EINVAL,
                         "--comm-size=%" PRIu32 ": %" PRIu32
                         " processes are no whole number of such sub-communicators",
                         all->comm_size, size);
    if (all->comm_size < 2)
        return smap_fail(err, SMAP_EINVAL, "--comm-size=1: a collective of one process is none%s",
                         o->comm_size ? "" : "; nodes have one process each, say how many");
    all->comms = size / all->comm_size;
    return SMAP_OK;
}

static void describe(struct bench_order *order, const struct bench_orders *all)
{
    size_t used = 0;
    char *name = smap_order_format(&order->order);
    snprintf(order->name, sizeof(order->name), "%s", name ? name : "?");
    free(name);
    smap_order_ring_cost(&order->ring_cost, &all->hierarchy, &order->order, all->comm_size, NULL);
    smap_order_pair_percent(order->percent, &all->hierarchy, &order->order, all->comm_size, NULL);
    for (size_t i = 0; i < all->hierarchy.count && used < sizeof(order->percents); i++)
        used += (size_t)snprintf(order->percents + used, sizeof(order->percents) - used, "%s%.1f",
                                 i ? " " : "", order->percent[i]);
}

/* An order that is there already is not taken twice. */
static int add(struct bench_orders *all, const struct smap_order *order, struct smap_error *err)
{
    for (size_t i = 0; i < all->count; i++)
        if (memcmp(all->item[i].order.level, order->level, order->count) == 0)
            return SMAP_OK;
    if (all->count > BENCH_LIST_MAX)
        return smap_fail(err, SMAP_EINVAL,
                         "--orders=all: %zu levels have more than %d orders, name some",
                         all->hierarchy.count, BENCH_LIST_MAX);
    struct bench_order *added = &all->item[all->count++];
    *added = (struct bench_order){.order = *order, .comm = MPI_COMM_NULL};
    describe(added, all);
    return SMAP_OK;
}

static int add_listed(struct bench_orders *all, const char *text, struct smap_error *err)
{
    struct smap_orders each;
    int rc = SMAP_OK;
    if (strcmp(text, "all") == 0) {
        for (smap_orders_begin(&each, all->hierarchy.count);
             rc == SMAP_OK && smap_orders_next(&each);)
            rc = add(all, &each.order, err);
        return rc;
    }
    struct smap_order order;
    struct smap_error why = {""};
    rc = smap_order_parse(&order, text, &all->hierarchy, &why);
    if (rc != SMAP_OK) {
        const char *reason = strstr(why.text, ": ");
        return smap_fail(err, rc, "--orders=%.100s: %s", text, reason ? reason + 2 : why.text);
    }
    return add(all, &order, err);
}

/* The reordered world in parts of comm_size ranks. */
static void split(struct bench_orders *all, const struct bench_machine *m)
{
    for (size_t i = 0; i < all->count; i++) {
        struct bench_order *order = &all->item[i];
        uint64_t rank = smap_order_new_rank(&all->hierarchy, &order->order, all->leaf);
        order->color = (uint32_t)(rank / all->comm_size);
        MPI_Comm_split(m->plain, (int)order->color, (int)rank, &order->comm);
    }
}

int bench_orders_create(struct bench_orders *all, const struct bench_machine *m,
                        const struct bench_options *o, struct smap_error *err)
{
    memset(all, 0, sizeof(*all));
    if (smap_nodesizes_uniform(m->split.sizes) == 0) {
        char *sizes = smap_nodesizes_format(m->split.sizes);
        int refused =
            smap_fail(err, SMAP_EINVAL,
                      "--orders: nodes with as many processes each are needed, these have "
                      "%.100s",
                      sizes ? sizes : "not");
        free(sizes);
        return refused;
    }
    find_seats(all, &all->hierarchy, m);
    int rc = find_hierarchy(&all->hierarchy, m, o->hierarchy, err);
    if (rc == SMAP_OK)
        rc = find_comm_size(all, m, o, err);
    if (rc != SMAP_OK)
        return rc;
    struct smap_order natural = smap_order_natural(all->hierarchy.count);
    rc = add(all, &natural, err);
    for (size_t i = 0; rc == SMAP_OK && i < o->orders.count; i++)
        rc = add_listed(all, o->orders.item[i], err);
    if (rc == SMAP_OK)
        split(all, m);
    return rc;
}

void bench_orders_destroy(struct bench_orders *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->item[i].comm != MPI_COMM_NULL)
            MPI_Comm_free(&all->item[i].comm);
}
