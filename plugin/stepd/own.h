/* SPDX-License-Identifier: BSD-3-Clause */
/* What a task does and knows about its own process, and is known of it. */
#ifndef STENCILMAP_OWN_H
#define STENCILMAP_OWN_H

#include <sys/types.h>

#include "machine/topology.h"

/* Binds this process's future memory to the NUMA nodes of its own cpus. */
int own_memory(const struct smap_topology *topology, struct smap_error *err);

/* A process's cpus, 0 for this one, as a list "0-3,8"; the caller frees. NULL if that cannot be
 * known. */
char *own_cpus(pid_t pid);

#endif
