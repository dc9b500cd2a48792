/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids with stencils: the texts that world rank 0 settled on, and what they mean. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#include <mpi.h>

#include "bench/options.h"
#include "grid/grid.h"
#include "grid/stencil.h"
#include "hints.h"

#define BENCH_TEXT 4096

struct bench_case {
    char dims[BENCH_TEXT];
    char stencil_text[BENCH_TEXT];
    char periodic[BENCH_TEXT];
    struct smap_grid grid;
    struct smap_stencil *stencil;
    bool hints_fit; /* the step was mapped for this very grid and stencil */
};

struct bench_cases {
    size_t count;
    struct bench_case *item;
};

/* One for each stencil that is asked for, "all" for all that have a name. Collective over
 * MPI_COMM_WORLD; the result code is the same everywhere, err is filled on world rank 0. */
int bench_cases_create(struct bench_cases *cases, const struct bench_options *options,
                       const struct smap_hints *hints, struct smap_error *err);
void bench_cases_destroy(struct bench_cases *cases);

/* The worst code of all processes. */
int bench_agree(int code);

#endif
