/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of libstencilmap_watch.so that knows MPI: a function for each that watch.c takes over.
 * It calls the next one, and if that succeeds, counts what was sent. */
#include <mpi.h>

#include "count.h"
#include "record_writer.h"

#define OPEN(...) __VA_ARGS__

/* The function NAME with the parameters TAKEN, which are PASSED on; then THEN. Both MPI_Count and
 * int may count elements: C is the one or the other. */
#define WATCH(NAME, TAKEN, PASSED, THEN)                                                           \
    __attribute__((visibility("default"))) int stencilmap_##NAME(int(*next) TAKEN, OPEN TAKEN);    \
    int stencilmap_##NAME(int(*next) TAKEN, OPEN TAKEN)                                            \
    {                                                                                              \
        int rc = next PASSED;                                                                      \
        if (rc == MPI_SUCCESS)                                                                     \
            THEN;                                                                                  \
        return rc;                                                                                 \
    }

/* --- from one process to another */

#define SEND(NAME, C)                                                                              \
    WATCH(NAME, (const void *buf, C count, MPI_Datatype type, int to, int tag, MPI_Comm comm),     \
          (buf, count, type, to, tag, comm), count_sent(comm, to, count, type))
#define ISEND(NAME, C)                                                                             \
    WATCH(NAME,                                                                                    \
          (const void *buf, C count, MPI_Datatype type, int to, int tag, MPI_Comm comm,            \
           MPI_Request *request),                                                                  \
          (buf, count, type, to, tag, comm, request), count_sent(comm, to, count, type))
#define SEND_INIT(NAME, C)                                                                         \
    WATCH(NAME,                                                                                    \
          (const void *buf, C count, MPI_Datatype type, int to, int tag, MPI_Comm comm,            \
           MPI_Request *request),                                                                  \
          (buf, count, type, to, tag, comm, request),                                              \
          count_at_start(*request, comm, to, count, type))
#define BOTH(KIND, NAME) KIND(NAME, int) KIND(NAME##_c, MPI_Count)

BOTH(SEND, Send)
BOTH(SEND, Ssend)
BOTH(SEND, Rsend)
BOTH(SEND, Bsend)
BOTH(ISEND, Isend)
BOTH(ISEND, Issend)
BOTH(ISEND, Irsend)
BOTH(ISEND, Ibsend)
BOTH(SEND_INIT, Send_init)
BOTH(SEND_INIT, Ssend_init)
BOTH(SEND_INIT, Rsend_init)
BOTH(SEND_INIT, Bsend_init)

#define SENDRECV(NAME, C)                                                                          \
    WATCH(NAME,                                                                                    \
          (const void *buf, C count, MPI_Datatype type, int to, int tag, void *rbuf, C rcount,     \
           MPI_Datatype rtype, int from, int rtag, MPI_Comm comm, MPI_Status *status),             \
          (buf, count, type, to, tag, rbuf, rcount, rtype, from, rtag, comm, status),              \
          count_sent(comm, to, count, type))
#define ISENDRECV(NAME, C)                                                                         \
    WATCH(NAME,                                                                                    \
          (const void *buf, C count, MPI_Datatype type, int to, int tag, void *rbuf, C rcount,     \
           MPI_Datatype rtype, int from, int rtag, MPI_Comm comm, MPI_Request *request),           \
          (buf, count, type, to, tag, rbuf, rcount, rtype, from, rtag, comm, request),             \
          count_sent(comm, to, count, type))
#define REPLACE(NAME, C)                                                                           \
    WATCH(NAME,                                                                                    \
          (void *buf, C count, MPI_Datatype type, int to, int tag, int from, int rtag,             \
           MPI_Comm comm, MPI_Status *status),                                                     \
          (buf, count, type, to, tag, from, rtag, comm, status),                                   \
          count_sent(comm, to, count, type))
#define IREPLACE(NAME, C)                                                                          \
    WATCH(NAME,                                                                                    \
          (void *buf, C count, MPI_Datatype type, int to, int tag, int from, int rtag,             \
           MPI_Comm comm, MPI_Request *request),                                                   \
          (buf, count, type, to, tag, from, rtag, comm, request),                                  \
          count_sent(comm, to, count, type))

BOTH(SENDRECV, Sendrecv)
BOTH(ISENDRECV, Isendrecv)
BOTH(REPLACE, Sendrecv_replace)
BOTH(IREPLACE, Isendrecv_replace)

/* --- persistent requests */

