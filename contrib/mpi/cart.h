/* SPDX-License-Identifier: BSD-3-Clause */
/* The work behind the public functions, for those in the same house who want to know how a
 * communicator came about. */
#ifndef SMAP_MPI_CART_H
#define SMAP_MPI_CART_H

#include <stdbool.h>

#include <mpi.h>

#include "judge.h"

enum smap_cart_origin {
    SMAP_CART_KEPT_OFF,     /* STENCILMAP_MPI=off somewhere */
    SMAP_CART_KEPT_LAUNCH,  /* srun has placed the ranks */
    SMAP_CART_KEPT_ONE,     /* one node: nothing to gain */
    SMAP_CART_KEPT_NO_GAIN, /* the scores say so */
    SMAP_CART_KEPT_FAILED,  /* no mapping could be computed (memory) */
    SMAP_CART_HINTS,        /* reordered as the hints say */
    SMAP_CART_COMPUTED,     /* reordered by the algorithm */
};

struct smap_cart_request {
    struct smap_grid grid;
    const struct smap_stencil *stencil; /* NULL: that of the hints if they fit, else nn */
    bool no_stencil;                    /* there is one, but this process cannot represent it */
    const char *algorithm;              /* NULL: that of STENCILMAP_MAP if known, else hyperplane */
    bool ignore_ranks;                  /* do not take the ranks of the hints */
};

struct smap_cart_outcome {
    enum smap_cart_origin origin;
    bool hints_refused; /* they seemed to fit, but were not a permutation */
    char stencil[64];   /* its name as far as known */
    char algorithm[32]; /* that computed the candidate; "hints" if they gave it */
    bool scored;        /* are before and after valid? */
    struct smap_score before;
    struct smap_score after;
};

/* The collective part, for a comm that has at least grid.cells processes. *cart is MPI_COMM_NULL
 * on those beyond. */
int smap_cart_build(MPI_Comm comm, const struct smap_cart_request *request, MPI_Comm *cart,
                    struct smap_cart_outcome *outcome);

/* True where the ranks were changed. */
bool smap_cart_reordered(const struct smap_cart_outcome *outcome);

#endif
