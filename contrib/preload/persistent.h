/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests: what each start of one sends. */
#ifndef STENCILMAP_PERSISTENT_H
#define STENCILMAP_PERSISTENT_H

#include <mpi.h>

#include <stdint.h>

/* To a rank of MPI_COMM_WORLD. */
struct persistent_message {
    uint32_t to;
    uint64_t bytes;
};

/* The request sends these messages, which are copied, whenever it is started. */
void persistent_remember(MPI_Request request, const struct persistent_message messages[],
                         int count);

/* Counts them; nothing for a request that was not remembered. */
void persistent_start(MPI_Request request);

void persistent_forget(MPI_Request request);

#endif
