/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/machine.h"
#include "grid/dims.h"

static int copy(char text[BENCH_TEXT], const char *from, const char *option, struct smap_error *err)
{
    int n = snprintf(text, BENCH_TEXT, "%s", from);
    if (n < 0 || n >= BENCH_TEXT)
        return smap_fail(err, SMAP_EINVAL, "--%s: longer than %d characters", option,
                         BENCH_TEXT - 1);
    return SMAP_OK;
}

/* Refusals of the core do not know our option. */
static int blame(struct smap_error *err, int rc, const char *option, const char *value)
{
    struct smap_error why = *err;
    return rc == SMAP_OK ? rc : smap_fail(err, rc, "--%s=%.100s: %.350s", option, value, why.text);
}

static int parse_stencil(struct smap_stencil **stencil, const char *text, size_t ndims,
                         struct smap_error *err)
{
    return blame(err, smap_stencil_parse(stencil, text, ndims, err), "stencil", text);
}

/* The grid that MPI_Dims_create ought to give for the stencil's dimensions. */
static int balanced(struct bench_case *c, uint32_t size, struct smap_error *err)
{
    struct smap_stencil *stencil = NULL;
    uint32_t dims[SMAP_DIMS_MAX];
    size_t used = 0;
    int rc = parse_stencil(&stencil, c->stencil_text, 0, err);
    if (rc != SMAP_OK)
        return rc;
    smap_dims_balanced(dims, size, stencil->ndims);
    for (size_t i = 0; i < stencil->ndims; i++)
        used += (size_t)snprintf(c->dims + used, BENCH_TEXT - used, "%s%" PRIu32, i ? "x" : "",
                                 dims[i]);
    smap_stencil_destroy(stencil);
    return SMAP_OK;
}

/* World rank 0 chooses the texts: options before hints before defaults. Hints about another number
 * of processes are about another step. */
static int choose(struct bench_case *c, const struct bench_options *o,
                  const struct smap_hints *known, const char *stencil, struct smap_error *err)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool hints = known->grid_known && known->grid.cells == (uint32_t)size;
    const char *dims = o->dims ? o->dims : hints ? getenv("STENCILMAP_DIMS") : "";
    hints = hints && strcmp(dims, getenv("STENCILMAP_DIMS")) == 0;
    const char *own = getenv("STENCILMAP_PERIODIC");
    const char *periodic = o->periodic ? o->periodic : hints && own ? own : "";
    if (!stencil)
        stencil = hints && known->stencil_text ? known->stencil_text : "nn";
    int rc = copy(c->dims, dims, "dims", err);
    if (rc == SMAP_OK)
        rc = copy(c->stencil_text, stencil, "stencil", err);
    if (rc == SMAP_OK)
        rc = copy(c->periodic, periodic, "periodic", err);
    if (rc == SMAP_OK && !c->dims[0])
        rc = balanced(c, (uint32_t)size, err);
    return rc;
}

/* From the texts, on every process alike. */
static int parse(struct bench_case *c, struct smap_error *err)
{
    uint32_t dims[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX] = {false};
    bool column = false;
    size_t ndims, flags;
    int size, rc = smap_dims_parse(dims, &ndims, &column, c->dims, err);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rc != SMAP_OK)
        return blame(err, rc, "dims", c->dims);
    if (column)
        return smap_fail(err, SMAP_EINVAL, "--dims=%.100s: row-major only", c->dims);
    if (c->periodic[0]) {
        rc = blame(err, smap_periodic_parse(periodic, &flags, c->periodic, err), "periodic",
                   c->periodic);
        if (rc == SMAP_OK && flags != ndims)
            rc = smap_fail(err, SMAP_EINVAL, "--periodic=%.100s: %zu flags for %zu dimensions",
                           c->periodic, flags, ndims);
    }
    if (rc == SMAP_OK)
        rc = blame(err, smap_grid_init(&c->grid, ndims, dims, periodic, err), "dims", c->dims);
    if (rc == SMAP_OK && c->grid.cells != (uint32_t)size)
        rc = smap_fail(err, SMAP_EINVAL,
                       "--dims=%.100s: product %" PRIu32 " is not the number of processes %d",
                       c->dims, c->grid.cells, size);
    if (rc == SMAP_OK)
        rc = parse_stencil(&c->stencil, c->stencil_text, ndims, err);
    return rc;
}

int bench_agree(int code)
{
    MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return code;
}

