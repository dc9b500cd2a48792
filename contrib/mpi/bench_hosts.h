/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the processes really are. All functions are collective over MPI_COMM_WORLD. */
#ifndef SMAP_BENCH_HOSTS_H
#define SMAP_BENCH_HOSTS_H

#include <stddef.h>
#include <stdint.h>

#include "grid/grid.h"
#include "grid/score.h"
#include "grid/stencil.h"

/* Memory for the program itself: ends all processes with a line where there is none. */
void *bench_alloc(size_t count, size_t size);

/* The place of this process's node (of nodes, as the node split numbers them) in Slurm's order of
 * filling nodes, where all processes know it and it tells the nodes apart; else node itself. */
uint32_t bench_node_key(uint32_t node, uint32_t nodes);

/* Scores two orders by the processor names: cells[i] is this process's cell in order i. Returns the
 * number of nodes. The results are there on world rank 0 only. */
uint32_t bench_hosts_score(const struct smap_grid *grid, const struct smap_stencil *stencil,
                           const uint32_t cells[2], struct smap_score scores[2]);

#endif
