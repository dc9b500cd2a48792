/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/axis.h"
#include "bench/svg.h"

/* Pixels. */
enum {
    WIDTH = 400, /* of a diagram, without its margins */
    HEIGHT = 250,
    LEFT = 64,
    RIGHT = 22,
    TOP = 34,
    BOTTOM = 52,
    HEADING = 34,
    LEGEND_ROW = 19,
    LETTER = 7, /* about the width of one, at 12 pixels */
};

struct plot {
    FILE *out;
    struct bench_panel *const *panels;
    size_t count;
    const char *names[BENCH_PLOT_SERIES]; /* of the legend; the number gives the looks */
    size_t names_count;
    size_t left_out;
    size_t columns;
    double left; /* margin left of the diagrams, wide enough for names */
};

/* A panel and the pixels of its area. */
struct area {
    const struct bench_panel *panel;
    double x, y; /* upper left corner */
    struct bench_axis axis;
};

/* The number of a name in the legend; BENCH_NO_LOOK if it is not drawn. */
static size_t look(const struct plot *plot, const char *name)
{
    for (size_t i = 0; i < plot->names_count; i++)
        if (strcmp(plot->names[i], name) == 0)
            return i;
    return BENCH_NO_LOOK;
}

/* A reference that is 1 everywhere is a line of its own. */
static bool is_unit(const struct bench_panel *panel)
{
    return panel->kind == BENCH_LINES && !panel->logarithmic;
}

/* Of the diagrams with lines: the others have their names beside them. */
static void collect_names(struct plot *plot)
{
    for (size_t p = 0; p < plot->count; p++) {
        const struct bench_panel *panel = plot->panels[p];
        for (size_t i = is_unit(panel); panel->kind == BENCH_LINES && i < panel->series_count;
             i++) {
            if (look(plot, panel->series[i].name) != BENCH_NO_LOOK)
                continue;
            if (plot->names_count < BENCH_PLOT_SERIES)
                plot->names[plot->names_count++] = panel->series[i].name;
            else if (p == 0)
                plot->left_out++;
        }
    }
}

static double y_of(const struct area *area, double value)
{
    return area->y + HEIGHT * (1 - bench_axis_at(&area->axis, value));
}

/* Message sizes stand as far from each other as their logarithms. */
static double x_of(const struct area *area, size_t i)
{
    const uint64_t *x = area->panel->x;
    size_t n = area->panel->x_count;
    if (n < 2)
        return area->x + WIDTH / 2.0;
    double at = log((double)x[i] / (double)x[0]) / log((double)x[n - 1] / (double)x[0]);
    return area->x + 14 + (WIDTH - 28) * at;
}

/* Series stand beside each other a little, so that their whiskers do not hide each other. */
static double aside(const struct area *area, size_t i)
{
    double n = (double)area->panel->series_count, step = fmin(2, 14 / n);
    return ((double)i - n / 2) * step;
}

static void put_series(const struct plot *plot, const struct area *area, size_t i)
{
    const struct bench_series *series = &area->panel->series[i];
    size_t number = look(plot, series->name);
    double shift = aside(area, i);
    const char *joint = "M";
    if (number == BENCH_NO_LOOK)
        return;
    fputs("<g class='series'><title>", plot->out);
    bench_svg_text(plot->out, series->name);
    fprintf(plot->out, "</title>\n<path fill='none' stroke='%s' stroke-width='1.8'%s d='",
            bench_svg_colour(number), bench_svg_dash(number));
    for (size_t x = 0; x < area->panel->x_count; x++) {
        if (!series->points[x].known)
            continue;
        fprintf(plot->out, "%s%.1f %.1f", joint, x_of(area, x) + shift,
                y_of(area, series->points[x].drawn.value));
        joint = "L";
    }
    fputs("'/>\n", plot->out);
    for (size_t x = 0; x < area->panel->x_count; x++) {
        const struct bench_ratio *drawn = &series->points[x].drawn;
        if (!series->points[x].known)
            continue;
        double at = x_of(area, x) + shift;
        if (!isnan(drawn->low))
            bench_svg_whisker(plot->out, number,
                              (double[]){at, y_of(area, drawn->low), at, y_of(area, drawn->high)});
        bench_svg_marker(plot->out, number, at, y_of(area, drawn->value));
    }
    fputs("</g>\n", plot->out);
}

