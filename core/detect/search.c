/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/search_private.h"

#include <stdlib.h>
#include <string.h>

/* More grids than that are not tried; of so many links all are looked at each time. */
enum { GRIDS_MAX = 1200, LINKS_MAX = 12000, BLOCKS_MAX = 13, DIVISORS_MAX = 512 };

/* So many times the bits. */
#define EXACT_WORTH 1.5

struct search {
    struct smap_fits *fits;
    struct smap_fitter *fitter;
    const struct smap_links *links; /* or a sample of them */
    uint32_t block[DIVISORS_MAX];   /* the sizes of inner blocks that are tried, ascending */
    size_t blocks;
    uint32_t dims[SMAP_FIT_DIMS]; /* of the grid that is being made */
};

void smap_fits_clear(struct smap_fits *fits)
{
    for (size_t i = 0; i < fits->count; i++)
        free(fits->fit[i].kept);
    fits->count = 0;
}

/* Puts it in its place if it is one of the best. */
static void enter(struct smap_fits *fits, const struct smap_fit *fit)
{
    size_t at = fits->count;
    while (at > 0 && fit->bits < fits->fit[at - 1].bits)
        at--;
    if (at == SMAP_FITS_MAX) {
        free(fit->kept);
        return;
    }
    if (fits->count == SMAP_FITS_MAX)
        free(fits->fit[--fits->count].kept);
    memmove(fits->fit + at + 1, fits->fit + at, (fits->count - at) * sizeof(*fit));
    fits->fit[at] = *fit;
    fits->count++;
}

static int try_dims(struct search *s, size_t ndims, struct smap_error *err)
{
    struct smap_fit fit = {.ndims = ndims};
    for (size_t i = 0; i < ndims; i++)
        fit.dims[i] = s->dims[i];
    int rc = smap_fit(&fit, s->fitter, s->links, false, false, err);
    if (rc == SMAP_OK)
        enter(s->fits, &fit);
    return rc;
}

/* All grids whose dimensions from `at` on multiply to cells. */
static int try_all(struct search *s, size_t at, uint32_t cells, struct smap_error *err)
{
    int rc = SMAP_OK;
    s->dims[at] = cells;
    rc = try_dims(s, at + 1, err);
    for (size_t i = 0; rc == SMAP_OK && at + 1 < SMAP_FIT_DIMS && i < s->blocks; i++) {
        uint32_t block = s->block[i];
        if (block >= cells || cells % block != 0)
            continue;
        s->dims[at] = cells / block;
        rc = try_all(s, at + 1, block, err);
    }
    return rc;
}

/* How many grids try_all tries, or a number above max. */
static size_t count_grids(const struct search *s, size_t at, uint32_t cells, size_t max)
{
    size_t count = 1;
    for (size_t i = 0; at + 1 < SMAP_FIT_DIMS && i < s->blocks && count <= max; i++)
        if (s->block[i] < cells && cells % s->block[i] == 0)
            count += count_grids(s, at + 1, s->block[i], max);
    return count;
}

struct judged {
    uint32_t block;
    double bits;
};

static int best_first(const void *a, const void *b)
{
    const struct judged *j = a, *k = b;
    if (j->bits != k->bits)
        return j->bits < k->bits ? -1 : 1;
    return (j->block > k->block) - (j->block < k->block);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *j = a, *k = b;
    return (*j > *k) - (*j < *k);
}

/* Leaves the blocks that are most promising. */
static int choose_blocks(struct search *s, uint32_t cells, struct smap_error *err)
{
    struct judged judged[DIVISORS_MAX];
    for (size_t i = 0; i < s->blocks; i++) {
        struct smap_fit fit = {.ndims = 2, .dims = {cells / s->block[i], s->block[i]}};
        int rc = smap_fit(&fit, s->fitter, s->links, false, false, err);
        if (rc != SMAP_OK)
            return rc;
        judged[i] = (struct judged){s->block[i], fit.bits};
    }
    qsort(judged, s->blocks, sizeof(*judged), best_first);
    s->blocks = BLOCKS_MAX;
    for (size_t i = 0; i < s->blocks; i++)
        s->block[i] = judged[i].block;
    qsort(s->block, s->blocks, sizeof(*s->block), ascending);
    return SMAP_OK;
}

static int search(struct search *s, uint32_t cells, struct smap_error *err)
{
    for (uint32_t block = 2; block <= cells / 2; block++)
        if (cells % block == 0 && s->blocks < DIVISORS_MAX)
            s->block[s->blocks++] = block;
    int rc = SMAP_OK;
    if (s->blocks > BLOCKS_MAX && count_grids(s, 0, cells, GRIDS_MAX) > GRIDS_MAX)
        rc = choose_blocks(s, cells, err);
    return rc == SMAP_OK ? try_all(s, 0, cells, err) : rc;
}

/* Fits those that were found to all links. */
static int refit(struct smap_fits *fits, struct smap_fitter *fitter, const struct smap_links *links,
                 struct smap_error *err)
{
    struct smap_fits found = *fits;
    fits->count = 0;
    for (size_t i = 0; i < found.count; i++) {
        struct smap_fit fit = found.fit[i];
        int rc = smap_fit(&fit, fitter, links, false, true, err);
        if (rc != SMAP_OK)
            return rc;
        enter(fits, &fit);
    }
    return SMAP_OK;
}

/* A grid with exactly the pairs that there are, and no others, is better than one with a shorter
 * description, if not by much: nothing has to be explained away. */
static void prefer_exact(struct smap_fits *fits, const struct smap_links *links)
{
    for (size_t i = 0; i < fits->count; i++) {
        struct smap_fit exact = fits->fit[i];
        uint64_t there = 0, feasible = 0;
        for (size_t c = 0; c < exact.classes; c++) {
            there += exact.kept[c].count;
            feasible += exact.kept[c].feasible;
        }
        if (there != links->count || feasible != there ||
            exact.bits > EXACT_WORTH * fits->fit[0].bits)
            continue;
        memmove(fits->fit + 1, fits->fit, i * sizeof(exact));
        fits->fit[0] = exact;
        return;
    }
}

int smap_fits_search(struct smap_fits *fits, struct smap_fitter *fitter,
                     const struct smap_links *links, struct smap_error *err)
{
    struct search s = {.fits = fits, .fitter = fitter, .links = links};
    struct smap_links sample = {.cells = 0};
    fits->count = 0;
    if (links->cells < 2)
        return SMAP_OK;
    int rc = SMAP_OK;
    if (links->count > LINKS_MAX) {
        rc = smap_links_sample(&sample, links, LINKS_MAX, err);
        s.links = &sample;
    }
    if (rc == SMAP_OK)
        rc = search(&s, links->cells, err);
    if (rc == SMAP_OK)
        rc = refit(fits, fitter, links, err);
    if (rc == SMAP_OK)
        prefer_exact(fits, links);
    smap_links_clear(&sample);
    return rc;
}
