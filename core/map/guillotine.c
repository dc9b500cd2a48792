/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/guillotine.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "grid/score.h"
#include "map/bands_search.h"
#include "map/box.h"

/* The cost of what cannot be divided. */
#define NONE UINT64_MAX

/* What is known of boxes of one size. */
struct state {
    uint32_t size[SMAP_DIMS_MAX];
    uint64_t cost; /* weight between the nodes inside; NONE: cannot be divided */
    size_t dim;    /* the cut: the first slices of this dimension go left */
    uint32_t slices;
    struct smap_bands *bands; /* the filling that beats every cut; NULL: cut, or one node */
};

struct search {
    const struct smap_instance *in;
    const struct smap_guillotine_limits *limits;
    uint32_t n;
    struct state *states;
    size_t count;
    size_t *table; /* open addressing: 1 + index into states */
    size_t slots;  /* a power of 2 */
};

/* Where the box is in the table, or the free slot that waits for it. */
static size_t *slot_of(const struct search *s, const uint32_t size[])
{
    uint64_t hash = 0;
    for (size_t i = 0; i < s->in->grid->ndims; i++)
        hash = (hash ^ size[i]) * SMAP_GOLDEN, hash ^= hash >> 29;
    for (size_t at = hash & (s->slots - 1);; at = (at + 1) & (s->slots - 1))
        if (s->table[at] == 0 || memcmp(s->states[s->table[at] - 1].size, size,
                                        s->in->grid->ndims * sizeof(size[0])) == 0)
            return &s->table[at];
}

/* The weight of all edges of a box that cross a cut behind slice a of a dimension. */
static uint64_t cut_weight(const struct search *s, const uint32_t size[], size_t dim, uint32_t a)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < s->in->stencil->count; r++) {
        const int32_t *offset = smap_stencil_offset(s->in->stencil, r);
        uint64_t edges = s->in->stencil->weights[r];
        for (size_t i = 0; i < s->in->grid->ndims && edges; i++) {
            uint32_t length = (uint32_t)(offset[i] < 0 ? -offset[i] : offset[i]);
            uint32_t inside = length < size[i] ? size[i] - length : 0;
            /* Of the pairs along the cut dimension those that both ends have on one side stay. */
            if (i == dim)
                inside -= (length < a ? a - length : 0) +
                          (length < size[i] - a ? size[i] - a - length : 0);
            edges *= inside;
        }
        sum += edges;
    }
    return sum;
}

/* Looks for a filling by bands that is better than what the state has. */
static int fill(const struct search *s, struct state *state, uint32_t nodes, struct smap_error *err)
{
    struct smap_grid box;
    struct smap_nodesizes *sizes = NULL;
    size_t found = 0;
    int rc = smap_grid_init(&box, s->in->grid->ndims, state->size, NULL, err);
    uint32_t *counts = malloc(nodes * sizeof(*counts));
    uint32_t *cell_at = malloc((size_t)box.cells * sizeof(*cell_at));
    uint32_t *node_of_cell = malloc((size_t)box.cells * sizeof(*node_of_cell));
    struct smap_bands *bands = calloc(s->limits->fill_layouts, sizeof(*bands));
    if (rc == SMAP_OK && (!counts || !cell_at || !node_of_cell || !bands))
        rc = smap_nomem(err);
    for (uint32_t i = 0; rc == SMAP_OK && i < nodes; i++)
        counts[i] = s->n;
    if (rc == SMAP_OK)
        rc = smap_nodesizes_create(&sizes, counts, nodes, err);
    const struct smap_instance part = {&box, s->in->stencil, sizes, NULL};
    if (rc == SMAP_OK)
        rc = smap_bands_search(bands, &found, &part, s->limits->fill_layouts, err);
    for (size_t k = 0; rc == SMAP_OK && k < found; k++) {
        struct smap_score score;
        smap_bands_cells(cell_at, &bands[k], &box);
        for (uint32_t q = 0; q < box.cells; q++)
            node_of_cell[cell_at[q]] = q / s->n;
        rc = smap_score_nodes(&score, NULL, &part, node_of_cell, nodes, err);
        if (rc != SMAP_OK || score.jsum >= state->cost)
            continue;
        state->cost = score.jsum;
        if (!state->bands)
            state->bands = malloc(sizeof(*state->bands));
        if (!state->bands)
            rc = smap_nomem(err);
        else
            *state->bands = bands[k];
    }
    free(counts);
    free(cell_at);
    free(node_of_cell);
    free(bands);
    smap_nodesizes_destroy(sizes);
    return rc;
}

static int solve(struct search *s, const uint32_t size[], uint32_t cells, uint64_t *cost,
                 struct smap_error *err);

