/* SPDX-License-Identifier: BSD-3-Clause */
/* The job around this srun, as its environment tells. */
#ifndef STENCILMAP_JOB_H
#define STENCILMAP_JOB_H

#include "base/error.h"
#include "step/hostlist.h"
#include "step/nodesizes.h"

struct job {
    struct smap_hostlist *hosts; /* in Slurm's order; NULL: there is no job, or it does not say */
    struct smap_nodesizes *cpus; /* Slurm's CPUs of the job on each of them; or NULL */
};

/* Reads it; of a heterogeneous job the component that --het-group names, else the first. A step of
 * another job (--jobid) knows nothing. SMAP_ENOTSUP and the reason where the variables make no
 * sense. */
int job_read(struct job *job, struct smap_error *err);
void job_clear(struct job *job);

#endif
