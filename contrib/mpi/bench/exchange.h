/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing neighbourhood exchanges, as the 2020 paper (sections VI-B and VI-D) does. */
#ifndef BENCH_EXCHANGE_H
#define BENCH_EXCHANGE_H

#include "bench/candidates.h"
#include "bench/progress.h"
#include "bench/report.h"

struct bench_measure {
    const struct bench_options *options;
    const struct bench_machine *machine;
    const struct bench_case *c;
    const struct bench_candidates *candidates;
    struct bench_progress *progress;
    struct bench_report *report; /* used on world rank 0 only */
};

/* All message sizes, all candidates. Collective over MPI_COMM_WORLD; the result code is the same
 * everywhere. */
int bench_exchange(const struct bench_measure *measure, struct smap_error *err);

#endif
