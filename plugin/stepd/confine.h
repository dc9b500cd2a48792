/* SPDX-License-Identifier: BSD-3-Clause */
/* The cpus that are a step's, and no others. */
#ifndef STENCILMAP_CONFINE_H
#define STENCILMAP_CONFINE_H

#include <stddef.h>
#include <sys/types.h>

#include "machine/topology.h"
#include "stepd/cpumask.h"

/* Narrows the topology to the step's cpus. cores: the list of S_STEP_ALLOC_CORES, which names
 * core_count of them, or NULL; bound: all cpus that Slurm has bound the tasks to; pid: a stopped
 * task, whose mask is lost. SMAP_ENOTSUP if Slurm's numbers of cores are not hwloc's and which
 * cores are the step's cannot be told. */
int confine(struct smap_topology *topology, const char *cores, size_t core_count,
            const struct cpumask *bound, pid_t pid, struct smap_error *err);

#endif
