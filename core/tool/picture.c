/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of a mapping: every cell in the colour of its node. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

/* Rows and columns of one picture; in 3-D there is one per index of the first dimension, in 1-D
 * one row. The ranks of a graph go on in the next row, and the last one may end early. */
struct sheet {
    uint32_t sheets, rows, columns;
};

#define GRAPH_COLUMNS 32

static int sheet_of(struct sheet *sheet, const struct smap_problem *problem, struct smap_error *err)
{
    const uint32_t *dims = problem->grid.dims, cells = problem->grid.cells;
    if (problem->graph) {
        uint32_t columns = cells < GRAPH_COLUMNS ? cells : GRAPH_COLUMNS;
        *sheet = (struct sheet){1, cells / columns + (cells % columns != 0), columns};
        return SMAP_OK;
    }
    switch (problem->grid.ndims) {
    case 1:
        *sheet = (struct sheet){1, 1, dims[0]};
        return SMAP_OK;
    case 2:
        *sheet = (struct sheet){1, dims[0], dims[1]};
        return SMAP_OK;
    case 3:
        *sheet = (struct sheet){dims[0], dims[1], dims[2]};
        return SMAP_OK;
    default:
        return smap_fail(err, SMAP_ENOTSUP,
                         "pictures are for 1 to 3 dimensions, the grid has %zu; "
                         "--format=nodes or csv is for any",
                         problem->grid.ndims);
    }
}

/* A hue per node, a golden angle apart, so that consecutive nodes differ clearly. */
static void node_color(uint32_t node, double rgb[3])
{
    double hue = fmod(node * 0.61803398875, 1.0), light = node % 2 ? 0.62 : 0.72;
    for (int i = 0; i < 3; i++) {
        double x = fabs(fmod(hue * 6 + (i == 0 ? 0 : i == 1 ? 4 : 2), 6) - 3) - 1;
        x = fmin(fmax(x, 0), 1);
        rgb[i] = light + 0.30 * (x - 0.5);
    }
}

static int digits(uint32_t n)
{
    int d = 1;
    for (; n >= 10; n /= 10)
        d++;
    return d;
}

static uint32_t largest(const uint32_t list[], uint32_t count)
{
    uint32_t max = 0;
    for (uint32_t i = 0; i < count; i++)
        max = list[i] > max ? list[i] : max;
    return max;
}

int args_color(bool *color, const struct args *args, struct smap_error *err)
{
    const char *wanted = args->color ? args->color : "auto";
    *color = strcmp(wanted, "always") == 0 ||
             (strcmp(wanted, "auto") == 0 && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    if (!*color && strcmp(wanted, "auto") != 0 && strcmp(wanted, "never") != 0)
        return smap_fail(err, SMAP_EINVAL, "--color=%.60s: not one of auto, always, never", wanted);
    return SMAP_OK;
}

int picture_terminal(const struct smap_problem *problem, const uint32_t node_of_cell[], bool color,
                     struct smap_error *err)
{
    struct sheet s = {0};
    int rc = sheet_of(&s, problem, err);
    if (rc != SMAP_OK)
        return rc;
    int width = digits(largest(node_of_cell, problem->grid.cells));
    for (uint32_t k = 0, cell = 0; k < s.sheets; k++) {
        if (s.sheets > 1)
            printf("%s%s %" PRIu32 "\n", k ? "\n" : "", "slice", k);
        for (uint32_t row = 0; row < s.rows; row++) {
            for (uint32_t column = 0; column < s.columns && cell < problem->grid.cells;
                 column++, cell++) {
                double rgb[3];
                node_color(node_of_cell[cell], rgb);
                if (color)
                    printf("\033[48;2;%d;%d;%dm\033[30m", (int)(255 * rgb[0]), (int)(255 * rgb[1]),
                           (int)(255 * rgb[2]));
                printf(" %*" PRIu32 "%s", width, node_of_cell[cell], color ? " \033[0m" : "");
            }
            putchar('\n');
        }
    }
    return SMAP_OK;
}

/* The label of a node on each of its cells would be noise in large pictures. */
#define LABEL_CELLS_MAX 4096

static void svg_cell(uint32_t node, double x, double y, double size, bool label)
{
    double rgb[3];
    node_color(node, rgb);
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%02x%02x%02x\"/>\n",
           x, y, size, size, (int)(255 * rgb[0]), (int)(255 * rgb[1]), (int)(255 * rgb[2]));
    if (label)
        printf("<text x=\"%.1f\" y=\"%.1f\">%" PRIu32 "</text>\n", x + size / 2,
               y + size / 2 + size * 0.13, node);
}

/* Lines between cells of different nodes. */
static void svg_border(bool vertical, double x, double y, double size)
{
    printf("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x, y,
           vertical ? x : x + size, vertical ? y + size : y);
}

int picture_svg(const struct smap_problem *problem, const uint32_t node_of_cell[],
                const char *caption, struct smap_error *err)
{
    struct sheet s = {0};
    int rc = sheet_of(&s, problem, err);
    if (rc != SMAP_OK)
        return rc;
    const double size = 24, margin = 12, head = 28;
    double sheet_height = s.rows * size + margin;
    double width = s.columns * size + 2 * margin, height = head + s.sheets * sheet_height + margin;
    double text_width = 8.0 * (double)snprintf(NULL, 0, "%s", caption) + 2 * margin;
    width = width > text_width ? width : text_width;
    const uint32_t cells = problem->grid.cells;
    bool label = cells <= LABEL_CELLS_MAX;
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
           "font-family=\"sans-serif\" font-size=\"10\" text-anchor=\"middle\" stroke=\"none\">\n"
           "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
           "<text x=\"%.0f\" y=\"18\" font-size=\"13\" text-anchor=\"start\">%s</text>\n",
           width, height, margin, caption);
    for (uint32_t cell = 0; cell < cells; cell++) {
        uint32_t column = cell % s.columns, row = cell / s.columns % s.rows;
        double y = head + cell / s.columns / s.rows * sheet_height + row * size;
        svg_cell(node_of_cell[cell], margin + column * size, y, size, label);
    }
    puts("<g stroke=\"#222\" stroke-width=\"2\" stroke-linecap=\"square\">");
    for (uint32_t cell = 0; cell < cells; cell++) {
        uint32_t column = cell % s.columns, row = cell / s.columns % s.rows;
        double x = margin + column * size;
        double y = head + cell / s.columns / s.rows * sheet_height + row * size;
        if (column + 1 < s.columns && cell + 1 < cells &&
            node_of_cell[cell] != node_of_cell[cell + 1])
            svg_border(true, x + size, y, size);
        if (row + 1 < s.rows && cells - cell > s.columns &&
            node_of_cell[cell] != node_of_cell[cell + s.columns])
            svg_border(false, x, y + size, size);
    }
    puts("</g>\n</svg>");
    return SMAP_OK;
}
