/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SMAP_CHAINS_PRIVATE_H
#define SMAP_CHAINS_PRIVATE_H

#include "partition/coarsen.h"

/* Makes the sizes of groups exactly right, each cell being one: from every group that is too large
 * cells move along the cheapest chain, one from each group on it to the next, to one that is too
 * small. O(edges) times the length of chains, for every cell that is too much. */
int smap_chains(uint32_t group_of_cell[], const struct smap_coarse *graph, const uint32_t size[],
                uint32_t groups, struct smap_error *err);

#endif
