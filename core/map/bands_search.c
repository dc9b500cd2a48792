/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/bands_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

/* So many combinations of divisions are estimated for one choice of the run; with more, the
 * divisions of each dimension are thinned out. */
#define COMBINATIONS_MAX 40000

/* Estimates with larger numbers are far above those of good layouts, and these leave room in 64
 * bits for the other terms of the sum. */
#define SQUARES_BITS 40
#define COST_BITS    62

/* One way to divide a dimension, and what it costs apart from the others. */
struct choice {
    struct smap_bands_division division;
    uint64_t borders; /* weight over all borders between bands */
    uint64_t squares; /* the sum of the squares of the widths */
    uint32_t width;   /* the common width, rounded */
};

struct choices {
    struct choice *list;
    size_t count;
};

/* A layout, by its place in the pool, and its estimate. */
struct candidate {
    size_t place;
    uint64_t estimate;
};

struct search {
    const struct smap_grid *grid;
    const struct smap_stencil *stencil;
    uint32_t nodes;
    uint32_t n;                            /* mean node size, at least 1 */
    struct choices choices[SMAP_DIMS_MAX]; /* of each dimension */
    uint64_t *crossing[SMAP_DIMS_MAX]; /* border weights by width, up to the last that differs */
    uint32_t crossing_last[SMAP_DIMS_MAX];
    struct smap_bands *pool;
    struct candidate *kept; /* ascending */
    size_t kept_count;
    size_t kept_max;
};

static uint32_t distance(int32_t component)
{
    return (uint32_t)(component < 0 ? -component : component);
}

/* Weight that crosses one border across dimension i, per line, where bands are width wide: an
 * offset longer than the band leaves it from every cell. */
static uint64_t border_weight(const struct search *s, size_t i, uint32_t width)
{
    return s->crossing[i][width < s->crossing_last[i] ? width : s->crossing_last[i]];
}

static int make_crossing(struct search *s, size_t i, struct smap_error *err)
{
    const struct smap_stencil *stencil = s->stencil;
    uint32_t last = 1;
    for (size_t r = 0; r < stencil->count; r++) {
        uint32_t length = distance(smap_stencil_offset(stencil, r)[i]);
        last = length > last ? length : last;
    }
    last = last < s->grid->dims[i] ? last : s->grid->dims[i];
    s->crossing_last[i] = last;
    s->crossing[i] = calloc((size_t)last + 1, sizeof(*s->crossing[i]));
    if (!s->crossing[i])
        return smap_nomem(err);
    /* Every offset adds its weight at each step of the width up to its length. */
    for (size_t r = 0; r < stencil->count; r++) {
        uint32_t length = distance(smap_stencil_offset(stencil, r)[i]);
        s->crossing[i][length < last ? length : last] += stencil->weights[r];
    }
    uint64_t longer = 0;
    for (uint32_t width = last; width > 0; width--) {
        longer += s->crossing[i][width];
        s->crossing[i][width] = longer;
    }
    s->crossing[i][0] = 0;
    for (uint32_t width = 1; width <= last; width++)
        s->crossing[i][width] += s->crossing[i][width - 1];
    return SMAP_OK;
}

static void add_choice(struct search *s, size_t i, struct smap_bands_division v)
{
    struct choices *c = &s->choices[i];
    uint32_t size = s->grid->dims[i], bands = v.count[0] + v.count[1];
    uint32_t borders = bands == 1 ? 0 : bands - (s->grid->periodic[i] ? 0 : 1);
    uint32_t width = (size + bands / 2) / bands;
    c->list[c->count++] = (struct choice){
        .division = v,
        .borders = borders * border_weight(s, i, width) * (s->grid->cells / size),
        .squares = (uint64_t)v.count[0] * v.width[0] * v.width[0] +
                   (uint64_t)v.count[1] * v.width[1] * v.width[1],
        .width = width,
    };
}

/* Spread evenly over every number of bands; and bands of one width with the remainder at either
 * end. No band wider than a node has cells helps, unless it is the whole dimension. */
static int make_choices(struct search *s, size_t i, struct smap_error *err)
{
    uint32_t size = s->grid->dims[i], widest = s->n < size ? s->n : size;
    s->choices[i].list = calloc((size_t)size + 2 * (size_t)widest, sizeof(struct choice));
    if (!s->choices[i].list)
        return smap_nomem(err);
    for (uint32_t bands = 1; bands <= size; bands++) {
        if (bands == 1 || size / bands <= widest)
            add_choice(s, i, smap_bands_even(size, bands));
    }
    for (uint32_t width = 2; width < size && width <= widest; width++) {
        if (size % width == 0)
            continue;
        add_choice(s, i, (struct smap_bands_division){{size / width, 1}, {width, size % width}});
        add_choice(s, i, (struct smap_bands_division){{1, size / width}, {size % width, width}});
    }
    return SMAP_OK;
}

/* Keeps the first, the last and evenly spaced choices between them, to the power dims at most
 * COMBINATIONS_MAX. */
static void thin_out(struct choices *c, size_t dims)
{
    size_t most = c->count;
    for (;; most = most * 7 / 8) { /* near the largest that is allowed, in few steps */
        uint64_t product = 1;
        for (size_t k = 0; k < dims && product <= COMBINATIONS_MAX; k++)
            product *= most;
        if (product <= COMBINATIONS_MAX || most <= 2)
            break;
    }
    if (most >= c->count)
        return;
    for (size_t k = 0; k < most; k++)
        c->list[k] = c->list[k * (c->count - 1) / (most - 1)];
    c->count = most;
}

