/* SPDX-License-Identifier: BSD-3-Clause */
/* The switches above a step's nodes, as Slurm's topology/tree knows them. In srun only. */
#ifndef STENCILMAP_SWITCHES_H
#define STENCILMAP_SWITCHES_H

#include "levels/outer.h"
#include "step/hostlist.h"

/* Asks slurmctld. Level "switch" is that of the leaf switches, "switch2" the one above, and so on;
 * levels that hold all nodes together, or each alone, are left out. No levels where Slurm has no
 * tree, or does not say (from Slurm 25.05 on the answer has no documented form). The caller clears
 * *outer. */
int switches_read(struct smap_outer *outer, const struct smap_hostlist *hosts,
                  struct smap_error *err);

#endif
