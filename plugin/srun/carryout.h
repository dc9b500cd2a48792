/* SPDX-License-Identifier: BSD-3-Clause */
/* The second half of srun's side: the step exists. */
#ifndef STENCILMAP_CARRYOUT_H
#define STENCILMAP_CARRYOUT_H

#include <slurm/spank.h>

#include "srun/decide.h"

/* Verifies the real layout, hands over to slurmstepd, reports. Of *decision, the plan of placement
 * comm is made only here. */
void srun_carry_out(struct srun_decision *decision, spank_t spank);

#endif
