/* SPDX-License-Identifier: BSD-3-Clause */
/* The cell of each process by an algorithm of the core. */
#ifndef SMAP_MPI_COMPUTE_H
#define SMAP_MPI_COMPUTE_H

#include <stdint.h>

#include <mpi.h>

#include "grid/grid.h"
#include "grid/stencil.h"
#include "nodesplit.h"

/* Collective over comm, which has as many processes as grid has cells. *algorithm becomes
 * hyperplane where the one asked for cannot serve the instance. *cell gets this process's cell, or
 * SMAP_NO_CELL for want of memory. Returns what MPI returned. */
int smap_compute_cell(MPI_Comm comm, const struct smap_grid *grid,
                      const struct smap_stencil *stencil, const struct smap_nodesplit *split,
                      const char **algorithm, uint32_t *cell);

#endif
