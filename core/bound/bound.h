/* SPDX-License-Identifier: BSD-3-Clause */
/* Lower bounds on J_sum over all mappings of an instance: a certificate for a good one. */
#ifndef SMAP_BOUND_H
#define SMAP_BOUND_H

#include <stdint.h>

#include "base/error.h"
#include "grid/grid.h"
#include "grid/stencil.h"
#include "step/nodesizes.h"

/* A number that J_sum of no mapping undercuts; 0 where nothing better is proven. */
int smap_bound_jsum(uint64_t *bound, const struct smap_grid *grid,
                    const struct smap_stencil *stencil, const struct smap_nodesizes *sizes,
                    struct smap_error *err);

#endif
