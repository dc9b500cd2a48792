/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_hosts.h"
#include "grid/dims.h"
#include "nodesplit.h"

static int copy(char text[SMAP_BENCH_TEXT], const char *from, const char *option,
                struct smap_error *err)
{
    int n = snprintf(text, SMAP_BENCH_TEXT, "%s", from);
    if (n < 0 || n >= SMAP_BENCH_TEXT)
        return smap_fail(err, SMAP_EINVAL, "--%s: longer than %d characters", option,
                         SMAP_BENCH_TEXT - 1);
    return SMAP_OK;
}

/* The grid that MPI_Dims_create ought to give for the stencil's dimensions. */
static int balanced(struct bench_case *c, uint32_t size, struct smap_error *err)
{
    struct smap_stencil *stencil = NULL;
    uint32_t dims[SMAP_DIMS_MAX];
    size_t used = 0;
    int rc = smap_stencil_parse(&stencil, c->stencil_text, 0, err);
    if (rc != SMAP_OK)
        return rc;
    smap_dims_balanced(dims, size, stencil->ndims);
    for (size_t i = 0; i < stencil->ndims; i++)
        used += (size_t)snprintf(c->dims + used, SMAP_BENCH_TEXT - used, "%s%" PRIu32, i ? "x" : "",
                                 dims[i]);
    smap_stencil_destroy(stencil);
    return SMAP_OK;
}

/* World rank 0 chooses the texts: options before hints before defaults. Hints about another number
 * of processes are about another step. */
static int choose(struct bench_case *c, const struct bench_options *o, uint32_t size,
                  struct smap_error *err)
{
    bool hints = c->hints.grid_known && c->hints.grid.cells == size;
    const char *dims = o->dims ? o->dims : hints ? getenv("STENCILMAP_DIMS") : "";
    hints = hints && strcmp(dims, getenv("STENCILMAP_DIMS")) == 0;
    const char *stencil = o->stencil                       ? o->stencil
                          : hints && c->hints.stencil_text ? c->hints.stencil_text
                                                           : "nn";
    const char *own = getenv("STENCILMAP_PERIODIC");
    const char *periodic = o->periodic ? o->periodic : hints && own ? own : "";
    int rc = copy(c->dims, dims, "dims", err);
    if (rc == SMAP_OK)
        rc = copy(c->stencil_text, stencil, "stencil", err);
    if (rc == SMAP_OK)
        rc = copy(c->periodic, periodic, "periodic", err);
    if (rc == SMAP_OK && !c->dims[0])
        rc = balanced(c, size, err);
    return rc;
}

/* From the texts, on every process alike. */
static int parse(struct bench_case *c, uint32_t size, struct smap_error *err)
{
    uint32_t dims[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX] = {false};
    bool column = false;
    size_t ndims, flags;
    int rc = smap_dims_parse(dims, &ndims, &column, c->dims, err);
    if (rc != SMAP_OK)
        return rc;
    if (column)
        return smap_fail(err, SMAP_EINVAL, "--dims=%.100s: row-major only", c->dims);
    if (c->periodic[0]) {
        rc = smap_periodic_parse(periodic, &flags, c->periodic, err);
        if (rc == SMAP_OK && flags != ndims)
            rc = smap_fail(err, SMAP_EINVAL, "--periodic=%.100s: %zu flags for %zu dimensions",
                           c->periodic, flags, ndims);
    }
    if (rc == SMAP_OK)
        rc = smap_grid_init(&c->grid, ndims, dims, periodic, err);
    if (rc == SMAP_OK && c->grid.cells != size)
        rc = smap_fail(err, SMAP_EINVAL,
                       "--dims=%.100s: product %" PRIu32 " is not the number of processes %" PRIu32,
                       c->dims, c->grid.cells, size);
    if (rc == SMAP_OK)
        rc = smap_stencil_parse(&c->stencil, c->stencil_text, ndims, err);
    return rc;
}

/* The worst code of all processes. */
static int agree_code(int code)
{
    MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return code;
}

