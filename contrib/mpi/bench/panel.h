/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that belong beside each other: the lines of one diagram, the rows of one table. A series
 * is a mapping or an order, a point one message size. The first series is the one that the others
 * are compared with. No MPI here. */
#ifndef BENCH_PANEL_H
#define BENCH_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/stats.h"

#define BENCH_NOTES 2

struct bench_point {
    bool known;
    struct bench_stat ms;
    struct bench_ratio speedup;
    struct bench_ratio drawn; /* what the diagram shows */
};

struct bench_series {
    char name[64];
    char note[BENCH_NOTES][64]; /* such as J_sum; "" for none */
    struct bench_point *points;
};

enum bench_panel_kind {
    BENCH_LINES, /* over message sizes */
    BENCH_DOTS,  /* one value for each series; there is one x, which says nothing */
};

struct bench_panel {
    enum bench_panel_kind kind;
    char title[256];
    char caption[2048];             /* more lines above the table */
    const char *what;               /* the series are: "map", "order" */
    const char *notes[BENCH_NOTES]; /* "J_sum", "J_max"; NULL: none */
    const char *axis;               /* what the diagram shows: "speed-up over blocked" */
    const char *x_axis;             /* "bytes per neighbour" */
    bool logarithmic;
    bool notes_drawn; /* in the legend too */
    size_t series_count;
    struct bench_series *series;
    size_t x_count;
    uint64_t *x;
};

/* With zeroed series, points and x; the rest is to be filled in. NULL without memory. */
struct bench_panel *bench_panel_create(size_t series_count, size_t x_count);
void bench_panel_destroy(struct bench_panel *panel);

/* As a table: the reference in milliseconds, the others as speed-up over it, with "~" where it may
 * be no difference. */
void bench_panel_print(const struct bench_panel *panel, FILE *out);

/* "512", "16k", "1M". */
void bench_bytes_text(char text[24], uint64_t bytes);

#endif
