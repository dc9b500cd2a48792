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

/* What describes the best layout found. */
enum smap_best_kind {
    SMAP_BEST_NAMED, /* an algorithm of mapping.h; blocked if nothing is gained */
    SMAP_BEST_BANDS,
    SMAP_BEST_TABLE, /* nothing shorter than the node of every cell */
};

struct smap_best_result {
    enum smap_best_kind kind;
    const char *name;        /* SMAP_BEST_NAMED */
    struct smap_bands bands; /* SMAP_BEST_BANDS */
    uint32_t *node_of_cell;  /* SMAP_BEST_TABLE: the caller's to free; else NULL */
    struct smap_score score;
    uint64_t bound; /* no mapping has a smaller J_sum; 0 where nothing is known */
};

int smap_best_search(struct smap_best_result *result, const struct smap_instance *instance,
                     const struct smap_mapping_options *options, struct smap_error *err);

#endif