/* stencil: a SPEC; NULL for that of the hints; it counts on world rank 0. */
static int create(struct bench_case *c, const struct bench_options *options,
                  const struct smap_hints *hints, const char *stencil, struct smap_error *err)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(c, 0, sizeof(*c));
    int rc = bench_agree(rank == 0 ? choose(c, options, hints, stencil, err) : SMAP_OK);
    if (rc != SMAP_OK)
        return rc;
    MPI_Bcast(c->dims, BENCH_TEXT, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(c->stencil_text, BENCH_TEXT, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(c->periodic, BENCH_TEXT, MPI_CHAR, 0, MPI_COMM_WORLD);
    rc = bench_agree(parse(c, err));
    if (rc != SMAP_OK)
        return rc;
    int fit = hints->rank_known && smap_hints_fit(hints, &c->grid, c->stencil);
    MPI_Allreduce(MPI_IN_PLACE, &fit, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    c->hints_fit = fit != 0;
    for (size_t i = 0; i < options->maps.count; i++)
        if (!fit && strcmp(options->maps.item[i], "step") == 0)
            return smap_fail(err, SMAP_EINVAL,
                             "--map=step: srun has not mapped this step for %.100s on %.100s",
                             c->stencil_text, c->dims);
    return SMAP_OK;
}

static int add(struct bench_list *list, const char *text, struct smap_error *err)
{
    if (list->count == BENCH_LIST_MAX)
        return smap_fail(err, SMAP_EINVAL, "--stencil: more than %d", BENCH_LIST_MAX);
    list->item[list->count] = strdup(text);
    return list->item[list->count++] ? SMAP_OK : smap_nomem(err);
}

/* How many dimensions "all" is about. */
static size_t dimensions(const struct bench_options *o, const struct smap_hints *hints)
{
    uint32_t dims[SMAP_DIMS_MAX];
    size_t ndims;
    bool column;
    if (o->dims && smap_dims_parse(dims, &ndims, &column, o->dims, NULL) == SMAP_OK)
        return ndims;
    return !o->dims && hints->grid_known ? hints->grid.ndims : 2;
}

/* All names that mean something in so many dimensions, and not the same as one before. */
static int add_all(struct bench_list *list, size_t ndims, struct smap_error *err)
{
    struct smap_stencil *seen[BENCH_LIST_MAX];
    size_t count = 0;
    const char *name, *summary;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && count < BENCH_LIST_MAX; i++) {
        if (!smap_stencil_name(&name, &summary, i))
            break;
        if (smap_stencil_parse(&seen[count], name, ndims, NULL) != SMAP_OK)
            continue;
        size_t j = 0;
        while (j < count && !smap_stencil_same(seen[j], seen[count]))
            j++;
        if (seen[count]->count > 0 && j == count) {
            rc = add(list, name, err);
            count++;
        } else {
            smap_stencil_destroy(seen[count]);
        }
    }
    while (count > 0)
        smap_stencil_destroy(seen[--count]);
    return rc;
}

/* The stencils to be measured, "all" replaced by names; empty where nobody has named one. */
static int list_stencils(struct bench_list *stencils, const struct bench_options *options,
                         const struct smap_hints *hints, struct smap_error *err)
{
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < options->stencils.count; i++)
        rc = strcmp(options->stencils.item[i], "all") == 0
                 ? add_all(stencils, dimensions(options, hints), err)
                 : add(stencils, options->stencils.item[i], err);
    return rc;
}

int bench_cases_create(struct bench_cases *cases, const struct bench_options *options,
                       const struct smap_hints *hints, struct smap_error *err)
{
    struct bench_list stencils = {0};
    int rank, rc = SMAP_OK;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *cases = (struct bench_cases){0};
    if (rank == 0)
        rc = list_stencils(&stencils, options, hints, err);
    rc = bench_agree(rc);
    uint32_t count = stencils.count ? (uint32_t)stencils.count : 1;
    MPI_Bcast(&count, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    cases->item = bench_alloc(count, sizeof(*cases->item));
    for (uint32_t i = 0; rc == SMAP_OK && i < count; i++, cases->count++)
        rc = create(&cases->item[i], options, hints, stencils.count ? stencils.item[i] : NULL, err);
    bench_list_clear(&stencils);
    return rc;
}

void bench_cases_destroy(struct bench_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        smap_stencil_destroy(cases->item[i].stencil);
    free(cases->item);
}
