/* SPDX-License-Identifier: BSD-3-Clause */
#include "glue.h"

int stencilmap_f_cart_create(MPI_Fint comm, int ndims, const int dims[], const int periods[],
                             int reorder, MPI_Fint *cart)
{
    MPI_Comm created = MPI_COMM_NULL;
    int rc = stencilmap_cart_create(MPI_Comm_f2c(comm), ndims, dims, periods, reorder, &created);
    *cart = MPI_Comm_c2f(created);
    return rc;
}

int stencilmap_f_cart_stencil_comm(MPI_Fint comm, int ndims, const int dims[], const int periods[],
                                   int reorder, const int stencil[], int k, MPI_Fint *cart)
{
    MPI_Comm created = MPI_COMM_NULL;
    int rc = MPIX_Cart_stencil_comm(MPI_Comm_f2c(comm), ndims, dims, periods, reorder, stencil, k,
                                    &created);
    *cart = MPI_Comm_c2f(created);
    return rc;
}
