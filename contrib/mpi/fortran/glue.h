/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions as the Fortran modules beside this file call them: handles are those of
 * Fortran (MPI_Fint), logicals are 0 or 1, weights are NULL for Fortran's MPI_UNWEIGHTED. They need
 * no Fortran compiler, so they are always there, and any compiler can build the modules later. */
#ifndef SMAP_MPI_FORTRAN_GLUE_H
#define SMAP_MPI_FORTRAN_GLUE_H

#include "stencilmap_mpi.h"

STENCILMAP_MPI_API int stencilmap_f_cart_create(MPI_Fint comm, int ndims, const int dims[],
                                                const int periods[], int reorder, MPI_Fint *cart);

STENCILMAP_MPI_API int stencilmap_f_cart_stencil_comm(MPI_Fint comm, int ndims, const int dims[],
                                                      const int periods[], int reorder,
                                                      const int stencil[], int k, MPI_Fint *cart);

STENCILMAP_MPI_API int stencilmap_f_cart_stencil_create(MPI_Fint comm, int ndims, const int dims[],
                                                        const int periods[], int reorder, int k,
                                                        const int offsets[], const int weights[],
                                                        MPI_Fint *cart);

STENCILMAP_MPI_API int stencilmap_f_dist_graph_create_adjacent(
    MPI_Fint comm, int indegree, const int sources[], const int sourceweights[], int outdegree,
    const int destinations[], const int destweights[], MPI_Fint info, int reorder, MPI_Fint *graph);

STENCILMAP_MPI_API int stencilmap_f_dist_graph_create(MPI_Fint comm, int n, const int sources[],
                                                      const int degrees[], const int destinations[],
                                                      const int weights[], MPI_Fint info,
                                                      int reorder, MPI_Fint *graph);

STENCILMAP_MPI_API int stencilmap_f_dims_create_stencil(MPI_Fint comm, int ndims, int dims[],
                                                        const int periods[], int k,
                                                        const int offsets[], const int weights[]);
STENCILMAP_MPI_API int stencilmap_f_get_gain(MPI_Fint comm, int64_t gain[4], int *flag);

#endif
