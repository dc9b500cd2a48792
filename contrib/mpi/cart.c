/* SPDX-License-Identifier: BSD-3-Clause */
#include "cart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "best/algorithms.h"
#include "compute.h"
#include "hints.h"
#include "nodesplit.h"

/* One call at work. Everything that steers it (shared) is the same on all processes. */
struct work {
    MPI_Comm comm;
    const struct smap_cart_request *request;
    struct smap_cart_outcome *outcome;
    struct smap_hints hints;
    struct smap_stencil *nearest;
    const struct smap_stencil *stencil; /* shared: whichever counts */
    const char *algorithm;              /* shared */
    bool use_ranks;                     /* shared: the ranks of the hints may be used */
    uint32_t cell;                      /* this process's new rank */
};

/* What the processes compare, in this order. */
enum fact { OFF, ABLE, FITS, RANKS, LAUNCH, STENCIL, MAP, FACTS };

static bool congruent_to_world(MPI_Comm comm)
{
    int result;
    return PMPI_Comm_compare(comm, MPI_COMM_WORLD, &result) == MPI_SUCCESS &&
           (result == MPI_IDENT || result == MPI_CONGRUENT);
}

/* Are the ranks of comm those that the hints number as cells? Each process answers for itself; that
 * comm has as many processes as the grid has cells is known of all. */
static bool has_ranks_of_hints(MPI_Comm comm, const struct smap_hints *hints)
{
    int rank, world;
    if (!hints->part)
        return congruent_to_world(comm);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_rank(MPI_COMM_WORLD, &world);
    return (uint32_t)world == hints->first + (uint32_t)rank;
}

static void collect_facts(const struct work *w, uint64_t facts[FACTS])
{
    const struct smap_hints *hints = &w->hints;
    const struct smap_cart_request *request = w->request;
    const char *mode = getenv("STENCILMAP_MPI");
    facts[OFF] = mode && strcmp(mode, "off") == 0;
    facts[ABLE] = !request->no_stencil && (request->stencil || w->nearest);
    facts[FITS] = smap_hints_fit(hints, &request->grid, request->stencil);
    facts[RANKS] = facts[FITS] && hints->rank_known && hints->rank < request->grid.cells &&
                   !request->ignore_ranks && has_ranks_of_hints(w->comm, hints);
    facts[LAUNCH] = hints->launch;
    facts[STENCIL] = hints->stencil ? smap_stencil_fingerprint(hints->stencil) : 0;
    facts[MAP] =
        hints->algorithm ? smap_fingerprint(hints->algorithm, strlen(hints->algorithm), 0) : 0;
}

static void name_stencil(struct work *w, bool from_hints)
{
    char *name = w->outcome->stencil;
    size_t size = sizeof(w->outcome->stencil);
    if (w->request->stencil)
        snprintf(name, size, "%zu offsets", w->request->stencil->count);
    else
        snprintf(name, size, "%s",
                 w->request->no_stencil ? "stencil"
                 : from_hints           ? w->hints.stencil_text
                                        : "nn");
}

/* Compares notes with the others and settles everything that is shared. Sets *done where that
 * already gives the outcome. */
static int settle(struct work *w, bool *done)
{
    uint64_t facts[FACTS], least[FACTS], greatest[FACTS];
    collect_facts(w, facts);
    int rc = smap_agree(w->comm, FACTS, facts, least, greatest);
    if (rc != MPI_SUCCESS)
        return rc;
    bool fits = least[FITS] && least[STENCIL] == greatest[STENCIL];
    bool from_hints = !w->request->stencil && fits;
    w->stencil = w->request->stencil ? w->request->stencil
                 : from_hints        ? w->hints.stencil
                                     : w->nearest;
    w->algorithm = w->request->algorithm ? w->request->algorithm
                   : w->hints.algorithm && least[MAP] == greatest[MAP]
                       ? w->hints.algorithm
                       : smap_algorithm_hyperplane.name;
    w->use_ranks = fits && least[RANKS] && least[LAUNCH] == greatest[LAUNCH];
    name_stencil(w, from_hints);
    *done = true;
    if (greatest[OFF])
        w->outcome->origin = SMAP_CART_KEPT_OFF;
    else if (!least[ABLE])
        w->outcome->origin = SMAP_CART_KEPT_FAILED;
    else if (w->use_ranks && least[LAUNCH])
        w->outcome->origin = SMAP_CART_KEPT_LAUNCH;
    else
        *done = false;
    return MPI_SUCCESS;
}

