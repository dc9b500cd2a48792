/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of one node: an aligned table of its tasks and where they are. */
#ifndef STENCILMAP_NODETABLE_H
#define STENCILMAP_NODETABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "plan/plan.h"
#include "stepd/bind.h"

struct nodetable {
    const char *node;  /* name */
    const char *bound; /* by what the tasks are bound: a phrase */
    const struct smap_topology *topology;
    const struct smap_problem *problem; /* NULL: no mapping */
    const uint32_t *cell;               /* of each task, or SMAP_NO_CELL; with problem */
    const struct bind_outcome *outcome; /* slots, if an order was applied */
    const uint32_t *rank;               /* Slurm's, of each task */
    const pid_t *pids;
    size_t count;
};

/* The cpus are asked of the kernel. The caller frees; NULL without memory. */
char *nodetable_text(const struct nodetable *table);

/* One line: what crosses the levels inside the node. The caller frees; NULL if nothing is known. */
char *nodetable_line(const char *node, const struct bind_outcome *outcome);

#endif
