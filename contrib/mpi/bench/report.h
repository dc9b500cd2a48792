/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the results go: CSV row by row as they come, tables panel by panel, JSON and pictures at
 * the end. On one process only. No MPI here. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "base/table.h"
#include "bench/options.h"
#include "bench/panel.h"

struct bench_report {
    enum bench_format format;
    FILE *out;
    FILE *plot; /* NULL: no picture */
    struct smap_table *table;
    size_t printed; /* lines of the table, in CSV */
    struct bench_panel **panels;
    size_t count;
    char heading[512]; /* of pictures: the machine */
    char caption[640]; /* of tables: the machine and the protocol, above the first one */
    char setup[1024];  /* of JSON: the same as an object */
    bool failed;       /* no memory, or a file could not be written */
};

/* Takes plot, which may be NULL. columns as in smap_table_create. */
void bench_report_init(struct bench_report *report, enum bench_format format, FILE *out, FILE *plot,
                       const char *const columns[]);

/* After all cells of a row have been added to the table. */
void bench_report_row(struct bench_report *report);

/* The cells of a stat (five: runs, outliers, mean, half width, median) and of a ratio (three). */
void bench_report_stat(struct bench_report *report, const struct bench_stat *ms);
void bench_report_ratio(struct bench_report *report, const struct bench_ratio *ratio);

/* Takes the panel (NULL counts as no memory) and prints its table if that is the format. */
void bench_report_panel(struct bench_report *report, struct bench_panel *panel);

/* Writes what is left and frees all. False if something could not be written. */
bool bench_report_finish(struct bench_report *report);

#endif
