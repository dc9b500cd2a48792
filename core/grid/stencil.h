/* SPDX-License-Identifier: BSD-3-Clause */
/* The stencil: k relative offsets R_0 ... R_{k-1} with weights; cell c talks to c + R_i. */
#ifndef SMAP_STENCIL_H
#define SMAP_STENCIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SMAP_OFFSETS_MAX 65536   /* moore in 10 dimensions has 59048 */
#define SMAP_OFFSET_MAX  1000000 /* largest |R_ij| */
#define SMAP_WEIGHT_MAX  1000000
/* With at most 2^32 cells a score then fits 64 bits. */
#define SMAP_WEIGHT_SUM_MAX INT32_MAX

struct smap_stencil {
    size_t ndims;
    size_t count;      /* k */
    int32_t *offsets;  /* k x ndims, row i is R_i */
    uint32_t *weights; /* k, each at least 1 */
};

/* Builds a stencil from a name of the literature or from offsets such as "1,0;-1,0;0,1*4;0,-1*4".
 * ndims is the dimension of the grid, 0 if nobody has said yet: then names that imply it (5pt,
 * 9pt, 7pt, 27pt) and offsets decide, and the others mean 2. A stencil whose dimension differs
 * from a given ndims is refused. Names (von Kirchbach et al. 2020, section II; thesis 2019,
 * chapter 6):
 *   nn               +-1 in every dimension; 5pt = nn in 2-D, 7pt = nn in 3-D
 *   moore            {-1,0,1}^d without 0; 9pt in 2-D, 27pt in 3-D
 *   component        +-1 in every dimension but the last
 *   diagonal         {-1,1}^d
 *   crank-nicolson   component, component shifted by +1 in the last dimension, and (0,..,0,+1)
 *   hops, hops-last  nn and +-2, +-3 along the first (last) dimension
 * moore, 9pt and 27pt take weights by shape, one per dimension: moore*64,8,1 gives the offsets that
 * differ in one dimension (faces) weight 64, in two (edges) 8, in three (corners) 1; weight 0
 * leaves them out.
 */
int smap_stencil_parse(struct smap_stencil **stencil, const char *text, size_t ndims,
                       struct smap_error *err);

/* From a flattened k x ndims list; weights may be NULL (all 1). The all-zero offset is dropped:
 * it is no communication. */
int smap_stencil_create(struct smap_stencil **stencil, size_t ndims, size_t count,
                        const int32_t offsets[], const uint32_t weights[], struct smap_error *err);

void smap_stencil_destroy(struct smap_stencil *stencil);

/* R_i as ndims numbers. */
const int32_t *smap_stencil_offset(const struct smap_stencil *stencil, size_t i);

/* The sum of all weights. */
uint64_t smap_stencil_weight(const struct smap_stencil *stencil);

/* The i-th name and one line about it; false behind the last. */
bool smap_stencil_name(const char **name, const char **summary, size_t i);

/* The stencil as offsets in the notation that smap_stencil_parse reads; owned by the caller. */
char *smap_stencil_format(const struct smap_stencil *stencil);

#endif
