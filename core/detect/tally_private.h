/* SPDX-License-Identifier: BSD-3-Clause */
/* The links of a record, counted by their offsets on a grid and by what they carry. */
#ifndef SMAP_TALLY_PRIVATE_H
#define SMAP_TALLY_PRIVATE_H

#include "detect/fit_private.h"

/* So many links of one raw offset carry one symbol. */
struct smap_tally_entry {
    uint64_t key; /* offset * SMAP_SYMBOLS + symbol */
    uint32_t times;
};

/* The offset (o_0, o_1, ...) is the number with the digits o_i + d_i - 1 to the bases 2 d_i - 1, so
 * that the places of two cells differ by the offset's, but for a constant. */
struct smap_tally_code {
    uint64_t radix[SMAP_FIT_DIMS]; /* the weight of each digit */
    uint64_t zero;                 /* of the offset 0 */
};

void smap_tally_code(struct smap_tally_code *code, const struct smap_fit *fit);
void smap_tally_decode(int32_t offset[], uint64_t key, const struct smap_tally_code *code,
                       const struct smap_fit *fit);

/* How many of the sources, `share` of all cells, have a neighbour at the offset. */
double smap_tally_feasible(const int32_t offset[], const struct smap_fit *fit, double share);

/* fitter->entry gets the counts, ascending by key, without offsets that are too rare to become part
 * of anything: they are noise, and many. No dimension is periodic in them. wraps[i] grows by the
 * links that lead more than half way through dimension i. */
int smap_tally(struct smap_fitter *fitter, const struct smap_fit *fit,
               const struct smap_tally_code *code, const struct smap_links *links, double wraps[],
               struct smap_error *err);

int smap_tally_by_key(const void *a, const void *b);

#endif
