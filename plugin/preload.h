/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries that tasks are started with: the MPI helper, and what watches a run. LD_PRELOAD may
 * hold words of the user's too, and goes on to every program that a task starts. So ours stand
 * behind the user's, STENCILMAP_PRELOAD says which are ours, and whatever starts another job or
 * step takes them out again. */
#ifndef STENCILMAP_PRELOAD_H
#define STENCILMAP_PRELOAD_H

#include <stdbool.h>

/* Which of the words of LD_PRELOAD are ours. */
#define PRELOAD_OURS "STENCILMAP_PRELOAD"

/* The file that a watched program writes its record to. */
#define PRELOAD_WATCH "STENCILMAP_WATCH"

/* Lists as in LD_PRELOAD, divided by colons or blanks; NULL is an empty one. Results are colon
 * separated and the caller's to free, NULL without memory. */
char *preload_join(const char *list, const char *ours);
char *preload_without(const char *list, const char *ours);

/* Can a library of this name stand in such a list? */
bool preload_is_name(const char *path);

/* srun, sbatch, salloc: what a step around this program has brought along is not for its tasks. */
void preload_clear(void);

#endif
