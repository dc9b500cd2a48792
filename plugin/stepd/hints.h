/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts that every task is told: as variables STENCILMAP_RANK, ... and as PMIx keys
 * stencilmap.rank, ... of one and the same list. */
#ifndef STENCILMAP_HINTS_H
#define STENCILMAP_HINTS_H

#include <slurm/spank.h>
#include <stdint.h>

#include "handover.h"
#include "stepd/items.h"
#include "stepd/share.h"

/* The hints of all tasks, then those of one. */
enum hint {
    HINT_VERSION,
    HINT_MAP,
    HINT_PLACEMENT,
    HINT_STENCIL,
    HINT_DIMS,
    HINT_PERIODIC,
    HINT_RANKS, /* which ranks are the grid; those that are not have no RANK and no COORDS */
    HINT_NODE_SIZES,
    HINT_JSUM,
    HINT_JMAX,
    HINT_JSUM_BEFORE,
    HINT_JMAX_BEFORE,
    HINT_RANK,
    HINT_COORDS,
    HINT_CPUS, /* known when all are bound: this key is published later than the others */
    HINT_COUNT
};

/* "STENCILMAP_NODE_SIZES", and "stencilmap.node_sizes" */
enum { HINTS_KEY_SIZE = 64 };
const char *hints_variable(enum hint hint);
void hints_key(char key[HINTS_KEY_SIZE], enum hint hint);

/* Sets the hints of local task `local`, which this process is about to become. */
void hints_set(spank_t spank, const struct handover_values *handed, const struct share *share,
               uint32_t local);

/* user_init: publishes the hints of all tasks of this node, if a PMIx server runs here; false if
 * none does, or one of a version that is not known, with a line in the log of the first node. */
bool hints_publish(const struct handover_values *handed, const struct share *share,
                   const struct items *items);

/* task_post_fork: the cpus of all tasks of this node, after they have been bound. */
void hints_publish_cpus(const struct items *items);

/* Takes out of the task's environment what the plugin caused and a nested srun must not see. */
void hints_clean(spank_t spank);

#endif
