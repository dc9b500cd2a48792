/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiling tool as there are many: takes over MPI_Cart_create and calls PMPI_Cart_create. */
#include <mpi.h>

#include <stdio.h>

__attribute__((visibility("default"))) int MPI_Cart_create(MPI_Comm comm, int ndims,
                                                           const int dims[], const int periods[],
                                                           int reorder, MPI_Comm *cart)
{
    printf("tool: MPI_Cart_create\n");
    return PMPI_Cart_create(comm, ndims, dims, periods, reorder, cart);
}
