/* SPDX-License-Identifier: BSD-3-Clause */
/* Graph partitioners for comparison, on the same instance. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>

#include "partition/refine_graph.h"
#include "step/nodesizes.h"

/* Is this program built with Scotch? */
bool peer_scotch_present(void);

/* Scotch, quality strategy, imbalance 0. It may miss the sizes: the caller counts. */
bool peer_scotch(const struct smap_refine_graph *graph, const struct smap_nodesizes *sizes,
                 uint32_t node_of_cell[]);

/* A program that takes a Metis graph: KaHIP's kaffpa, or (viem) VieM. Equal node sizes only. */
bool peer_program(const char *program, bool viem, const struct smap_refine_graph *graph,
                  const struct smap_nodesizes *sizes, uint32_t node_of_cell[]);

#endif
