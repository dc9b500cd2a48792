/* SPDX-License-Identifier: BSD-3-Clause */
/* Where messages are counted: one place for each communicator or window, so that counting one needs
 * nothing but the rank that the program named. Which ranks of MPI_COMM_WORLD these are is looked up
 * once, when the communicator is freed or the program ends. */
#ifndef STENCILMAP_PLACES_H
#define STENCILMAP_PLACES_H

#include <mpi.h>

#include "tally.h"

struct place {
    struct place *next, **link; /* in the list of all */
    MPI_Group group;            /* whom its ranks mean */
    struct tally sent;          /* from this process */
    struct tally got;           /* one-sided, from the peer's memory to this process */
    /* Whom a neighbourhood collective sends to, MPI_PROC_NULL among them; NULL: not looked up. */
    int *neighbours;
    int degree;
};

/* Is there something to count for? False before MPI_Init, and in a program of sessions, which has
 * no ranks that a record could name. Starts the whole at the first call. */
bool places_open(void);

/* Everything between the two is this thread's alone, where several threads may call MPI. */
void places_lock(void);
void places_unlock(void);

/* NULL without memory or where MPI refuses. The place is gone when its communicator is. */
struct place *places_of_comm(MPI_Comm comm);
struct place *places_of_window(MPI_Win window);

/* The rank in MPI_COMM_WORLD of a rank of the place; negative if it has none. */
int places_world_rank(const struct place *place, int rank);

/* A message between this process and a rank of MPI_COMM_WORLD, without a place. */
void places_sent(uint32_t world_rank, uint64_t bytes);

/* Adds all places up: what this process has sent and got, by the peer's rank in MPI_COMM_WORLD.
 * Both are the caller's to clear. */
void places_collect(struct tally *sent, struct tally *got);

#endif
