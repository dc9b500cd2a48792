/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Cart_create that does reorder: cells of a process grid that talk to each other go to the same
 * compute node where that is possible.
 *
 *     MPI_Comm cart;
 *     stencilmap_cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
 *
 * After it, as after any MPI_Cart_create with reorder = 1, a process has a NEW RANK: use the rank
 * and the coordinates in cart, never those of the old communicator, and read or distribute data
 * only after the call. Data that is already distributed has to move: the owner of a cell is now the
 * process with that rank in cart.
 *
 * Where the mapping comes from:
 * - Hints. If the Slurm plugin placed or planned this step (srun --stencil-map=...), every task has
 *   STENCILMAP_* variables in its environment. They are used if the communicator is congruent to
 *   MPI_COMM_WORLD and every process has hints for this very grid (and stencil, where the call
 *   names one): the new rank is STENCILMAP_RANK. With placement "launch" srun has put rank r where
 *   cell r belongs, and the ranks stay.
 * - The nodes. Otherwise the nodes of the communicator's processes are found by
 *   MPI_Comm_split_type and the processor names, and the algorithm of STENCILMAP_MAP (hyperplane by
 *   default) computes the mapping; any number of processes per node, in any order, will do.
 *
 * Ranks change only if that lowers J_sum, the number of messages between nodes in one exchange of
 * the stencil, or at the same J_sum J_max, that number for the worst node.
 *
 * Hints that do not fit, or that differ between processes, are not an error: all processes fall
 * back together, from hints to nodes, from nodes to the order they had.
 *
 * Environment:
 *   STENCILMAP_MPI=off      never change ranks (as reorder = 0)
 *   STENCILMAP_MPI=verbose  one line on stderr per call, by the process with rank 0:
 *                           stencilmap: cart 4x8 nn: J_sum 48 -> 24, J_max 16 -> 6 (hints)
 *   STENCILMAP_MAP=ALG      the algorithm: hyperplane, kdtree, strips, nodecart, best
 *
 * Cost of a call: a few collective operations on comm; O(k * size) time and O(size) memory on the
 * process with rank 0, O(nodes) memory on the others.
 *
 * Wrong arguments are answered by MPI: the same error class as MPI_Cart_create's, raised through
 * the communicator's error handler. */
#ifndef STENCILMAP_MPI_H
#define STENCILMAP_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STENCILMAP_MPI_API __attribute__((visibility("default")))

/* MPI_Cart_create, for codes that exchange with the nearest neighbours (+-1 in every dimension), or
 * with the stencil of the hints where these are for the same grid. Collective over comm. Every
 * argument and the result are as in MPI_Cart_create: processes beyond the grid's size get
 * MPI_COMM_NULL; with reorder = 0 no rank changes; cart is a Cartesian communicator. */
STENCILMAP_MPI_API int stencilmap_cart_create(MPI_Comm comm, int ndims, const int dims[],
                                              const int periods[], int reorder, MPI_Comm *cart);

/* The same for any stencil: k relative offsets of ndims numbers each, flattened. The process at
 * coordinates c sends to c + offset (von Kirchbach, Lehr, Hunold, Schulz, Träff: "Efficient
 * Process-to-Node Mapping Algorithms for Stencil Computations", 2020, listing 1). Offsets of zero
 * are no communication; k = 0 means none at all, and no rank changes. MPI_ERR_ARG for a negative
 * k or a missing list. */
STENCILMAP_MPI_API int MPIX_Cart_stencil_comm(MPI_Comm oldcomm, const int ndims, const int dims[],
                                              const int periods[], const int reorder,
                                              const int stencil[], const int k, MPI_Comm *cartcomm);

#ifdef __cplusplus
}
#endif

#endif
