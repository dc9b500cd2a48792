/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/axis.h"

#include <math.h>
#include <stdio.h>

/* 1, 2 or 5 times a power of ten, so that `span` has five steps or somewhat more. */
static double nice_step(double span)
{
    double power = pow(10, floor(log10(span / 5)));
    double times = span / 5 / power;
    return power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
}

static void add_ticks(struct bench_axis *axis, double step)
{
    double first = ceil(axis->low / step - 1e-9);
    for (double i = first; axis->count < BENCH_TICKS_MAX && i * step <= axis->high * (1 + 1e-9);
         i++)
        axis->tick[axis->count++] = i * step + 0.0; /* no -0 */
}

static void add_linear(struct bench_axis *axis, double low, double high)
{
    if (low > high / 2) { /* what is small and far from 0 is seen better without it */
        double margin = high - low > high / 10 ? (high - low) / 10 : high / 20;
        axis->low = low - margin;
    }
    axis->high = high + (high - axis->low) / 20;
    if (axis->high <= axis->low)
        axis->high = axis->low + 1;
    add_ticks(axis, nice_step(axis->high - axis->low));
}

/* Ticks at 1, 2 and 5 over a decade or two, else at the powers of ten, or some of them. */
static void add_logarithmic(struct bench_axis *axis, double low, double high)
{
    static const double fine[] = {1, 2, 5};
    axis->low = low / 1.3;
    axis->high = high * 1.3;
    double from = floor(log10(axis->low)), to = ceil(log10(axis->high));
    bool wide = to - from > 3;
    double skip = ceil((to - from + 1) / BENCH_TICKS_MAX);
    for (double power = from; power <= to; power += skip) {
        for (size_t i = 0; i < (wide ? 1 : 3); i++) {
            double tick = pow(10, power) * fine[i];
            if (tick >= axis->low && tick <= axis->high && axis->count < BENCH_TICKS_MAX)
                axis->tick[axis->count++] = tick;
        }
    }
}

void bench_axis_init(struct bench_axis *axis, double low, double high, bool logarithmic)
{
    *axis = (struct bench_axis){.logarithmic = logarithmic};
    if (logarithmic)
        add_logarithmic(axis, low, high);
    else
        add_linear(axis, low, high);
}

double bench_axis_at(const struct bench_axis *axis, double value)
{
    double low = axis->low, high = axis->high;
    if (axis->logarithmic) {
        value = log10(value > low ? value : low);
        low = log10(low);
        high = log10(high);
    }
    double at = (value - low) / (high - low);
    return at < 0 ? 0 : at > 1 ? 1 : at;
}

void bench_axis_text(char text[32], double value)
{
    snprintf(text, 32, fabs(value) >= 1e5 ? "%.0f" : "%.4g", value);
}
