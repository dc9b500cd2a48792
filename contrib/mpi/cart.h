/* SPDX-License-Identifier: BSD-3-Clause */
/* The work behind the public functions, for those in the same house who want to know how a
 * communicator came about, or make it with other functions than MPI's own. */
#ifndef SMAP_MPI_CART_H
#define SMAP_MPI_CART_H

#include <stdbool.h>

#include <mpi.h>

#include "judge.h"
#include "makers.h"

enum smap_cart_origin {
    SMAP_CART_KEPT_OFF,     /* STENCILMAP_MPI=off somewhere */
    SMAP_CART_KEPT_LAUNCH,  /* srun has placed the ranks */
    SMAP_CART_KEPT_ONE,     /* one node: nothing to gain */
    SMAP_CART_KEPT_NO_GAIN, /* the scores say so */
    SMAP_CART_KEPT_FAILED,  /* no mapping could be computed (memory) */
    SMAP_CART_HINTS,        /* reordered as the hints say */
    SMAP_CART_COMPUTED,     /* reordered by the algorithm */
    SMAP_CART_PLAIN,        /* nothing to reorder: left to MPI as it was called, or refused */
};

struct smap_cart_request {
    struct smap_grid grid;
    const struct smap_stencil *stencil; /* NULL: that of the hints if they fit, else nn */
    bool no_stencil;                    /* there is one, but this process cannot represent it */
    const char *algorithm;              /* NULL: that of STENCILMAP_MAP if known, else hyperplane */
    bool ignore_ranks;                  /* do not take the ranks of the hints */
    const struct smap_makers *makers;   /* NULL: MPI's own */
};

struct smap_cart_outcome {
    enum smap_cart_origin origin;
    bool hints_refused; /* they seemed to fit, but were not a permutation */
    /* The hints are about as many ranks as comm has, but another grid: `told`. With told_launch
     * srun has placed the ranks for that one. As this process knows it. */
    bool other_grid, told_launch;
    struct smap_grid told;
    char stencil[64];   /* its name as far as known */
    char algorithm[32]; /* that computed the candidate; "hints" if they gave it */
    bool scored;        /* are before and after valid? */
    struct smap_score before;
    struct smap_score after; /* of the candidate, also where it is no gain */
};

/* The collective part, for a comm that has at least grid.cells processes. *cart is MPI_COMM_NULL
 * on those beyond. */
int smap_cart_build(MPI_Comm comm, const struct smap_cart_request *request, MPI_Comm *cart,
                    struct smap_cart_outcome *outcome);

/* A call as the program has made it, its arguments unchecked. */
struct smap_cart_call {
    MPI_Comm comm;
    int ndims;
    const int *dims, *periods;
    int reorder;
    bool stencil; /* are the next three given? */
    int k;
    const int *offsets, *weights;
    const struct smap_makers *makers; /* NULL: MPI's own */
};

/* All that stencilmap_cart_create and its like do. A preloaded library puts itself in place of
 * MPI_Cart_create with this, and the makers that it stands in front of. */
int smap_cart_call(const struct smap_cart_call *call, MPI_Comm *cart,
                   struct smap_cart_outcome *outcome);

/* True where the ranks were changed. */
bool smap_cart_reordered(const struct smap_cart_outcome *outcome);

/* One line without its end: "cart 4x8 nn: J_sum 48 -> 24, J_max 16 -> 6 (hints)". Without a grid it
 * is about a graph. */
void smap_cart_describe(char *text, size_t size, const struct smap_grid *grid,
                        const struct smap_cart_outcome *outcome);

/* What grids and graphs share: a verdict becomes the outcome (better: what it means if it is one);
 * and, with a communicator made from comm, the gain is attached to it, and the line is printed
 * where STENCILMAP_MPI=verbose asks for it. */
void smap_cart_conclude(struct smap_cart_outcome *outcome, const struct smap_verdict *verdict,
                        const char *algorithm, enum smap_cart_origin better);
void smap_cart_finish(MPI_Comm comm, MPI_Comm made, const struct smap_grid *grid,
                      const struct smap_cart_outcome *outcome);

bool smap_is_intracomm(MPI_Comm comm);

#endif
