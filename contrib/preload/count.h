/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting what a call has sent, once it has succeeded. What cannot be counted, for want of memory
 * or because MPI will not say, is left out; the program never notices. */
#ifndef STENCILMAP_COUNT_H
#define STENCILMAP_COUNT_H

#include <mpi.h>

/* How much goes to each neighbour: `each` elements, or counts of the one kind or the other; of one
 * type, or of types. */
struct amount {
    MPI_Count each;
    const int *counts;
    const MPI_Count *large_counts;
    MPI_Datatype type;
    const MPI_Datatype *types;
};

void count_sent(MPI_Comm comm, int to, MPI_Count elements, MPI_Datatype type);
void count_sent_to_neighbours(MPI_Comm comm, const struct amount *amount);

/* What a persistent request will send at each start. */
void count_at_start(MPI_Request request, MPI_Comm comm, int to, MPI_Count elements,
                    MPI_Datatype type);
void count_at_start_to_neighbours(MPI_Request request, MPI_Comm comm, const struct amount *amount);

/* One-sided: into the memory of a rank of the window, and from there. */
void count_put(MPI_Win window, int rank, MPI_Count elements, MPI_Datatype type);
void count_got(MPI_Win window, int rank, MPI_Count elements, MPI_Datatype type);

void count_start(int count, const MPI_Request requests[]);
void count_request_free(MPI_Request request);

#endif
