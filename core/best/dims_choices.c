/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "best/dims_search_private.h"

/* A grid with more surface than so many times the least is not looked at: what it may save between
 * the nodes it costs inside them. */
#define SURFACE 1.25

/* So many divisors are tried at most. The first grid of the list does not depend on it. */
#define TRIES 20000000

/* Sums of the same parts in another order are equal. */
#define ROUNDING 1e-9

struct list {
    const struct smap_dims_rules *rules;
    const double *price;
    size_t twin[SMAP_DIMS_MAX]; /* an earlier dimension that is the same by symmetry; i: none */
    uint32_t divisor[SMAP_DIVISORS_MAX];
    size_t divisors;
    uint32_t dims[SMAP_DIMS_MAX]; /* of the grid that is being put together */
    uint64_t tries;
    struct smap_dims_choice *choice;
    size_t count, max;
    double limit;
};

static uint64_t mix(uint64_t hash, int64_t value)
{
    hash = (hash ^ (uint64_t)value) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ (hash >> 32);
}

/* A number that is the same for the same offsets with the same weights in any order, with
 * dimensions i and j exchanged. */
static uint64_t stencil_number(const struct smap_stencil *stencil, size_t i, size_t j)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < stencil->count; r++) {
        const int32_t *offset = smap_stencil_offset(stencil, r);
        uint64_t hash = 1;
        for (size_t k = 0; k < stencil->ndims; k++)
            hash = mix(hash, offset[k == i ? j : k == j ? i : k]);
        sum += hash * stencil->weights[r];
    }
    return sum;
}

/* Do the rules treat the dimensions alike? */
static bool same_rules(const struct smap_dims_request *request, size_t i, size_t j)
{
    const struct smap_dims_rules *rules = &request->rules;
    if (rules->fixed && (rules->fixed[i] || rules->fixed[j]))
        return false;
    if (request->periodic && request->periodic[i] != request->periodic[j])
        return false;
    if (rules->lattice && rules->lattice[i] != rules->lattice[j])
        return false;
    return !rules->least_patch || rules->least_patch[i] == rules->least_patch[j];
}

static void find_twins(struct list *l, const struct smap_dims_request *request)
{
    uint64_t own = stencil_number(request->stencil, 0, 0);
    for (size_t i = 0; i < l->rules->d; i++) {
        l->twin[i] = i;
        for (size_t j = i; j-- > 0 && l->twin[i] == i;)
            if (same_rules(request, i, j) && stencil_number(request->stencil, i, j) == own)
                l->twin[i] = j;
    }
}

/* The least that dimensions i on can add if their product is rest: the mean of products. */
static double least_behind(const struct list *l, size_t i, uint32_t rest)
{
    size_t count = l->rules->d - i;
    double product = rest;
    if (count == 0)
        return 0;
    for (size_t k = i; k < l->rules->d; k++)
        product *= l->price[k];
    return (double)count * pow(product, 1.0 / (double)count);
}

/* Puts the grid in its place if it is among the best ones. */
static void insert(struct list *l, double surface)
{
    size_t place = l->count;
    for (size_t k = 0; k < l->count; k++)
        if (memcmp(l->choice[k].dims, l->dims, sizeof(l->dims)) == 0)
            return;
    while (place > 0 && surface < l->choice[place - 1].surface * (1 - ROUNDING))
        place--;
    if (place == l->max)
        return;
    l->count += l->count < l->max;
    for (size_t k = l->count - 1; k > place; k--)
        l->choice[k] = l->choice[k - 1];
    memcpy(l->choice[place].dims, l->dims, sizeof(l->dims));
    l->choice[place].surface = surface;
}

static bool hopeless(const struct list *l, double surface)
{
    double limit = l->limit;
    if (l->count == l->max && l->choice[l->max - 1].surface < limit)
        limit = l->choice[l->max - 1].surface;
    return surface > limit * (1 + ROUNDING);
}

/* All sizes of dimension i, large ones first, with what fits behind them. */
static void extend(struct list *l, size_t i, uint32_t rest, double surface)
{
    if (i == l->rules->d) {
        if (rest == 1)
            insert(l, surface);
        return;
    }
    uint32_t most = l->twin[i] < i ? l->dims[l->twin[i]] : rest;
    for (size_t k = l->divisors; k-- > 0 && l->tries < TRIES;) {
        uint32_t f = l->divisor[k];
        if (f > most || f > rest)
            continue;
        l->tries++;
        if (rest % f || !smap_dims_allowed(l->rules, i, f))
            continue;
        double sum = surface + f * l->price[i];
        if (hopeless(l, sum + least_behind(l, i + 1, rest / f)))
            continue;
        l->dims[i] = f;
        extend(l, i + 1, rest / f, sum);
    }
    l->dims[i] = 0;
}

/* The grid with the least surface, exactly, in whole numbers. */
static int first_grid(struct list *l, struct smap_error *err)
{
    uint64_t whole[SMAP_DIMS_MAX];
    double most = 0, surface = 0;
    for (size_t i = 0; i < l->rules->d; i++)
        most = l->price[i] > most ? l->price[i] : most;
    for (size_t i = 0; i < l->rules->d; i++)
        whole[i] = most > 0 ? (uint64_t)llround(l->price[i] / most * INT32_MAX) : 1;
    int rc = smap_dims_least(l->dims, l->rules, whole, err);
    if (rc != SMAP_OK)
        return rc;
    for (size_t i = 0; i < l->rules->d; i++)
        surface += l->dims[i] * l->price[i];
    insert(l, surface);
    l->limit = surface * SURFACE;
    return SMAP_OK;
}

int smap_dims_choices(struct smap_dims_choice choices[], size_t *count,
                      const struct smap_dims_request *request, const double price[], size_t max,
                      struct smap_error *err)
{
    struct list *l = calloc(1, sizeof(*l));
    if (!l)
        return smap_nomem(err);
    l->rules = &request->rules;
    l->price = price;
    l->choice = choices;
    l->max = max;
    l->divisors = smap_divisors(l->divisor, request->rules.p);
    find_twins(l, request);
    int rc = smap_dims_check(l->rules, err);
    if (rc == SMAP_OK)
        rc = first_grid(l, err);
    memset(l->dims, 0, sizeof(l->dims));
    if (rc == SMAP_OK && max > 1)
        extend(l, 0, request->rules.p, 0);
    *count = l->count;
    free(l);
    return rc;
}