/* Labels under the sizes, as many as have room. */
static void put_sizes(const struct plot *plot, const struct area *area)
{
    size_t n = area->panel->x_count, every = (n + 10) / 11;
    for (size_t i = 0; i < n; i++) {
        char text[24];
        double x = x_of(area, i);
        fprintf(plot->out, "<path d='M%.1f %.1fv5' stroke='#444'/>\n", x, area->y + HEIGHT);
        if (i % every)
            continue;
        bench_bytes_text(text, area->panel->x[i]);
        bench_svg_label(plot->out, x, area->y + HEIGHT + 18, "text-anchor='middle'", text);
    }
    bench_svg_label(plot->out, area->x + WIDTH / 2.0, area->y + HEIGHT + 36, "text-anchor='middle'",
                    area->panel->x_axis);
}

static void put_lines(const struct plot *plot, struct area *area)
{
    char text[32];
    for (size_t i = 0; i < area->axis.count; i++) {
        double y = y_of(area, area->axis.tick[i]);
        fprintf(plot->out, "<path d='M%.1f %.1fh%d' stroke='#ddd'/>\n", area->x, y, WIDTH);
        bench_axis_text(text, area->axis.tick[i]);
        bench_svg_label(plot->out, area->x - 8, y + 4, "text-anchor='end'", text);
    }
    fprintf(plot->out, "<text transform='translate(%.1f %.1f) rotate(-90)' text-anchor='middle'>",
            area->x - LEFT + 16, area->y + HEIGHT / 2.0);
    bench_svg_text(plot->out, area->panel->axis);
    fputs("</text>\n", plot->out);
    put_sizes(plot, area);
    if (is_unit(area->panel))
        fprintf(plot->out,
                "<path d='M%.1f %.1fh%d' stroke='#555' stroke-width='1.5' "
                "stroke-dasharray='5 4'/>\n",
                area->x, y_of(area, 1), WIDTH);
    for (size_t i = is_unit(area->panel); i < area->panel->series_count; i++)
        put_series(plot, area, i);
}

static double dots_x(const struct area *area, double value)
{
    return area->x + WIDTH * bench_axis_at(&area->axis, value);
}

/* One row for each series, the values along x. */
static void put_dots(const struct plot *plot, struct area *area)
{
    const struct bench_panel *panel = area->panel;
    double row = HEIGHT / (double)panel->series_count;
    char text[32];
    for (size_t i = 0; i < area->axis.count; i++) {
        double x = dots_x(area, area->axis.tick[i]);
        fprintf(plot->out, "<path d='M%.1f %.1fv%d' stroke='#ddd'/>\n", x, area->y, HEIGHT);
        bench_axis_text(text, area->axis.tick[i]);
        bench_svg_label(plot->out, x, area->y + HEIGHT + 18, "text-anchor='middle'", text);
    }
    bench_svg_label(plot->out, area->x + WIDTH / 2.0, area->y + HEIGHT + 36, "text-anchor='middle'",
                    panel->axis);
    for (size_t i = 0; i < panel->series_count; i++) {
        const struct bench_ratio *drawn = &panel->series[i].points[0].drawn;
        double y = area->y + row * ((double)i + 0.5);
        size_t number = look(plot, panel->series[i].name);
        fputs("<g class='series'>\n", plot->out);
        bench_svg_label(plot->out, area->x - 8, y + 4, "text-anchor='end'", panel->series[i].name);
        if (panel->series[i].points[0].known) {
            double x = dots_x(area, drawn->value);
            if (!isnan(drawn->low))
                bench_svg_whisker(
                    plot->out, number,
                    (double[]){dots_x(area, drawn->low), y, dots_x(area, drawn->high), y});
            bench_svg_marker(plot->out, number, x, y);
        }
        fputs("</g>\n", plot->out);
    }
}

/* The axis over all points; whiskers count, but not without limit. */
static void choose_axis(struct bench_axis *axis, const struct bench_panel *panel)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < panel->series_count; i++) {
        for (size_t x = 0; x < panel->x_count; x++) {
            const struct bench_ratio *drawn = &panel->series[i].points[x].drawn;
            if (!panel->series[i].points[x].known || !(drawn->value > 0))
                continue;
            low = fmin(low, fmax(fmin(drawn->low, drawn->value), drawn->value * 0.7));
            high = fmax(high, fmin(fmax(drawn->high, drawn->value), drawn->value * 1.3));
        }
    }
    if (is_unit(panel) || high <= 0) {
        low = fmin(low, 1);
        high = fmax(high, 1);
    }
    bench_axis_init(axis, low, high, panel->logarithmic);
}

