/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/rows.h"

#include <inttypes.h>

const char *const bench_rows_columns[] = {
    "measure",   "stencil", "dims",        "periodic",     "processes", "nodes",   "map",
    "jsum",      "jmax",    "bytes",       "runs",         "outliers",  "mean_ms", "ci_ms",
    "median_ms", "speedup", "speedup_low", "speedup_high", NULL};

static void add_case(const struct bench_measure *m, const char *what)
{
    struct smap_table *table = m->report->table;
    smap_table_add(table, "%s", what);
    smap_table_add(table, "%s", m->c->stencil_text);
    smap_table_add(table, "%s", m->c->dims);
    smap_table_add(table, "%s", m->c->periodic);
    smap_table_add(table, "%d", m->machine->size);
    smap_table_add(table, "%" PRIu32, m->machine->hosts);
}

static void add_blank(const struct bench_measure *m, int count)
{
    for (int i = 0; i < count; i++)
        smap_table_add(m->report->table, "%s", "");
}

void bench_rows_add(const struct bench_measure *m, const char *what, uint64_t bytes,
                    const struct bench_candidate *candidate, const struct bench_point *point)
{
    struct smap_table *table = m->report->table;
    add_case(m, what);
    smap_table_add(table, "%s", candidate->name);
    smap_table_add(table, "%" PRIu64, candidate->score.jsum);
    smap_table_add(table, "%" PRIu64, candidate->score.jmax);
    smap_table_add(table, "%" PRIu64, bytes);
    bench_report_stat(m->report, &point->ms);
    bench_report_ratio(m->report, &point->speedup);
    bench_report_row(m->report);
}

void bench_rows_add_name(const struct bench_measure *m, const char *what, const char *name,
                         const struct bench_point *point)
{
    add_case(m, what);
    smap_table_add(m->report->table, "%s", name);
    add_blank(m, 3);
    bench_report_stat(m->report, &point->ms);
    add_blank(m, 3);
    bench_report_row(m->report);
}

struct bench_panel *bench_rows_panel(const struct bench_measure *m, size_t sizes, size_t series,
                                     const char *front)
{
    struct bench_panel *panel = bench_panel_create(series, sizes);
    if (!panel)
        bench_no_memory();
    const char *periodic = m->c->periodic;
    snprintf(panel->title, sizeof(panel->title),
             "%s%.100s on %.60s%s%.40s, %d processes on %" PRIu32 " node%s", front,
             m->c->stencil_text, m->c->dims, *periodic ? ", periodic " : "", periodic,
             m->machine->size, m->machine->hosts, m->machine->hosts == 1 ? "" : "s");
    panel->what = "map";
    panel->notes[0] = "J_sum";
    panel->notes[1] = "J_max";
    return panel;
}

void bench_rows_name(struct bench_series *series, const struct bench_candidate *candidate)
{
    snprintf(series->name, sizeof(series->name), "%s", candidate->name);
    snprintf(series->note[0], sizeof(series->note[0]), "%" PRIu64, candidate->score.jsum);
    snprintf(series->note[1], sizeof(series->note[1]), "%" PRIu64, candidate->score.jmax);
}
