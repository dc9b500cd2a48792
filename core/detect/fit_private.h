/* SPDX-License-Identifier: BSD-3-Clause */
/* How well a grid explains edges. The measure is the length of the shortest description (J.
 * Rissanen, "Modeling by shortest data description", Automatica 1978): how many bits does it take
 * to say which pairs there are and what they carry, if the grid is told first? Pairs are in
 * classes, one per offset that the grid keeps and one for the rest; a class costs the entropy of
 * its pairs being there or not, of what they carry, and a few bits for itself. So a grid with few
 * offsets that are there everywhere, and nowhere else, wins over one that needs more offsets for
 * the same pairs, and noise costs every grid the same. */
#ifndef SMAP_FIT_PRIVATE_H
#define SMAP_FIT_PRIVATE_H

#include <stdbool.h>

#include "detect/links_private.h"

enum { SMAP_FIT_DIMS = 5 };

/* An offset. In a periodic dimension of size n its component is above -n/2 and at most n/2. */
struct smap_fit_class {
    int32_t offset[SMAP_FIT_DIMS];
    uint64_t feasible; /* so many cells have such a neighbour */
    uint64_t count;    /* so many of them send to it */
};

struct smap_fit {
    size_t ndims;
    uint32_t dims[SMAP_FIT_DIMS];
    bool periodic[SMAP_FIT_DIMS]; /* never of a dimension of size 2, where it changes no pair */
    double bits;
    size_t classes;
    struct smap_fit_class *kept; /* the caller's to free */
};

/* Work space of many fits; from {0}, freed by smap_fitter_clear. */
struct smap_fitter {
    uint64_t *key; /* hash table of (offset, symbol), 0: free */
    uint32_t *times;
    size_t capacity, used;
    uint32_t *place; /* of every cell, so that the difference of two tells the offset */
    uint32_t places;
    struct smap_tally_entry *entry, *folded;
    size_t entries, entries_space;
    struct smap_fit_candidate *candidate;
    size_t candidates, candidates_space;
};
void smap_fitter_clear(struct smap_fitter *fitter);

/* The dims of fit are given; the best periodic flags are found, unless `fixed`, where they are
 * given too (again without those of size 2). Fills the rest; fit->kept only if keep, else it is
 * NULL. */
int smap_fit(struct smap_fit *fit, struct smap_fitter *fitter, const struct smap_links *links,
             bool fixed, bool keep, struct smap_error *err);

/* What it takes without any grid: all pairs in one class. And links that no grid is fitted to, of
 * so many pairs that might be. */
double smap_fit_nothing(const struct smap_links *links);
double smap_fit_loose(double pairs, const size_t total[SMAP_SYMBOLS]);

/* The offset's component in a dimension of that size if it is periodic. */
int32_t smap_fit_fold(int32_t component, uint32_t size);

#endif