/* As much of the title as there is room for. */
static void put_title(FILE *out, double x, double y, const char *title)
{
    char text[WIDTH / LETTER + 8];
    bool whole = strlen(title) <= WIDTH / LETTER;
    snprintf(text, sizeof(text), "%.*s%s", WIDTH / LETTER, title, whole ? "" : "...");
    bench_svg_label(out, x, y, "text-anchor='middle' font-weight='bold'", text);
}

static void put_panel(const struct plot *plot, size_t i)
{
    double column = (double)(i % plot->columns), row = (double)(i / plot->columns);
    struct area area = {.panel = plot->panels[i],
                        .x = plot->left + column * (plot->left + WIDTH + RIGHT),
                        .y = HEADING + TOP + row * (TOP + HEIGHT + BOTTOM)};
    choose_axis(&area.axis, area.panel);
    fputs("<g class='panel'>\n", plot->out);
    put_title(plot->out, area.x + WIDTH / 2.0, area.y - 12, area.panel->title);
    if (area.panel->kind == BENCH_DOTS)
        put_dots(plot, &area);
    else
        put_lines(plot, &area);
    fprintf(plot->out,
            "<rect x='%.1f' y='%.1f' width='%d' height='%d' fill='none' stroke='#444'/>\n</g>\n",
            area.x, area.y, WIDTH, HEIGHT);
}

static double text_width(const char *text)
{
    return (double)(LETTER * strlen(text));
}

/* The name of a series, with its notes where they are to be seen. */
static void legend_text(char text[256], const struct plot *plot, size_t number)
{
    const char *name = plot->names[number];
    snprintf(text, 256, "%s", name);
    for (size_t p = 0; p < plot->count; p++) {
        const struct bench_panel *panel = plot->panels[p];
        for (size_t i = 0; panel->notes_drawn && i < panel->series_count; i++) {
            const struct bench_series *series = &panel->series[i];
            if (strcmp(series->name, name) == 0) {
                snprintf(text, 256, "%s (%s; %s)", name, series->note[0], series->note[1]);
                return;
            }
        }
    }
}

static double legend_width(const struct plot *plot)
{
    double width = 0;
    char text[256];
    for (size_t i = 0; i < plot->names_count; i++) {
        legend_text(text, plot, i);
        width = fmax(width, text_width(text));
    }
    return plot->names_count ? width + 60 : 0;
}

static void put_legend(const struct plot *plot, double x)
{
    double y = HEADING + TOP + 8;
    char text[256];
    fputs("<g class='legend'>\n", plot->out);
    for (size_t i = 0; i < plot->names_count; i++, y += LEGEND_ROW) {
        fprintf(plot->out, "<path d='M%.1f %.1fh28' stroke='%s' stroke-width='1.8'%s/>\n", x, y,
                bench_svg_colour(i), bench_svg_dash(i));
        bench_svg_marker(plot->out, i, x + 14, y);
        legend_text(text, plot, i);
        bench_svg_label(plot->out, x + 36, y + 4, "", text);
    }
    snprintf(text, sizeof(text), "and %zu more", plot->left_out);
    if (plot->left_out)
        bench_svg_label(plot->out, x + 36, y + 4, "", text);
    fputs("</g>\n", plot->out);
}

static double left_margin(const struct plot *plot)
{
    double left = LEFT;
    for (size_t p = 0; p < plot->count; p++)
        for (size_t i = 0; plot->panels[p]->kind == BENCH_DOTS && i < plot->panels[p]->series_count;
             i++)
            left = fmax(left, text_width(plot->panels[p]->series[i].name) + 16);
    return left;
}

void bench_plot(FILE *out, const char *heading, struct bench_panel *const panels[], size_t count)
{
    struct plot plot = {.out = out, .panels = panels, .count = count};
    plot.columns = count < 2 ? 1 : count == 2 || count == 4 ? 2 : 3;
    plot.left = left_margin(&plot);
    collect_names(&plot);
    double rows = (double)((count + plot.columns - 1) / plot.columns);
    double diagrams = (double)plot.columns * (plot.left + WIDTH + RIGHT);
    double width = fmax(diagrams + legend_width(&plot), text_width(heading) * 1.2 + 30);
    double height =
        fmax(rows * (TOP + HEIGHT + BOTTOM), TOP + LEGEND_ROW * (double)(plot.names_count + 1)) +
        HEADING;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
            "viewBox='0 0 %.0f %.0f' font-family='sans-serif' font-size='12'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n",
            width, height, width, height);
    bench_svg_label(out, 16, 24, "font-size='15'", heading);
    for (size_t i = 0; i < count; i++)
        put_panel(&plot, i);
    put_legend(&plot, diagrams + 8);
    fputs("</svg>\n", out);
}
