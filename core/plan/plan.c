/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "best/best.h"
#include "bound/bound.h"
#include "grid/dims.h"

/* Puts the option and its value in front of a reason: "--stencil-dims=50x47: ...". */
static int blame(struct smap_error *err, const char *option, const char *value, int code)
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

static int parse_dims(const struct smap_request *request, uint32_t tasks, size_t *ndims,
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
    if (rc == SMAP_OK && tasks && grid.cells != tasks)
        rc = smap_fail(err, SMAP_EINVAL, "product %" PRIu32 " is not the number of tasks %" PRIu32,
                       grid.cells, tasks);
    return rc == SMAP_OK ? rc : blame(err, "stencil-dims", request->dims, rc);
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
    return rc == SMAP_OK ? rc : blame(err, "stencil-periodic", request->periodic, rc);
}

static int parse_words(struct smap_mapping_options *options, const struct smap_request *request,
                       struct smap_error *err)
{
    *options = (struct smap_mapping_options){0};
    int rc = smap_effort_parse(&options->effort, request->effort, err);
    if (rc != SMAP_OK)
        return blame(err, "stencil-effort", request->effort, rc);
    rc = smap_objective_parse(&options->objective, request->objective, err);
    return rc == SMAP_OK ? rc : blame(err, "stencil-objective", request->objective, rc);
}

int smap_request_options(struct smap_mapping_options *options, struct smap_levels *levels,
                         const struct smap_request *request, const struct smap_nodesizes *sizes,
                         struct smap_error *err)
{
    int rc = parse_words(options, request, err);
    levels->hierarchy.count = 0;
    if (rc != SMAP_OK || !request->hierarchy)
        return rc;
    options->levels = levels;
    return smap_levels_parse(levels, request->hierarchy, request->order,
                             smap_nodesizes_nodes(sizes), smap_nodesizes_largest(sizes), err);
}

int smap_problem_init(struct smap_problem *problem, const struct smap_request *request,
                      uint32_t tasks, struct smap_error *err)
{
    struct smap_problem p = {.stencil = NULL};
    const char *stencil = request->stencil ? request->stencil : "nn";
    uint32_t dims[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX] = {false};
    size_t ndims;
    if (request->map && !smap_algorithm_find(NULL, request->map))
        return refuse_unknown_map(request->map, err);
    struct smap_mapping_options options;
    int rc = parse_words(&options, request, err);
    if (rc == SMAP_OK)
        rc = parse_dims(request, tasks, &ndims, dims, &p.column, err);
    if (rc != SMAP_OK)
        return rc;
    rc = smap_stencil_parse(&p.stencil, stencil, ndims, err);
    if (rc != SMAP_OK)
        return blame(err, "stencil", stencil, rc);
    bool ndims_known = problem || request->dims || request->stencil;
    rc = parse_periodic(request, ndims_known ? p.stencil->ndims : 0, periodic, err);
    if (rc == SMAP_OK && problem) {
        if (!ndims)
            smap_dims_balanced(dims, tasks, p.stencil->ndims);
        rc = smap_grid_init(&p.grid, p.stencil->ndims, dims, periodic, err);
    }
    if (rc != SMAP_OK || !problem) {
        smap_stencil_destroy(p.stencil);
        return rc;
    }
    if (p.column)
        reverse_problem(&p);
    *problem = p;
    return SMAP_OK;
}

void smap_problem_release(struct smap_problem *problem)
{
    smap_stencil_destroy(problem->stencil);
    problem->stencil = NULL;
}

struct smap_instance smap_problem_on(const struct smap_problem *problem,
                                     const struct smap_nodesizes *sizes)
{
    return (struct smap_instance){&problem->grid, problem->stencil, sizes};
}

/* The dimension that the user wrote at place i. */
static size_t user_dim(const struct smap_problem *problem, size_t i)
{
    return problem->column ? problem->grid.ndims - 1 - i : i;
}

char *smap_problem_dims(const struct smap_problem *problem)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < problem->grid.ndims; i++)
        smap_text_add(&text, "%s%" PRIu32, i ? "x" : "", problem->grid.dims[user_dim(problem, i)]);
    if (problem->column)
        smap_text_add(&text, ",column");
    return smap_text_take(&text);
}

char *smap_problem_periodic(const struct smap_problem *problem)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < problem->grid.ndims; i++)
        smap_text_add(&text, "%s%d", i ? "," : "", problem->grid.periodic[user_dim(problem, i)]);
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

/* The levels above the nodes, if anybody has told. */
static int find_outer(struct smap_plan *plan, const struct smap_request *request,
                      struct smap_error *err)
{
    plan->outer = request->outer;
    if (plan->outer || plan->levels.hierarchy.count == 0 || plan->levels.full.node_levels < 2)
        return SMAP_OK;
    plan->outer = &plan->own_outer;
    return smap_outer_from_hierarchy(&plan->own_outer, &plan->levels.full,
                                     smap_nodesizes_nodes(plan->instance.sizes), err);
}

static int cross_outer(uint64_t crossing[], const struct smap_plan *plan,
                       const uint32_t node_of_cell[], struct smap_error *err)
{
    if (!plan->outer)
        return SMAP_OK;
    return smap_outer_crossings(crossing, plan->outer, &plan->instance, node_of_cell, err);
}

static int cross_levels(uint64_t crossing[], const struct smap_plan *plan,
                        const struct smap_seated *seated, struct smap_error *err)
{
    if (plan->levels.hierarchy.count == 0)
        return SMAP_OK;
    return smap_levels_crossings(crossing, &plan->levels, &plan->instance, seated, err);
}

