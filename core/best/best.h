/* SPDX-License-Identifier: BSD-3-Clause */
/* `best` as a mapping: what its search has found out. */
#ifndef SMAP_BEST_H
#define SMAP_BEST_H

#include "best/best_search.h"
#include "map/mapping.h"

/* What the search found: the score and the lower bound of a mapping made by "best"; NULL for other
 * mappings. */
const struct smap_best_result *smap_best_result(const struct smap_mapping *mapping);

#endif
