/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cores the processes of the nodes are bound to, and what levels that makes: from the
 * affinity masks and Linux's /sys. No MPI here. */
#ifndef BENCH_SEATS_H
#define BENCH_SEATS_H

#include <stdbool.h>
#include <stdint.h>

#include "order/hierarchy.h"

struct bench_seat {
    int32_t package, numa, l3; /* of the first cpu in the mask; 0 where the kernel does not say */
    int32_t cpu;               /* that cpu; -1: unknown */
};

/* This process's. */
struct bench_seat bench_seat_own(void);

/* seats of `count` processes, n on each node, node after node. leaf[i] gets the place of process i
 * in the enumeration of all cores that have a process: by node, package, NUMA domain, L3 cache and
 * cpu. `inside` gets the levels inside a node that are the same on all nodes, each dividing the
 * processes evenly: "socket:2,numa:2,core:4".
 * False where processes share their first cpu, so that nobody can say who sits where: then leaf[i]
 * is i and `inside` is "core:n". */
bool bench_seats_sort(uint32_t leaf[], struct smap_hierarchy *inside,
                      const struct bench_seat seats[], uint32_t count, uint32_t n);

#endif
