/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/panel.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench_panel *bench_panel_create(size_t series_count, size_t x_count)
{
    struct bench_panel *panel = calloc(1, sizeof(*panel));
    if (!panel)
        return NULL;
    panel->series = calloc(series_count + 1, sizeof(*panel->series));
    panel->x = calloc(x_count + 1, sizeof(*panel->x));
    bool good = panel->series && panel->x;
    panel->x_count = x_count;
    for (; good && panel->series_count < series_count; panel->series_count++) {
        struct bench_series *series = &panel->series[panel->series_count];
        series->points = calloc(x_count + 1, sizeof(*series->points));
        good = series->points != NULL;
    }
    if (good)
        return panel;
    bench_panel_destroy(panel);
    return NULL;
}

void bench_panel_destroy(struct bench_panel *panel)
{
    if (!panel)
        return;
    for (size_t i = 0; i < panel->series_count; i++)
        free(panel->series[i].points);
    free(panel->series);
    free(panel->x);
    free(panel);
}

void bench_bytes_text(char text[24], uint64_t bytes)
{
    const uint64_t k = 1024, m = k * k;
    if (bytes >= m && bytes % m == 0)
        snprintf(text, 24, "%" PRIu64 "M", bytes / m);
    else if (bytes >= k && bytes % k == 0)
        snprintf(text, 24, "%" PRIu64 "k", bytes / k);
    else
        snprintf(text, 24, "%" PRIu64, bytes);
}

static int digits_behind(double ms)
{
    return ms < 1 ? 4 : ms < 100 ? 3 : 1;
}

static void point_text(char text[32], const struct bench_point *point, bool reference)
{
    if (!point->known)
        snprintf(text, 32, "- ");
    else if (reference)
        snprintf(text, 32, "%.*f ", digits_behind(point->ms.mean), point->ms.mean);
    else
        snprintf(text, 32, "%.*f%c", point->speedup.value < 0.1 ? 4 : 2, point->speedup.value,
                 bench_ratio_sure(&point->speedup) ? ' ' : '~');
}

/* The first column holds the name, "ms" behind that of the reference. */
static void name_text(char text[80], const struct bench_panel *panel, size_t i)
{
    bool reference = i == 0 && panel->kind == BENCH_LINES;
    snprintf(text, 80, "%s%s", panel->series[i].name, reference ? " ms" : "");
}

static int name_width(const struct bench_panel *panel)
{
    char text[80];
    size_t width = strlen(panel->what);
    for (size_t i = 0; i < panel->series_count; i++) {
        name_text(text, panel, i);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

static int note_width(const struct bench_panel *panel, size_t note)
{
    size_t width = strlen(panel->notes[note]);
    for (size_t i = 0; i < panel->series_count; i++) {
        size_t length = strlen(panel->series[i].note[note]);
        width = length > width ? length : width;
    }
    return (int)width;
}

static void print_front(const struct bench_panel *panel, size_t i, FILE *out)
{
    char name[80];
    bool header = i == panel->series_count;
    if (!header)
        name_text(name, panel, i);
    fprintf(out, "%-*s", name_width(panel), header ? panel->what : name);
    for (size_t note = 0; note < BENCH_NOTES && panel->notes[note]; note++)
        fprintf(out, "  %*s", note_width(panel, note),
                header ? panel->notes[note] : panel->series[i].note[note]);
}

static void print_lines(const struct bench_panel *panel, FILE *out)
{
    char text[32];
    int *widths = calloc(panel->x_count + 1, sizeof(*widths));
    bool unsure = false;
    for (size_t x = 0; widths && x < panel->x_count; x++) {
        bench_bytes_text(text, panel->x[x]);
        widths[x] = (int)strlen(text) + 1;
        for (size_t i = 0; i < panel->series_count; i++) {
            const struct bench_point *point = &panel->series[i].points[x];
            point_text(text, point, i == 0);
            widths[x] = (int)strlen(text) > widths[x] ? (int)strlen(text) : widths[x];
            unsure = unsure || strchr(text, '~');
        }
    }
    print_front(panel, panel->series_count, out);
    for (size_t x = 0; widths && x < panel->x_count; x++) {
        bench_bytes_text(text, panel->x[x]);
        fprintf(out, "  %*s ", widths[x] - 1, text);
    }
    fputc('\n', out);
    for (size_t i = 0; i < panel->series_count; i++) {
        print_front(panel, i, out);
        for (size_t x = 0; widths && x < panel->x_count; x++) {
            point_text(text, &panel->series[i].points[x], i == 0);
            fprintf(out, "  %*s", widths[x], text);
        }
        fputc('\n', out);
    }
    if (unsure)
        fputs("~ may be no difference (95 % confidence)\n", out);
    free(widths);
}

static void print_dots(const struct bench_panel *panel, FILE *out)
{
    print_front(panel, panel->series_count, out);
    fprintf(out, "  %12s  %10s  %12s\n", "mean ms", "+-", "median ms");
    for (size_t i = 0; i < panel->series_count; i++) {
        const struct bench_stat *ms = &panel->series[i].points[0].ms;
        print_front(panel, i, out);
        if (!panel->series[i].points[0].known)
            fprintf(out, "  %12s", "-");
        else if (isnan(ms->half_width))
            fprintf(out, "  %12.4f  %10s  %12.4f", ms->mean, "", ms->median);
        else
            fprintf(out, "  %12.4f  %10.4f  %12.4f", ms->mean, ms->half_width, ms->median);
        fputc('\n', out);
    }
}

void bench_panel_print(const struct bench_panel *panel, FILE *out)
{
    fprintf(out, "%s\n%s", panel->title, panel->caption);
    if (panel->kind == BENCH_LINES)
        print_lines(panel, out);
    else
        print_dots(panel, out);
}
