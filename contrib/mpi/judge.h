/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a reordering better than the order that there is? The verdict is the same everywhere. */
#ifndef SMAP_MPI_JUDGE_H
#define SMAP_MPI_JUDGE_H

#include <stdint.h>

#include <mpi.h>

#include "grid/instance.h"
#include "grid/score.h"
#include "map/mapping.h"
#include "nodesplit.h"

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

/* Better or no gain, by the scores. */
enum smap_judgement smap_judge_scores(const struct smap_score *before,
                                      const struct smap_score *after);

/* The cells of a mapping, NULL if this process has no memory for it: every process looks at the
 * edges of its own rank and of its own cell, and one reduction adds them up. The split must have a
 * map. O(k) lookups and O(nodes) memory. Collective over comm, which has as many processes as the
 * grid has cells. Returns what MPI returned, or MPI_ERR_NO_MEM. */
int smap_judge_mapping(struct smap_verdict *verdict, MPI_Comm comm,
                       const struct smap_instance *instance, const struct smap_nodesplit *split,
                       const struct smap_mapping *mapping);

/* Any cells: every process gives its node and the cell that it would take, and the one with rank 0
 * looks at all of them. Collective as above. O(k p) time and O(p) memory on the process with
 * rank 0. */
int smap_judge_cells(struct smap_verdict *verdict, MPI_Comm comm,
                     const struct smap_instance *instance, uint32_t node, uint32_t cell);

#endif
