/* SPDX-License-Identifier: BSD-3-Clause */
/* Which task gets which cpus. */
#ifndef STENCILMAP_BIND_H
#define STENCILMAP_BIND_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"

struct bind_request {
    const char *order;     /* ORDER; NULL: only hand the existing masks round */
    const char *hierarchy; /* H, or NULL */
    const char *cores;     /* the step's cores as S_STEP_ALLOC_CORES lists them; NULL: all */
    uint32_t nodes;        /* of the step */
    uint32_t cpus_per_task;
};

/* Binds count stopped processes. seat[i]: the place of process i among them, tasks that talk to
 * each other on neighbouring seats.
 *
 * Without an order the masks stay the ones that the processes have, and seat k gets the k-th of
 * them in the machine's own order (hwloc's logical numbering: neighbours share L3, then NUMA, then
 * socket). With an order its first count slots are taken; walk says who gets which: true, process i
 * slot i, as the order walks; false, seat k the k-th slot in the machine's own order. */
int bind_tasks(const struct bind_request *request, const pid_t pids[], const uint32_t seat[],
               size_t count, int walk, struct smap_error *err);

/* This process's cpus as a list "0-3,8"; the caller frees. NULL if that cannot be known. */
char *bind_own_cpus(void);

#endif
