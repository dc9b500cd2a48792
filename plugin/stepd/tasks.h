/* SPDX-License-Identifier: BSD-3-Clause */
/* Where this node's tasks run: binding of cpus and memory, and the report about it. The functions
 * follow the life of a step in slurmstepd; none of them fails the step. */
#ifndef STENCILMAP_TASKS_H
#define STENCILMAP_TASKS_H

#include <slurm/spank.h>
#include <stdbool.h>

#include "stepd/items.h"
#include "stepd/share.h"
#include "stepd/voice.h"

/* Nothing, one line of what crosses the levels inside the node, or a table of the tasks. */
enum tasks_report { TASKS_SILENT, TASKS_LINE, TASKS_TABLE };

/* All that it points to stays valid until tasks_destroy. */
struct tasks_request {
    const char *order;     /* or NULL */
    const char *hierarchy; /* or NULL */
    const char
        *step_gpus;       /* numbers of those that the step has, or NULL: not known; tasks_create */
    const char *topology; /* XML of this node, or NULL: look at the machine */
    bool cpus_ours;       /* nobody else has chosen the binding */
    const char *masks_stay; /* why tasks may not get each other's masks; NULL: they may */
    bool memory_ours;
    bool strict;
    enum voice voice; /* of problems with the order */
    enum tasks_report report;
    const struct share *share; /* a mapping says who sits where */
    const struct items *items;
};

struct tasks;

/* user_init: before any task is there. *tasks is NULL if there is nothing to do for it. */
void tasks_create(struct tasks **tasks, const struct tasks_request *request);
void tasks_destroy(struct tasks *tasks);

/* task_post_fork: binds all when the last of them has been forked (items_forked): then every mask
 * that Slurm has chosen can be read, none has begun to run, and none gets another one later. */
void tasks_bind(struct tasks *tasks, spank_t spank);

/* task_init: in the task itself. */
void tasks_own_memory(const struct tasks *tasks, uint32_t local);

#endif
