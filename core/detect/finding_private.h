/* SPDX-License-Identifier: BSD-3-Clause */
/* From a fit to what users are told. */
#ifndef SMAP_FINDING_PRIVATE_H
#define SMAP_FINDING_PRIVATE_H

#include "detect/world_private.h"

/* What the links of one kept offset carry, all together. */
struct smap_carried {
    uint64_t count, messages, bytes;
};

/* cart: the periodic flags of all dimensions that MPI_Cart_create was told; NULL: not known, then
 * those of size 2 are guessed. The set is moved into the finding, also after a failure. */
int smap_finding_init(struct smap_finding *finding, const struct smap_fit *fit,
                      struct smap_rank_set *set, const bool cart[], struct smap_world *world,
                      struct smap_error *err);
void smap_finding_clear(struct smap_finding *finding);

/* The stencil of the offsets that a fit has kept, weighted by the bytes of each, and its text: a
 * name where one says the same. */
int smap_finding_stencil(struct smap_finding *finding, const struct smap_fit *fit,
                         const struct smap_carried carried[], struct smap_error *err);

#endif
