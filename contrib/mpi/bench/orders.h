/* SPDX-License-Identifier: BSD-3-Clause */
/* Sub-communicators of ranks that are reordered by orders: section 3.2 of the mixed-radix paper. */
#ifndef BENCH_ORDERS_H
#define BENCH_ORDERS_H

#include "bench/machine.h"
#include "bench/options.h"
#include "order/order_metrics.h"

struct bench_order {
    char name[64]; /* "2-1-0" */
    struct smap_order order;
    MPI_Comm comm;  /* this process's sub-communicator ... */
    uint32_t color; /* ... and its number: the reordered rank / comm_size */
    uint64_t ring_cost;
    double percent[SMAP_LEVELS_MAX];
    char percents[64]; /* "0.0 33.3 66.7" */
};

struct bench_orders {
    struct smap_hierarchy hierarchy; /* of all processes */
    bool bound;                      /* the levels inside the nodes are those of the cores */
    uint32_t leaf;                   /* this process in the enumeration of the hierarchy's leaves */
    uint32_t comm_size, comms;
    size_t count;
    struct bench_order item[BENCH_LIST_MAX + 1]; /* the natural order first */
};

/* Collective over MPI_COMM_WORLD; the result code and err are the same everywhere. */
int bench_orders_create(struct bench_orders *orders, const struct bench_machine *machine,
                        const struct bench_options *options, struct smap_error *err);
void bench_orders_destroy(struct bench_orders *orders);

#endif
