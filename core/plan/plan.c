/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "best/best.h"
#include "bound/bound.h"
#include "plan/problem_private.h"

/* The levels above the nodes, if anybody has told. sizes: of all nodes of the step. */
static int find_outer(struct smap_plan *plan, const struct smap_request *request,
                      const struct smap_nodesizes *sizes, struct smap_error *err)
{
    const struct smap_hierarchy *full = &plan->levels.full;
    struct smap_outer own = {0};
    const struct smap_outer *all = request->outer;
    int rc = SMAP_OK;
    if (!all && plan->levels.hierarchy.count > 0 && full->node_levels > 1) {
        rc = smap_outer_from_hierarchy(&own, full, smap_nodesizes_nodes(sizes), err);
        all = &own;
    }
    if (rc == SMAP_OK && all && plan->part.sizes) {
        rc = smap_part_outer(&plan->own_outer, &plan->part, all, err);
        plan->outer = &plan->own_outer;
        smap_outer_clear(&own);
    } else {
        plan->own_outer = own;
        plan->outer = all == &own ? &plan->own_outer : all;
    }
    return rc;
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

/* Where all ranks of the step are without us. */
static int find_layout(struct smap_plan *plan, const struct smap_nodesizes *sizes,
                       const uint32_t node_of_rank[], struct smap_error *err)
{
    uint32_t tasks = smap_nodesizes_tasks(sizes);
    plan->nodes = smap_nodesizes_nodes(sizes);
    plan->node_of_rank = calloc(tasks, sizeof(*plan->node_of_rank));
    if (!plan->node_of_rank)
        return smap_nomem(err);
    for (uint32_t rank = 0; rank < tasks; rank++)
        plan->node_of_rank[rank] =
            node_of_rank ? node_of_rank[rank] : smap_nodesizes_node_at(sizes, rank);
    return SMAP_OK;
}

/* The nodes that the grid is on: all of the step's, or those that have ranks of it. */
static int find_instance(struct smap_plan *plan, const struct smap_nodesizes *sizes,
                         struct smap_error *err)
{
    const struct smap_problem *problem = &plan->problem;
    plan->instance = smap_problem_on(problem, sizes);
    if (!smap_problem_is_part(problem))
        return SMAP_OK;
    int rc = smap_part_init(&plan->part, plan->node_of_rank + problem->first, problem->grid.cells,
                            plan->nodes, err);
    plan->instance.sizes = plan->part.sizes;
    return rc;
}

static int score_before(struct smap_plan *plan, struct smap_error *err)
{
    const uint32_t *node_of_cell = plan->part.sizes ? plan->part.node_of_cell : plan->node_of_rank;
    int rc = smap_score_nodes(&plan->before, NULL, &plan->instance, node_of_cell,
                              smap_nodesizes_nodes(plan->instance.sizes), err);
    if (rc == SMAP_OK) {
        const struct smap_seated seated = {node_of_cell, plan->before.jsum, SMAP_SEATS_BY_RANK};
        rc = cross_levels(plan->crossing_before, plan, &seated, err);
    }
    if (rc == SMAP_OK)
        rc = cross_outer(plan->outer_before, plan, node_of_cell, err);
    return rc;
}

static int find_bound(struct smap_plan *plan, struct smap_error *err)
{
    const struct smap_best_result *best = plan->mapping ? smap_best_result(plan->mapping) : NULL;
    if (best) {
        plan->bound = best->bound;
        return SMAP_OK;
    }
    return smap_bound_jsum(&plan->bound, &plan->instance, err);
}

/* The mapping, and its text if one is wanted: NULL if that is too long. */
static int make_mapping(struct smap_plan *plan, const struct smap_request *request,
                        const struct smap_mapping_options *options, struct smap_error *err)
{
    smap_mapping_destroy(plan->mapping);
    plan->mapping = NULL;
    int rc = smap_mapping_from_text(&plan->mapping, request->map, &plan->instance, options, err);
    if (rc == SMAP_OK && request->text_max)
        rc = smap_mapping_to_text(&plan->text, plan->mapping, request->text_max, err);
    return rc;
}

static int find_mapping(struct smap_plan *plan, const struct smap_request *request,
                        const struct smap_mapping_options *options, struct smap_error *err)
{
    struct smap_mapping_options closed = *options;
    closed.closed_form = true;
    int rc = make_mapping(plan, request, options, err);
    bool too_long = rc == SMAP_OK && request->text_max && !plan->text;
    if (too_long && smap_best_result(plan->mapping)) {
        rc = make_mapping(plan, request, &closed, err);
        too_long = rc == SMAP_OK && !plan->text;
    }
    if (too_long)
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "more than %zu characters would tell the nodes their cells; best and "
                       "hyperplane take fewer",
                       request->text_max);
    return rc == SMAP_OK ? rc : smap_blame(err, "stencil-map", request->map, rc);
}

