/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI launchers that use srun to start their own daemons, which are no ranks. */
#ifndef STENCILMAP_DAEMONS_H
#define STENCILMAP_DAEMONS_H

#include <stdio.h>

/* The daemon that this srun starts, for people, or NULL. It is known by the program alone, the
 * first word of the command line that is none of srun's: an argument of that name is not one. */
const char *daemons_launched(void);

/* The same of a command line as in /proc/self/cmdline, whose program is that word; 0: nobody knows
 * which, so any word may be it. */
const char *daemons_find(FILE *line, int program);

#endif
