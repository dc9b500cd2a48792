/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap show: the node of every cell. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/best.h"
#include "order/order_nodes.h"
#include "plan/told.h"
#include "step/hostlist.h"
#include "step/layout.h"
#include "tool/preview.h"
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

static void add_cell(struct smap_table *table, const struct smap_problem *problem, uint32_t cell,
                     uint32_t node, uint32_t slot)
{
    char *coords = smap_problem_coords(problem, cell);
    smap_table_add(table, "%" PRIu32, cell);
    smap_table_add(table, "%s", coords ? coords : "");
    smap_table_add(table, "%" PRIu32, node);
    smap_table_add(table, "%" PRIu32, slot);
    if (smap_problem_is_part(problem))
        smap_table_add(table, "%" PRIu32, problem->first + cell);
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
    struct smap_table *table = smap_table_create(columns);
    smap_table_text_column(table, "coords");
    for (uint32_t rank = 0; rank < problem->tasks; rank++) {
        uint32_t node = plan->node_of_rank[rank], slot = ranks_on[node]++;
        if (smap_problem_has_rank(problem, rank))
            add_cell(table, problem, rank - problem->first, node, slot);
    }
    int rc = table_print(table, format, err);
    smap_table_destroy(table);
    free(ranks_on);
    return rc;
}

static int refuse_level(const char *level, const struct smap_hierarchy *h, struct smap_error *err)
{
    struct smap_text names = {0};
    for (size_t l = 0; l < h->count; l++)
        smap_text_add(&names, ", %s", h->level[l].name);
    char *list = smap_text_take(&names);
    smap_fail(err, SMAP_EINVAL, "--level=%.60s: not one of node%s%s", level, list ? list : "",
              h->count == 0 ? "; --rank-hierarchy or --topology names more" : "");
    free(list);
    return SMAP_EINVAL;
}

/* What the picture colours: nodes, or the objects of --level. The caller frees. */
static int find_colours(uint32_t **colour, const struct args *args, const struct smap_plan *plan,
                        const struct smap_request *request, struct smap_error *err)
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
        return refuse_level(args->level, h, err);
    *colour = calloc(cells, sizeof(**colour));
    if (!*colour)
        return smap_nomem(err);
    memcpy(*colour, plan->node_of_rank + plan->problem.first, cells * sizeof(**colour));
    if (level == SIZE_MAX)
        return SMAP_OK;
    const struct smap_seated seated = {.node_of_cell = plan->node_of_cell,
                                       .seating =
                                           request->layout ? SMAP_SEATS_BY_ORDER : SMAP_SEATS_BEST};
    return smap_levels_objects(*colour, &plan->levels, &plan->instance, &seated, level, err);
}

static int show_picture(const struct args *args, const struct smap_plan *plan,
                        const struct smap_request *request, const uint32_t colour[],
                        struct smap_error *err)
{
    bool color;
    int rc = args_color(&color, args, err);
    if (rc != SMAP_OK)
        return rc;
    char *summary = smap_plan_summary(plan, request);
    rc = picture_terminal(&plan->problem, colour, color, err);
    char *neighbours = smap_plan_neighbours(&plan->problem);
    if (rc == SMAP_OK)
        printf("%s\n", summary ? summary : "");
    if (rc == SMAP_OK && neighbours)
        printf("%s\n", neighbours);
    free(neighbours);
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
        int rc = find_colours(&colour, args, plan, request, err);
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

/* An order without a mapping: it deals the ranks to the nodes, as it does under srun. */
static int lay_out_by_order(uint32_t **layout, struct preview *preview, struct smap_error *err)
{
    const struct smap_request *r = &preview->request;
    uint32_t block, nodes = smap_nodesizes_nodes(preview->sizes);
    uint32_t tasks = smap_nodesizes_tasks(preview->sizes);
    if (r->ranks)
        return smap_fail(err, SMAP_EINVAL,
                         "--stencil-ranks=%.60s: an order alone is for all ranks; name a mapping "
                         "with --stencil-map",
                         r->ranks);
    int rc = smap_order_block(&block, r->order, r->hierarchy, nodes, tasks, err);
    if (rc != SMAP_OK)
        return rc;
    *layout = calloc(tasks, sizeof(**layout));
    if (!*layout)
        return smap_nomem(err);
    memcpy(*layout, preview->own, tasks * sizeof(**layout));
    if (block != SMAP_WHOLE_NODE)
        rc = smap_layout_blocks(*layout, preview->sizes, block, err);
    preview->request.layout = *layout;
    preview->request.map = "by the order";
    return rc;
}

/* Where a mapping gains nothing, the layout is left alone: that is what is shown then. */
static void leave_alone(struct smap_plan *plan, const struct preview *preview, const char *format)
{
    const uint32_t *own = plan->part.sizes ? plan->part.node_of_cell : preview->own;
    size_t cells = plan->problem.grid.cells * sizeof(*own);
    size_t ranks = plan->problem.tasks * sizeof(*own);
    if (plan->gains || preview->request.layout ||
        memcmp(plan->node_of_rank, preview->own, ranks) == 0)
        return;
    memcpy(plan->node_of_cell, own, cells);
    memcpy(plan->node_of_rank, preview->own, ranks);
    if (strcmp(format, "table") != 0 && strcmp(format, "svg") != 0) /* these have a caption */
        fprintf(stderr, "stencilmap: --stencil-map=%s gains nothing, this is Slurm's own layout\n",
                preview->request.map);
}

/* Where --mpi=pmi2 cannot tell MPI who shares a node srun launches another mapping in place of what
 * best found; others become comm, in which ranks stay and cells are where they are shown. */
static int obey_pmi2(struct smap_plan **plan, const struct preview *preview, struct smap_error *err)
{
    const char *instead = NULL;
    if (!(*plan)->gains || preview->request.layout)
        return SMAP_OK;
    int rc =
        smap_best_result((*plan)->mapping)
            ? smap_told_best(plan, &instead, &preview->request, preview->sizes, preview->own, err)
            : smap_told_by_pmi2(preview->sizes, (*plan)->node_of_rank, err);
    if (rc == SMAP_ENOTSUP)
        fprintf(stderr, "stencilmap: comm: %s\n", err->text);
    else if (rc == SMAP_OK && instead)
        fprintf(stderr, "stencilmap: %s in place of what best found, which pmi2 cannot tell MPI\n",
                instead);
    return rc == SMAP_ENOTSUP ? SMAP_OK : rc;
}

int command_show(const struct args *args)
{
    static const char *const formats[] = {"table", "csv", "json", "nodes", "svg", "hostfile", NULL};
    struct smap_error err = {""};
    struct preview preview = {.own = NULL};
    struct smap_plan *plan = NULL;
    uint32_t *layout = NULL;
    const char *format;
    int rc = args_format(formats, &format, args, &err);
    if (rc == SMAP_OK)
        rc = preview_init(&preview, args, &err);
    if (rc == SMAP_OK && !args->request.map && args->request.order)
        rc = lay_out_by_order(&layout, &preview, &err);
    else if (!args->request.map)
        preview.request.map = "best";
    if (rc == SMAP_OK)
        rc = smap_plan_create(&plan, &preview.request, preview.sizes, preview.own, &err);
    if (rc == SMAP_OK && args_pmi2(args))
        rc = obey_pmi2(&plan, &preview, &err);
    if (rc == SMAP_OK) {
        leave_alone(plan, &preview, format);
        rc = show(args, plan, &preview.request, format, &err);
    }
    smap_plan_destroy(plan);
    free(layout);
    preview_clear(&preview);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
