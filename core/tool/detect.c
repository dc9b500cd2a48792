/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap detect: which grid a code is, from a record of a run. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "detect/outcome.h"
#include "step/layout.h"
#include "tool/tool.h"

/* All that is told about a record. */
struct view {
    const char *path;
    struct smap_record record;
    struct smap_detection detection;
    struct smap_nodesizes *sizes; /* NULL: no nodes are known, or one alone */
    uint32_t *own;                /* the node of each rank, as it was */
    struct smap_outcome outcome;  /* with plan NULL: nothing is mapped */
};

static void view_clear(struct view *view)
{
    smap_outcome_clear(&view->outcome);
    smap_detection_clear(&view->detection);
    smap_record_clear(&view->record);
    smap_nodesizes_destroy(view->sizes);
    free(view->own);
}

/* The nodes of the record, or those that -N and the like say, filled one after the other. */
static int find_nodes(struct view *view, const struct args *args, struct smap_error *err)
{
    const struct smap_record *record = &view->record;
    struct args step = *args;
    char ranks[16];
    snprintf(ranks, sizeof(ranks), "%" PRIu32, record->ranks);
    step.tasks = args->tasks ? args->tasks : ranks;
    view->own = calloc(record->ranks, sizeof(*view->own));
    if (!view->own)
        return smap_nomem(err);
    if (!args->nodes && !args->tasks && !args->ntasks_per_node && !args->tasks_per_node) {
        memcpy(view->own, record->node_of_rank, record->ranks * sizeof(*view->own));
        int rc = smap_record_sizes(&view->sizes, record, err);
        return rc == SMAP_ENOTSUP ? SMAP_OK : rc;
    }
    int rc = args_sizes(&step, &view->sizes, err);
    if (rc == SMAP_OK && smap_nodesizes_tasks(view->sizes) != record->ranks)
        rc = smap_fail(err, SMAP_EINVAL, "%" PRIu32 " tasks, the record has %" PRIu32 " ranks",
                       smap_nodesizes_tasks(view->sizes), record->ranks);
    if (rc == SMAP_OK)
        rc = smap_layout_blocks(view->own, view->sizes, smap_nodesizes_largest(view->sizes), err);
    return rc;
}

/* The grid where one was found whose ranks can be named, else the graph. */
static int find_outcome(struct view *view, struct smap_error *err)
{
    const struct smap_finding *best = view->detection.count ? view->detection.finding : NULL;
    if (!view->sizes || smap_nodesizes_nodes(view->sizes) < 2)
        return SMAP_OK;
    if (best && (best->ranks.every || best->ranks.out || view->detection.parts > 1))
        best = NULL;
    return smap_outcome_init(&view->outcome, &view->record, best, view->sizes, view->own, err);
}

static int view_init(struct view *view, const struct args *args, struct smap_error *err)
{
    struct smap_error reason = {""};
    *view = (struct view){.path = args->rest[0]};
    int rc = strcmp(view->path, "-") == 0 ? smap_record_read(&view->record, stdin, &reason)
                                          : smap_record_load(&view->record, view->path, &reason);
    if (rc != SMAP_OK)
        return smap_fail(err, rc, "%.200s: %.250s", view->path, reason.text);
    rc = find_nodes(view, args, err);
    if (rc == SMAP_OK)
        rc = smap_detect(&view->detection, &view->record, err);
    return rc == SMAP_OK ? find_outcome(view, err) : rc;
}

