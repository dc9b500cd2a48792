/* SPDX-License-Identifier: BSD-3-Clause */
/* What stencilmap-bench compares: one grid and stencil, two orders of the processes. */
#ifndef SMAP_BENCH_CASE_H
#define SMAP_BENCH_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "bench_options.h"
#include "cart.h"
#include "hints.h"

#define SMAP_BENCH_TEXT 4096

struct bench_case {
    char dims[SMAP_BENCH_TEXT]; /* the texts that rank 0 settled on */
    char stencil_text[SMAP_BENCH_TEXT];
    char periodic[SMAP_BENCH_TEXT];
    struct smap_grid grid;
    struct smap_stencil *stencil;
    struct smap_hints hints;
    bool hints_used; /* mapped starts from MPI_COMM_WORLD and the hints */
    MPI_Comm plain;  /* rank r is cell r, nodes in blocks */
    MPI_Comm mapped; /* rank r is cell r, as stencilmap has it */
    struct smap_cart_outcome outcome;
    /* Found from the processor names; on world rank 0 only. */
    uint32_t nodes;
    struct smap_score plain_score;
    struct smap_score mapped_score;
};

/* Collective over MPI_COMM_WORLD; the result code is the same everywhere, err is filled on world
 * rank 0. */
int bench_case_create(struct bench_case *c, const struct bench_options *options,
                      struct smap_error *err);
void bench_case_destroy(struct bench_case *c);

/* One line: what "mapped" is. */
void bench_case_describe(const struct bench_case *c, char *text, size_t size);

#endif
