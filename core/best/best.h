/* SPDX-License-Identifier: BSD-3-Clause */
/* `best` as a mapping, and its short form: srun searches once and hands slurmstepd a text. */
#ifndef SMAP_BEST_H
#define SMAP_BEST_H

#include "best/best_search.h"
#include "map/mapping.h"

/* An algorithm name that smap_mapping_create understands and that gives the same mapping without a
 * search: "hyperplane", "bands:run=0,snake=1,1:3x15+1x3". Owned by the caller. NULL if there is
 * none (an irregular, refined result) or without memory. Any other mapping is its own name. */
char *smap_best_encode(const struct smap_mapping *mapping);

/* What the search found: the score and the lower bound of a mapping made by "best"; NULL for other
 * mappings. */
const struct smap_best_result *smap_best_result(const struct smap_mapping *mapping);

#endif
