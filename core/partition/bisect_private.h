/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a graph in two parts of given sizes with little weight between them: coarsened, cut where it
 * is small, and made better by moves at every size on the way back (Fiduccia and Mattheyses, "A
 * linear-time heuristic for improving network partitions", DAC 1982). */
#ifndef SMAP_BISECT_PRIVATE_H
#define SMAP_BISECT_PRIVATE_H

#include "partition/coarsen.h"

/* side[c] becomes 0 or 1; cells that stand for exactly `left` others get 0, if all cells stand for
 * one. The same for the same *random. */
int smap_bisect(uint8_t side[], const struct smap_coarse *graph, uint64_t left, uint64_t *random,
                struct smap_error *err);

/* Makes such a cut better, never worse: by moves, each of which may be a step back, until no
 * sequence of them gains. The sizes of the sides are as close to `left` afterwards as the cells
 * allow, or within `slack` of it. */
int smap_bisect_refine(uint8_t side[], const struct smap_coarse *graph, uint64_t left,
                       uint64_t slack, struct smap_error *err);

#endif
