/* SPDX-License-Identifier: BSD-3-Clause */
/* Which task gets which cpus, and which memory. */
#ifndef STENCILMAP_BIND_H
#define STENCILMAP_BIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "machine/slots.h"
#include "plan/plan.h"

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
    bool strict; /* refuse ragged levels */
    /* The mapping's cell of each process, SMAP_NO_CELL for those outside of the grid. NULL: no
     * mapping. */
    const struct smap_problem *problem;
    const uint32_t *cell;
    bool seats_by_cells; /* those that talk to each other go side by side; else process i takes slot
                          * i, or keeps its mask, and it is only counted what crosses levels */
};

/* What crosses the levels of the machine inside this node. */
struct bind_crossings {
    size_t levels; /* 0: nothing is known */
    char name[SMAP_LEVELS_MAX][SMAP_NAME_SIZE];
    uint64_t before[SMAP_LEVELS_MAX]; /* as Slurm bound the processes; see before_known */
    uint64_t after[SMAP_LEVELS_MAX];
    bool before_known; /* Slurm did bind them */
};

/* Where the processes have been put. All zero before; bind_outcome_clear frees. */
struct bind_outcome {
    struct smap_slots slots;
    uint32_t *slot; /* of process i; NULL: no order was applied */
    struct bind_crossings crossings;
    bool kept; /* every process has the mask that Slurm gave it */
};
void bind_outcome_clear(struct bind_outcome *outcome);

/* Binds count stopped processes.
 *
 * Without an order the masks stay the ones that the processes have, and only who gets which one
 * changes, and only if that lowers what crosses the levels, outermost first. With an order its
 * first count slots are taken; without a mapping process i gets slot i, as the order walks. A
 * mapping puts processes on masks or slots so that those that talk to each other share an L3, then
 * a NUMA node, then a socket (smap_inside_assign). Processes outside of the grid have no part in
 * that: they keep their masks, or the slots as the order walks.
 *
 * An order reaches the cpus of the step only, whether a cgroup would stop it or not: topology is
 * narrowed to them. After a refusal or an error every process has the mask that it had. */
int bind_tasks(struct bind_outcome *outcome, struct smap_topology *topology,
               const struct bind_request *request, const pid_t pids[], size_t count,
               struct smap_error *err);

#endif
