/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/problem.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "grid/dims.h"
#include "plan/part.h"
#include "plan/problem_private.h"
#include "record/graph_file.h"

int smap_blame(struct smap_error *err, const char *option, const char *value, int code)
{
    struct smap_error reason = err ? *err : (struct smap_error){""};
    return smap_fail(err, code, "--%s=%.120s: %s", option, value, reason.text);
}

static const struct {
    const char *option;
    size_t member;
    const char *value, *help;
} members[] = {
    {"stencil-map", offsetof(struct smap_request, map), "ALG", "the algorithm; help lists them"},
    {"stencil", offsetof(struct smap_request, stencil), "SPEC",
     "a name or offsets; help lists the names"},
    {"stencil-dims", offsetof(struct smap_request, dims), "GRID", "50x48, or 50x48,column"},
    {"stencil-periodic", offsetof(struct smap_request, periodic), "FLAGS",
     "one 0 or 1 per dimension: 1,0"},
    {"stencil-ranks", offsetof(struct smap_request, ranks), "FIRST-LAST",
     "the ranks that are the grid"},
    {"stencil-effort", offsetof(struct smap_request, effort), "WORD",
     "of best: fast, normal, thorough"},
    {"stencil-objective", offsetof(struct smap_request, objective), "WORD", "sum, max or levels"},
    {"rank-order", offsetof(struct smap_request, order), "ORDER",
     "numa,l3,core or 2-1-0 or block:cyclic"},
    {"rank-hierarchy", offsetof(struct smap_request, hierarchy), "H",
     "the levels: socket:2,core:8 or 2,2,8"},
};

const char *smap_request_option(size_t i)
{
    return i < sizeof(members) / sizeof(members[0]) ? members[i].option : NULL;
}

const char *smap_request_help(const char **value, size_t i)
{
    *value = members[i].value;
    return members[i].help;
}

const char **smap_request_member(struct smap_request *request, const char *option)
{
    for (size_t i = 0; smap_request_option(i); i++)
        if (strcmp(members[i].option, option) == 0)
            return (const char **)((char *)request + members[i].member);
    return NULL;
}

static int refuse_unknown_map(const char *map, struct smap_error *err)
{
    struct smap_text names = {0};
    for (size_t i = 0; smap_algorithm_at(i); i++)
        smap_text_add(&names, "%s%s", i ? ", " : "", smap_algorithm_at(i)->name);
    char *list = smap_text_take(&names);
    smap_fail(err, SMAP_EINVAL, "--stencil-map=%.120s: not one of %s, off, help", map,
              list ? list : "the algorithms");
    free(list);
    return SMAP_EINVAL;
}

static void reverse(uint32_t list[], size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t swapped = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = swapped;
    }
}

/* Column-major numbering is row-major numbering of the reversed dimensions. */
static void reverse_problem(struct smap_problem *p)
{
    size_t d = p->grid.ndims;
    reverse(p->grid.dims, d);
    for (size_t i = 0; i < d / 2; i++) {
        bool swapped = p->grid.periodic[i];
        p->grid.periodic[i] = p->grid.periodic[d - 1 - i];
        p->grid.periodic[d - 1 - i] = swapped;
    }
    for (size_t r = 0; r < p->stencil->count; r++)
        reverse((uint32_t *)p->stencil->offsets + r * d, d);
}

/* Which ranks are the grid: problem->first, and how many (0: not known yet). */
static int parse_ranks(struct smap_problem *problem, uint32_t *count,
                       const struct smap_request *request, uint32_t tasks, struct smap_error *err)
{
    uint32_t last;
    problem->first = 0;
    problem->tasks = *count = tasks;
    if (!request->ranks)
        return SMAP_OK;
    int rc = smap_ranks_parse(&problem->first, &last, request->ranks, err);
    if (rc == SMAP_OK && tasks && last >= tasks)
        rc = smap_fail(err, SMAP_EINVAL, "the last of %" PRIu32 " tasks is rank %" PRIu32, tasks,
                       tasks - 1);
    if (rc != SMAP_OK)
        return smap_blame(err, "stencil-ranks", request->ranks, rc);
    *count = last - problem->first + 1;
    return SMAP_OK;
}