WATCH(Psend_init,
      (const void *buf, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
       MPI_Comm comm, MPI_Info info, MPI_Request *request),
      (buf, partitions, count, type, to, tag, comm, info, request),
      count_at_start(*request, comm, to, partitions *count, type))
WATCH(Start, (MPI_Request * request), (request), count_start(1, request))
WATCH(Startall, (int count, MPI_Request requests[]), (count, requests),
      count_start(count, requests))

__attribute__((visibility("default"))) int stencilmap_Request_free(int (*next)(MPI_Request *),
                                                                   MPI_Request *request);
int stencilmap_Request_free(int (*next)(MPI_Request *), MPI_Request *request)
{
    count_request_free(*request); /* behind the call there is none any more */
    return next(request);
}

/* --- neighbourhood collectives: one kind of amount each, blocking, not blocking, persistent */

#define EACH(C)                                                                                    \
    const void *sbuf, C scount, MPI_Datatype stype, void *rbuf, C rcount, MPI_Datatype rtype,      \
        MPI_Comm comm
#define EACH_PASSED sbuf, scount, stype, rbuf, rcount, rtype, comm
#define GATHERV(C, D)                                                                              \
    const void *sbuf, C scount, MPI_Datatype stype, void *rbuf, const C rcounts[],                 \
        const D displs[], MPI_Datatype rtype, MPI_Comm comm
#define GATHERV_PASSED sbuf, scount, stype, rbuf, rcounts, displs, rtype, comm
#define ALLTOALLV(C, D)                                                                            \
    const void *sbuf, const C scounts[], const D sdispls[], MPI_Datatype stype, void *rbuf,        \
        const C rcounts[], const D rdispls[], MPI_Datatype rtype, MPI_Comm comm
#define ALLTOALLV_PASSED sbuf, scounts, sdispls, stype, rbuf, rcounts, rdispls, rtype, comm
#define ALLTOALLW(C)                                                                               \
    const void *sbuf, const C scounts[], const MPI_Aint sdispls[], const MPI_Datatype stypes[],    \
        void *rbuf, const C rcounts[], const MPI_Aint rdispls[], const MPI_Datatype rtypes[],      \
        MPI_Comm comm
#define ALLTOALLW_PASSED sbuf, scounts, sdispls, stypes, rbuf, rcounts, rdispls, rtypes, comm

#define AMOUNT(...) (&(struct amount){__VA_ARGS__})
#define AMOUNT_EACH AMOUNT(.each = scount, .type = stype)

/* The three functions of a kind. */
#define NEIGHBOURS(NAME, SUFFIX, TAKEN, PASSED, HOW_MUCH)                                          \
    WATCH(Neighbor_##NAME##SUFFIX, (OPEN TAKEN), (OPEN PASSED),                                    \
          count_sent_to_neighbours(comm, HOW_MUCH))                                                \
    WATCH(Ineighbor_##NAME##SUFFIX, (OPEN TAKEN, MPI_Request * request), (OPEN PASSED, request),   \
          count_sent_to_neighbours(comm, HOW_MUCH))                                                \
    WATCH(Neighbor_##NAME##_init##SUFFIX, (OPEN TAKEN, MPI_Info info, MPI_Request * request),      \
          (OPEN PASSED, info, request), count_at_start_to_neighbours(*request, comm, HOW_MUCH))

NEIGHBOURS(allgather, , (EACH(int)), (EACH_PASSED), AMOUNT_EACH)
NEIGHBOURS(allgather, _c, (EACH(MPI_Count)), (EACH_PASSED), AMOUNT_EACH)
NEIGHBOURS(allgatherv, , (GATHERV(int, int)), (GATHERV_PASSED), AMOUNT_EACH)
NEIGHBOURS(allgatherv, _c, (GATHERV(MPI_Count, MPI_Aint)), (GATHERV_PASSED), AMOUNT_EACH)
NEIGHBOURS(alltoall, , (EACH(int)), (EACH_PASSED), AMOUNT_EACH)
NEIGHBOURS(alltoall, _c, (EACH(MPI_Count)), (EACH_PASSED), AMOUNT_EACH)
NEIGHBOURS(alltoallv, , (ALLTOALLV(int, int)), (ALLTOALLV_PASSED),
           AMOUNT(.counts = scounts, .type = stype))
NEIGHBOURS(alltoallv, _c, (ALLTOALLV(MPI_Count, MPI_Aint)), (ALLTOALLV_PASSED),
           AMOUNT(.large_counts = scounts, .type = stype))
NEIGHBOURS(alltoallw, , (ALLTOALLW(int)), (ALLTOALLW_PASSED),
           AMOUNT(.counts = scounts, .types = stypes))