/* "96.4 MB" */
static const char *bytes_text(char text[32], uint64_t bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 999.5 && unit < 6; unit++)
        value /= 1000;
    snprintf(text, 32, unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The share of the bytes; of the pairs where no bytes are known. */
static double explained(const struct smap_finding *f, const struct smap_record *record)
{
    return record->bytes ? percent(f->bytes, record->bytes) : percent(f->pairs, record->edges);
}

/* What srun would take for this grid; the graph where no options say the grid. */
static char *options_text(const struct view *view, const struct smap_finding *f,
                          const char **reason)
{
    struct smap_text text = {0};
    *reason = "no grid";
    char *options = f ? smap_finding_options(f, view->record.ranks, reason) : NULL;
    if (options || !*reason)
        return options;
    smap_text_add(&text, "--stencil-map --stencil=@%s", view->path);
    return smap_text_take(&text);
}

static int print_rows(const struct view *view, const char *format, struct smap_error *err)
{
    static const char *const columns[] = {"dims",      "periodic", "stencil",
                                          "explained", "options",  NULL};
    struct smap_table *table = smap_table_create(columns);
    for (size_t i = 0; i < view->detection.count; i++) {
        const struct smap_finding *f = &view->detection.finding[i];
        const char *reason;
        char *dims = smap_finding_dims(f), *periodic = smap_finding_periodic(f);
        char *options = options_text(view, f, &reason);
        smap_table_add(table, "%s", dims ? dims : "");
        smap_table_add(table, "%s", periodic ? periodic : "");
        smap_table_add(table, "%s", f->name ? f->name : f->stencil_text);
        smap_table_add(table, "%.4f", explained(f, &view->record) / 100);
        smap_table_add(table, "%s", options ? options : "");
        free(dims);
        free(periodic);
        free(options);
    }
    smap_table_text_column(table, "dims");
    smap_table_text_column(table, "periodic");
    int rc = table_print(table, format, err);
    smap_table_destroy(table);
    return rc;
}

static void print_grid(const struct view *view, const struct smap_finding *f)
{
    const struct smap_record *record = &view->record;
    char *dims = smap_finding_dims(f), *ranks = smap_finding_ranks(f, record->ranks);
    bool any = false, twice = false;
    for (size_t i = 0; i < f->grid.ndims; i++) {
        any = any || f->grid.periodic[i];
        twice = twice || (f->grid.periodic[i] && f->grid.dims[i] == 2);
    }
    char *periodic = any ? smap_finding_periodic(f) : NULL;
    printf("%s: %s, %.60s, %s%s: %.1f %% of the bytes, %.1f %% of the pairs", ranks ? ranks : "",
           dims ? dims : "", f->stencil_text, any ? "periodic " : "not periodic",
           periodic ? periodic : "", percent(f->bytes, record->bytes),
           percent(f->pairs, record->edges));
    if (f->grid_pairs > f->pairs)
        printf("; %.1f %% of the grid's pairs never sent",
               percent(f->grid_pairs - f->pairs, f->grid_pairs));
    puts(f->cart ? "; MPI_Cart_create made it" : "");
    if (twice)
        puts("  in periodic dimensions of size 2 both neighbours are one rank: the line calls them "
             "not periodic, so that it counts once");
    free(dims);
    free(ranks);
    free(periodic);
}

static void print_line(const struct view *view, const struct smap_finding *f)
{
    const char *reason;
    char *options = options_text(view, f, &reason);
    if (f && reason)
        printf("  %s: the record itself is mapped\n", reason);
    printf("  next time: srun %s ...\n", options ? options : "");
    free(options);
}

static void print_outcome(const struct view *view)
{
    const struct smap_traffic *before = &view->outcome.before, *after = &view->outcome.after;
    char one[32], two[32];
    if (!view->outcome.plan) {
        puts("  between nodes: not known, the record is of one node or names none; -N 4 supposes "
             "some");
        return;
    }
    double change = before->bytes ? percent(after->bytes, before->bytes) - 100 : 0;
    printf("  between nodes: %" PRIu64 " -> %" PRIu64 " pairs, %s -> %s (%+.0f %%)\n",
           before->pairs, after->pairs, bytes_text(one, before->bytes),
           bytes_text(two, after->bytes), change);
    printf("  J_sum %" PRIu64 " -> %" PRIu64 ", J_max %" PRIu64 " -> %" PRIu64 "%s\n",
           view->outcome.plan->before.jsum, view->outcome.plan->after.jsum,
           view->outcome.plan->before.jmax, view->outcome.plan->after.jmax,
           view->outcome.plan->gains ? "" : ": nothing is gained, the layout stays");
}

/* Answers that are as good, and what they differ in. */
static void print_ties(const struct view *view)
{
    const struct smap_detection *d = &view->detection;
    const struct smap_finding *best = &d->finding[0];
    for (size_t i = 1; i < d->count; i++) {
        const struct smap_finding *f = &d->finding[i];
        if (!smap_detection_ties(d, i))
            continue;
        char *dims = smap_finding_dims(f);
        printf("  %s fits as well: %.1f %% of the bytes, %" PRIu64 " pairs of the grid (%" PRIu64
               " in the first)\n",
               dims ? dims : "", percent(f->bytes, view->record.bytes), f->grid_pairs,
               best->grid_pairs);
        free(dims);
    }
}

static int print_picture(const struct view *view, const struct args *args, struct smap_error *err)
{
    const struct smap_plan *plan = view->outcome.plan;
    if (!plan || plan->problem.graph || plan->problem.grid.ndims > 3 ||
        plan->problem.grid.cells > 4096)
        return SMAP_OK;
    bool color;
    int rc = args_color(&color, args, err);
    putchar('\n');
    if (rc == SMAP_OK)
        rc = picture_terminal(&plan->problem, plan->node_of_rank + plan->problem.first, color, err);
    char *neighbours = smap_plan_neighbours(&plan->problem);
    if (neighbours)
        printf("%s\n", neighbours);
    free(neighbours);
    return rc;
}

static int print_text(const struct view *view, const struct args *args, struct smap_error *err)
{
    const struct smap_detection *d = &view->detection;
    const struct smap_record *record = &view->record;
    char size[32];
    printf("%" PRIu32 " ranks on %" PRIu32 " nodes: %zu pairs, %s\n", record->ranks, record->nodes,
           record->edges, bytes_text(size, record->bytes));
    if (d->cart.ndims > 0) {
        char *dims = smap_dims_format(d->cart.dims, d->cart.ndims, false);
        printf("MPI_Cart_create made %s, which does not explain what was sent\n", dims ? dims : "");
        free(dims);
    }
    if (d->count == 0)
        puts(record->edges ? "no grid explains who talks to whom" : "nobody sent anything");
    for (size_t i = 0; i < d->parts; i++) {
        print_grid(view, &d->finding[i]);
        if (d->parts > 1)
            print_line(view, &d->finding[i]);
    }
    if (d->parts > 1)
        puts("all at once:");
    if (record->edges)
        print_line(view, d->parts == 1 ? &d->finding[0] : NULL);
    if (record->edges)
        print_outcome(view);
    if (d->count > 0)
        print_ties(view);
    return print_picture(view, args, err);
}

static int print_svg(const struct view *view, struct smap_error *err)
{
    char captions[2][128], size[32];
    const char *const lines[2] = {captions[0], captions[1]};
    if (!view->outcome.plan)
        return smap_fail(
            err, SMAP_ENOTSUP,
            "--format=svg: the record is of one node or names none; -N 4 supposes some");
    const uint32_t *const nodes[2] = {view->own, view->outcome.plan->node_of_rank};
    for (int i = 0; i < 2; i++) {
        const struct smap_traffic *t = i ? &view->outcome.after : &view->outcome.before;
        snprintf(captions[i], sizeof(captions[i]),
                 "between nodes: %" PRIu64 " pairs, %s, %.0f %% of all bytes", t->pairs,
                 bytes_text(size, t->bytes), percent(t->bytes, view->record.bytes));
    }
    return heatmap_svg(&view->record, nodes, lines, err);
}

int command_detect(const struct args *args)
{
    static const char *const formats[] = {"table", "csv", "json", "svg", NULL};
    struct smap_error err = {""};
    struct view view = {.path = NULL};
    const char *format;
    if (args->rest_count != 1) {
        smap_fail(&err, SMAP_EINVAL, "detect takes one record: detect FILE");
        tool_fail(&err, SMAP_EINVAL);
        return EXIT_USAGE;
    }
    int rc = args_format(formats, &format, args, &err);
    if (rc == SMAP_OK)
        rc = view_init(&view, args, &err);
    if (rc == SMAP_OK)
        rc = strcmp(format, "svg") == 0     ? print_svg(&view, &err)
             : strcmp(format, "table") == 0 ? print_text(&view, args, &err)
                                            : print_rows(&view, format, &err);
    view_clear(&view);
    return rc == SMAP_OK ? EXIT_DONE : tool_fail(&err, rc);
}
