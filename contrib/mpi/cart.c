/* SPDX-License-Identifier: BSD-3-Clause */
#include "cart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "best/algorithms.h"
#include "compute.h"
#include "hints.h"
#include "nodekey.h"
#include "nodesplit.h"
#include "search.h"

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
    bool trusted;                       /* shared: and they say what they are worth */
    uint32_t cell;                      /* this process's new rank */
};

/* What the processes compare, in this order. */
enum fact { OFF, ABLE, FITS, RANKS, LAUNCH, STENCIL, MAP, GAIN, FACTS };

/* Are the ranks of comm those that the hints number as cells? Each process answers for itself, and
 * all must say so. */
static bool has_ranks_of_hints(MPI_Comm comm, const struct smap_hints *hints)
{
    int rank, world, size, all;
    if (!smap_world_rank(&world))
        return false;
    PMPI_Comm_rank(comm, &rank);
    if (hints->part)
        return (uint32_t)world == hints->first + (uint32_t)rank;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_size(MPI_COMM_WORLD, &all);
    return world == rank && size == all;
}

static uint64_t fingerprint_gain(const struct smap_hints *hints)
{
    const uint64_t words[] = {hints->before.jsum, hints->before.jmax, hints->after.jsum,
                              hints->after.jmax};
    return hints->gain_known ? smap_fingerprint(words, sizeof(words), 0) | 1 : 0;
}

