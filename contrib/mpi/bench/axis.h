/* SPDX-License-Identifier: BSD-3-Clause */
/* An axis of a diagram: from values to pixels, and where the ticks are. No MPI here. */
#ifndef BENCH_AXIS_H
#define BENCH_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#define BENCH_TICKS_MAX 12

struct bench_axis {
    bool logarithmic;
    double low, high; /* values at the ends; low < high */
    size_t count;
    double tick[BENCH_TICKS_MAX];
};

/* An axis that shows low to high, with round numbers at its ticks: linear from 0 or somewhat below
 * low, or in powers of ten. For a logarithmic one both must be positive. */
void bench_axis_init(struct bench_axis *axis, double low, double high, bool logarithmic);

/* Where a value is: 0 at the low end, 1 at the high one; values beyond are at the ends. */
double bench_axis_at(const struct bench_axis *axis, double value);

/* "0.5", "20", "1000000" without zeros that say nothing. */
void bench_axis_text(char text[32], double value);

#endif
