/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole road from option values to a mapping. Seven lines, empty ones mean "not given": tasks
 * per node, algorithm (none: all of them), stencil, dims, periodic flags, distribution to compare
 * with, ranks of the grid. */
#include "best/algorithms.h"
#include "fuzz.h"
#include "plan/plan.h"
#include "step/layout.h"

enum { TASKS_MAX = 500, EDGES_MAX = 200000 };

/* Every cell once, as many on each node as it has tasks, both directions and both forms alike. */
static void check_mapping(const struct smap_mapping *m, const struct smap_nodesizes *sizes,
                          const uint32_t node_of_cell[])
{
    uint32_t p = smap_nodesizes_tasks(sizes), nodes = smap_nodesizes_nodes(sizes);
    uint32_t cell_at[TASKS_MAX], count[TASKS_MAX] = {0};
    unsigned char seen[TASKS_MAX] = {0};
    smap_mapping_cells(cell_at, m);
    for (uint32_t q = 0; q < p; q++) {
        uint32_t cell = cell_at[q];
        REQUIRE(cell < p && !seen[cell]);
        seen[cell] = 1;
        REQUIRE(smap_mapping_cell(m, q) == cell);
        REQUIRE(smap_mapping_position(m, cell) == q);
        REQUIRE(node_of_cell[cell] < nodes && smap_mapping_node(m, cell) == node_of_cell[cell]);
        count[node_of_cell[cell]]++;
    }
    for (uint32_t i = 0; i < nodes; i++)
        REQUIRE(count[i] == smap_nodesizes_size(sizes, i));
}

/* Ranks outside of the grid stay, and every node keeps its tasks. */
static void check_ranks(const struct smap_plan *plan, const struct smap_nodesizes *sizes,
                        const uint32_t node_of_rank[])
{
    uint32_t count[TASKS_MAX] = {0};
    for (uint32_t rank = 0; rank < plan->problem.tasks; rank++) {
        uint32_t node = plan->node_of_rank[rank];
        REQUIRE(node < plan->nodes);
        REQUIRE(smap_problem_has_rank(&plan->problem, rank) ||
                node == (node_of_rank ? node_of_rank[rank] : smap_nodesizes_node_at(sizes, rank)));
        count[node]++;
    }
    for (uint32_t i = 0; i < plan->nodes; i++)
        REQUIRE(count[i] == smap_nodesizes_size(sizes, i));
}

static void check_plan(const struct smap_plan *plan, const struct smap_request *request)
{
    struct smap_error err = {""};
    const struct smap_score *s[] = {&plan->before, &plan->after};
    uint32_t nodes = smap_nodesizes_nodes(plan->instance.sizes);
    for (size_t i = 0; i < 2; i++) {
        REQUIRE(s[i]->jmin <= s[i]->jmax && s[i]->jmax <= s[i]->jsum);
        REQUIRE(s[i]->jsum <= s[i]->jmax * nodes);
        REQUIRE(nodes > 1 || s[i]->jsum == 0);
    }
    check_mapping(plan->mapping, plan->instance.sizes, plan->node_of_cell);
    char *texts[] = {smap_plan_summary(plan, request),
                     smap_plan_report(plan, request, "launch", true, &err),
                     smap_problem_dims(&plan->problem), smap_problem_periodic(&plan->problem),
                     smap_problem_coords(&plan->problem, plan->problem.grid.cells - 1)};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        REQUIRE(texts[i] && texts[i][0]);
        free(texts[i]);
    }
}

static void run(const struct smap_request *request, const struct smap_nodesizes *sizes,
                const uint32_t node_of_rank[])
{
    struct smap_error err = {""};
    struct smap_plan *plan = NULL;
    int rc = smap_plan_create(&plan, request, sizes, node_of_rank, &err);
    if (rc == SMAP_OK) {
        check_plan(plan, request);
        check_ranks(plan, sizes, node_of_rank);
    } else {
        REQUIRE(plan == NULL && (rc == SMAP_EINVAL || rc == SMAP_ENOTSUP));
        fuzz_check_error(err.text, sizeof(err.text));
    }
    smap_plan_destroy(plan);
}

/* Small enough to look at every cell many times? */
static int is_small(const struct smap_request *request, uint32_t tasks)
{
    struct smap_problem problem;
    if (smap_problem_init(&problem, request, tasks, NULL) != SMAP_OK)
        return 1; /* a refusal is quick */
    int small = problem.stencil->count * tasks <= EDGES_MAX;
    smap_problem_clear(&problem);
    return small;
}

static void run_all(struct smap_request *request, const struct smap_nodesizes *sizes,
                    const char *distribution)
{
    uint32_t tasks = smap_nodesizes_tasks(sizes), nodes = smap_nodesizes_nodes(sizes);
    uint32_t capacity[TASKS_MAX], layout[TASKS_MAX];
    struct smap_layout_rule rule;
    const uint32_t *node_of_rank = NULL;
    const char *name, *summary;
    if (tasks > TASKS_MAX || !is_small(request, tasks))
        return;
    for (uint32_t i = 0; i < nodes; i++)
        capacity[i] = smap_nodesizes_size(sizes, i);
    if (distribution && smap_layout_rule_parse(&rule, distribution, NULL) == SMAP_OK) {
        REQUIRE(smap_layout_nodes(layout, &rule, capacity, nodes, tasks, NULL) == SMAP_OK);
        node_of_rank = layout;
    }
    if (request->map) {
        run(request, sizes, node_of_rank);
        return;
    }
    for (size_t i = 0; smap_algorithm_name(&name, &summary, i); i++) {
        request->map = name;
        run(request, sizes, node_of_rank);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = text;
    const char *sizes_text = fuzz_line(&rest);
    struct smap_request request = {0};
    struct smap_nodesizes *sizes = NULL;
    request.map = fuzz_line(&rest);
    request.stencil = fuzz_line(&rest);
    request.dims = fuzz_line(&rest);
    request.periodic = fuzz_line(&rest);
    const char *distribution = fuzz_line(&rest);
    request.ranks = fuzz_line(&rest);
    (void)smap_problem_init(NULL, &request, 0, NULL);
    if (sizes_text && smap_nodesizes_parse(&sizes, sizes_text, NULL) == SMAP_OK)
        run_all(&request, sizes, distribution);
    smap_nodesizes_destroy(sizes);
    free(text);
    return 0;
}
