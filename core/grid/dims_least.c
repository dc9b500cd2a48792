/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "grid/dims.h"
#include "grid/grid.h"

/* So far from p numbers of tasks are tried for a refusal that helps. */
#define NEAR 1000

#define NO_COST UINT64_MAX

size_t smap_divisors(uint32_t divisors[SMAP_DIVISORS_MAX], uint32_t p)
{
    size_t count = 0, low;
    for (uint32_t f = 1; (uint64_t)f * f <= p; f++)
        if (p % f == 0)
            divisors[count++] = f;
    low = count;
    for (size_t i = low; i-- > 0;)
        if (p / divisors[i] != divisors[i])
            divisors[count++] = p / divisors[i];
    return count;
}

bool smap_dims_allowed(const struct smap_dims_rules *rules, size_t i, uint32_t size)
{
    if (rules->fixed && rules->fixed[i] && rules->fixed[i] != size)
        return false;
    if (!rules->lattice)
        return true;
    uint32_t least = rules->least_patch ? rules->least_patch[i] : 1;
    return rules->lattice[i] % size == 0 && rules->lattice[i] / size >= least;
}

static int check_dimension(const struct smap_dims_rules *rules, size_t i, struct smap_error *err)
{
    uint32_t points = rules->lattice[i];
    uint32_t least = rules->least_patch ? rules->least_patch[i] : 1;
    uint32_t fixed = rules->fixed ? rules->fixed[i] : 0;
    if (points == 0)
        return smap_fail(err, SMAP_EINVAL, "the lattice has size 0 in dimension %zu", i);
    if (least > points)
        return smap_fail(err, SMAP_EINVAL,
                         "the smallest patch has %" PRIu32
                         " points in dimension %zu, the lattice %" PRIu32,
                         least, i, points);
    if (!fixed)
        return SMAP_OK;
    if (points % fixed)
        return smap_fail(err, SMAP_EINVAL,
                         "size %" PRIu32 " of dimension %zu does not divide the lattice's %" PRIu32,
                         fixed, i, points);
    if (points / fixed < least)
        return smap_fail(err, SMAP_EINVAL,
                         "size %" PRIu32 " of dimension %zu leaves patches of %" PRIu32
                         " points there, less than %" PRIu32,
                         fixed, i, points / fixed, least);
    return SMAP_OK;
}

int smap_dims_check(const struct smap_dims_rules *rules, struct smap_error *err)
{
    uint32_t given[SMAP_DIMS_MAX];
    uint64_t points = 1;
    int rc = SMAP_OK;
    if (rules->d < 1 || rules->d > SMAP_DIMS_MAX)
        return smap_fail(err, SMAP_EINVAL, "%zu dimensions, the limit is 1 to %d", rules->d,
                         SMAP_DIMS_MAX);
    for (size_t i = 0; rules->lattice && i < rules->d && rc == SMAP_OK; i++) {
        rc = check_dimension(rules, i, err);
        if (__builtin_mul_overflow(points, rules->lattice[i], &points) || points > SMAP_LATTICE_MAX)
            return smap_fail(err, SMAP_EINVAL, "a lattice of more than 2^59 points");
    }
    if (rc != SMAP_OK || !rules->fixed)
        return rc;
    memcpy(given, rules->fixed, rules->d * sizeof(*given));
    return smap_dims_fill(given, rules->p, rules->d, err);
}

/* What dimensions i to d - 1 cost at least if their product is divisor r: cost[i * count + r]. */
struct table {
    const struct smap_dims_rules *rules;
    const uint64_t *price;
    size_t count;
    uint32_t divisor[SMAP_DIVISORS_MAX];
    uint64_t *cost;
};

