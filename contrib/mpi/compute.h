/* SPDX-License-Identifier: BSD-3-Clause */
/* The cell of each process by an algorithm of the core. */
#ifndef SMAP_MPI_COMPUTE_H
#define SMAP_MPI_COMPUTE_H

#include <stdint.h>

#include <mpi.h>

#include "grid/instance.h"
#include "nodesplit.h"

/* Collective over comm, which has as many processes as the grid has cells; the instance is on the
 * nodes of split. *algorithm becomes hyperplane where the one asked for cannot serve the instance.
 * *cell gets this process's cell, or SMAP_NO_CELL for want of memory. Returns what MPI returned. */
int smap_compute_cell(uint32_t *cell, const char **algorithm, MPI_Comm comm,
                      const struct smap_instance *instance, const struct smap_nodesplit *split);

#endif
