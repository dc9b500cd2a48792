/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "bench/plot.h"

void bench_report_init(struct bench_report *report, enum bench_format format, FILE *out, FILE *plot,
                       const char *const columns[])
{
    *report = (struct bench_report){.format = format, .out = out, .plot = plot};
    report->table = smap_table_create(columns);
    smap_table_text_column(report->table, "dims");
    smap_table_text_column(report->table, "periodic");
    smap_table_text_column(report->table, "pair_percent");
}

static void put_line(struct bench_report *report, enum smap_table_format format, size_t row)
{
    struct smap_text text = {0};
    smap_table_line(&text, report->table, format, row);
    char *line = smap_text_take(&text);
    if (line)
        fputs(line, report->out);
    report->failed = report->failed || !line;
    free(line);
}

void bench_report_row(struct bench_report *report)
{
    if (!smap_table_complete(report->table)) {
        report->failed = true;
        return;
    }
    if (report->format != BENCH_CSV)
        return;
    for (; report->printed <= smap_table_rows(report->table); report->printed++)
        put_line(report, SMAP_TABLE_CSV, report->printed);
    fflush(report->out);
}

void bench_report_stat(struct bench_report *report, const struct bench_stat *ms)
{
    smap_table_add(report->table, "%" PRIu32, ms->count);
    smap_table_add(report->table, "%" PRIu32, ms->outliers);
    smap_table_add(report->table, "%.6f", ms->mean);
    if (isnan(ms->half_width))
        smap_table_add(report->table, "%s", "");
    else
        smap_table_add(report->table, "%.6f", ms->half_width);
    smap_table_add(report->table, "%.6f", ms->median);
}

void bench_report_ratio(struct bench_report *report, const struct bench_ratio *ratio)
{
    smap_table_add(report->table, "%.4f", ratio->value);
    const double ends[] = {ratio->low, ratio->high};
    for (size_t i = 0; i < 2; i++) {
        if (isnan(ends[i]))
            smap_table_add(report->table, "%s", "");
        else
            smap_table_add(report->table, "%.4f", ends[i]);
    }
}

void bench_report_panel(struct bench_report *report, struct bench_panel *panel)
{
    struct bench_panel **grown = NULL;
    if (panel)
        grown = reallocarray(report->panels, report->count + 1, sizeof(struct bench_panel *));
    if (!grown) {
        report->failed = true;
        bench_panel_destroy(panel);
        return;
    }
    report->panels = grown;
    report->panels[report->count++] = panel;
    if (report->format != BENCH_TABLE)
        return;
    fprintf(report->out, "%s\n", report->count == 1 ? report->caption : "");
    bench_panel_print(panel, report->out);
    fflush(report->out);
}

static void put_json(struct bench_report *report)
{
    fprintf(report->out, "{\n\"setup\": %s,\n\"results\": ", report->setup);
    for (size_t row = 0; row <= smap_table_rows(report->table); row++)
        put_line(report, SMAP_TABLE_JSON, row);
    fputs("}\n", report->out);
}

static void put_plots(struct bench_report *report)
{
    if (report->format == BENCH_SVG)
        bench_plot(report->out, report->heading, report->panels, report->count);
    if (!report->plot)
        return;
    bench_plot(report->plot, report->heading, report->panels, report->count);
    report->failed = report->failed || ferror(report->plot);
    report->failed = fclose(report->plot) != 0 || report->failed;
}

bool bench_report_finish(struct bench_report *report)
{
    report->failed = report->failed || !smap_table_complete(report->table);
    if (report->format == BENCH_CSV)
        bench_report_row(report); /* the names alone where nothing was measured */
    if (report->format == BENCH_JSON)
        put_json(report);
    put_plots(report);
    report->failed = fflush(report->out) != 0 || ferror(report->out) || report->failed;
    for (size_t i = 0; i < report->count; i++)
        bench_panel_destroy(report->panels[i]);
    free(report->panels);
    smap_table_destroy(report->table);
    return !report->failed;
}