static size_t find(const struct table *t, uint32_t divisor)
{
    size_t low = 0, high = t->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->divisor[middle] < divisor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The least cost of dimensions i on with rest r, and the largest size of i that has it; 0: none. */
static uint32_t choose(uint64_t *cost, const struct table *t, size_t i, size_t r)
{
    uint32_t size = 0, rest = t->divisor[r];
    *cost = NO_COST;
    for (size_t k = r + 1; k-- > 0;) {
        uint32_t f = t->divisor[k];
        if (rest % f || !smap_dims_allowed(t->rules, i, f))
            continue;
        uint64_t behind = t->cost[(i + 1) * t->count + find(t, rest / f)];
        if (behind == NO_COST || behind + f * t->price[i] >= *cost)
            continue;
        *cost = behind + f * t->price[i];
        size = f;
    }
    return size;
}

/* Is there a grid? Writes the best one. */
static bool solve(uint32_t dims[], struct table *t)
{
    size_t d = t->rules->d, n = t->count, r = n - 1;
    uint64_t cost;
    for (size_t k = 0; k < n; k++)
        t->cost[d * n + k] = k == 0 ? 0 : NO_COST;
    for (size_t i = d; i-- > 0;)
        for (size_t k = 0; k < n; k++)
            choose(&t->cost[i * n + k], t, i, k);
    for (size_t i = 0; i < d; i++) {
        dims[i] = choose(&cost, t, i, r);
        if (dims[i] == 0)
            return false;
        r = find(t, t->divisor[r] / dims[i]);
    }
    return true;
}

/* Is there a grid for p tasks? */
static bool try_tasks(uint32_t dims[], bool *found, const struct smap_dims_rules *rules,
                      const uint64_t price[])
{
    struct table t = {.rules = rules, .price = price};
    t.count = smap_divisors(t.divisor, rules->p);
    t.cost = calloc((rules->d + 1) * t.count, sizeof(*t.cost));
    *found = t.cost && solve(dims, &t);
    free(t.cost);
    return t.cost != NULL;
}

/* The number of tasks nearest to p, by step 1 or -1, that has a grid; 0: none near. */
static uint32_t nearest(const struct smap_dims_rules *rules, const uint64_t price[], int step)
{
    struct smap_dims_rules other = *rules;
    uint32_t dims[SMAP_DIMS_MAX];
    for (int64_t p = (int64_t)rules->p + step, k = 0; k < NEAR && p > 0 && p <= UINT32_MAX;
         p += step, k++) {
        bool found;
        other.p = (uint32_t)p;
        if (!try_tasks(dims, &found, &other, price))
            return 0;
        if (found)
            return other.p;
    }
    return 0;
}

static int refuse(const struct smap_dims_rules *rules, const uint64_t price[],
                  struct smap_error *err)
{
    struct smap_text text = {0};
    bool given = false;
    if (!err)
        return SMAP_EINVAL;
    for (size_t i = 0; rules->fixed && i < rules->d; i++)
        given = given || rules->fixed[i] != 0;
    uint32_t below = nearest(rules, price, -1), above = nearest(rules, price, 1);
    smap_text_add(&text, "no grid of %" PRIu32 " tasks divides the lattice", rules->p);
    if (rules->least_patch)
        smap_text_add(&text, " into patches that large");
    if (given)
        smap_text_add(&text, " with the given sizes");
    if (below || above)
        smap_text_add(&text, "; near it, ");
    if (below)
        smap_text_add(&text, "%" PRIu32 "%s", below, above ? " and " : " does");
    if (above)
        smap_text_add(&text, "%" PRIu32 "%s", above, below ? " do" : " does");
    char *line = smap_text_take(&text);
    if (!line)
        return smap_nomem(err);
    smap_fail(err, SMAP_EINVAL, "%s", line);
    free(line);
    return SMAP_EINVAL;
}

int smap_dims_least(uint32_t dims[], const struct smap_dims_rules *rules, const uint64_t price[],
                    struct smap_error *err)
{
    bool found;
    if (!try_tasks(dims, &found, rules, price))
        return smap_nomem(err);
    return found ? SMAP_OK : refuse(rules, price, err);
}

int smap_dims_lattice(uint32_t dims[], const struct smap_dims_rules *rules, struct smap_error *err)
{
    uint64_t price[SMAP_DIMS_MAX], points = 1;
    int rc = smap_dims_check(rules, err);
    if (rc != SMAP_OK)
        return rc;
    for (size_t i = 0; i < rules->d; i++)
        points *= rules->lattice[i];
    for (size_t i = 0; i < rules->d; i++)
        price[i] = points / rules->lattice[i];
    return smap_dims_least(dims, rules, price, err);
}
