/* SPDX-License-Identifier: BSD-3-Clause */
/* The best recursive bisection: a dynamic programme over box sizes. Every cut at a node boundary is
 * tried, small boxes may also be filled by bands, and the cost of a cut is exact and additive. It
 * covers all that hyperplane can produce. Equal node sizes only. */
#ifndef SMAP_GUILLOTINE_H
#define SMAP_GUILLOTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

struct smap_guillotine_limits {
    size_t boxes;        /* so many sizes of boxes are looked at, the others are not cut further */
    uint32_t fill;       /* boxes of up to so many nodes may be filled by bands */
    size_t fill_layouts; /* so many band layouts are scored for each */
};

/* A few milliseconds. */
#define SMAP_GUILLOTINE_FAST                                                                       \
    {                                                                                              \
        .boxes = 100, .fill = 3, .fill_layouts = 4                                                 \
    }

/* cell_at gets the cells in order of position; *found is false where there is no such layout (sizes
 * unequal, or no cut and no filling fits). Periodic dimensions are treated as if they were not. */
int smap_guillotine(uint32_t cell_at[], bool *found, const struct smap_instance *instance,
                    const struct smap_guillotine_limits *limits, struct smap_error *err);

#endif