/* All processes in blocks per node: what Slurm's block distribution does. */
static int create_plain(MPI_Comm *plain)
{
    struct smap_nodesplit split;
    bool ok;
    smap_nodesplit_init(MPI_COMM_WORLD, &split, &ok);
    if (!ok)
        return SMAP_ENOMEM;
    uint32_t key = bench_node_key(split.node, smap_nodesizes_nodes(split.sizes));
    MPI_Comm_split(MPI_COMM_WORLD, 0, (int)key, plain);
    smap_nodesplit_clear(&split);
    return SMAP_OK;
}

/* A mapping that is asked for by name starts from plain, so that it is seen for what it is; hints
 * are about MPI_COMM_WORLD. */
static void create_mapped(struct bench_case *c, const char *map)
{
    struct smap_cart_request request = {
        .grid = c->grid, .stencil = c->stencil, .algorithm = map, .ignore_ranks = map != NULL};
    int fit = !map && c->hints.rank_known && smap_hints_fit(&c->hints, &c->grid, c->stencil);
    MPI_Allreduce(MPI_IN_PLACE, &fit, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    c->hints_used = fit != 0;
    smap_cart_build(fit ? MPI_COMM_WORLD : c->plain, &request, &c->mapped, &c->outcome);
}

static void measure(struct bench_case *c)
{
    int plain, mapped;
    MPI_Comm_rank(c->plain, &plain);
    MPI_Comm_rank(c->mapped, &mapped);
    uint32_t cells[2] = {(uint32_t)plain, (uint32_t)mapped};
    struct smap_score scores[2];
    c->nodes = bench_hosts_score(&c->grid, c->stencil, cells, scores);
    c->plain_score = scores[0];
    c->mapped_score = scores[1];
}

int bench_case_create(struct bench_case *c, const struct bench_options *options,
                      struct smap_error *err)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(c, 0, sizeof(*c));
    c->plain = c->mapped = MPI_COMM_NULL;
    smap_hints_read(&c->hints);
    int rc = agree_code(rank == 0 ? choose(c, options, (uint32_t)size, err) : SMAP_OK);
    if (rc != SMAP_OK)
        return rc;
    MPI_Bcast(c->dims, SMAP_BENCH_TEXT, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(c->stencil_text, SMAP_BENCH_TEXT, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(c->periodic, SMAP_BENCH_TEXT, MPI_CHAR, 0, MPI_COMM_WORLD);
    rc = agree_code(parse(c, (uint32_t)size, err));
    if (rc == SMAP_OK)
        rc = create_plain(&c->plain);
    if (rc != SMAP_OK)
        return rc;
    create_mapped(c, options->map);
    measure(c);
    return SMAP_OK;
}

void bench_case_destroy(struct bench_case *c)
{
    if (c->plain != MPI_COMM_NULL)
        MPI_Comm_free(&c->plain);
    if (c->mapped != MPI_COMM_NULL)
        MPI_Comm_free(&c->mapped);
    smap_stencil_destroy(c->stencil);
    smap_hints_clear(&c->hints);
}

void bench_case_describe(const struct bench_case *c, char *text, size_t size)
{
    const struct smap_cart_outcome *o = &c->outcome;
    const char *map = c->hints.map ? c->hints.map : "?";
    const char *base = c->hints_used ? "MPI_COMM_WORLD" : "plain";
    switch (o->origin) {
    case SMAP_CART_HINTS:
        snprintf(text, size, "%s, reordered as the hints of the step say", map);
        break;
    case SMAP_CART_KEPT_LAUNCH:
        snprintf(text, size, "%s, MPI_COMM_WORLD as srun has placed it", map);
        break;
    case SMAP_CART_COMPUTED:
        snprintf(text, size, "%s, computed from the nodes%s", o->algorithm,
                 o->hints_refused ? " (the hints are no permutation)" : "");
        break;
    case SMAP_CART_KEPT_NO_GAIN:
        snprintf(text, size, "the same as %s: %s gains nothing (J_sum %" PRIu64 ")", base,
                 o->algorithm, o->after.jsum);
        break;
    case SMAP_CART_KEPT_ONE:
        snprintf(text, size, "the same as %s: all on one node", base);
        break;
    case SMAP_CART_KEPT_OFF:
        snprintf(text, size, "the same as %s: STENCILMAP_MPI=off", base);
        break;
    case SMAP_CART_KEPT_FAILED:
    case SMAP_CART_PLAIN:
        snprintf(text, size, "the same as %s: no mapping could be computed", base);
        break;
    }
}
