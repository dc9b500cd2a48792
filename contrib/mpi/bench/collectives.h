/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing collectives in sub-communicators, as the mixed-radix paper (section 4.1) does: in the
 * first one alone, and in all at once where there are several. */
#ifndef BENCH_COLLECTIVES_H
#define BENCH_COLLECTIVES_H

#include "bench/orders.h"
#include "bench/progress.h"
#include "bench/report.h"

/* NULL-terminated, for bench_report_init. */
extern const char *const bench_collectives_columns[];

/* How many cases there are, for the progress. */
size_t bench_collectives_cases(const struct bench_options *options,
                               const struct bench_orders *orders);

struct bench_collectives {
    const struct bench_options *options;
    const struct bench_machine *machine;
    const struct bench_orders *orders;
    struct bench_progress *progress;
    struct bench_report *report; /* used on world rank 0 only */
};

/* All collectives and message sizes, all orders. Collective over MPI_COMM_WORLD; the result code is
 * the same everywhere. */
int bench_collectives(const struct bench_collectives *what, struct smap_error *err);

#endif
