/* SPDX-License-Identifier: BSD-3-Clause */
/* The search behind `best`: structured layouts scored exactly, then exact-balance refinement of the
 * most promising ones, until a lower bound says that nothing is left or the fixed number of steps
 * is used up. */
#ifndef SMAP_BEST_SEARCH_H
#define SMAP_BEST_SEARCH_H

#include "base/error.h"
#include "grid/instance.h"
#include "grid/score.h"
#include "map/bands.h"
#include "map/mapping.h"

struct smap_best_result {
    /* What gives the best division found again, blocked if nothing is gained: an algorithm, with
     * bands if that is smap_algorithm_bands. NULL: nothing but the node of every cell. */
    const struct smap_algorithm *algorithm;
    struct smap_bands bands;
    uint32_t *node_of_cell; /* without an algorithm: the caller's to free; else NULL */
    struct smap_score score;
    uint64_t bound; /* no mapping has a smaller J_sum; 0 where nothing is known */
};

int smap_best_search(struct smap_best_result *result, const struct smap_instance *instance,
                     const struct smap_mapping_options *options, struct smap_error *err);

#endif
