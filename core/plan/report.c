/* SPDX-License-Identifier: BSD-3-Clause */
/* What a user reads about a plan. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/plan.h"
#include "record/graph_file.h"

/* "(-50 %)", "(-0.2 %)"; nothing where nothing changes or there is nothing to compare with. */
static void add_change(struct smap_text *text, uint64_t before, uint64_t after)
{
    if (before == 0 || before == after)
        return;
    double percent = 100.0 * ((double)after - (double)before) / (double)before;
    smap_text_add(text, percent > -1 && percent < 1 ? " (%+.1f %%)" : " (%+.0f %%)", percent);
}

/* How good that is, where it can be proven and is worth a word: ", J_sum is optimal" or ", J_sum at
 * most 3.1 % above the optimum". */
static void add_certificate(struct smap_text *text, const struct smap_plan *plan)
{
    uint64_t got = plan->after.jsum, bound = plan->bound;
    if (got == bound && (bound > 0 || got == 0))
        smap_text_add(text, ", J_sum is optimal");
    else if (bound > 0 && got - bound <= bound / 4)
        smap_text_add(text, ", J_sum at most %.1f %% above the optimum",
                      100.0 * ((double)got - (double)bound) / (double)bound);
}

/* Of a file its name alone. */
static void add_stencil(struct smap_text *text, const struct smap_request *request)
{
    const char *stencil = request->stencil ? request->stencil : "nn", *path;
    const char *slash = smap_graph_is_file(&path, stencil) ? strrchr(path, '/') : NULL;
    if (slash)
        smap_text_add(text, "@%.60s", slash + 1);
    else
        smap_text_add(text, "%.60s", stencil);
}

/* " (ranks 2-33)" where that is not all of them. */
static void add_ranks(struct smap_text *text, const struct smap_problem *problem)
{
    char *ranks = smap_problem_is_part(problem) ? smap_problem_ranks(problem) : NULL;
    if (ranks)
        smap_text_add(text, " (ranks %s)", ranks);
    free(ranks);
}

/* "4x8", or "grid 4x8 assumed" where nobody has typed it; a graph has ranks only. */
static void add_grid(struct smap_text *text, const struct smap_plan *plan,
                     const struct smap_request *request)
{
    if (plan->problem.graph) {
        smap_text_add(text, "%" PRIu32 " ranks", plan->problem.grid.cells);
        add_ranks(text, &plan->problem);
        return;
    }
    char *dims = smap_problem_dims(&plan->problem);
    smap_text_add(text, request->dims ? "%s" : "grid %s assumed", dims ? dims : "?");
    add_ranks(text, &plan->problem);
    free(dims);
}

char *smap_plan_summary(const struct smap_plan *plan, const struct smap_request *request)
{
    struct smap_text text = {0};
    uint32_t nodes = smap_nodesizes_nodes(plan->instance.sizes);
    smap_text_add(&text, "%s, ", request->map);
    add_stencil(&text, request);
    smap_text_add(&text, " on ");
    add_grid(&text, plan, request);
    smap_text_add(&text, " over %" PRIu32 " node%s: J_sum %" PRIu64 " -> %" PRIu64, nodes,
                  nodes == 1 ? "" : "s", plan->before.jsum, plan->after.jsum);
    add_change(&text, plan->before.jsum, plan->after.jsum);
    smap_text_add(&text, ", J_max %" PRIu64 " -> %" PRIu64, plan->before.jmax, plan->after.jmax);
    add_certificate(&text, plan);
    if (!plan->gains && !request->layout)
        smap_text_add(&text, ": nothing gained, layout left alone");
    return smap_text_take(&text);
}

