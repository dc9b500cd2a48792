/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes weight off the worst groups by swaps, at the same sizes. */
#ifndef SMAP_REFINE_MAX_H
#define SMAP_REFINE_MAX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "partition/refine_graph.h"

/* Lowers J_max of a division; J_sum never rises if keep_sum, else it may. The result is never worse
 * than the start in (J_max, J_sum), with keep_sum in (J_sum, J_max). A fixed number of steps. */
int smap_refine_max(const struct smap_refine_graph *graph, uint32_t groups,
                    uint32_t group_of_cell[], bool keep_sum, uint64_t steps, uint64_t seed,
                    struct smap_error *err);

#endif
