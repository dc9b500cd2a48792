/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of stencilmap-bench. No MPI here. */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define BENCH_BYTES_MAX (UINT64_C(1) << 30)
/* Of memory, for what a process sends, and as much for what it receives. */
#define BENCH_MEMORY_MAX (UINT64_C(1) << 30)
#define BENCH_LIST_MAX   128

enum bench_format { BENCH_TABLE, BENCH_CSV, BENCH_JSON, BENCH_SVG };

enum bench_instantiation {
    BENCH_NO_INSTANTIATION,
    BENCH_WITH_INSTANTIATION,
    BENCH_ONLY_INSTANTIATION
};

enum bench_collective { BENCH_ALLTOALL, BENCH_ALLREDUCE, BENCH_ALLGATHER, BENCH_COLLECTIVES };

/* Items of options that are lists or may be repeated. */
struct bench_list {
    size_t count;
    char *item[BENCH_LIST_MAX];
};

struct bench_options {
    const char *dims;           /* NULL: from the hints, or balanced */
    const char *periodic;       /* NULL: from the hints, or none */
    struct bench_list stencils; /* empty: from the hints, or nn */
    struct bench_list maps;     /* empty: that of the hints, or some */
    enum bench_instantiation instantiation;
    struct bench_list orders; /* empty: no orders but stencils are measured */
    const char *hierarchy;    /* NULL: node and core */
    uint32_t comm_size;       /* 0: as many as on a node */
    bool collective[BENCH_COLLECTIVES];
    uint64_t min;
    uint64_t max;  /* 0: not given */
    uint64_t step; /* factor from one message size to the next */
    uint32_t repeats;
    double seconds; /* per stencil or collective, and message size; 0 for no limit */
    enum bench_format format;
    const char *plot; /* NULL: no file */
    bool quiet;
    bool help;
    bool version;
};

/* SMAP_EINVAL for a value that is refused; SMAP_ENOTSUP for what is no option at all (usage). The
 * options are to be cleared in any case. Texts are borrowed from argv. */
int bench_options_parse(struct bench_options *options, int argc, char *argv[],
                        struct smap_error *err);
void bench_options_clear(struct bench_options *options);
void bench_list_clear(struct bench_list *list);

void bench_usage(FILE *out);

/* "alltoall" */
const char *bench_collective_name(enum bench_collective collective);

/* The next message size after bytes; 0 behind the last. The largest one is always among them. */
uint64_t bench_next_size(const struct bench_options *options, uint64_t bytes);

/* How many there are. */
size_t bench_sizes(const struct bench_options *options);

#endif