char *smap_plan_neighbours(const struct smap_problem *problem)
{
    struct smap_text text = {0};
    size_t d = problem->grid.ndims, last = d;
    while (last > 0 && problem->grid.dims[last - 1] == 1)
        last--;
    if (last == 0 || problem->graph)
        return NULL;
    size_t typed = problem->column ? d - last : last - 1; /* in the user's order */
    smap_text_add(&text, "ranks %" PRIu32 " and %" PRIu32 " differ in ", problem->first,
                  problem->first + 1);
    if (d == 1)
        smap_text_add(&text, "the only dimension");
    else if (typed == 0 || typed + 1 == d)
        smap_text_add(&text, "the %s dimension", typed == 0 ? "first" : "last");
    else
        smap_text_add(&text, "dimension %zu of %zu", typed + 1, d);
    return smap_text_take(&text);
}

static void add_row(struct smap_text *text, const char *what, uint64_t before, uint64_t after)
{
    smap_text_add(text, "  %-10s %12" PRIu64 " %12" PRIu64, what, before, after);
    add_change(text, before, after);
    smap_text_add(text, "\n");
}

/* What crosses the levels inside the nodes, wherever there is more than one object; the last level,
 * the cores, says nothing. */
static void add_levels(struct smap_text *text, const struct smap_plan *plan)
{
    const struct smap_hierarchy *h = &plan->levels.hierarchy;
    for (size_t l = 0; l + 1 < h->count; l++)
        if (h->level[l].arity > 1)
            add_row(text, h->level[l].name, plan->crossing_before[l], plan->crossing_after[l]);
}

static int add_nodes(struct smap_text *text, const struct smap_plan *plan, struct smap_error *err)
{
    uint32_t nodes = smap_nodesizes_nodes(plan->instance.sizes);
    struct smap_score score;
    uint64_t *out = calloc(nodes, sizeof(*out));
    if (!out)
        return smap_nomem(err);
    int rc = smap_score_nodes(&score, out, &plan->instance, plan->node_of_cell, nodes, err);
    smap_text_add(text, "  %-10s %12s %12s\n", "node", "tasks", "out");
    for (uint32_t i = 0; rc == SMAP_OK && i < nodes; i++)
        smap_text_add(text, "  %-10" PRIu32 " %12" PRIu32 " %12" PRIu64 "\n",
                      smap_plan_node(plan, i), smap_nodesizes_size(plan->instance.sizes, i),
                      out[i]);
    free(out);
    return rc;
}

char *smap_plan_report(const struct smap_plan *plan, const struct smap_request *request,
                       const char *placement, bool full, struct smap_error *err)
{
    struct smap_text text = {0};
    char *sizes = smap_nodesizes_format(plan->instance.sizes);
    char *neighbours = smap_plan_neighbours(&plan->problem);
    int rc = SMAP_OK;
    smap_text_add(&text, "  %s, stencil ", request->map);
    add_stencil(&text, request);
    smap_text_add(&text, request->dims ? ", grid " : ", ");
    add_grid(&text, plan, request);
    smap_text_add(&text, ", %" PRIu32 " tasks on nodes of %.200s\n", plan->problem.grid.cells,
                  sizes ? sizes : "?");
    if (neighbours)
        smap_text_add(&text, "  %s\n", neighbours);
    free(neighbours);
    smap_text_add(&text, "  %-10s %12s %12s\n", "", "before", "after");
    add_row(&text, "J_sum", plan->before.jsum, plan->after.jsum);
    add_row(&text, "J_max", plan->before.jmax, plan->after.jmax);
    add_row(&text, "J_min", plan->before.jmin, plan->after.jmin);
    for (size_t l = 0; plan->outer && l < plan->outer->levels; l++)
        add_row(&text, plan->outer->name[l], plan->outer_before[l], plan->outer_after[l]);
    add_levels(&text, plan);
    smap_text_add(&text, "  placement  %s\n", plan->gains ? placement : "none, nothing gained");
    if (full)
        rc = add_nodes(&text, plan, err);
    free(sizes);
    char *report = smap_text_take(&text);
    if (rc != SMAP_OK || !report) {
        free(report);
        if (rc == SMAP_OK)
            smap_nomem(err);
        return NULL;
    }
    return report;
}
