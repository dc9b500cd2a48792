/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a task start with the libraries that srun named. */
#ifndef STENCILMAP_INJECT_H
#define STENCILMAP_INJECT_H

#include <slurm/spank.h>

#include "handover.h"

/* In the task, as the user, and in the container if there is one: adds to LD_PRELOAD those of the
 * libraries that can be read here, behind the user's own. The loader would complain of the others
 * in every program; so one line does. */
void inject(spank_t spank, const struct handover_values *handed);

#endif
