/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI launchers that use srun to start their own daemons, which are no ranks. */
#ifndef STENCILMAP_DAEMONS_H
#define STENCILMAP_DAEMONS_H

#include <stdbool.h>

/* Is this process an srun that starts such daemons? Looks through its command line; srun's options
 * are no daemon's name. */
bool daemons_launched(void);

#endif
