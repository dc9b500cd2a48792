/* SPDX-License-Identifier: BSD-3-Clause */
/* Annealing by moves of single cells: groups may be a little too large or too small on the way,
 * which costs, and a place that is free wanders from group to group. So a division changes far
 * faster than by exchanges (refine.h); the sizes are made right at the end, along the cheapest
 * chain of moves from each group that is too large to one that is too small. Integers, own random
 * numbers and a fixed number of steps here, too. */
#ifndef SMAP_REFINE_MOVES_H
#define SMAP_REFINE_MOVES_H

#include "partition/coarsen.h"
#include "partition/refine.h"

/* Improves a division of a graph into groups, of which g is to have the size size[g]. Cells may
 * stand for several: then the sizes come out about right; where each is one, exactly. The result
 * may be worse than the start. schedule->enough is not looked at. */
int smap_refine_moves(uint32_t group_of_cell[], const struct smap_coarse *graph,
                      const uint32_t size[], uint32_t groups,
                      const struct smap_refine_schedule *schedule, struct smap_error *err);

#endif
