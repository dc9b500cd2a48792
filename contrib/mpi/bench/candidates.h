/* SPDX-License-Identifier: BSD-3-Clause */
/* What is compared for one grid and stencil: "blocked" first, then the mappings. */
#ifndef BENCH_CANDIDATES_H
#define BENCH_CANDIDATES_H

#include <mpi.h>

#include "bench/case.h"
#include "bench/machine.h"
#include "grid/score.h"

struct bench_candidate {
    char name[64];           /* "step": as srun has mapped the step */
    const char *algorithm;   /* NULL: that of the step */
    MPI_Comm comm;           /* rank r is cell r */
    struct smap_score score; /* on world rank 0 only */
};

struct bench_candidates {
    size_t count;
    struct bench_candidate item[BENCH_LIST_MAX + 1];
    char notes[2048]; /* lines about the step's mapping and algorithms that cannot serve */
};

/* Collective over MPI_COMM_WORLD; the result code is the same everywhere. What maps names must
 * live as long. */
int bench_candidates_create(struct bench_candidates *all, const struct bench_machine *machine,
                            const struct bench_case *c, const struct bench_list *maps,
                            const struct smap_hints *hints, struct smap_error *err);
void bench_candidates_destroy(struct bench_candidates *all);

#endif
