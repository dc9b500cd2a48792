/* SPDX-License-Identifier: BSD-3-Clause */
/* The refinement behind `best`: which starts are annealed how hot, and what follows. */
#ifndef SMAP_BEST_REFINE_PRIVATE_H
#define SMAP_BEST_REFINE_PRIVATE_H

#include "best/best_state_private.h"

/* Improves on the starts with the steps that the effort allows; does nothing where there is no
 * graph or the steps would be too few a cell. */
int smap_best_refine(struct smap_best_state *s, struct smap_error *err);

#endif
