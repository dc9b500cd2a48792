/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of a record's ranks are a grid: all, a run of them, all but every k-th, or several runs
 * that are a grid each. What is supposed is judged as grids are (fit_private.h): by the bits that
 * it takes to tell all pairs, those outside of every grid in one class. */
#ifndef SMAP_WORLD_PRIVATE_H
#define SMAP_WORLD_PRIVATE_H

#include "detect/detect.h"
#include "detect/search_private.h"

enum { SMAP_SETS_MAX = 8 };

/* Ranks that are supposed to be one grid each, and what was found of them. */
struct smap_supposition {
    size_t sets;
    struct smap_rank_set set[SMAP_SETS_MAX];
    struct smap_fits fits[SMAP_SETS_MAX];
    double bits;
};

/* What suppositions are judged on; symbol has one entry per edge. What a rank exchanges with nearly
 * all others, and alike with all of them, is ignored: output, timings, sums by hand. */
struct smap_world {
    const struct smap_record *record;
    uint8_t *symbol;
    size_t total[SMAP_SYMBOLS]; /* edges of each symbol */
    size_t edges;               /* that are not ignored */
    uint32_t *cell_of_rank;     /* work space */
    uint32_t *set_of_rank;
    struct smap_fitter fitter;
};

int smap_world_init(struct smap_world *world, const struct smap_record *record,
                    struct smap_error *err);
void smap_world_clear(struct smap_world *world);

/* Fills fits and bits of what is supposed; fits of 0 where no grid explains anything. */
int smap_world_judge(struct smap_supposition *supposition, struct smap_world *world,
                     struct smap_error *err);
void smap_supposition_clear(struct smap_supposition *supposition);

/* The links among the ranks of a set; the caller clears them. */
int smap_world_links(struct smap_links *links, struct smap_world *world,
                     const struct smap_rank_set *set, struct smap_error *err);

/* What is worth supposing besides all ranks: *list, the caller's to free, without fits. From the
 * differences to - from: on a grid there are few, and many pairs have each. Ranks most of whose
 * pairs have rare ones are no cells; where only rare ones lead across, one grid ends. */
int smap_suspects(struct smap_supposition **list, size_t *count, const struct smap_world *world,
                  struct smap_error *err);

#endif