static int score_before(struct smap_plan *plan, const uint32_t node_of_rank[],
                        struct smap_error *err)
{
    uint32_t nodes = smap_nodesizes_nodes(plan->instance.sizes), cells = plan->problem.grid.cells;
    uint32_t *blocked = NULL;
    if (!node_of_rank) {
        blocked = calloc(cells, sizeof(*blocked));
        if (!blocked)
            return smap_nomem(err);
        for (uint32_t cell = 0; cell < cells; cell++)
            blocked[cell] = smap_nodesizes_node_at(plan->instance.sizes, cell);
        node_of_rank = blocked;
    }
    int rc = smap_score_nodes(&plan->before, NULL, &plan->instance, node_of_rank, nodes, err);
    if (rc == SMAP_OK) {
        const struct smap_seated seated = {node_of_rank, plan->before.jsum, SMAP_SEATS_BY_RANK};
        rc = cross_levels(plan->crossing_before, plan, &seated, err);
    }
    if (rc == SMAP_OK)
        rc = cross_outer(plan->outer_before, plan, node_of_rank, err);
    free(blocked);
    return rc;
}

static int find_bound(struct smap_plan *plan, struct smap_error *err)
{
    const struct smap_best_result *best = smap_best_result(plan->mapping);
    if (best) {
        plan->bound = best->bound;
        return SMAP_OK;
    }
    return smap_bound_jsum(&plan->bound, &plan->instance, err);
}

static int score_after(struct smap_plan *plan, const struct smap_request *request,
                       const struct smap_mapping_options *options, struct smap_error *err)
{
    plan->node_of_cell = calloc(plan->problem.grid.cells, sizeof(*plan->node_of_cell));
    if (!plan->node_of_cell)
        return smap_nomem(err);
    int rc = smap_mapping_from_text(&plan->mapping, request->map, &plan->instance, options, err);
    if (rc != SMAP_OK)
        return blame(err, "stencil-map", request->map, rc);
    rc = smap_mapping_nodes(plan->node_of_cell, plan->mapping, err);
    if (rc == SMAP_OK && plan->outer && !request->keep_blocks &&
        options->objective == SMAP_OBJECTIVE_LEVELS)
        rc = smap_outer_arrange(plan->node_of_cell, plan->outer, &plan->instance, err);
    if (rc == SMAP_OK)
        rc = cross_outer(plan->outer_after, plan, plan->node_of_cell, err);
    if (rc == SMAP_OK)
        rc = find_bound(plan, err);
    if (rc == SMAP_OK)
        rc = smap_score_nodes(&plan->after, NULL, &plan->instance, plan->node_of_cell,
                              smap_nodesizes_nodes(plan->instance.sizes), err);
    if (rc != SMAP_OK)
        return rc;
    const struct smap_seated seated = {plan->node_of_cell, plan->after.jsum, SMAP_SEATS_BEST};
    return cross_levels(plan->crossing_after, plan, &seated, err);
}

/* The objective `levels`, above the nodes too. */
static uint64_t total(const struct smap_plan *plan, const struct smap_score *score,
                      const uint64_t crossing[], const uint64_t outer[])
{
    uint64_t sum = score->jsum;
    if (plan->levels.hierarchy.count > 0)
        sum = smap_levels_total(&plan->levels, sum, crossing);
    for (size_t l = 0; plan->outer && l < plan->outer->levels; l++)
        sum += outer[l];
    return sum;
}

/* By the objective. */
static bool is_better(const struct smap_plan *plan, const struct smap_request *request)
{
    const struct smap_score *a = &plan->after, *b = &plan->before;
    const char *objective = request->objective ? request->objective : "sum";
    bool max_first = strcmp(objective, "max") == 0;
    if (strcmp(objective, "levels") == 0) {
        uint64_t after = total(plan, a, plan->crossing_after, plan->outer_after);
        uint64_t before = total(plan, b, plan->crossing_before, plan->outer_before);
        if (after != before)
            return after < before;
    }
    uint64_t a1 = max_first ? a->jmax : a->jsum, a2 = max_first ? a->jsum : a->jmax;
    uint64_t b1 = max_first ? b->jmax : b->jsum, b2 = max_first ? b->jsum : b->jmax;
    return a1 < b1 || (a1 == b1 && a2 < b2);
}

int smap_plan_create(struct smap_plan **plan, const struct smap_request *request,
                     const struct smap_nodesizes *sizes, const uint32_t node_of_rank[],
                     struct smap_error *err)
{
    struct smap_mapping_options options;
    struct smap_plan *p = calloc(1, sizeof(*p));
    if (!p)
        return smap_nomem(err);
    int rc = smap_problem_init(&p->problem, request, smap_nodesizes_tasks(sizes), err);
    p->instance = smap_problem_on(&p->problem, sizes);
    if (rc == SMAP_OK)
        rc = smap_request_options(&options, &p->levels, request, sizes, err);
    if (rc == SMAP_OK)
        rc = find_outer(p, request, err);
    if (rc == SMAP_OK)
        rc = score_before(p, node_of_rank, err);
    if (rc == SMAP_OK)
        rc = score_after(p, request, &options, err);
    if (rc != SMAP_OK) {
        smap_plan_destroy(p);
        return rc;
    }
    p->gains = is_better(p, request);
    *plan = p;
    return SMAP_OK;
}

void smap_plan_destroy(struct smap_plan *plan)
{
    if (!plan)
        return;
    smap_mapping_destroy(plan->mapping);
    smap_problem_release(&plan->problem);
    smap_outer_clear(&plan->own_outer);
    free(plan->node_of_cell);
    free(plan);
}