/* Adds a candidate if it is among the best; equal ones stay in the order of their arrival. */
static void keep(struct search *s, const struct smap_bands *bands, uint64_t estimate)
{
    if (s->kept_count == s->kept_max && s->kept[s->kept_max - 1].estimate <= estimate)
        return;
    size_t low = 0, high = s->kept_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->kept[middle].estimate <= estimate)
            low = middle + 1;
        else
            high = middle;
    }
    size_t place = s->kept_count;
    if (s->kept_count < s->kept_max)
        s->kept_count++;
    else
        place = s->kept[s->kept_max - 1].place;
    memmove(&s->kept[low + 1], &s->kept[low], (s->kept_count - 1 - low) * sizeof(s->kept[0]));
    s->kept[low] = (struct candidate){place, estimate};
    s->pool[place] = *bands;
}

/* Between the bands: their borders. Along a band of cross-section A: a border of A cells for every
 * n of them, so A^2 / n per layer; and a step in that border, which costs the rest of a row in each
 * dimension of the cross-section, unless the border falls on a whole layer: one in A / gcd(A, n).
 */
static uint64_t estimate(const struct search *s, const struct smap_bands *bands,
                         const struct choice *const chosen[])
{
    uint64_t sum = 0, area = 1, row = 1, step = 0;
    unsigned __int128 squares = 1;
    size_t run = bands->run;
    for (size_t k = s->grid->ndims - 1; k-- > 0;) {
        const struct choice *o = chosen[k];
        sum += o->borders;
        squares *= o->squares;
        area *= o->width;
        if (o->width > 1)
            step += row * border_weight(s, bands->order[k], o->width);
        row *= o->width;
    }
    bool even = true;
    uint64_t bands_count = 1;
    for (size_t k = 0; k + 1 < s->grid->ndims; k++) {
        even = even && chosen[k]->division.count[1] == 0;
        bands_count *= chosen[k]->division.count[0];
    }
    uint64_t length = s->n / area ? s->n / area : 1;
    uint64_t weight = border_weight(s, run, (uint32_t)length);
    squares = squares * s->grid->dims[run] / s->n;
    if (squares >> SQUARES_BITS || (uint64_t)squares * (unsigned __int128)weight >> COST_BITS)
        return UINT64_MAX;
    sum += (uint64_t)squares * weight;
    if (even && area * s->grid->dims[run] % s->n == 0) /* every band ends where a node ends */
        sum -= bands_count * area * weight;
    uint64_t period = area / smap_gcd(area, s->n);
    sum += step * s->nodes / period * (period - 1);
    return sum;
}

/* All combinations of choices for one run and one order of the other dimensions. */
static void try_order(struct search *s, struct smap_bands *bands)
{
    size_t dims = s->grid->ndims - 1, number[SMAP_DIMS_MAX] = {0};
    const struct choice *chosen[SMAP_DIMS_MAX];
    for (;;) {
        bool long_area = false;
        for (size_t k = 0; k < dims; k++) {
            size_t i = bands->order[k];
            chosen[k] = &s->choices[i].list[number[k]];
            bands->division[i] = chosen[k]->division;
            long_area = long_area || chosen[k]->width > 1;
        }
        uint64_t e = estimate(s, bands, chosen);
        for (int snake = 0; snake <= long_area; snake++) {
            bands->snake = snake;
            keep(s, bands, e);
        }
        size_t k = dims;
        while (k > 0 && ++number[k - 1] == s->choices[bands->order[k - 1]].count)
            number[--k] = 0;
        if (k == 0)
            return;
    }
}

/* The dimensions besides the run in ascending and, where that differs, descending order. */
static void try_run(struct search *s, size_t run)
{
    struct smap_bands bands = {.run = run};
    size_t d = s->grid->ndims;
    for (int turn = 0; turn < (d > 2 ? 2 : 1); turn++) {
        for (size_t i = 0, k = 0; i < d; i++)
            if (i != run)
                bands.order[turn ? d - 2 - k++ : k++] = i;
        try_order(s, &bands);
    }
}

int smap_bands_search(struct smap_bands bands[], size_t *found,
                      const struct smap_instance *instance, size_t count, struct smap_error *err)
{
    const struct smap_grid *grid = instance->grid;
    uint32_t nodes = smap_nodesizes_nodes(instance->sizes);
    struct search s = {
        .grid = grid, .stencil = instance->stencil, .nodes = nodes, .n = grid->cells / nodes};
    int rc = SMAP_OK;
    s.kept_max = count;
    s.kept = calloc(count, sizeof(*s.kept));
    s.pool = calloc(count, sizeof(*s.pool));
    if (!s.kept || !s.pool)
        rc = smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < grid->ndims; i++) {
        rc = make_crossing(&s, i, err);
        if (rc == SMAP_OK)
            rc = make_choices(&s, i, err);
        if (rc == SMAP_OK && grid->ndims > 2)
            thin_out(&s.choices[i], grid->ndims - 1);
    }
    for (size_t run = 0; rc == SMAP_OK && run < grid->ndims; run++)
        if (grid->dims[run] > 1 || grid->ndims == 1)
            try_run(&s, run);
    *found = s.kept_count;
    for (size_t k = 0; k < s.kept_count; k++)
        bands[k] = s.pool[s.kept[k].place];
    for (size_t i = 0; i < grid->ndims; i++) {
        free(s.choices[i].list);
        free(s.crossing[i]);
    }
    free(s.kept);
    free(s.pool);
    return rc;
}
