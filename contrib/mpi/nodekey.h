/* SPDX-License-Identifier: BSD-3-Clause */
/* Which node a process is on, known without asking another one. */
#ifndef SMAP_MPI_NODEKEY_H
#define SMAP_MPI_NODEKEY_H

#include <stdbool.h>
#include <stdint.h>

/* A number that is the same for the processes of one node, and another one on any other. Made of
 * the processor name and of the kernel's boot id: machines that all are "localhost" differ, and so
 * do hosts that share a kernel (containers, network namespaces).
 *
 * STENCILMAP_MPI_NODE in the environment stands in place of both, for tests and experiments with
 * more nodes than there are: any text, the same on the processes of one node; "rank/8" and "rank%4"
 * stand for these numbers, rank being the one in MPI_COMM_WORLD. */
uint64_t smap_node_key(void);

/* The rank in MPI_COMM_WORLD; false where there is none (MPI-4 sessions alone). */
bool smap_world_rank(int *rank);

#endif