static int choose_nodes(struct smap_plan *plan, const struct smap_request *request,
                        const struct smap_mapping_options *options, struct smap_error *err)
{
    uint32_t cells = plan->problem.grid.cells;
    plan->node_of_cell = calloc(cells, sizeof(*plan->node_of_cell));
    if (!plan->node_of_cell)
        return smap_nomem(err);
    if (request->layout) {
        memcpy(plan->node_of_cell, request->layout, cells * sizeof(*plan->node_of_cell));
        return SMAP_OK;
    }
    int rc = find_mapping(plan, request, options, err);
    if (rc == SMAP_OK)
        rc = smap_mapping_nodes(plan->node_of_cell, plan->mapping, err);
    if (rc == SMAP_OK && plan->outer && !request->text_max &&
        options->objective == SMAP_OBJECTIVE_LEVELS)
        rc = smap_outer_arrange(plan->node_of_cell, plan->outer, &plan->instance, err);
    return rc;
}

static int score_after(struct smap_plan *plan, const struct smap_request *request,
                       const struct smap_mapping_options *options, struct smap_error *err)
{
    int rc = choose_nodes(plan, request, options, err);
    if (rc == SMAP_OK)
        rc = cross_outer(plan->outer_after, plan, plan->node_of_cell, err);
    if (rc == SMAP_OK)
        rc = find_bound(plan, err);
    if (rc == SMAP_OK)
        rc = smap_score_nodes(&plan->after, NULL, &plan->instance, plan->node_of_cell,
                              smap_nodesizes_nodes(plan->instance.sizes), err);
    if (rc != SMAP_OK)
        return rc;
    const struct smap_seated seated = {plan->node_of_cell, plan->after.jsum,
                                       request->layout ? SMAP_SEATS_BY_ORDER : SMAP_SEATS_BEST};
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
static bool is_better(const struct smap_plan *plan, enum smap_objective objective)
{
    const struct smap_score *a = &plan->after, *b = &plan->before;
    bool max_first = objective == SMAP_OBJECTIVE_MAX;
    if (objective == SMAP_OBJECTIVE_LEVELS) {
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
    if (rc == SMAP_OK)
        rc = find_layout(p, sizes, node_of_rank, err);
    if (rc == SMAP_OK)
        rc = find_instance(p, sizes, err);
    if (rc == SMAP_OK)
        rc = smap_request_options(&options, &p->levels, request, sizes, err);
    if (rc == SMAP_OK)
        rc = find_outer(p, request, sizes, err);
    if (rc == SMAP_OK)
        rc = score_before(p, err);
    if (rc == SMAP_OK)
        rc = score_after(p, request, &options, err);
    if (rc != SMAP_OK) {
        smap_plan_destroy(p);
        return rc;
    }
    for (uint32_t cell = 0; cell < p->problem.grid.cells; cell++)
        p->node_of_rank[p->problem.first + cell] = smap_plan_node(p, p->node_of_cell[cell]);
    p->gains = is_better(p, options.objective);
    *plan = p;
    return SMAP_OK;
}

void smap_plan_destroy(struct smap_plan *plan)
{
    if (!plan)
        return;
    smap_mapping_destroy(plan->mapping);
    smap_problem_clear(&plan->problem);
    smap_outer_clear(&plan->own_outer);
    smap_part_clear(&plan->part);
    free(plan->node_of_cell);
    free(plan->node_of_rank);
    free(plan->text);
    free(plan);
}

uint32_t smap_plan_node(const struct smap_plan *plan, uint32_t node)
{
    return plan->part.node ? plan->part.node[node] : node;
}
