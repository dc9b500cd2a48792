/* SPDX-License-Identifier: BSD-3-Clause */
/* The cell of each process by an algorithm of the core, and what that is worth. */
#ifndef SMAP_MPI_COMPUTE_H
#define SMAP_MPI_COMPUTE_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "grid/instance.h"
#include "judge.h"
#include "nodesplit.h"

/* Does the algorithm look at the whole grid before it knows one cell? */
bool smap_wants_whole_grid(const char *algorithm);

/* Collective over comm, which has as many processes as the grid has cells; the instance is on the
 * nodes of split. *cell gets this process's cell, or SMAP_NO_CELL for want of memory; then the
 * verdict says so. Return what MPI returned, or MPI_ERR_NO_MEM.
 *
 * By the closed form: every process for itself. *algorithm becomes hyperplane where the one asked
 * for cannot serve the instance. */
int smap_compute_cell(struct smap_verdict *verdict, uint32_t *cell, const char **algorithm,
                      MPI_Comm comm, const struct smap_instance *instance,
                      const struct smap_nodesplit *split);

#endif