NEIGHBOURS(alltoallw, _c, (ALLTOALLW(MPI_Count)), (ALLTOALLW_PASSED),
           AMOUNT(.large_counts = scounts, .types = stypes))

/* --- one-sided; what a fetch brings back counts too */

#define TARGET(C)     int rank, MPI_Aint displ, C tcount, MPI_Datatype ttype
#define TARGET_PASSED rank, displ, tcount, ttype

#define ONE_SIDED(NAME, TAKEN, PASSED, THEN)                                                       \
    WATCH(NAME, (OPEN TAKEN, MPI_Win window), (OPEN PASSED, window), THEN)
#define ONE_SIDED_R(NAME, TAKEN, PASSED, THEN)                                                     \
    WATCH(NAME, (OPEN TAKEN, MPI_Win window, MPI_Request * request),                               \
          (OPEN PASSED, window, request), THEN)

#define PUT(KIND, NAME, C)                                                                         \
    KIND(NAME, (const void *buf, C count, MPI_Datatype type, TARGET(C)),                           \
         (buf, count, type, TARGET_PASSED), count_put(window, rank, count, type))
#define GET(KIND, NAME, C)                                                                         \
    KIND(NAME, (void *buf, C count, MPI_Datatype type, TARGET(C)),                                 \
         (buf, count, type, TARGET_PASSED), count_got(window, rank, count, type))
#define ACCUMULATE(KIND, NAME, C)                                                                  \
    KIND(NAME, (const void *buf, C count, MPI_Datatype type, TARGET(C), MPI_Op op),                \
         (buf, count, type, TARGET_PASSED, op), count_put(window, rank, count, type))
#define GET_ACCUMULATE(KIND, NAME, C)                                                              \
    KIND(NAME,                                                                                     \
         (const void *buf, C count, MPI_Datatype type, void *rbuf, C rcount, MPI_Datatype rtype,   \
          TARGET(C), MPI_Op op),                                                                   \
         (buf, count, type, rbuf, rcount, rtype, TARGET_PASSED, op),                               \
         (count_put(window, rank, count, type), count_got(window, rank, rcount, rtype)))

PUT(ONE_SIDED, Put, int)
PUT(ONE_SIDED, Put_c, MPI_Count)
PUT(ONE_SIDED_R, Rput, int)
PUT(ONE_SIDED_R, Rput_c, MPI_Count)
GET(ONE_SIDED, Get, int)
GET(ONE_SIDED, Get_c, MPI_Count)
GET(ONE_SIDED_R, Rget, int)
GET(ONE_SIDED_R, Rget_c, MPI_Count)
ACCUMULATE(ONE_SIDED, Accumulate, int)
ACCUMULATE(ONE_SIDED, Accumulate_c, MPI_Count)
ACCUMULATE(ONE_SIDED_R, Raccumulate, int)
ACCUMULATE(ONE_SIDED_R, Raccumulate_c, MPI_Count)
GET_ACCUMULATE(ONE_SIDED, Get_accumulate, int)
GET_ACCUMULATE(ONE_SIDED, Get_accumulate_c, MPI_Count)
GET_ACCUMULATE(ONE_SIDED_R, Rget_accumulate, int)
GET_ACCUMULATE(ONE_SIDED_R, Rget_accumulate_c, MPI_Count)
ONE_SIDED(Fetch_and_op,
          (const void *buf, void *result, MPI_Datatype type, int rank, MPI_Aint displ, MPI_Op op),
          (buf, result, type, rank, displ, op),
          (count_put(window, rank, 1, type), count_got(window, rank, 1, type)))
ONE_SIDED(Compare_and_swap,
          (const void *buf, const void *compare, void *result, MPI_Datatype type, int rank,
           MPI_Aint displ),
          (buf, compare, result, type, rank, displ),
          (count_put(window, rank, 1, type), count_got(window, rank, 1, type)))

/* --- what is noted, and the end */

WATCH(Cart_create,
      (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
       MPI_Comm *cart),
      (comm, ndims, dims, periods, reorder, cart), record_cart(comm, ndims, dims, periods, reorder))

__attribute__((visibility("default"))) int stencilmap_Finalize(int (*next)(void));
int stencilmap_Finalize(int (*next)(void))
{
    record_write();
    return next();
}

__attribute__((visibility("default"))) int stencilmap_Abort(int (*next)(MPI_Comm, int),
                                                            MPI_Comm comm, int code);
int stencilmap_Abort(int (*next)(MPI_Comm, int), MPI_Comm comm, int code)
{
    record_write_alone();
    return next(comm, code);
}
