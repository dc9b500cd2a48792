/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect/tally_private.h"

/* An offset that may be kept, and its entries in fitter->folded. */
struct smap_fit_candidate {
    uint64_t key;
    double feasible, count, bits; /* of what its links carry, bits */
    size_t first, last;
    bool kept;
};

/* Below this share of the possible pairs an offset says nothing about who talks to whom. */
#define COVERAGE_MIN 0.5

static double log2_0(double x)
{
    return x > 0 ? log2(x) : 0;
}

/* Bits to say which k of n are there. */
static double choice(double n, double k)
{
    return n * log2_0(n) - k * log2_0(k) - (n - k) * log2_0(n - k);
}

/* Bits to say what is carried: `terms` is the sum of c log2 c over the symbols' counts c. */
static double carried(double count, double terms, size_t distinct, size_t symbols)
{
    return count * log2_0(count) - terms +
           (double)distinct * (0.5 * log2_0(count + 1) + log2_0((double)symbols));
}

int32_t smap_fit_fold(int32_t component, uint32_t size)
{
    int32_t n = (int32_t)size, x = (component % n + n) % n;
    return x > n / 2 ? x - n : x;
}

double smap_fit_loose(double pairs, const size_t total[SMAP_SYMBOLS])
{
    double count = 0, terms = 0;
    size_t distinct = 0;
    for (size_t i = 0; i < SMAP_SYMBOLS; i++) {
        count += (double)total[i];
        terms += (double)total[i] * log2_0((double)total[i]);
        distinct += total[i] > 0;
    }
    return choice(pairs > count ? pairs : count, count) + carried(count, terms, distinct, distinct);
}

double smap_fit_nothing(const struct smap_links *links)
{
    return smap_fit_loose((double)links->sources * (links->cells - 1.0), links->total);
}

/* The entries with offsets folded by the periodic flags of fit, those of one offset together. */
static int fold_entries(struct smap_fitter *f, const struct smap_fit *fit,
                        const struct smap_tally_code *code, double share, size_t symbols,
                        struct smap_error *err)
{
    if (f->entries > f->candidates_space) {
        free(f->candidate);
        f->candidate = malloc(2 * f->entries * sizeof(*f->candidate));
        f->candidates_space = f->candidate ? 2 * f->entries : 0;
        if (!f->candidate)
            return smap_nomem(err);
    }
    for (size_t e = 0; e < f->entries; e++) {
        int32_t offset[SMAP_FIT_DIMS];
        uint64_t key = 0;
        smap_tally_decode(offset, f->entry[e].key / SMAP_SYMBOLS, code, fit);
        for (size_t i = 0; i < fit->ndims; i++) {
            int32_t o = fit->periodic[i] ? smap_fit_fold(offset[i], fit->dims[i]) : offset[i];
            key += (uint64_t)(o + (int32_t)fit->dims[i] - 1) * code->radix[i];
        }
        f->folded[e].key = key * SMAP_SYMBOLS + f->entry[e].key % SMAP_SYMBOLS;
        f->folded[e].times = f->entry[e].times;
    }
    qsort(f->folded, f->entries, sizeof(*f->folded), smap_tally_by_key);
    f->candidates = 0;
    for (size_t i = 0, next; i < f->entries; i = next) {
        struct smap_fit_candidate *c = &f->candidate[f->candidates++];
        int32_t offset[SMAP_FIT_DIMS];
        double terms = 0;
        size_t distinct = 0;
        *c = (struct smap_fit_candidate){.key = f->folded[i].key / SMAP_SYMBOLS, .first = i};
        for (next = i; next < f->entries && f->folded[next].key / SMAP_SYMBOLS == c->key;) {
            double times = 0;
            uint64_t key = f->folded[next].key;
            for (; next < f->entries && f->folded[next].key == key; next++)
                times += f->folded[next].times;
            c->count += times;
            terms += times * log2_0(times);
            distinct++;
        }
        c->last = next;
        c->bits = carried(c->count, terms, distinct, symbols);
        smap_tally_decode(offset, c->key, code, fit);
        c->feasible = smap_tally_feasible(offset, fit, share);
        c->feasible = c->feasible > c->count ? c->feasible : c->count;
        for (size_t k = 0; k < fit->ndims; k++)
            c->bits += 2 * log2(abs(offset[k]) + 1.0) + 1;
        c->bits += choice(c->feasible, c->count) + 0.5 * log2(c->feasible + 1);
    }
    return SMAP_OK;
}

