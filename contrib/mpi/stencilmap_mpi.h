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
 * - The nodes. Otherwise the nodes of the communicator's processes are told by the processor names
 *   and the kernel that they run under, and the algorithm of STENCILMAP_MAP (hyperplane by default)
 *   computes the mapping; any number of processes per node, in any order, will do.
 *
 * Ranks change only if that lowers J_sum, the number of messages between nodes in one exchange of
 * the stencil, or at the same J_sum J_max, that number for the worst node.
 *
 * Hints that do not fit, or that differ between processes, are not an error: all processes fall
 * back together, from hints to nodes, from nodes to the order they had.
 *
 * Environment:
 *   STENCILMAP_MPI=off        never change ranks (as reorder = 0)
 *   STENCILMAP_MPI=verbose    one line on stderr per call, by the process with rank 0:
 *                             stencilmap: cart 4x8 nn: J_sum 48 -> 24, J_max 16 -> 6 (hints)
 *   STENCILMAP_MAP=ALG        the algorithm: hyperplane, kdtree, strips, nodecart, best, ...
 *   STENCILMAP_MPI_NODE=TEXT  for tests and experiments: pretend that processes with the same text
 *                             are on one node; rank/8 and rank%4 are texts by MPI_COMM_WORLD's rank
 *
 * Cost of a call, beyond MPI_Cart_create's own: with hints one small reduction and a split; without
 * them two more reductions, O(k) time and O(nodes) memory. Algorithms that look at the whole grid
 * (best, greedy, cuts, random) have their O(k size) time and O(size) memory on one process, best on
 * one of each of the first 16 nodes, greedy-distributed on one of every node and with two splits.
 *
 * Wrong arguments are answered by MPI: the same error class as MPI_Cart_create's, raised through
 * the communicator's error handler. */
#ifndef STENCILMAP_MPI_H
#define STENCILMAP_MPI_H

#include <stdint.h>

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

/* The same with a weight for each offset, such as the bytes that it carries (proportions are what
 * counts): k of them, each from 1 to 10^6. NULL: all 1. Weights beyond that are not mapped, as are
 * stencils of more than 65536 offsets: ranks stay. */
STENCILMAP_MPI_API int stencilmap_cart_stencil_create(MPI_Comm comm, int ndims, const int dims[],
                                                      const int periods[], int reorder, int k,
                                                      const int offsets[], const int weights[],
                                                      MPI_Comm *cart);

/* MPI_Dist_graph_create_adjacent and MPI_Dist_graph_create; arguments and results are theirs. With
 * reorder the graph's own edges, with their weights, are mapped to the nodes: whatever the graph,
 * and whatever the number of processes on each node. As MPI defines it, what a process says of its
 * edges it says of the vertex with its rank in the old communicator, and the process that has this
 * rank in the new one gets that vertex's neighbours, in the order in which they were given. Only
 * outgoing edges (destinations) are counted, without weights as 1 each.
 * Collective. The first processes of the first 16 nodes get the whole graph and search, as with
 * best: O(edges) memory there. */
STENCILMAP_MPI_API int stencilmap_dist_graph_create_adjacent(
    MPI_Comm comm, int indegree, const int sources[], const int sourceweights[], int outdegree,
    const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *graph);
STENCILMAP_MPI_API int stencilmap_dist_graph_create(MPI_Comm comm, int n, const int sources[],
                                                    const int degrees[], const int destinations[],
                                                    const int weights[], MPI_Info info, int reorder,
                                                    MPI_Comm *graph);

/* What was gained when one of the functions of this file made comm, or the communicator that it is
 * a duplicate of (MPI_Comm_dup): gain[0] and gain[1] get J_sum before and after, gain[2] and
 * gain[3] J_max. Before: with the ranks as they were. After: as they are in comm, so it is the same
 * where ranks were kept. *flag becomes false, and gain is not touched, where nothing is known: a
 * communicator of somebody else, reorder = 0, STENCILMAP_MPI=off, or no scores. Local. */
STENCILMAP_MPI_API int stencilmap_get_gain(MPI_Comm comm, int64_t gain[4], int *flag);

/* What the Slurm plugin has told this process: the value of the variable STENCILMAP_name ("DIMS",
 * "RANK", "JSUM"; spank_stencilmap(8) has the list). size: room in value, at least 1; a longer text
 * is cut. *flag becomes false, and value is not touched, where there is no such hint. Local, and
 * can be called before MPI_Init. MPI_ERR_ARG without a name or room. */
STENCILMAP_MPI_API int stencilmap_get_hint(const char *name, int size, char *value, int *flag);

/* Dimensions for a grid. Entries of dims that are not 0 are given and stay; the zeros are filled
 * in, largest first where nothing else decides. Errors are raised as MPI_Dims_create's are, dims is
 * as it was then: MPI_ERR_DIMS for nprocs < 1, negative entries or ndims, and entries whose product
 * does not divide nprocs; MPI_ERR_ARG for a missing list. ndims may be 0. */

/* MPI_Dims_create that is always as balanced as can be: no other sizes differ less between the
 * largest and the smallest (MPI libraries miss some). Local. */
STENCILMAP_MPI_API int stencilmap_dims_create(int nprocs, int ndims, int dims[]);

/* The grid of all processes of comm whose best mapping to their nodes costs least in an exchange of
 * the stencil (k offsets of ndims numbers, flattened; weights NULL: all 1). A message counts with
 * its weight times the patch's face that it crosses, on a domain that is a cube: weights are per
 * point. Grids that are much less compact than the most compact one are not considered, differences
 * below two percent neither. periods NULL: none. Collective over comm, with the same arguments
 * everywhere; all get the same dims. Bounded work, shared by the nodes: seconds at most. Above four
 * million processes the nodes do not count; with STENCILMAP_MPI=off, and where stencil or weights
 * are beyond the limits of stencilmap_cart_stencil_create, it is stencilmap_dims_create.
 * MPI_ERR_COMM for an inter-communicator. */
STENCILMAP_MPI_API int stencilmap_dims_create_stencil(MPI_Comm comm, int ndims, int dims[],
                                                      const int periods[], int k,
                                                      const int offsets[], const int weights[]);

/* A grid that divides a lattice: dims[i] divides lattice[i], every process has a patch of at least
 * least_patch[i] points (NULL: 1), and no such grid has patches with less surface. MPI_ERR_DIMS
 * where there is none; with STENCILMAP_MPI=verbose a line on stderr then names numbers of processes
 * near nprocs that have one. Local. */
STENCILMAP_MPI_API int stencilmap_dims_create_lattice(int nprocs, int ndims, const int lattice[],
                                                      const int least_patch[], int dims[]);

#ifdef __cplusplus
}
#endif

#endif
