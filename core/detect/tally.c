/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/tally_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

void smap_fitter_clear(struct smap_fitter *fitter)
{
    free(fitter->key);
    free(fitter->times);
    free(fitter->place);
    free(fitter->entry);
    free(fitter->folded);
    free(fitter->candidate);
    *fitter = (struct smap_fitter){.used = 0};
}

static void insert(struct smap_fitter *f, uint64_t key, uint32_t times)
{
    size_t i = (key * SMAP_GOLDEN) >> 20 & (f->capacity - 1);
    while (f->key[i] && f->key[i] != key)
        i = (i + 1) & (f->capacity - 1);
    f->used += f->key[i] == 0;
    f->key[i] = key;
    f->times[i] += times;
}

/* An empty table of at least that capacity. */
static int make_table(struct smap_fitter *f, size_t capacity, struct smap_error *err)
{
    if (capacity > f->capacity) {
        free(f->key);
        free(f->times);
        f->key = malloc(capacity * sizeof(*f->key));
        f->times = malloc(capacity * sizeof(*f->times));
        f->capacity = capacity;
    }
    f->used = 0;
    if (!f->key || !f->times) {
        f->capacity = 0;
        return smap_nomem(err);
    }
    memset(f->key, 0, f->capacity * sizeof(*f->key));
    memset(f->times, 0, f->capacity * sizeof(*f->times));
    return SMAP_OK;
}

static int grow_table(struct smap_fitter *f, struct smap_error *err)
{
    uint64_t *key = f->key;
    uint32_t *times = f->times;
    size_t capacity = f->capacity;
    f->key = NULL;
    f->times = NULL;
    int rc = make_table(f, 2 * capacity, err);
    for (size_t i = 0; rc == SMAP_OK && i < capacity; i++)
        if (key[i])
            insert(f, key[i], times[i]);
    free(key);
    free(times);
    return rc;
}

void smap_tally_code(struct smap_tally_code *code, const struct smap_fit *fit)
{
    uint64_t weight = 1;
    code->zero = 0;
    for (size_t i = fit->ndims; i-- > 0; weight *= 2 * (uint64_t)fit->dims[i] - 1) {
        code->radix[i] = weight;
        code->zero += weight * (fit->dims[i] - 1);
    }
}

void smap_tally_decode(int32_t offset[], uint64_t key, const struct smap_tally_code *code,
                       const struct smap_fit *fit)
{
    for (size_t i = 0; i < fit->ndims; i++) {
        offset[i] = (int32_t)(key / code->radix[i]) - (int32_t)fit->dims[i] + 1;
        key %= code->radix[i];
    }
}

static int find_places(struct smap_fitter *f, const struct smap_fit *fit,
                       const struct smap_tally_code *code, uint32_t cells, struct smap_error *err)
{
    uint32_t coords[SMAP_FIT_DIMS] = {0};
    uint64_t place = 0;
    if (cells > f->places) {
        free(f->place);
        f->place = malloc(cells * sizeof(*f->place));
        f->places = f->place ? cells : 0;
        if (!f->place)
            return smap_nomem(err);
    }
    for (uint32_t cell = 0; cell < cells; cell++) {
        f->place[cell] = (uint32_t)place;
        size_t i = fit->ndims;
        while (i > 0 && coords[i - 1] + 1 == fit->dims[i - 1]) {
            place -= coords[i - 1] * code->radix[i - 1];
            coords[--i] = 0;
        }
        if (i > 0) {
            coords[i - 1]++;
            place += code->radix[i - 1];
        }
    }
    return SMAP_OK;
}

static int count_links(struct smap_fitter *f, const struct smap_links *links,
                       const struct smap_tally_code *code, struct smap_error *err)
{
    int rc = make_table(f, 1024, err);
    for (size_t i = 0; rc == SMAP_OK && i < links->count; i++) {
        const struct smap_link *link = &links->link[i];
        uint64_t offset = code->zero + f->place[link->to] - f->place[link->from];
        insert(f, offset * SMAP_SYMBOLS + link->symbol + 1, 1); /* 0 is free */
        if (2 * f->used > f->capacity)
            rc = grow_table(f, err);
    }
    return rc;
}

int smap_tally_by_key(const void *a, const void *b)
{
    const struct smap_tally_entry *e = a, *g = b;
    return (e->key > g->key) - (e->key < g->key);
}

double smap_tally_feasible(const int32_t offset[], const struct smap_fit *fit, double share)
{
    double cells = share;
    for (size_t i = 0; i < fit->ndims; i++) {
        int32_t size = (int32_t)fit->dims[i], o = abs(offset[i]);
        cells *= fit->periodic[i] ? size : o < size ? size - o : 0;
    }
    return cells;
}

/* The table as a list, without offsets that are too rare to become part of anything: they are
 * noise, and many. wraps[i]: so many links lead more than half way through dimension i. */
static int list_entries(struct smap_fitter *f, const struct smap_fit *fit,
                        const struct smap_tally_code *code, double share, double wraps[],
                        struct smap_error *err)
{
    const struct smap_fit flat = {.ndims = fit->ndims};
    struct smap_fit open = *fit;
    memcpy(open.periodic, flat.periodic, sizeof(open.periodic));
    if (f->used > f->entries_space) {
        free(f->entry);
        free(f->folded);
        f->entry = malloc(2 * f->used * sizeof(*f->entry));
        f->folded = malloc(2 * f->used * sizeof(*f->folded));
        f->entries_space = f->entry && f->folded ? 2 * f->used : 0;
        if (!f->entries_space)
            return smap_nomem(err);
    }
    size_t count = 0, kept = 0, next;
    for (size_t i = 0; i < f->capacity; i++)
        if (f->key[i])
            f->entry[count++] = (struct smap_tally_entry){f->key[i] - 1, f->times[i]};
    qsort(f->entry, count, sizeof(*f->entry), smap_tally_by_key);
    for (size_t i = 0; i < count; i = next) {
        int32_t offset[SMAP_FIT_DIMS];
        double times = 0;
        uint64_t key = f->entry[i].key / SMAP_SYMBOLS;
        for (next = i; next < count && f->entry[next].key / SMAP_SYMBOLS == key; next++)
            times += f->entry[next].times;
        smap_tally_decode(offset, key, code, fit);
        if (times < 3 && times < 0.25 * smap_tally_feasible(offset, &open, share))
            continue;
        for (size_t k = 0; k < fit->ndims; k++)
            wraps[k] += 2 * (uint32_t)abs(offset[k]) > fit->dims[k] ? times : 0;
        memmove(f->entry + kept, f->entry + i, (next - i) * sizeof(*f->entry));
        kept += next - i;
    }
    f->entries = kept;
    return SMAP_OK;
}

int smap_tally(struct smap_fitter *fitter, const struct smap_fit *fit,
               const struct smap_tally_code *code, const struct smap_links *links, double wraps[],
               struct smap_error *err)
{
    double share = (double)links->sources / links->cells;
    int rc = find_places(fitter, fit, code, links->cells, err);
    if (rc == SMAP_OK)
        rc = count_links(fitter, links, code, err);
    return rc == SMAP_OK ? list_entries(fitter, fit, code, share, wraps, err) : rc;
}
