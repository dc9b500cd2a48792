/* SPDX-License-Identifier: BSD-3-Clause */
/* Which task gets which cpus, and which memory. */
#ifndef STENCILMAP_BIND_H
#define STENCILMAP_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "slots.h"

struct bind_request {
    const char *order;     /* ORDER; NULL: only hand the existing masks round */
    const char *hierarchy; /* H, or NULL */
    const char *cores;     /* the step's cores as S_STEP_ALLOC_CORES lists them; NULL: all */
    size_t core_count;     /* how many that list names */
    uint32_t nodes;        /* of the step */
    uint32_t cpus_per_task;
    uint32_t cpus_per_core;    /* as Slurm counts; 0: not known */
    uint32_t threads_per_core; /* use no more of a core's hardware threads; 0: all */
    uint32_t tasks_per_core;   /* limits that the user set; 0: none */
    uint32_t tasks_per_socket;
    bool walk; /* process i takes slot i; else seats count, see below */
};

/* Where the order has put every process. */
struct bind_outcome {
    struct smap_slots slots;
    uint32_t *slot; /* of process i; NULL: no order was applied */
};
void bind_outcome_release(struct bind_outcome *outcome);

/* Binds count stopped processes. seat[i]: the place of process i among them, tasks that talk to
 * each other on neighbouring seats.
 *
 * Without an order the masks stay the ones that the processes have, and seat k gets the k-th of
 * them in the machine's own order (hwloc's logical numbering: neighbours share L3, then NUMA, then
 * socket). With an order its first count slots are taken; walk says who gets which: true, process i
 * slot i, as the order walks; false, seat k the k-th slot in the machine's own order.
 *
 * An order reaches the cpus of the step only, whether a cgroup would stop it or not: topology is
 * narrowed to them. After a refusal or an error every process has the mask that it had. */
int bind_tasks(struct smap_topology *topology, const struct bind_request *request,
               const pid_t pids[], const uint32_t seat[], size_t count,
               struct bind_outcome *outcome, struct smap_error *err);

/* Binds this process's future memory to the NUMA nodes of its own cpus. */
int bind_own_memory(const struct smap_topology *topology, struct smap_error *err);

/* This process's cpus as a list "0-3,8"; the caller frees. NULL if that cannot be known. */
char *bind_own_cpus(void);

#endif
