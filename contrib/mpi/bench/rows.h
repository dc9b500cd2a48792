/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows and panels of what is measured for one grid and stencil; on world rank 0. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "bench/exchange.h"

/* NULL-terminated, for bench_report_init. */
extern const char *const bench_rows_columns[];

/* A row of an exchange. */
void bench_rows_add(const struct bench_measure *measure, const char *what, uint64_t bytes,
                    const struct bench_candidate *candidate, const struct bench_point *point);

/* A row without a score, a message size and a speed-up. */
void bench_rows_add_name(const struct bench_measure *measure, const char *what, const char *name,
                         const struct bench_point *point);

/* With the title "nn on 4x8, 32 processes on 4 nodes", `front` before it. */
struct bench_panel *bench_rows_panel(const struct bench_measure *measure, size_t sizes,
                                     size_t series, const char *front);

/* Name and scores of a series. */
void bench_rows_name(struct bench_series *series, const struct bench_candidate *candidate);

#endif
