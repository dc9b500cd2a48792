/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of stencilmap-bench. */
#ifndef SMAP_BENCH_OPTIONS_H
#define SMAP_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define SMAP_BENCH_BYTES_MAX (UINT64_C(1) << 30)

struct bench_options {
    const char *dims;     /* NULL: from the hints, or balanced */
    const char *stencil;  /* NULL: from the hints, or nn */
    const char *periodic; /* NULL: from the hints, or none */
    const char *map;      /* NULL: from the hints, or the library's choice */
    uint64_t min;
    uint64_t max;
    uint64_t step; /* factor from one message size to the next */
    uint32_t repeats;
    double seconds; /* per message size; 0 for no limit */
    bool csv;
    bool help;
    bool version;
};

/* SMAP_EINVAL for a value that is refused; SMAP_ENOTSUP for what is no option at all (usage). */
int bench_options_parse(struct bench_options *options, int argc, char *argv[],
                        struct smap_error *err);

void bench_usage(FILE *out);

/* The next message size after bytes; 0 behind the last. The largest one is always among them. */
uint64_t bench_next_size(const struct bench_options *options, uint64_t bytes);

#endif
