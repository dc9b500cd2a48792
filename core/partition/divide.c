/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/divide.h"

#include <stdlib.h>
#include <string.h>

#include "partition/multilevel.h"
#include "partition/refine.h"

/* Steps of the local search for each cell and leg, and in a leg at most: a step takes some 10 ns,
 * and a step of a job may have thousands of nodes to divide. */
#define STEPS_PER_CELL 1000
#define STEPS_MAX      1000000

/* A cell, and by what it is sorted: when a row-major walk with some dimension slowest meets it. */
struct keyed {
    uint64_t key;
    uint32_t cell; /* of the graph */
};

struct work {
    const struct smap_grid *grid; /* NULL: there is a graph only */
    const uint32_t *cells;
    struct smap_refine_graph *graph;
    uint32_t shift[SMAP_DIMS_MAX]; /* where a periodic dimension is cut open */
    const uint32_t *size;
    bool quick;
    uint32_t *side;     /* scratch: of each cell, which side of a cut; 0 elsewhere */
    struct keyed *walk; /* the cells; each part of the recursion has its own stretch */
    struct keyed *best; /* scratch of the same size */
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* The longest run of slices without a cell is where the ring is opened, so that a set that lies
 * across the grid's end is in one piece. */
static uint32_t find_shift(const struct smap_grid *grid, size_t dim, const bool taken[])
{
    uint32_t size = grid->dims[dim], longest = 0, run = 0, shift = 0;
    for (uint32_t i = 0; i < 2 * size; i++) {
        run = taken[i % size] ? 0 : run + 1;
        if (run > longest && run <= size) {
            longest = run;
            shift = (i + 1) % size;
        }
    }
    return shift;
}

static int find_shifts(struct work *d, struct smap_error *err)
{
    uint32_t coords[SMAP_DIMS_MAX] = {0};
    for (size_t dim = 0; dim < d->grid->ndims; dim++) {
        if (!d->grid->periodic[dim])
            continue;
        bool *taken = calloc(d->grid->dims[dim], sizeof(*taken));
        if (!taken)
            return smap_nomem(err);
        for (uint32_t c = 0; c < d->graph->cells; c++) {
            smap_grid_coords(coords, d->grid, d->cells[c]);
            taken[coords[dim]] = true;
        }
        d->shift[dim] = find_shift(d->grid, dim, taken);
        free(taken);
    }
    return SMAP_OK;
}

/* Row-major with dimension `dim` slowest, then the ones behind it in turn. */
static uint64_t key_of(const struct work *d, uint32_t cell, size_t dim)
{
    uint32_t coords[SMAP_DIMS_MAX] = {0};
    uint64_t key = 0;
    smap_grid_coords(coords, d->grid, d->cells[cell]);
    for (size_t i = 0; i < d->grid->ndims; i++) {
        size_t at = (dim + i) % d->grid->ndims;
        uint32_t size = d->grid->dims[at];
        key = key * size + (coords[at] + size - d->shift[at]) % size;
    }
    return key;
}

/* The weight between the first `left` cells of a stretch and the others in it. */
static uint64_t cut_weight(struct work *d, const struct keyed part[], uint32_t count, uint32_t left)
{
    uint64_t weight = 0;
    for (uint32_t i = 0; i < count; i++)
        d->side[part[i].cell] = i < left ? 1 : 2;
    for (uint32_t i = 0; i < left; i++)
        for (uint64_t e = d->graph->first[part[i].cell]; e < d->graph->first[part[i].cell + 1]; e++)
            weight += d->side[d->graph->to[e]] == 2 ? d->graph->both[e] : 0;
    for (uint32_t i = 0; i < count; i++)
        d->side[part[i].cell] = 0;
    return weight;
}

/* Halves the groups again and again, each time across the dimension that costs least. */
static void bisect(uint32_t group_of[], struct work *d, uint32_t begin, uint32_t end,
                   uint32_t group, uint32_t groups)
{
    struct keyed *part = d->walk + begin, *best = d->best + begin;
    uint32_t count = end - begin, left = 0, half = groups / 2;
    uint64_t lowest = UINT64_MAX;
    if (groups == 1) {
        for (uint32_t i = begin; i < end; i++)
            group_of[d->walk[i].cell] = group;
        return;
    }
    for (uint32_t g = 0; g < half; g++)
        left += d->size[group + g];
    for (size_t dim = 0; dim < d->grid->ndims; dim++) {
        for (uint32_t i = 0; i < count; i++)
            part[i].key = key_of(d, part[i].cell, dim);
        qsort(part, count, sizeof(*part), by_key);
        uint64_t weight = cut_weight(d, part, count, left);
        if (weight < lowest) {
            lowest = weight;
            memcpy(best, part, count * sizeof(*part));
        }
    }
    memcpy(part, best, count * sizeof(*part));
    bisect(group_of, d, begin, begin + left, group, half);
    bisect(group_of, d, begin + left, end, group + half, groups - half);
}

/* The better start, then the local search: gently, hot enough to leave the start behind, and in
 * between (temperatures as in smap_refine_schedule). Keeps the best. */
static int search(uint32_t group_of[], struct work *d, uint32_t *const start[2], uint32_t groups,
                  uint64_t out[], struct smap_error *err)
{
    static const uint32_t temperature[] = {100, 200, 140};
    struct smap_score score, best = {UINT64_MAX, UINT64_MAX, 0};
    uint32_t cells = d->graph->cells;
    uint64_t steps = (uint64_t)cells * STEPS_PER_CELL;
    for (size_t i = 0; i < 2; i++) {
        smap_refine_graph_score(&score, out, d->graph, start[i], groups);
        if (score.jsum < best.jsum || (score.jsum == best.jsum && score.jmax < best.jmax)) {
            best = score;
            memcpy(group_of, start[i], cells * sizeof(*group_of));
        }
    }
    size_t legs = d->quick ? 0 : sizeof(temperature) / sizeof(temperature[0]);
    for (size_t leg = 0; best.jsum > 0 && leg < legs; leg++) {
        struct smap_refine_schedule schedule = {
            .steps = steps < STEPS_MAX ? steps : STEPS_MAX,
            .start = temperature[leg],
            .halves = 1 + (leg > 0),
            .seed = leg + 1,
        };
        int rc = smap_refine_sum(start[0], d->graph, groups, &schedule, err);
        if (rc != SMAP_OK)
            return rc;
        smap_refine_graph_score(&score, out, d->graph, start[0], groups);
        if (score.jsum < best.jsum || (score.jsum == best.jsum && score.jmax < best.jmax)) {
            best = score;
            memcpy(group_of, start[0], cells * sizeof(*group_of));
        }
    }
    return SMAP_OK;
}

static int divide(uint32_t group_of[], struct work *d, uint32_t groups, struct smap_error *err)
{
    uint32_t count = d->graph->cells;
    uint32_t *cut = calloc(count, sizeof(*cut)), *in_order = calloc(count, sizeof(*in_order));
    uint64_t *out = calloc(groups, sizeof(*out));
    d->side = calloc(count, sizeof(*d->side));
    d->walk = calloc(count, sizeof(*d->walk));
    d->best = calloc(count, sizeof(*d->best));
    bool good = cut && in_order && out && d->side && d->walk && d->best;
    int rc = !good ? smap_nomem(err) : d->grid ? find_shifts(d, err) : SMAP_OK;
    if (rc == SMAP_OK) {
        for (uint32_t c = 0; c < count; c++)
            d->walk[c].cell = c;
        for (uint32_t g = 0, c = 0; g < groups; g++)
            for (uint32_t end = c + d->size[g]; c < end; c++)
                in_order[c] = g;
        if (d->grid)
            bisect(cut, d, 0, count, 0, groups);
        else
            rc = smap_multilevel(cut, d->graph, d->size, groups, 1, err);
    }
    if (rc == SMAP_OK)
        rc = search(group_of, d, (uint32_t *const[]){cut, in_order}, groups, out, err);
    free(cut);
    free(in_order);
    free(out);
    free(d->side);
    free(d->walk);
    free(d->best);
    return rc;
}

int smap_divide(uint32_t group_of[], const struct smap_instance *instance,
                const struct smap_division *division, struct smap_error *err)
{
    struct work d = {.grid = instance->graph ? NULL : instance->grid,
                     .cells = division->cells,
                     .size = division->size,
                     .quick = division->quick};
    int rc = smap_refine_graph_create(&d.graph, instance, division->cells, division->count, err);
    if (rc == SMAP_OK)
        rc = divide(group_of, &d, division->groups, err);
    smap_refine_graph_destroy(d.graph);
    return rc;
}