/* The product of the dims is another one than it must be. */
static int refuse_product(const struct smap_request *request, uint32_t product, uint32_t count,
                          struct smap_error *err)
{
    if (request->ranks)
        return smap_fail(err, SMAP_EINVAL,
                         "product %" PRIu32 " is not the number of ranks %" PRIu32
                         " in --stencil-ranks=%.60s",
                         product, count, request->ranks);
    if (product < count)
        return smap_fail(
            err, SMAP_EINVAL,
            "product %" PRIu32 " is not the number of tasks %" PRIu32
            "; if the grid is part of the ranks, say which: --stencil-ranks=0-%" PRIu32,
            product, count, product - 1);
    return smap_fail(err, SMAP_EINVAL, "product %" PRIu32 " is not the number of tasks %" PRIu32,
                     product, count);
}

/* count: what the product must be; 0: not known yet. */
static int parse_dims(const struct smap_request *request, uint32_t count, size_t *ndims,
                      uint32_t dims[], bool *column, struct smap_error *err)
{
    struct smap_grid grid;
    *ndims = 0;
    *column = false;
    if (!request->dims)
        return SMAP_OK;
    int rc = smap_dims_parse(dims, ndims, column, request->dims, err);
    if (rc == SMAP_OK)
        rc = smap_grid_init(&grid, *ndims, dims, NULL, err);
    if (rc == SMAP_OK && count && grid.cells != count)
        rc = refuse_product(request, grid.cells, count, err);
    return rc == SMAP_OK ? rc : smap_blame(err, "stencil-dims", request->dims, rc);
}

/* ndims 0: the number of dimensions is not known. */
static int parse_periodic(const struct smap_request *request, size_t ndims, bool periodic[],
                          struct smap_error *err)
{
    size_t count;
    if (!request->periodic)
        return SMAP_OK;
    int rc = smap_periodic_parse(periodic, &count, request->periodic, err);
    if (rc == SMAP_OK && ndims && count != ndims)
        rc = smap_fail(err, SMAP_EINVAL, "%zu flags for %zu dimensions", count, ndims);
    return rc == SMAP_OK ? rc : smap_blame(err, "stencil-periodic", request->periodic, rc);
}

static int parse_words(struct smap_mapping_options *options, const struct smap_request *request,
                       struct smap_error *err)
{
    *options = (struct smap_mapping_options){0};
    int rc = smap_effort_parse(&options->effort, request->effort, err);
    if (rc != SMAP_OK)
        return smap_blame(err, "stencil-effort", request->effort, rc);
    rc = smap_objective_parse(&options->objective, request->objective, err);
    return rc == SMAP_OK ? rc : smap_blame(err, "stencil-objective", request->objective, rc);
}

int smap_request_options(struct smap_mapping_options *options, struct smap_levels *levels,
                         const struct smap_request *request, const struct smap_nodesizes *sizes,
                         struct smap_error *err)
{
    int rc = parse_words(options, request, err);
    levels->hierarchy.count = 0;
    if (rc != SMAP_OK || (!request->hierarchy && !request->levels))
        return rc;
    options->levels = levels;
    if (request->levels) {
        *levels = *request->levels;
        return SMAP_OK;
    }
    return smap_levels_parse(levels, request->hierarchy, request->order,
                             smap_nodesizes_nodes(sizes), smap_nodesizes_largest(sizes), err);
}

/* The grid and the stencil of `count` ranks; complete: else only the values are checked, and what
 * nobody has said stays open. */
