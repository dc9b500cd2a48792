/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of somebody else, built against an installed stencilmap. */
#include <stdio.h>

#include <stencilmap_mpi.h>

int main(int argc, char *argv[])
{
    int size, below, above, periodic = 1, from = -1, rank;
    MPI_Comm cart;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    stencilmap_cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &cart);
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_shift(cart, 0, 1, &below, &above);
    MPI_Sendrecv(&rank, 1, MPI_INT, above, 0, &from, 1, MPI_INT, below, 0, cart, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("ring of %d: %s\n", size, from == below ? "right" : "wrong");
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return 0;
}
