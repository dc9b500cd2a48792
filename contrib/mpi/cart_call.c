/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cart.h"
#include "gain.h"
#include "hints.h"

const struct smap_makers smap_makers_mpi = {PMPI_Cart_create, PMPI_Dist_graph_create_adjacent,
                                            PMPI_Dist_graph_create};

bool smap_is_intracomm(MPI_Comm comm)
{
    int inter = 0;
    return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter;
}

/* Raises code as MPI would on comm. */
static int refuse(MPI_Comm comm, int code)
{
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* The product of dims, or INT_MAX + 1 for more; 0 where a dim is not positive. */
static uint64_t count_cells(int ndims, const int dims[])
{
    uint64_t cells = 1;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] <= 0)
            return 0;
        cells *= (uint64_t)dims[i];
        if (cells > INT_MAX)
            cells = (uint64_t)INT_MAX + 1;
    }
    return cells;
}

/* True if this is a grid to reorder; everything else is for MPI_Cart_create to do or to refuse. */
static bool fill_grid(struct smap_grid *grid, MPI_Comm comm, int ndims, const int dims[],
                      const int periods[])
{
    uint32_t sizes[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX];
    int size;
    if (ndims < 1 || ndims > SMAP_DIMS_MAX || !periods)
        return false;
    uint64_t cells = count_cells(ndims, dims);
    PMPI_Comm_size(comm, &size);
    if (cells == 0 || cells > (uint64_t)size)
        return false;
    for (int i = 0; i < ndims; i++) {
        sizes[i] = (uint32_t)dims[i];
        periodic[i] = periods[i] != 0;
    }
    return smap_grid_init(grid, (size_t)ndims, sizes, periodic, NULL) == SMAP_OK;
}

/* "cart 4x8"; returns its length. */
static size_t format_dims(char *text, size_t size, const struct smap_grid *grid)
{
    size_t used = (size_t)snprintf(text, size, "cart");
    for (size_t i = 0; i < grid->ndims; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%c%" PRIu32, i ? 'x' : ' ', grid->dims[i]);
    return used;
}

static const char *why_kept(enum smap_cart_origin origin)
{
    switch (origin) {
    case SMAP_CART_KEPT_OFF:
        return "STENCILMAP_MPI=off";
    case SMAP_CART_KEPT_LAUNCH:
        return "srun has placed them";
    case SMAP_CART_KEPT_ONE:
        return "all on one node";
    default:
        return "no mapping could be computed";
    }
}

void smap_cart_describe(char *text, size_t size, const struct smap_grid *grid,
                        const struct smap_cart_outcome *outcome)
{
    char what[SMAP_DIMS_MAX * 11 + 80] = "graph";
    const struct smap_score *before = &outcome->before, *after = &outcome->after;
    const char *refused = outcome->hints_refused ? "; hints refused: no permutation" : "";
    if (grid) {
        size_t used = format_dims(what, sizeof(what), grid);
        snprintf(what + used, sizeof(what) - used, " %s", outcome->stencil);
    }
    if (smap_cart_reordered(outcome))
        snprintf(text, size,
                 "%s: J_sum %" PRIu64 " -> %" PRIu64 ", J_max %" PRIu64 " -> %" PRIu64 " (%s%s)",
                 what, before->jsum, after->jsum, before->jmax, after->jmax, outcome->algorithm,
                 refused);
    else if (outcome->origin == SMAP_CART_KEPT_NO_GAIN)
        snprintf(text, size,
                 "%s: ranks kept: J_sum %" PRIu64 ", J_max %" PRIu64 ", no gain with %" PRIu64
                 ", %" PRIu64 " (%s%s)",
                 what, before->jsum, before->jmax, after->jsum, after->jmax, outcome->algorithm,
                 refused);
    else
        snprintf(text, size, "%s: ranks kept: %s", what, why_kept(outcome->origin));
}

void smap_cart_finish(MPI_Comm comm, MPI_Comm made, const struct smap_grid *grid,
                      const struct smap_cart_outcome *outcome)
{
    char text[512];
    int rank;
    bool kept = outcome->origin == SMAP_CART_KEPT_NO_GAIN;
    if (outcome->origin == SMAP_CART_PLAIN)
        return;
    if (outcome->scored && made != MPI_COMM_NULL)
        smap_gain_set(made, &outcome->before, kept ? &outcome->before : &outcome->after);
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0 && smap_hints_mode("verbose")) {
        smap_cart_describe(text, sizeof(text), grid, outcome);
        fprintf(stderr, "stencilmap: %s\n", text);
    }
}

/* NULL: all 1. False where one is not positive, or without memory. */
static bool copy_weights(uint32_t **copy, int k, const int weights[])
{
    *copy = weights ? calloc((size_t)k, sizeof(**copy)) : NULL;
    bool good = *copy || !weights;
    for (int i = 0; *copy && i < k; i++) {
        good = good && weights[i] >= 1;
        (*copy)[i] = good ? (uint32_t)weights[i] : 0;
    }
    return good;
}

/* A stencil beyond the limits of the core is no error: it is not mapped. Neither is one that this
 * process alone has no memory for, which is for all to agree on. */
static void fill_stencil(struct smap_stencil **stencil, const struct smap_cart_call *call)
{
    uint32_t *weights = NULL;
    *stencil = NULL;
    if (copy_weights(&weights, call->k, call->weights) &&
        smap_stencil_create(stencil, (size_t)call->ndims, (size_t)call->k, call->offsets, weights,
                            NULL) != SMAP_OK)
        *stencil = NULL;
    free(weights);
}

/* Everything but a grid to reorder. MPI's own check of the size overflows in some implementations,
 * hence ours. */
static int call_plain(const struct smap_cart_call *call, const struct smap_makers *makers,
                      MPI_Comm *cart)
{
    if (call->ndims > 0 && call->dims && smap_is_intracomm(call->comm) &&
        count_cells(call->ndims, call->dims) > INT_MAX)
        return refuse(call->comm, MPI_ERR_DIMS);
    return makers->cart_create(call->comm, call->ndims, call->dims, call->periods, 0, cart);
}

int smap_cart_call(const struct smap_cart_call *call, MPI_Comm *cart,
                   struct smap_cart_outcome *outcome)
{
    const struct smap_makers *makers = call->makers ? call->makers : &smap_makers_mpi;
    struct smap_cart_request request = {.makers = makers};
    struct smap_stencil *stencil = NULL;
    *outcome = (struct smap_cart_outcome){.origin = SMAP_CART_PLAIN};
    bool intra = smap_is_intracomm(call->comm);
    if (call->stencil && intra &&
        (call->k < 0 || (call->k > 0 && call->ndims > 0 && !call->offsets)))
        return refuse(call->comm, MPI_ERR_ARG);
    if (!call->reorder || (call->stencil && call->k == 0) || !call->dims || !cart || !intra ||
        !fill_grid(&request.grid, call->comm, call->ndims, call->dims, call->periods))
        return call_plain(call, makers, cart);
    if (call->stencil) {
        fill_stencil(&stencil, call);
        request.stencil = stencil;
        request.no_stencil = !stencil;
    }
    int rc = smap_cart_build(call->comm, &request, cart, outcome);
    smap_stencil_destroy(stencil);
    return rc;
}
