/* SPDX-License-Identifier: BSD-3-Clause */
/* What srun tells about a watched step when it is over: what crossed the nodes, which grid that is,
 * the line to type next time, and whether a mapping has kept its promise. */
#ifndef STENCILMAP_WATCHED_H
#define STENCILMAP_WATCHED_H

#include <slurm/spank.h>

#include "plan/plan.h"

/* Before the step runs: it will write its record to this file, or, since that is never overwritten,
 * to the first of FILE.2, FILE.3, ... that is not there. */
void watched_expect(const char *file, spank_t spank);

/* All ranks of the step, or of the communicator that its program makes of them, are the plan's
 * cells, and these are the nodes of the cells: so many pairs of ranks will talk between nodes.
 * Nothing without --stencil-watch. */
void watched_promise(const struct smap_plan *plan, const uint32_t node_of_cell[]);

/* srun ends: reads the record and prints a few lines. Says nothing where nothing was expected, and
 * changes nothing else. */
void watched_tell(void);

#endif
