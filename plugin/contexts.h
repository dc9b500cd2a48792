/* SPDX-License-Identifier: BSD-3-Clause */
/* The hooks of the plugin, one file per context; dispatch.c calls them. */
#ifndef STENCILMAP_CONTEXTS_H
#define STENCILMAP_CONTEXTS_H

#include <slurm/spank.h>

/* srun. All values are final: decide, and stop here what cannot be honoured. */
void srun_init_post_opt(void);
/* srun. The step exists: verify, hand over to slurmstepd, report. */
void srun_local_user_init(spank_t spank);
void srun_exit(void);

/* slurmstepd, once per node and step, before Slurm's MPI plugin starts. */
void stepd_init_post_opt(spank_t spank);
/* slurmstepd, once per node and step: work out who is who here. */
void stepd_user_init(spank_t spank);
/* slurmstepd, the parent, once per task; all tasks exist and none runs yet when the last one is
 * announced: bind them. */
void stepd_task_post_fork(spank_t spank);
/* slurmstepd, the task itself: hints in, what must not leak out. */
void stepd_task_init(spank_t spank);
void stepd_exit(void);

#endif
