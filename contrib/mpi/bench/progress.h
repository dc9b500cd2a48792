/* SPDX-License-Identifier: BSD-3-Clause */
/* Telling on standard error how far a long run is: on a terminal one line that changes, elsewhere a
 * line every ten seconds. On world rank 0; the others' is not wanted. No MPI here. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_progress {
    bool wanted;
    bool terminal;
    bool shown;
    double start, last; /* seconds */
    size_t cases, done;
    char what[128];
};

void bench_progress_init(struct bench_progress *progress, bool wanted, size_t cases);

/* The next case: "nn, 1k". */
__attribute__((format(printf, 2, 3))) void bench_progress_case(struct bench_progress *progress,
                                                               const char *format, ...);

void bench_progress_round(struct bench_progress *progress, uint32_t round, uint32_t rounds);

/* Before something else is printed. */
void bench_progress_clear(struct bench_progress *progress);

#endif
