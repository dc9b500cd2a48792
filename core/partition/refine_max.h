/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes weight off the worst groups by swaps, at the same sizes. */
#ifndef SMAP_REFINE_MAX_H
#define SMAP_REFINE_MAX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "partition/refine_graph.h"

struct smap_leveling {
    uint64_t steps; /* proposals in all */
    uint64_t seed;
    bool keep_sum; /* J_sum must not rise */
};

/* Lowers J_max of a division. The result is never worse than the start in (J_max, J_sum), and with
 * keep_sum in neither of the two. */
int smap_refine_max(uint32_t group_of_cell[], const struct smap_refine_graph *graph,
                    uint32_t groups, const struct smap_leveling *leveling, struct smap_error *err);

#endif