static int judge(struct smap_verdict *verdict, struct work *w, const struct smap_nodesplit *split,
                 const char *algorithm)
{
    const struct smap_instance instance = {&w->request->grid, w->stencil, split->sizes, NULL};
    struct smap_cart_outcome *outcome = w->outcome;
    int rc = smap_judge(verdict, w->comm, &instance, split->node, w->cell);
    outcome->scored =
        verdict->judgement == SMAP_JUDGED_BETTER || verdict->judgement == SMAP_JUDGED_NO_GAIN;
    outcome->before = verdict->before;
    outcome->after = verdict->after;
    snprintf(outcome->algorithm, sizeof(outcome->algorithm), "%s", algorithm);
    return rc;
}

static int reorder_on(struct work *w, const struct smap_nodesplit *split)
{
    struct smap_verdict verdict = {.judgement = SMAP_JUDGED_NO_PERMUTATION};
    enum smap_cart_origin better = SMAP_CART_HINTS;
    int rc = MPI_SUCCESS;
    if (smap_nodesizes_nodes(split->sizes) == 1) {
        w->outcome->origin = SMAP_CART_KEPT_ONE;
        return MPI_SUCCESS;
    }
    if (w->use_ranks) {
        w->cell = w->hints.rank;
        rc = judge(&verdict, w, split, "hints");
        w->outcome->hints_refused = verdict.judgement == SMAP_JUDGED_NO_PERMUTATION;
    }
    if (rc == MPI_SUCCESS && verdict.judgement == SMAP_JUDGED_NO_PERMUTATION) {
        better = SMAP_CART_COMPUTED;
        const struct smap_instance instance = {&w->request->grid, w->stencil, split->sizes, NULL};
        rc = smap_compute_cell(&w->cell, &w->algorithm, w->comm, &instance, split);
        if (rc == MPI_SUCCESS)
            rc = judge(&verdict, w, split, w->algorithm);
    }
    w->outcome->origin = verdict.judgement == SMAP_JUDGED_BETTER    ? better
                         : verdict.judgement == SMAP_JUDGED_NO_GAIN ? SMAP_CART_KEPT_NO_GAIN
                                                                    : SMAP_CART_KEPT_FAILED;
    return rc;
}

static int decide(struct work *w)
{
    struct smap_nodesplit split;
    bool done = false, ok;
    int rc = settle(w, &done);
    if (rc != MPI_SUCCESS || done)
        return rc;
    rc = smap_nodesplit_init(w->comm, &split, &ok);
    if (rc != MPI_SUCCESS || !ok)
        return rc;
    rc = reorder_on(w, &split);
    smap_nodesplit_clear(&split);
    return rc;
}

static int create_cart(const struct work *w, MPI_Comm *cart)
{
    const struct smap_grid *grid = &w->request->grid;
    int dims[SMAP_DIMS_MAX], periods[SMAP_DIMS_MAX];
    MPI_Comm ordered = MPI_COMM_NULL;
    for (size_t i = 0; i < grid->ndims; i++) {
        dims[i] = (int)grid->dims[i];
        periods[i] = grid->periodic[i];
    }
    if (!smap_cart_reordered(w->outcome))
        return PMPI_Cart_create(w->comm, (int)grid->ndims, dims, periods, 0, cart);
    int rc = PMPI_Comm_split(w->comm, 0, (int)w->cell, &ordered);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Cart_create(ordered, (int)grid->ndims, dims, periods, 0, cart);
    PMPI_Comm_free(&ordered);
    return rc;
}

static int build(MPI_Comm comm, const struct smap_cart_request *request, MPI_Comm *cart,
                 struct smap_cart_outcome *outcome)
{
    struct work w = {.comm = comm, .request = request, .outcome = outcome};
    smap_hints_read(&w.hints);
    if (smap_stencil_parse(&w.nearest, "nn", request->grid.ndims, NULL) != SMAP_OK)
        w.nearest = NULL;
    int rc = decide(&w);
    if (rc == MPI_SUCCESS)
        rc = create_cart(&w, cart);
    smap_stencil_destroy(w.nearest);
    smap_hints_clear(&w.hints);
    return rc;
}

int smap_cart_build(MPI_Comm comm, const struct smap_cart_request *request, MPI_Comm *cart,
                    struct smap_cart_outcome *outcome)
{
    int size, rank;
    MPI_Comm members = MPI_COMM_NULL;
    *outcome = (struct smap_cart_outcome){.origin = SMAP_CART_KEPT_FAILED};
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    if ((uint32_t)size == request->grid.cells)
        return build(comm, request, cart, outcome);
    bool member = (uint32_t)rank < request->grid.cells;
    int rc = PMPI_Comm_split(comm, member ? 0 : MPI_UNDEFINED, 0, &members);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!member) {
        *cart = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    rc = build(members, request, cart, outcome);
    PMPI_Comm_free(&members);
    return rc;
}

bool smap_cart_reordered(const struct smap_cart_outcome *outcome)
{
    return outcome->origin == SMAP_CART_HINTS || outcome->origin == SMAP_CART_COMPUTED;
}
