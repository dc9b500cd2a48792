/* SPDX-License-Identifier: BSD-3-Clause */
/* Where this node's tasks run: binding of cpus and memory, and the report about it. The functions
 * follow the life of a step in slurmstepd; none of them fails the step. */
#ifndef STENCILMAP_PLACE_H
#define STENCILMAP_PLACE_H

#include <slurm/spank.h>

#include "plan/plan.h"
#include "stepd/bind.h"

/* Nothing, one line of what crosses the levels inside the node, or a table of the tasks. */
enum place_report { PLACE_SILENT, PLACE_LINE, PLACE_TABLE };

/* All that it points to stays valid until place_release. */
struct place_request {
    const char *order;     /* or NULL */
    const char *hierarchy; /* or NULL */
    const char *topology;  /* XML of this node, or NULL: look at the machine */
    bool mapped;           /* a mapping says who sits where: problem and cell count */
    bool cpus_ours;        /* nobody else has chosen the binding */
    bool memory_ours;
    bool strict;
    bool quiet; /* problems with the order are not told */
    enum place_report report;
    const struct smap_problem *problem; /* of the mapping, or NULL */
    const uint32_t *cell;               /* of each task */
    uint32_t tasks;                     /* on this node */
};

/* user_init: before any task is there. */
void place_prepare(const struct place_request *request);

/* task_post_fork: a task has been forked. With the last of them all are placed: then every mask
 * that Slurm has chosen can be read, none has begun to run, and none gets another one later. */
void place_forked(spank_t spank, uint32_t local, pid_t pid);

/* task_init: in the task itself. */
void place_own_memory(uint32_t local);

void place_release(void);

#endif
