/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a step that exists, as slurmctld made it. */
#ifndef STENCILMAP_STEPLAYOUT_H
#define STENCILMAP_STEPLAYOUT_H

#include <slurm/spank.h>

#include "srun/allocation.h"

/* Asks slurmctld, once per srun; the caller releases the allocation. For srun's local_user_init. */
int steplayout_read(struct allocation *allocation, spank_t spank, struct smap_error *err);

#endif
