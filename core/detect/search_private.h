/* SPDX-License-Identifier: BSD-3-Clause */
/* Which grid of all that have as many cells explains the links best. */
#ifndef SMAP_SEARCH_PRIVATE_H
#define SMAP_SEARCH_PRIVATE_H

#include "detect/fit_private.h"

enum { SMAP_FITS_MAX = 8 };

struct smap_fits {
    size_t count;
    struct smap_fit fit[SMAP_FITS_MAX]; /* the best first, see smap_fits_search */
};

/* Every way to write the number of cells as a product of 1 to 5 factors, their order counting.
 * Where there are too many only those whose inner blocks (the cells of one index of the first
 * dimensions) explain the links best as grids of two dimensions; and where there are many links, a
 * sample of them decides which grids are fitted to all. None for fewer than 2 cells. */
int smap_fits_search(struct smap_fits *fits, struct smap_fitter *fitter,
                     const struct smap_links *links, struct smap_error *err);
void smap_fits_clear(struct smap_fits *fits);

#endif
