/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap plan: what each algorithm would gain. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "best/best.h"
#include "plan/told.h"
#include "tool/preview.h"
#include "tool/tool.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Columns behind the fixed ones: what crosses each level above the nodes and inside of them. */
static void add_crossings(struct smap_table *table, const struct smap_plan *plan)
{
    for (size_t l = 0; plan->outer && l < plan->outer->levels; l++) {
        smap_table_add(table, "%" PRIu64, plan->outer_after[l]);
        smap_table_add(table, "%" PRIu64, plan->outer_before[l]);
    }
    for (size_t l = 0; l + 1 < plan->levels.hierarchy.count; l++) {
        smap_table_add(table, "%" PRIu64, plan->crossing_after[l]);
        smap_table_add(table, "%" PRIu64, plan->crossing_before[l]);
    }
}

/* What is to become of the rows: the table, and below it the mappings that srun would not launch.
 */
struct rows {
    struct smap_table *table;
    struct smap_text untold; /* "kdtree (comm), best (another)": pmi2 cannot tell MPI of them */
    bool pmi2;               /* --mpi says that it would have to */
};

/* What srun does where pmi2 cannot tell MPI who shares a node: it launches another mapping in place
 * of what best found, and none in place of others. With --mpi=pmi2 *plan is the one. */
static int check_pmi2(struct rows *rows, struct smap_plan **plan,
                      const struct smap_request *request, const struct preview *preview,
                      struct smap_error *err)
{
    const char *instead = NULL, *gap = rows->untold.length > 0 ? ", " : "";
    bool best = smap_best_result((*plan)->mapping) != NULL;
    int rc =
        (*plan)->gains ? smap_told_by_pmi2(preview->sizes, (*plan)->node_of_rank, err) : SMAP_OK;
    if (rc != SMAP_ENOTSUP)
        return rc;
    if (best && rows->pmi2)
        rc = smap_told_best(plan, &instead, request, preview->sizes, preview->own, err);
    if (rc != SMAP_OK && rc != SMAP_ENOTSUP)
        return rc;
    if (best && (instead || !rows->pmi2))
        smap_text_add(&rows->untold, "%s%s (%s)", gap, request->map, instead ? instead : "another");
    else
        smap_text_add(&rows->untold, "%s%s (comm)", gap, request->map);
    return SMAP_OK;
}

static int add_algorithm(struct rows *rows, const struct preview *preview, const char *algorithm,
                         struct smap_error *err)
{
    struct smap_table *table = rows->table;
    struct smap_request request = preview->request;
    struct smap_plan *plan = NULL;
    double start = now();
    request.map = algorithm;
    int rc = smap_plan_create(&plan, &request, preview->sizes, preview->own, err);
    double end = now();
    if (rc == SMAP_OK)
        rc = check_pmi2(rows, &plan, &request, preview, err);
    if (rc == SMAP_OK) {
        smap_table_add(table, "%s", algorithm);
        smap_table_add(table, "%" PRIu64, plan->after.jsum);
        smap_table_add(table, "%" PRIu64, plan->after.jmax);
        smap_table_add(table, "%" PRIu64, plan->before.jsum);
        smap_table_add(table, "%" PRIu64, plan->before.jmax);
        if (plan->bound || plan->after.jsum == 0)
            smap_table_add(table, "%" PRIu64, plan->bound);
        else
            smap_table_add(table, "%s", "");
        smap_table_add(table, "%.6f", end - start);
        add_crossings(table, plan);
    }
    smap_plan_destroy(plan);
    return rc;
}

/* All algorithms, or the one asked for; an algorithm that cannot serve the instance is left out
 * unless it was the one. */
static int add_algorithms(struct rows *rows, const struct preview *preview, struct smap_error *err)
{
    if (preview->request.map)
        return add_algorithm(rows, preview, preview->request.map, err);
    for (size_t i = 0; smap_algorithm_at(i); i++) {
        int rc = add_algorithm(rows, preview, smap_algorithm_at(i)->name, err);
        if (rc != SMAP_OK && rc != SMAP_ENOTSUP)
            return rc;
    }
    return SMAP_OK;
}

static struct smap_table *make_table(const struct smap_levels *levels)
{
    static const char *const fixed[] = {"algorithm",    "jsum",  "jmax",   "blocked_jsum",
                                        "blocked_jmax", "bound", "seconds"};
    enum { FIXED = sizeof(fixed) / sizeof(fixed[0]) };
    const char *columns[FIXED + 2 * SMAP_LEVELS_MAX + 1] = {NULL};
    char blocked[SMAP_LEVELS_MAX][SMAP_NAME_SIZE + 8];
    size_t count = FIXED;
    memcpy(columns, fixed, sizeof(fixed));
    for (size_t l = 0; l + 1 < levels->full.count; l++) {
        const char *name = levels->full.level[l].name;
        if (l + 1 == levels->full.node_levels) /* the nodes: the fixed columns are about them */
            continue;
        snprintf(blocked[l], sizeof(blocked[l]), "blocked_%s", name);
        columns[count++] = name;
        columns[count++] = blocked[l];
    }
    return smap_table_create(columns);
}

/* Under the table: what the grid or graph is that all rows are about. */
static int print_grid(const struct preview *preview, struct smap_error *err)
{
    struct smap_problem problem;
    int rc =
        smap_problem_init(&problem, &preview->request, smap_nodesizes_tasks(preview->sizes), err);
    if (rc != SMAP_OK)
        return rc;
    char *dims = smap_problem_dims(&problem), *neighbours = smap_plan_neighbours(&problem);
    if (problem.graph)
        printf("graph of %" PRIu32 " ranks", problem.grid.cells);
    else
        printf("grid %s%s", dims ? dims : "?", preview->request.dims ? "" : " assumed");
    printf(neighbours ? ": %s\n" : "\n", neighbours);
    free(dims);
    free(neighbours);
    smap_problem_clear(&problem);
    return SMAP_OK;
}

/* Under the table; elsewhere on stderr, if that is what --mpi asks for. */
static void print_untold(struct rows *rows, bool is_table)
{
    char *untold = rows->untold.length > 0 ? smap_text_take(&rows->untold) : NULL;
    if (untold && is_table)
        print_wrapped("--mpi=pmi2 has no room to tell MPI of: %s", untold);
    else if (untold && rows->pmi2)
        fprintf(stderr, "stencilmap: --mpi=pmi2 has no room to tell MPI of: %s\n", untold);
    free(untold);
}

int plan_step(const struct args *args, struct smap_error *err)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};
    struct preview preview = {.own = NULL};
    struct rows rows = {.pmi2 = args_pmi2(args)};
    const char *format;
    int rc = args_format(formats, &format, args, err);
    if (rc == SMAP_OK)
        rc = preview_init(&preview, args, err);
    if (rc == SMAP_OK)
        rows.table = make_table(&preview.levels);
    if (rc == SMAP_OK)
        rc = add_algorithms(&rows, &preview, err);
    if (rc == SMAP_OK)
        rc = table_print(rows.table, format, err);
    if (rc == SMAP_OK && strcmp(format, "table") == 0)
        rc = print_grid(&preview, err);
    if (rc == SMAP_OK)
        print_untold(&rows, strcmp(format, "table") == 0);
    free(smap_text_take(&rows.untold));
    smap_table_destroy(rows.table);
    preview_clear(&preview);
    return rc;
}
