/* SPDX-License-Identifier: BSD-3-Clause */
/* What many times of the same thing say, as the 2020 paper has it (section VI-D): the mean of those
 * that are no outliers, with a 95 % confidence interval. No MPI here. */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stdint.h>

struct bench_stat {
    double mean;       /* of those kept */
    double half_width; /* of the confidence interval mean +- half_width; NAN if one was kept */
    double median;     /* of all */
    uint32_t count;
    uint32_t outliers; /* more than 1.5 interquartile ranges below the first or above the third
                        * quartile */
};

/* Of n values, every stride-th of the array. scratch has room for n. All zero for n = 0. */
struct bench_stat bench_stat(const double values[], uint32_t n, uint32_t stride, double scratch[]);

struct bench_ratio {
    double value;
    double low, high; /* 95 % confidence interval; NAN where there is none */
};

/* How many times faster `mapped` is than `reference`: the ratio of the means. The interval is that
 * of independent means, by the propagation of errors on a logarithmic scale; times that are taken
 * in turn vary together, so it is rather too wide. 1 if nothing takes no time. */
struct bench_ratio bench_speedup(const struct bench_stat *reference,
                                 const struct bench_stat *mapped);

/* A ratio that is above or below 1 for sure. */
int bench_ratio_sure(const struct bench_ratio *ratio);

/* Quantile q of n >= 1 ascending values, interpolated. */
double bench_quantile(const double sorted[], uint32_t n, double q);

/* Sorts ascending. */
void bench_sort(double values[], uint32_t n);

/* The 97.5 % quantile of Student's distribution with freedom >= 1: within 0.001. */
double bench_student(uint32_t freedom);

#endif
