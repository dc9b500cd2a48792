/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions as the Fortran modules beside this file call them: handles are those of
 * Fortran (MPI_Fint), logicals are 0 or 1, texts have a length. They need no Fortran compiler, so
 * they are always there, and the modules can be built later by any compiler. */
#ifndef SMAP_MPI_FORTRAN_GLUE_H
#define SMAP_MPI_FORTRAN_GLUE_H

#include "stencilmap_mpi.h"

STENCILMAP_MPI_API int stencilmap_f_cart_create(MPI_Fint comm, int ndims, const int dims[],
                                                const int periods[], int reorder, MPI_Fint *cart);

STENCILMAP_MPI_API int stencilmap_f_cart_stencil_comm(MPI_Fint comm, int ndims, const int dims[],
                                                      const int periods[], int reorder,
                                                      const int stencil[], int k, MPI_Fint *cart);

#endif
