/* SPDX-License-Identifier: BSD-3-Clause */
/* The search over band layouts: every one is estimated, the most promising ones are laid out and
 * scored exactly. */
#ifndef SMAP_PORTFOLIO_H
#define SMAP_PORTFOLIO_H

#include <stddef.h>

#include "error.h"
#include "grid.h"
#include "nodesizes.h"
#include "portfolio_bands.h"
#include "stencil.h"

/* The at most count layouts with the smallest estimate of J_sum, best first, ties in the order in
 * which they are made; *found gets how many there are. bands: count entries. */
int smap_portfolio_bands(const struct smap_grid *grid, const struct smap_stencil *stencil,
                         const struct smap_nodesizes *sizes, size_t count,
                         struct smap_bands bands[], size_t *found, struct smap_error *err);

#endif
