/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE   2 /* seconds without a word */
#define LINE_EVERY 10

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void bench_progress_init(struct bench_progress *progress, bool wanted, size_t cases)
{
    *progress = (struct bench_progress){.wanted = wanted, .cases = cases};
    progress->terminal = isatty(STDERR_FILENO);
    progress->start = now();
}

void bench_progress_case(struct bench_progress *progress, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(progress->what, sizeof(progress->what), format, args);
    va_end(args);
    progress->done++;
}

void bench_progress_round(struct bench_progress *progress, uint32_t round, uint32_t rounds)
{
    if (!progress->wanted)
        return;
    double time = now(), pause = progress->terminal ? 0.5 : LINE_EVERY;
    if (time - progress->start < PATIENCE || (progress->last > 0 && time - progress->last < pause))
        return;
    fprintf(stderr, "%s%s (%zu of %zu): round %" PRIu32 " of %" PRIu32 "%s",
            progress->terminal ? "\r" : "stencilmap-bench: ", progress->what, progress->done,
            progress->cases, round, rounds, progress->terminal ? "\033[K" : "\n");
    progress->last = time;
    progress->shown = progress->terminal;
}

void bench_progress_clear(struct bench_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