static int parse_grid(struct smap_problem *p, const struct smap_request *request, uint32_t count,
                      bool complete, struct smap_error *err)
{
    const char *stencil = request->stencil ? request->stencil : "nn";
    uint32_t dims[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX] = {false};
    size_t ndims;
    int rc = parse_dims(request, count, &ndims, dims, &p->column, err);
    if (rc != SMAP_OK)
        return rc;
    rc = smap_stencil_parse(&p->stencil, stencil, ndims, err);
    if (rc != SMAP_OK)
        return smap_blame(err, "stencil", stencil, rc);
    bool ndims_known = complete || request->dims || request->stencil;
    rc = parse_periodic(request, ndims_known ? p->stencil->ndims : 0, periodic, err);
    if (rc != SMAP_OK || !complete)
        return rc;
    if (!ndims)
        smap_dims_balanced(dims, count, p->stencil->ndims);
    rc = smap_grid_init(&p->grid, p->stencil->ndims, dims, periodic, err);
    if (rc == SMAP_OK && p->column)
        reverse_problem(p);
    return rc;
}

int smap_problem_init(struct smap_problem *problem, const struct smap_request *request,
                      uint32_t tasks, struct smap_error *err)
{
    struct smap_problem p = {.stencil = NULL};
    struct smap_mapping_options options;
    uint32_t count;
    if (request->map && !request->layout && !smap_algorithm_find(NULL, request->map))
        return refuse_unknown_map(request->map, err);
    int rc = parse_words(&options, request, err);
    if (rc == SMAP_OK)
        rc = parse_ranks(&p, &count, request, tasks, err);
    if (rc == SMAP_OK)
        rc = smap_graph_is_file(NULL, request->stencil)
                 ? smap_problem_graph(&p, request, count, problem, err)
                 : parse_grid(&p, request, count, problem, err);
    if (rc == SMAP_OK && problem)
        *problem = p;
    else
        smap_problem_clear(&p);
    return rc;
}

void smap_problem_clear(struct smap_problem *problem)
{
    smap_stencil_destroy(problem->stencil);
    smap_graph_destroy(problem->own_graph);
    problem->stencil = NULL;
    problem->graph = problem->own_graph = NULL;
}

bool smap_problem_is_part(const struct smap_problem *problem)
{
    return problem->grid.cells < problem->tasks;
}

bool smap_problem_has_rank(const struct smap_problem *problem, uint32_t rank)
{
    return rank >= problem->first && rank - problem->first < problem->grid.cells;
}

struct smap_instance smap_problem_on(const struct smap_problem *problem,
                                     const struct smap_nodesizes *sizes)
{
    return (struct smap_instance){&problem->grid, problem->stencil, sizes, problem->graph};
}

/* The dimension that the user wrote at place i. */
static size_t user_dim(const struct smap_problem *problem, size_t i)
{
    return problem->column ? problem->grid.ndims - 1 - i : i;
}

char *smap_problem_dims(const struct smap_problem *problem)
{
    uint32_t dims[SMAP_DIMS_MAX];
    for (size_t i = 0; i < problem->grid.ndims; i++)
        dims[i] = problem->grid.dims[user_dim(problem, i)];
    return smap_dims_format(dims, problem->grid.ndims, problem->column);
}

char *smap_problem_periodic(const struct smap_problem *problem)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < problem->grid.ndims; i++)
        smap_text_add(&text, "%s%d", i ? "," : "", problem->grid.periodic[user_dim(problem, i)]);
    return smap_text_take(&text);
}

char *smap_problem_ranks(const struct smap_problem *problem)
{
    struct smap_text text = {0};
    smap_text_add(&text, "%" PRIu32 "-%" PRIu32, problem->first,
                  problem->first + problem->grid.cells - 1);
    return smap_text_take(&text);
}

char *smap_problem_coords(const struct smap_problem *problem, uint32_t cell)
{
    struct smap_text text = {0};
    uint32_t coords[SMAP_DIMS_MAX];
    smap_grid_coords(coords, &problem->grid, cell);
    for (size_t i = 0; i < problem->grid.ndims; i++)
        smap_text_add(&text, "%s%" PRIu32, i ? "," : "", coords[user_dim(problem, i)]);
    return smap_text_take(&text);
}
