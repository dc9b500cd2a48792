/* SPDX-License-Identifier: BSD-3-Clause */
/* One process judges a reordering for all, so that all do the same. */
#ifndef SMAP_MPI_JUDGE_H
#define SMAP_MPI_JUDGE_H

#include <stdint.h>

#include <mpi.h>

#include "grid/instance.h"
#include "grid/score.h"

enum smap_judgement {
    SMAP_JUDGED_BETTER,
    SMAP_JUDGED_NO_GAIN,
    SMAP_JUDGED_NO_PERMUTATION, /* the cells are not 0 ... p-1, once each */
    SMAP_JUDGED_NO_MEMORY,
};

struct smap_verdict {
    enum smap_judgement judgement;
    struct smap_score before; /* valid with BETTER and NO_GAIN: the order of comm ... */
    struct smap_score after;  /* ... and the cells that were offered */
};

/* Collective over comm, which has as many processes as the grid has cells: every process gives its
 * node and the cell that it would take. Returns what MPI returned; the verdict is the same
 * everywhere. O(k p) time and O(p) memory on the process with rank 0. */
int smap_judge(struct smap_verdict *verdict, MPI_Comm comm, const struct smap_instance *instance,
               uint32_t node, uint32_t cell);

#endif