static void collect_facts(const struct work *w, uint64_t facts[FACTS])
{
    const struct smap_hints *hints = &w->hints;
    const struct smap_cart_request *request = w->request;
    facts[OFF] = smap_hints_mode("off");
    facts[ABLE] = !request->no_stencil && (request->stencil || w->nearest);
    facts[FITS] = smap_hints_fit(hints, &request->grid, request->stencil);
    facts[RANKS] = facts[FITS] && hints->rank_known && hints->rank < request->grid.cells &&
                   !request->ignore_ranks && has_ranks_of_hints(w->comm, hints);
    facts[LAUNCH] = hints->launch;
    facts[STENCIL] = hints->stencil ? smap_stencil_fingerprint(hints->stencil) : 0;
    facts[MAP] =
        hints->algorithm ? smap_fingerprint(hints->algorithm, strlen(hints->algorithm), 0) : 0;
    facts[GAIN] = fingerprint_gain(hints);
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

/* Compares notes with the others and settles everything that is shared. */
static int settle(struct work *w, bool *off, bool *able, bool *launch)
{
    uint64_t facts[FACTS], least[FACTS], greatest[FACTS];
    uint64_t sum = w->hints.rank_known ? smap_permutation_addend(w->hints.rank) : 0;
    collect_facts(w, facts);
    int rc = smap_agree_sum(w->comm, FACTS, facts, least, greatest, &sum);
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
    w->outcome->hints_refused = w->use_ranks && sum != smap_permutation_sum(w->request->grid.cells);
    w->use_ranks = w->use_ranks && !w->outcome->hints_refused;
    w->trusted = w->use_ranks && least[GAIN] && least[GAIN] == greatest[GAIN];
    name_stencil(w, from_hints);
    *off = greatest[OFF];
    *able = least[ABLE];
    *launch = w->use_ranks && least[LAUNCH];
    return MPI_SUCCESS;
}

void smap_cart_conclude(struct smap_cart_outcome *outcome, const struct smap_verdict *verdict,
                        const char *algorithm, enum smap_cart_origin better)
{
    outcome->scored =
        verdict->judgement == SMAP_JUDGED_BETTER || verdict->judgement == SMAP_JUDGED_NO_GAIN;
    outcome->before = verdict->before;
    outcome->after = verdict->after;
    snprintf(outcome->algorithm, sizeof(outcome->algorithm), "%s", algorithm);
    outcome->origin = verdict->judgement == SMAP_JUDGED_BETTER    ? better
                      : verdict->judgement == SMAP_JUDGED_NO_GAIN ? SMAP_CART_KEPT_NO_GAIN
                                                                  : SMAP_CART_KEPT_FAILED;
}

/* The plugin has worked out everything, and all processes have been told the same. */
static void trust(struct work *w, bool launch)
{
    const struct smap_hints *hints = &w->hints;
    struct smap_verdict verdict = {smap_judge_scores(&hints->before, &hints->after), hints->before,
                                   hints->after};
    w->cell = hints->rank;
    smap_cart_conclude(w->outcome, &verdict, "hints", SMAP_CART_HINTS);
    if (launch)
        w->outcome->origin = SMAP_CART_KEPT_LAUNCH;
}

static int reorder_on(struct work *w, const struct smap_nodesplit *split)
{
    const struct smap_instance instance = {&w->request->grid, w->stencil, split->sizes, NULL};
    struct smap_verdict verdict = {.judgement = SMAP_JUDGED_NO_MEMORY};
    if (smap_nodesizes_nodes(split->sizes) == 1) {
        w->outcome->origin = SMAP_CART_KEPT_ONE;
        w->outcome->scored = true;
        return MPI_SUCCESS;
    }
    if (w->use_ranks) {
        w->cell = w->hints.rank;
        int rc = smap_judge_cells(&verdict, w->comm, &instance, split->node, w->cell);
        smap_cart_conclude(w->outcome, &verdict, "hints", SMAP_CART_HINTS);
        return rc;
    }
    if (smap_wants_whole_grid(w->algorithm)) {
        struct smap_searched searched;
        int rc = smap_search(&searched, w->comm, w->algorithm, &instance, split);
        w->cell = searched.cell;
        smap_cart_conclude(w->outcome, &searched.verdict, w->algorithm, SMAP_CART_COMPUTED);
        if (rc != MPI_SUCCESS || w->outcome->scored)
            return rc;
        w->algorithm = smap_algorithm_hyperplane.name;
    }
    int rc = smap_compute_cell(&verdict, &w->cell, &w->algorithm, w->comm, &instance, split);
    smap_cart_conclude(w->outcome, &verdict, w->algorithm, SMAP_CART_COMPUTED);
    return rc;
}

static int decide(struct work *w)
{
    struct smap_nodesplit split;
    bool off, able, launch, ok;
    int rc = settle(w, &off, &able, &launch);
    if (rc != MPI_SUCCESS)
        return rc;
    if (off || !able || (launch && !w->trusted)) {
        w->outcome->origin = off     ? SMAP_CART_KEPT_OFF
                             : !able ? SMAP_CART_KEPT_FAILED
                                     : SMAP_CART_KEPT_LAUNCH;
        return MPI_SUCCESS;
    }
    if (w->trusted) {
        trust(w, launch);
        return MPI_SUCCESS;
    }
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
    const struct smap_makers *makers = w->request->makers ? w->request->makers : &smap_makers_mpi;
    int dims[SMAP_DIMS_MAX], periods[SMAP_DIMS_MAX];
    MPI_Comm ordered = MPI_COMM_NULL;
    for (size_t i = 0; i < grid->ndims; i++) {
        dims[i] = (int)grid->dims[i];
        periods[i] = grid->periodic[i];
    }
    if (!smap_cart_reordered(w->outcome))
        return makers->cart_create(w->comm, (int)grid->ndims, dims, periods, 0, cart);
    int rc = PMPI_Comm_split(w->comm, 0, (int)w->cell, &ordered);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = makers->cart_create(ordered, (int)grid->ndims, dims, periods, 0, cart);
    PMPI_Comm_free(&ordered);
    return rc;
}

static int build(struct work *w, MPI_Comm *cart)
{
    if (smap_stencil_parse(&w->nearest, "nn", w->request->grid.ndims, NULL) != SMAP_OK)
        w->nearest = NULL;
    int rc = decide(w);
    if (rc == MPI_SUCCESS)
        rc = create_cart(w, cart);
    smap_stencil_destroy(w->nearest);
    return rc;
}

/* For those who want to say that srun was told something else. */
static void compare_grids(const struct work *w)
{
    const struct smap_hints *hints = &w->hints;
    const struct smap_grid *grid = &w->request->grid;
    struct smap_cart_outcome *outcome = w->outcome;
    bool same = hints->grid.ndims == grid->ndims;
    for (size_t i = 0; same && i < grid->ndims; i++)
        same = hints->grid.dims[i] == grid->dims[i];
    outcome->other_grid = hints->grid_known && !same && has_ranks_of_hints(w->comm, hints);
    outcome->told_launch = outcome->other_grid && hints->launch;
    if (outcome->other_grid)
        outcome->told = hints->grid;
}

int smap_cart_build(MPI_Comm comm, const struct smap_cart_request *request, MPI_Comm *cart,
                    struct smap_cart_outcome *outcome)
{
    struct work w = {.comm = comm, .request = request, .outcome = outcome};
    int size, rank, rc = MPI_SUCCESS;
    *outcome = (struct smap_cart_outcome){.origin = SMAP_CART_KEPT_FAILED};
    *cart = MPI_COMM_NULL;
    smap_hints_read(&w.hints);
    compare_grids(&w);
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &rank);
    bool member = (uint32_t)rank < request->grid.cells;
    if ((uint32_t)size > request->grid.cells)
        rc = PMPI_Comm_split(comm, member ? 0 : MPI_UNDEFINED, 0, &w.comm);
    if (rc == MPI_SUCCESS && member)
        rc = build(&w, cart);
    if (rc == MPI_SUCCESS && w.comm != comm && member)
        rc = PMPI_Comm_free(&w.comm);
    smap_hints_clear(&w.hints);
    if (rc == MPI_SUCCESS)
        smap_cart_finish(comm, *cart, &request->grid, outcome);
    return rc;
}

bool smap_cart_reordered(const struct smap_cart_outcome *outcome)
{
    return outcome->origin == SMAP_CART_HINTS || outcome->origin == SMAP_CART_COMPUTED;
}