/* Decides which offsets are kept, and returns the bits of everything. */
static double weigh(struct smap_fitter *f, const struct smap_fit *fit,
                    const struct smap_links *links)
{
    double bits = 0, all = (double)links->sources * (links->cells - 1.0), pairs = all, count = 0;
    size_t rest[SMAP_SYMBOLS];
    for (size_t i = 0; i < f->candidates; i++)
        f->candidate[i].kept = 2 * f->candidate[i].count >= f->candidate[i].feasible;
    for (int round = 0; round < 3; round++) {
        pairs = all;
        count = (double)links->count;
        for (size_t i = 0; i < f->candidates; i++) {
            pairs -= f->candidate[i].kept ? f->candidate[i].feasible : 0;
            count -= f->candidate[i].kept ? f->candidate[i].count : 0;
        }
        double density = pairs > 1 ? (count + 0.5) / (pairs + 1) : 0.5;
        density = density > 0.999 ? 0.999 : density;
        for (size_t i = 0; round < 2 && i < f->candidates; i++) {
            struct smap_fit_candidate *c = &f->candidate[i];
            double loose = -c->count * log2(density) -
                           (c->feasible - c->count) * log2(1 - density) +
                           c->count * log2_0((double)links->symbols) / 2;
            c->kept = c->count >= COVERAGE_MIN * c->feasible && c->bits < loose;
        }
    }
    memcpy(rest, links->total, sizeof(rest));
    for (size_t i = 0; i < f->candidates; i++) {
        const struct smap_fit_candidate *c = &f->candidate[i];
        bits += c->kept ? c->bits : 0;
        for (size_t e = c->first; c->kept && e < c->last; e++)
            rest[f->folded[e].key % SMAP_SYMBOLS] -= f->folded[e].times;
    }
    bits += smap_fit_loose(pairs > count ? pairs : count, rest);
    for (size_t i = 0; i < fit->ndims; i++)
        bits += 3 + fit->periodic[i];
    return bits;
}

static int keep_classes(struct smap_fit *fit, const struct smap_fitter *f,
                        const struct smap_tally_code *code, struct smap_error *err)
{
    fit->kept = calloc(f->candidates + 1, sizeof(*fit->kept));
    if (!fit->kept)
        return smap_nomem(err);
    for (size_t i = 0; i < f->candidates; i++) {
        const struct smap_fit_candidate *c = &f->candidate[i];
        struct smap_fit_class *class = &fit->kept[fit->classes];
        if (!c->kept)
            continue;
        smap_tally_decode(class->offset, c->key, code, fit);
        class->feasible = (uint64_t)c->feasible;
        class->count = (uint64_t)c->count;
        fit->classes++;
    }
    return SMAP_OK;
}

/* Tries all periodic flags of dimensions in which enough links lead round. */
static int choose_periodic(struct smap_fit *fit, struct smap_fitter *f,
                           const struct smap_tally_code *code, const struct smap_links *links,
                           const double wraps[], struct smap_error *err)
{
    double share = (double)links->sources / links->cells;
    unsigned best = 0, may = 0;
    struct smap_fit trial = *fit;
    fit->bits = INFINITY;
    for (size_t i = 0; i < fit->ndims; i++)
        if (fit->dims[i] > 2 && 4 * wraps[i] * fit->dims[i] >= links->sources)
            may |= 1u << i;
    for (unsigned flags = 0; flags < 1u << fit->ndims; flags++) {
        if (flags & ~may)
            continue;
        for (size_t i = 0; i < fit->ndims; i++)
            trial.periodic[i] = flags >> i & 1;
        int rc = fold_entries(f, &trial, code, share, links->symbols, err);
        if (rc != SMAP_OK)
            return rc;
        double bits = weigh(f, &trial, links);
        if (bits < fit->bits) {
            fit->bits = bits;
            best = flags;
        }
    }
    for (size_t i = 0; i < fit->ndims; i++)
        fit->periodic[i] = best >> i & 1;
    return SMAP_OK;
}

int smap_fit(struct smap_fit *fit, struct smap_fitter *fitter, const struct smap_links *links,
             bool fixed, bool keep, struct smap_error *err)
{
    double share = (double)links->sources / links->cells, wraps[SMAP_FIT_DIMS] = {0};
    struct smap_tally_code code;
    fit->classes = 0;
    fit->kept = NULL;
    smap_tally_code(&code, fit);
    int rc = smap_tally(fitter, fit, &code, links, wraps, err);
    if (rc == SMAP_OK && !fixed)
        rc = choose_periodic(fit, fitter, &code, links, wraps, err);
    if (rc == SMAP_OK && (fixed || keep))
        rc = fold_entries(fitter, fit, &code, share, links->symbols, err);
    if (rc == SMAP_OK && (fixed || keep))
        fit->bits = weigh(fitter, fit, links);
    return rc == SMAP_OK && keep ? keep_classes(fit, fitter, &code, err) : rc;
}
