/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest weight that must leave a set of n cells, for stencils whose offsets lie along axes:
 * a discrete isoperimetric problem, solved from below by dynamic programming. */
#ifndef SMAP_BOUND_SHAPE_PRIVATE_H
#define SMAP_BOUND_SHAPE_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Larger sets are not looked at. */
#define SMAP_BOUND_CELLS_MAX 1024

/* One axis. leaving[k] is a lower bound on the weight that leaves k cells of one line along it,
 * k = 0 ... length, concave in k, leaving[0] = 0. For k > length there is no such line. */
struct smap_bound_axis {
    uint32_t length;
    const uint64_t *leaving;
};

/* least[n] for n = 0 ... most: no set of n cells has less weight leaving it. UINT64_MAX where so
 * many cells do not fit. O(axes * length * most^2) time, O(most^2) memory; SMAP_ENOTSUP where that
 * is too much. */
int smap_bound_shape(const struct smap_bound_axis axes[], size_t count, uint32_t most,
                     uint64_t least[], struct smap_error *err);

#endif
