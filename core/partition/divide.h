/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides any set of cells, such as those of one node, into groups of given sizes with little
 * weight between them. */
#ifndef SMAP_DIVIDE_H
#define SMAP_DIVIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

/* What is to be divided, and into what. */
struct smap_division {
    const uint32_t *cells; /* ascending */
    uint32_t count;        /* of the cells: the sum of the sizes */
    const uint32_t *size;  /* of each group */
    uint32_t groups;
    bool quick; /* cuts alone, without the local search that follows */
};

/* group_of[i] gets the group of cells[i]. Never more weight between the groups than if each took
 * the next cells in order. The sizes of the instance are not looked at. */
int smap_divide(uint32_t group_of[], const struct smap_instance *instance,
                const struct smap_division *division, struct smap_error *err);

#endif
