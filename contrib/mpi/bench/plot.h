/* SPDX-License-Identifier: BSD-3-Clause */
/* Panels as one SVG picture: a diagram for each, and one legend. No MPI here. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdio.h>

#include "bench/panel.h"

/* More series than this are not drawn: nobody could tell them apart. The legend says how many. */
#define BENCH_PLOT_SERIES 30

/* heading: one line above all. Series of the same name look alike in all panels. The reference of
 * a diagram whose points are ratios is its line at 1. */
void bench_plot(FILE *out, const char *heading, struct bench_panel *const panels[], size_t count);

#endif
