/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap show: the node of every cell. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "step/hostlist.h"
#include "tool/tool.h"

/* Of all ranks of the step, those outside of the grid too. */
static int show_hostfile(const struct args *args, const struct smap_plan *plan,
                         struct smap_error *err)
{
    struct smap_hostlist *hosts = NULL;
    if (!args->nodelist)
        return smap_fail(err, SMAP_EINVAL, "--format=hostfile: name the nodes with -w");
    int rc = smap_hostlist_parse(&hosts, args->nodelist, err);
    if (rc == SMAP_OK && hosts->count != plan->nodes)
        rc = smap_fail(err, SMAP_EINVAL, "--nodelist=%.100s: %zu nodes, the step has %" PRIu32,
                       args->nodelist, hosts->count, plan->nodes);
    for (uint32_t rank = 0; rc == SMAP_OK && rank < plan->problem.tasks; rank++)
        puts(hosts->names[plan->node_of_rank[rank]]);
    smap_hostlist_destroy(hosts);
    return rc;
}

static void add_cell(struct table *table, const struct smap_problem *problem, uint32_t cell,
                     uint32_t node, uint32_t slot)
{
    char *coords = smap_problem_coords(problem, cell);
    table_add(table, "%" PRIu32, cell);
    table_add(table, "%s", coords ? coords : "");
    table_add(table, "%" PRIu32, node);
    table_add(table, "%" PRIu32, slot);
    if (smap_problem_is_part(problem))
        table_add(table, "%" PRIu32, problem->first + cell);
    free(coords);
}

/* A cell's slot is the index of its rank among the ranks of the node: as SLURM_LOCALID under
 * `launch`, where a node's tasks come in order of their ranks. Where the grid is part of the ranks,
 * a cell's rank is told too. */
static int show_rows(const struct smap_plan *plan, const char *format, struct smap_error *err)
{
    const struct smap_problem *problem = &plan->problem;
    const char *rank_column = smap_problem_is_part(problem) ? "rank" : NULL;
    const char *const columns[] = {"cell", "coords", "node", "slot", rank_column, NULL};
    uint32_t *ranks_on = calloc(plan->nodes, sizeof(*ranks_on));
    if (!ranks_on)
        return smap_nomem(err);
    struct table *table = table_create(columns);
    table_text_column(table, "coords");
    for (uint32_t rank = 0; rank < problem->tasks; rank++) {
        uint32_t node = plan->node_of_rank[rank], slot = ranks_on[node]++;
        if (smap_problem_has_rank(problem, rank))
            add_cell(table, problem, rank - problem->first, node, slot);
    }
    int rc = table_print(table, format, err);
    table_destroy(table);
    free(ranks_on);
    return rc;
}

/* What the picture colours: nodes, or the objects of --level. The caller frees. */
static int find_colours(const struct args *args, const struct smap_plan *plan, uint32_t **colour,
                        struct smap_error *err)
{
    const struct smap_hierarchy *h = &plan->levels.hierarchy;
    uint32_t cells = plan->problem.grid.cells;
    char name[SMAP_NAME_SIZE] = "node";
    size_t level = SIZE_MAX;
    if (args->level && !smap_level_canonical(name, args->level, strlen(args->level)))
        name[0] = '\0';
    if (strcmp(name, "node") != 0 && h->count > 0)
        level = smap_hierarchy_find(h, name);
    if (strcmp(name, "node") != 0 && level == SIZE_MAX)
        return smap_fail(err, SMAP_EINVAL,
                         "--level=%.60s: not a level of --rank-hierarchy or --topology",
                         args->level);
    *colour = calloc(cells, sizeof(**colour));
    if (!*colour)
        return smap_nomem(err);
    memcpy(*colour, plan->node_of_rank + plan->problem.first, cells * sizeof(**colour));
    if (level == SIZE_MAX)
        return SMAP_OK;
    return smap_levels_objects(*colour, &plan->levels, &plan->instance, plan->node_of_cell, level,
                               err);
}

static int show_picture(const struct args *args, const struct smap_plan *plan,
                        const struct smap_request *request, const uint32_t colour[],
                        struct smap_error *err)
{
    const char *wanted = args->color ? args->color : "auto";
    char *summary = smap_plan_summary(plan, request);
    bool color = strcmp(wanted, "always") == 0 ||
                 (strcmp(wanted, "auto") == 0 && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    if (!color && strcmp(wanted, "auto") != 0 && strcmp(wanted, "never") != 0) {
        free(summary);
        return smap_fail(err, SMAP_EINVAL, "--color=%.60s: not one of auto, always, never", wanted);
    }
    int rc = picture_terminal(&plan->problem, colour, color, err);
    if (rc == SMAP_OK)
        printf("%s\n", summary ? summary : "");
    free(summary);
    return rc;
}

static int show(const struct args *args, const struct smap_plan *plan,
                const struct smap_request *request, const char *format, struct smap_error *err)
{
    if (strcmp(format, "nodes") == 0) {
        for (uint32_t cell = 0; cell < plan->problem.grid.cells; cell++)
            printf("%" PRIu32 "\n", plan->node_of_rank[plan->problem.first + cell]);
        return SMAP_OK;
    }
    if (strcmp(format, "hostfile") == 0)
        return show_hostfile(args, plan, err);
    if (strcmp(format, "svg") == 0 || strcmp(format, "table") == 0) {
        uint32_t *colour = NULL;
        char *caption = smap_plan_summary(plan, request);
        int rc = find_colours(args, plan, &colour, err);
        if (rc == SMAP_OK)
            rc = strcmp(format, "svg") == 0
                     ? picture_svg(&plan->problem, colour, caption ? caption : "", err)
                     : show_picture(args, plan, request, colour, err);
        free(caption);
        free(colour);
        return rc;
    }
    return show_rows(plan, format, err);
}

int command_show(const struct args *args)
{
    static const char *const formats[] = {"table", "csv", "json", "nodes", "svg", "hostfile", NULL};
    struct smap_error err = {""};
    struct smap_nodesizes *sizes = NULL;
    struct smap_plan *plan = NULL;
    struct smap_request request = args->request;
    uint32_t *node_of_rank = NULL;
    char *machine = NULL;
    const char *format;
    if (!request.map)
        request.map = "best";
    int rc = args_format(args, formats, &format, &err);
    if (rc == SMAP_OK)
        rc = args_sizes(args, &sizes, &err);
    if (rc == SMAP_OK)
        rc = args_layout(args, sizes, &node_of_rank, &err);
    if (rc == SMAP_OK)
        rc = args_levels(args, sizes, &request, &machine, NULL, &err);
    if (rc == SMAP_OK)
        rc = smap_plan_create(&plan, &request, sizes, node_of_rank, &err);
    if (rc == SMAP_OK)
        rc = show(args, plan, &request, format, &err);
    smap_plan_destroy(plan);
    free(node_of_rank);
    free(machine);
    smap_nodesizes_destroy(sizes);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
