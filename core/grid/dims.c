/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/dims.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "grid/grid.h"

/* Factors are chosen smallest first; factor[0 .. depth) is chosen, the best list found so far is
 * kept the same way round. */
struct search {
    size_t d;
    uint32_t factor[SMAP_DIMS_MAX];
    uint32_t best[SMAP_DIMS_MAX];
    bool found;
};

static bool better(const struct search *s)
{
    if (!s->found)
        return true;
    uint32_t spread = s->factor[s->d - 1] - s->factor[0];
    uint32_t best_spread = s->best[s->d - 1] - s->best[0];
    if (spread != best_spread)
        return spread < best_spread;
    for (size_t i = s->d; i-- > 0;)
        if (s->factor[i] != s->best[i])
            return s->factor[i] < s->best[i];
    return false;
}

/* Is factor^count <= rest? Without overflow, by division. */
static bool power_fits(uint64_t factor, size_t count, uint64_t rest)
{
    for (size_t i = 0; i < count && rest > 0; i++)
        rest /= factor;
    return rest > 0;
}

static void choose(struct search *s, size_t depth, uint32_t lowest, uint32_t rest)
{
    size_t left = s->d - depth;
    if (left == 1) {
        s->factor[depth] = rest;
        if (better(s)) {
            memcpy(s->best, s->factor, sizeof(s->best));
            s->found = true;
        }
        return;
    }
    for (uint32_t f = lowest; f == 1 || power_fits(f, left, rest); f++) {
        if (rest % f)
            continue;
        s->factor[depth] = f;
        /* The largest factor is at least the (left - 1)-th root of what remains: a spread that
         * is already too large cannot shrink again. The largest factor of a list as good as the
         * best one may lie above 2^32. */
        uint64_t largest = (uint64_t)s->best[s->d - 1] - s->best[0] + s->factor[0];
        if (!s->found || !power_fits(largest + 1, left - 1, rest / f))
            choose(s, depth + 1, f, rest / f);
    }
}

void smap_dims_balanced(uint32_t dims[], uint32_t p, size_t d)
{
    struct search s = {.d = d};
    choose(&s, 0, 1, p);
    for (size_t i = 0; i < d; i++)
        dims[i] = s.best[d - 1 - i];
}

int smap_dims_fill(uint32_t dims[], uint32_t p, size_t d, struct smap_error *err)
{
    uint32_t found[SMAP_DIMS_MAX], rest = p;
    size_t free_dims = 0;
    for (size_t i = 0; i < d; i++) {
        if (dims[i] == 0)
            free_dims++;
        else if (rest % dims[i] == 0)
            rest /= dims[i];
        else
            return smap_fail(err, SMAP_EINVAL,
                             "the given sizes do not divide %" PRIu32 ": %" PRIu32
                             " is left, and %" PRIu32 " does not divide that",
                             p, rest, dims[i]);
    }
    if (free_dims == 0)
        return SMAP_OK;
    smap_dims_balanced(found, rest, free_dims);
    for (size_t i = 0, k = 0; i < d; i++)
        if (dims[i] == 0)
            dims[i] = found[k++];
    return SMAP_OK;
}
