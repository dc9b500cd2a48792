/* SPDX-License-Identifier: BSD-3-Clause */
/* The search over band layouts: every one is estimated, the most promising ones are laid out and
 * scored exactly. */
#ifndef SMAP_BANDS_SEARCH_H
#define SMAP_BANDS_SEARCH_H

#include <stddef.h>

#include "base/error.h"
#include "grid/instance.h"
#include "map/bands.h"

/* The at most count layouts with the smallest estimate of J_sum, best first, ties in the order in
 * which they are made; *found gets how many there are. bands: count entries. */
int smap_bands_search(struct smap_bands bands[], size_t *found,
                      const struct smap_instance *instance, size_t count, struct smap_error *err);

#endif