/* Tries every cut of a box across one dimension. */
static int try_cuts(struct search *s, const uint32_t size[], uint32_t cells, size_t dim,
                    struct state *best, struct smap_error *err)
{
    uint32_t slice = cells / size[dim], part[SMAP_DIMS_MAX];
    memcpy(part, size, sizeof(part));
    for (uint32_t a = 1; a <= size[dim] / 2; a++) {
        uint64_t left, right, cut;
        if ((uint64_t)a * slice % s->n != 0)
            continue;
        cut = cut_weight(s, size, dim, a);
        if (cut >= best->cost)
            continue;
        part[dim] = a;
        int rc = solve(s, part, a * slice, &left, err);
        part[dim] = size[dim] - a;
        if (rc == SMAP_OK && left < best->cost - cut)
            rc = solve(s, part, cells - a * slice, &right, err);
        else if (rc == SMAP_OK)
            right = NONE;
        if (rc != SMAP_OK)
            return rc;
        if (right == NONE || left == NONE || cut + left + right >= best->cost)
            continue;
        best->cost = cut + left + right;
        best->dim = dim;
        best->slices = a;
    }
    return SMAP_OK;
}

static int solve(struct search *s, const uint32_t size[], uint32_t cells, uint64_t *cost,
                 struct smap_error *err)
{
    struct state state = {.cost = cells == s->n ? 0 : NONE};
    size_t *slot = slot_of(s, size);
    int rc = SMAP_OK;
    *cost = NONE;
    if (*slot) {
        *cost = s->states[*slot - 1].cost;
        return SMAP_OK;
    }
    if (s->count == s->limits->boxes)
        return SMAP_OK;
    size_t index = s->count++;
    *slot = index + 1;
    memcpy(state.size, size, s->in->grid->ndims * sizeof(size[0]));
    s->states[index] = state; /* the box is smaller in each further call: never read as it is now */
    for (size_t i = 0; rc == SMAP_OK && cells > s->n && i < s->in->grid->ndims; i++)
        rc = try_cuts(s, state.size, cells, i, &state, err);
    if (rc == SMAP_OK && cells > s->n && cells / s->n <= s->limits->fill)
        rc = fill(s, &state, cells / s->n, err);
    s->states[index] = state;
    *cost = state.cost;
    return rc;
}

/* Writes the cells of a box in order of position. */
static void write_box(const struct search *s, const struct smap_box *box, uint32_t *cell_at)
{
    const struct state *state = &s->states[*slot_of(s, box->size) - 1];
    uint32_t coords[SMAP_DIMS_MAX];
    size_t order[SMAP_DIMS_MAX];
    struct smap_box left, right;
    if (state->slices && !state->bands) {
        smap_box_cut(&left, &right, box, state->dim, state->slices);
        write_box(s, &left, cell_at);
        write_box(s, &right, cell_at + left.cells);
        return;
    }
    struct smap_grid inner = {.ndims = s->in->grid->ndims, .cells = box->cells};
    memcpy(inner.dims, box->size, sizeof(box->size));
    for (size_t i = 0; i < s->in->grid->ndims; i++)
        order[i] = i;
    for (uint32_t q = 0; q < box->cells; q++) {
        smap_box_coords(coords, box, s->in->grid->ndims, order, q);
        if (state->bands) {
            smap_bands_cell(coords, state->bands, &inner, q);
            for (size_t i = 0; i < s->in->grid->ndims; i++)
                coords[i] += box->low[i];
        }
        cell_at[q] = smap_grid_cell(s->in->grid, coords);
    }
}

int smap_guillotine(uint32_t cell_at[], bool *found, const struct smap_instance *instance,
                    const struct smap_guillotine_limits *limits, struct smap_error *err)
{
    const struct smap_grid *grid = instance->grid;
    struct search s = {.in = instance, .limits = limits, .slots = 16};
    uint64_t cost = NONE;
    int rc = SMAP_OK;
    *found = false;
    s.n = smap_nodesizes_uniform(instance->sizes);
    if (s.n == 0)
        return SMAP_OK;
    while (s.slots < 2 * limits->boxes)
        s.slots *= 2;
    s.states = calloc(limits->boxes + 1, sizeof(*s.states));
    s.table = calloc(s.slots, sizeof(*s.table));
    if (!s.states || !s.table)
        rc = smap_nomem(err);
    if (rc == SMAP_OK)
        rc = solve(&s, grid->dims, grid->cells, &cost, err);
    if (rc == SMAP_OK && cost != NONE) {
        struct smap_box whole;
        smap_box_whole(&whole, grid);
        write_box(&s, &whole, cell_at);
        *found = true;
    }
    for (size_t i = 0; i < s.count; i++)
        free(s.states[i].bands);
    free(s.states);
    free(s.table);
    return rc;
}
