/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/stats.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void bench_sort(double values[], uint32_t n)
{
    qsort(values, n, sizeof(*values), compare_doubles);
}

double bench_quantile(const double sorted[], uint32_t n, double q)
{
    double at = q * (n - 1);
    uint32_t low = (uint32_t)at;
    uint32_t high = low + 1 < n ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

double bench_student(uint32_t freedom)
{
    static const double small[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                   2.4469,  2.3646, 2.3060, 2.2622, 2.2281};
    if (freedom <= sizeof(small) / sizeof(small[0]))
        return small[freedom - 1];
    /* Fisher's expansion from the quantile of the normal distribution: Abramowitz and Stegun,
     * 26.7.5. */
    double z = 1.959964, n = freedom;
    double z2 = z * z;
    double first = z * (z2 + 1) / 4;
    double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
    double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return z + (first + (second + third / n) / n) / n;
}

/* Mean and interval of the values from sorted[first] on. */
static void describe(struct bench_stat *stat, const double sorted[], uint32_t first, uint32_t kept)
{
    double sum = 0, squares = 0;
    for (uint32_t i = first; i < first + kept; i++)
        sum += sorted[i];
    stat->mean = sum / kept;
    for (uint32_t i = first; i < first + kept; i++)
        squares += (sorted[i] - stat->mean) * (sorted[i] - stat->mean);
    stat->half_width =
        kept > 1 ? bench_student(kept - 1) * sqrt(squares / (kept - 1) / kept) : (double)NAN;
}

struct bench_stat bench_stat(const double values[], uint32_t n, uint32_t stride, double scratch[])
{
    struct bench_stat stat = {0, 0, 0, n, 0};
    if (n == 0)
        return stat;
    for (uint32_t i = 0; i < n; i++)
        scratch[i] = values[(size_t)i * stride];
    bench_sort(scratch, n);
    double first = bench_quantile(scratch, n, 0.25), third = bench_quantile(scratch, n, 0.75);
    double slack = 1.5 * (third - first);
    uint32_t from = 0, to = n;
    while (scratch[from] < first - slack)
        from++;
    while (scratch[to - 1] > third + slack)
        to--;
    stat.median = bench_quantile(scratch, n, 0.5);
    stat.outliers = n - (to - from);
    describe(&stat, scratch, from, to - from);
    return stat;
}

struct bench_ratio bench_speedup(const struct bench_stat *reference,
                                 const struct bench_stat *mapped)
{
    struct bench_ratio ratio = {1, NAN, NAN};
    if (reference->mean <= 0 || mapped->mean <= 0)
        return ratio;
    ratio.value = reference->mean / mapped->mean;
    double spread =
        hypot(reference->half_width / reference->mean, mapped->half_width / mapped->mean);
    ratio.low = ratio.value * exp(-spread);
    ratio.high = ratio.value * exp(spread);
    return ratio;
}

int bench_ratio_sure(const struct bench_ratio *ratio)
{
    return ratio->low > 1 || ratio->high < 1; /* false with NAN */
}
