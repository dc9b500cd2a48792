/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts that every task is told, as STENCILMAP_* variables and PMIx keys: VERSION, MAP,
 * PLACEMENT, STENCIL, DIMS, PERIODIC, RANK, COORDS, NODE_SIZES, CPUS, JSUM, JMAX. */
#ifndef STENCILMAP_HINTS_H
#define STENCILMAP_HINTS_H

#include <slurm/spank.h>
#include <stdint.h>

#include "handover.h"
#include "plan/plan.h"

/* Sets the hints of the task that this process is about to become. problem NULL: no mapping is in
 * force, only the cores are told. */
void hints_set(spank_t spank, const struct handover_values *handed,
               const struct smap_problem *problem, uint32_t cell);

/* An order that interleaves nodes while the ranks stay where they are: RANK is the task's rank in
 * the order, and PLACEMENT comm. */
void hints_set_order(spank_t spank, const struct handover_values *handed, uint32_t rank);

/* Takes out of the task's environment what the plugin caused and a nested srun must not see. */
void hints_clean(spank_t spank, const struct handover_values *handed);

#endif
