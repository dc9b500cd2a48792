/* SPDX-License-Identifier: BSD-3-Clause */
/* Under --mpi=pmi2 Slurm tells MPI libraries which ranks share a node, for our layouts wrongly up
 * to 23.11 (every rank alone, so that shared memory is off) and in needlessly many bytes from 24.05
 * on. Here the text that srun made replaces Slurm's. */
#ifndef STENCILMAP_PMI2_H
#define STENCILMAP_PMI2_H

#include <slurm/spank.h>

/* In slurm_spank_init_post_opt of slurmstepd: before Slurm's MPI plugin takes its own text out of
 * the job's environment. Without pmi2, without a text of srun's, and where that text does not tell
 * this node's tasks as Slurm does, nothing happens. */
void pmi2_prepare(spank_t spank, char **env);

#endif
