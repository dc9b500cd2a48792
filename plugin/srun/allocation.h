/* SPDX-License-Identifier: BSD-3-Clause */
/* What srun knows, before the step exists, about the nodes that it will run on. */
#ifndef STENCILMAP_ALLOCATION_H
#define STENCILMAP_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "step/hostlist.h"
#include "step/nodesizes.h"

struct allocation {
    struct smap_hostlist *hosts;  /* the step's nodes in Slurm's order */
    struct smap_nodesizes *sizes; /* tasks on each by Slurm's own rules */
    uint32_t *node_of_rank;       /* Slurm's own layout */
    bool ctld_asked;              /* it took a question to slurmctld */
};

/* Predicts the step's nodes and Slurm's layout of the tasks on them, for a layout of our own with
 * as many tasks on each. SMAP_ENOTSUP with the reason (to follow "because") where that cannot be
 * known, or where Slurm would not carry out with our layout what the user typed. yields: a
 * --distribution that was typed is one of the reasons. */
int allocation_predict(struct allocation *allocation, uint32_t tasks, bool yields,
                       struct smap_error *err);

void allocation_release(struct allocation *allocation);

#endif
