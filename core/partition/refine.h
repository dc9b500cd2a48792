/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact-balance local search: simulated annealing over swaps of two cells and cyclic exchanges of
 * three, so that every group keeps its size at every step. All arithmetic is on integers, the
 * random numbers are our own and the number of steps is fixed, so a result is the same on every
 * machine and with every compiler. */
#ifndef SMAP_REFINE_H
#define SMAP_REFINE_H

#include <stdint.h>

#include "base/error.h"
#include "partition/refine_graph.h"

/* Above so many pairs of a cell and a group no table of the weights between them is kept. */
#define SMAP_REFINE_LINKS_MAX (UINT64_C(1) << 23)

struct smap_refine_schedule {
    uint64_t steps;  /* proposals in all */
    uint32_t start;  /* first temperature, in 1/256 of the mean weight of an edge */
    uint32_t halves; /* how often the temperature halves until the end, at least 1 */
    uint64_t seed;
    uint64_t enough; /* stop at a J_sum that low: a lower bound, or 0 */
};

/* Improves J_sum of a division of the graph's cells into groups. The result is never worse than the
 * start in J_sum; at the same J_sum its J_max may be higher. The caller compares: such a division
 * is another one to go on from, and `best` finds less if it gets its start back instead. */
int smap_refine_sum(uint32_t group_of_cell[], const struct smap_refine_graph *graph,
                    uint32_t groups, const struct smap_refine_schedule *schedule,
                    struct smap_error *err);

#endif
