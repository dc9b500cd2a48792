/* SPDX-License-Identifier: BSD-3-Clause */
/* What libstencilmap_watch.so takes over: everything by which one process sends to another that it
 * names. Each is counted in watch_functions.c. */
#include "interpose.h"

/* Functions with a count have a sister of MPI 4 that takes an MPI_Count. */
#define COUNTED(NAME, COUNT)                                                                       \
    INTERPOSE(NAME, COUNT)                                                                         \
    INTERPOSE(NAME##_c, COUNT)

COUNTED(Send, 6)
COUNTED(Ssend, 6)
COUNTED(Rsend, 6)
COUNTED(Bsend, 6)
COUNTED(Isend, 7)
COUNTED(Issend, 7)
COUNTED(Irsend, 7)
COUNTED(Ibsend, 7)
COUNTED(Sendrecv, 12)
COUNTED(Sendrecv_replace, 9)
COUNTED(Isendrecv, 13)
COUNTED(Isendrecv_replace, 10)

COUNTED(Send_init, 7)
COUNTED(Ssend_init, 7)
COUNTED(Rsend_init, 7)
COUNTED(Bsend_init, 7)
INTERPOSE(Psend_init, 9)
INTERPOSE(Start, 1)
INTERPOSE(Startall, 2)
INTERPOSE(Request_free, 1)

COUNTED(Neighbor_allgather, 7)
COUNTED(Neighbor_allgatherv, 8)
COUNTED(Neighbor_alltoall, 7)
COUNTED(Neighbor_alltoallv, 9)
COUNTED(Neighbor_alltoallw, 9)
COUNTED(Ineighbor_allgather, 8)
COUNTED(Ineighbor_allgatherv, 9)
COUNTED(Ineighbor_alltoall, 8)
COUNTED(Ineighbor_alltoallv, 10)
COUNTED(Ineighbor_alltoallw, 10)
COUNTED(Neighbor_allgather_init, 9)
COUNTED(Neighbor_allgatherv_init, 10)
COUNTED(Neighbor_alltoall_init, 9)
COUNTED(Neighbor_alltoallv_init, 11)
COUNTED(Neighbor_alltoallw_init, 11)

COUNTED(Put, 8)
COUNTED(Get, 8)
COUNTED(Accumulate, 9)
COUNTED(Get_accumulate, 12)
COUNTED(Rput, 9)
COUNTED(Rget, 9)
COUNTED(Raccumulate, 10)
COUNTED(Rget_accumulate, 13)
INTERPOSE(Fetch_and_op, 7)
INTERPOSE(Compare_and_swap, 7)

INTERPOSE(Cart_create, 6)
INTERPOSE(Finalize, 1) /* of none: the register is passed on as it is */
INTERPOSE(Abort, 2)
