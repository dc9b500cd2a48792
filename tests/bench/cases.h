/* SPDX-License-Identifier: BSD-3-Clause */
/* The instances of the benchmark. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum group { GROUP_TABLE, GROUP_NAMED, GROUP_OTHER, GROUP_SCALE, GROUP_COUNT };

/* Texts as users write them. NONE: a figure that is not known. */
#define NONE UINT64_MAX
struct bench_case {
    enum group group;
    char dims[32], sizes[320], stencil[32], periodic[32];
    uint64_t viem, known, lower; /* J_sum: of VieM; best known, or the aim; a bound */
};

const char *bench_group(enum group group);

/* All cases; the caller frees the list. NULL, with a line on stderr, if the table cannot be read.
 */
struct bench_case *bench_cases(size_t *count);

#endif
