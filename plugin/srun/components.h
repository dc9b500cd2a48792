/* SPDX-License-Identifier: BSD-3-Clause */
/* Heterogeneous steps, seen while srun works on their first component. */
#ifndef STENCILMAP_COMPONENTS_H
#define STENCILMAP_COMPONENTS_H

#include <stdbool.h>
#include <stdio.h>

/* Does this srun's line go on after its first program with another component ("srun a : b")? */
bool components_follow(void);

/* The same of a command line as in /proc/self/cmdline, whose program is that word. srun takes a
 * word ":" after it for the border wherever it stands. */
bool components_find(FILE *line, int program);

#endif
