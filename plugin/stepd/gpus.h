/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs of a step, as Slurm's own variables tell. */
#ifndef STENCILMAP_GPUS_H
#define STENCILMAP_GPUS_H

#include <stdbool.h>

/* Have the step's tasks on this node GPUs? env: the job's environment in user_init, where Slurm has
 * put SLURM_STEP_GPUS by then (22.05 to 26.05); variables of the job or of the user count too,
 * since a program that goes by them takes a GPU by its local task id. */
bool gpus_are_there(char *const env[]);

#endif
