/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/score.h"

#include <stdlib.h>

/* Not cell by cell with smap_grid_neighbour: for one offset all cells of a box have their targets
 * at the same distance in memory, so that the inner loop compares two arrays. On 50x48, 512x512 and
 * 40x40x40 that is 4 to 7 times as fast, and searches score thousands of candidates. */

/* Along one dimension the cells whose target lies a fixed distance away: [low, high) + shift.
 * Without wrap-around there is one such piece, with it there are up to two. */
struct piece {
    uint32_t low;
    uint32_t high;
    int64_t shift;
};

static size_t split_dimension(struct piece pieces[2], uint32_t size, bool periodic, int32_t offset)
{
    size_t n = 0;
    if (periodic) {
        uint32_t step = (uint32_t)(((int64_t)offset % size + size) % size);
        if (step < size)
            pieces[n++] = (struct piece){0, size - step, step};
        if (step > 0)
            pieces[n++] = (struct piece){size - step, size, (int64_t)step - size};
        return n;
    }
    int64_t low = offset < 0 ? -(int64_t)offset : 0;
    int64_t high = offset > 0 ? (int64_t)size - offset : size;
    if (low < high)
        pieces[n++] = (struct piece){(uint32_t)low, (uint32_t)high, offset};
    return n;
}

/* Adds the crossing edges of all cells in a box; every target is delta cells further on. */
static void score_box(uint64_t out[], const struct smap_grid *grid, const struct piece *box[],
                      int64_t delta, uint32_t weight, const uint32_t node_of_cell[])
{
    size_t last = grid->ndims - 1;
    uint32_t coords[SMAP_DIMS_MAX];
    for (size_t i = 0; i < grid->ndims; i++)
        coords[i] = box[i]->low;
    for (;;) {
        const uint32_t *from = node_of_cell + smap_grid_cell(grid, coords);
        const uint32_t *to = from + delta;
        uint32_t length = box[last]->high - box[last]->low;
        for (uint32_t c = 0; c < length; c++)
            if (from[c] != to[c])
                out[from[c]] += weight;
        size_t i = last;
        while (i > 0 && ++coords[i - 1] == box[i - 1]->high) {
            coords[i - 1] = box[i - 1]->low;
            i--;
        }
        if (i == 0)
            return;
    }
}

static void score_offset(uint64_t out[], const struct smap_grid *grid, const int32_t offset[],
                         uint32_t weight, const uint32_t node_of_cell[])
{
    struct piece pieces[SMAP_DIMS_MAX][2];
    size_t count[SMAP_DIMS_MAX], choice[SMAP_DIMS_MAX] = {0};
    const struct piece *box[SMAP_DIMS_MAX];
    for (size_t i = 0; i < grid->ndims; i++) {
        count[i] = split_dimension(pieces[i], grid->dims[i], grid->periodic[i], offset[i]);
        if (count[i] == 0)
            return;
    }
    for (;;) {
        int64_t delta = 0;
        for (size_t i = 0; i < grid->ndims; i++) {
            box[i] = &pieces[i][choice[i]];
            delta = delta * grid->dims[i] + box[i]->shift;
        }
        score_box(out, grid, box, delta, weight, node_of_cell);
        size_t i = grid->ndims;
        while (i > 0 && ++choice[i - 1] == count[i - 1])
            choice[--i] = 0;
        if (i == 0)
            return;
    }
}

/* The same for a graph: row by row. */
static void score_graph(uint64_t out[], const struct smap_graph *graph,
                        const uint32_t node_of_cell[])
{
    for (uint32_t r = 0; r < graph->rows; r++) {
        uint32_t node = node_of_cell[graph->own ? graph->own[r] : r];
        for (uint64_t e = graph->first[r]; e < graph->first[r + 1]; e++)
            if (node_of_cell[graph->to[e]] != node)
                out[node] += graph->weight[e];
    }
}

int smap_score_nodes(struct smap_score *score, uint64_t out[], const struct smap_instance *instance,
                     const uint32_t node_of_cell[], uint32_t nodes, struct smap_error *err)
{
    const struct smap_stencil *stencil = instance->stencil;
    uint64_t *own = calloc(nodes, sizeof(*own));
    if (!own)
        return smap_nomem(err);
    if (instance->graph)
        score_graph(own, instance->graph, node_of_cell);
    for (size_t i = 0; !instance->graph && i < stencil->count; i++)
        score_offset(own, instance->grid, smap_stencil_offset(stencil, i), stencil->weights[i],
                     node_of_cell);
    *score = (struct smap_score){.jmin = UINT64_MAX};
    for (uint32_t i = 0; i < nodes; i++) {
        score->jsum += own[i];
        score->jmax = own[i] > score->jmax ? own[i] : score->jmax;
        score->jmin = own[i] < score->jmin ? own[i] : score->jmin;
        if (out)
            out[i] = own[i];
    }
    free(own);
    return SMAP_OK;
}

/* Adds the cells that cell c sends to and that nobody has seen since; seen_by has a cell + 1. */
static uint64_t count_targets(uint32_t seen_by[], const struct smap_instance *instance, uint32_t c,
                              const uint32_t node_of_cell[])
{
    const struct smap_stencil *stencil = instance->stencil;
    uint32_t coords[SMAP_DIMS_MAX], to;
    uint64_t count = 0;
    smap_grid_coords(coords, instance->grid, c);
    for (size_t i = 0; i < stencil->count; i++) {
        if (!smap_grid_neighbour(&to, instance->grid, coords, smap_stencil_offset(stencil, i), 1) ||
            node_of_cell[to] == node_of_cell[c] || seen_by[to] == c + 1)
            continue;
        seen_by[to] = c + 1;
        count++;
    }
    return count;
}

int smap_score_pairs(uint64_t *pairs, const struct smap_instance *instance,
                     const uint32_t node_of_cell[], struct smap_error *err)
{
    const struct smap_graph *graph = instance->graph;
    *pairs = 0;
    if (graph) {
        for (uint32_t r = 0; r < graph->rows; r++)
            for (uint64_t e = graph->first[r]; e < graph->first[r + 1]; e++)
                *pairs +=
                    node_of_cell[graph->to[e]] != node_of_cell[graph->own ? graph->own[r] : r];
        return SMAP_OK;
    }
    uint32_t *seen_by = calloc(instance->grid->cells, sizeof(*seen_by));
    if (!seen_by)
        return smap_nomem(err);
    for (uint32_t c = 0; c < instance->grid->cells; c++)
        *pairs += count_targets(seen_by, instance, c, node_of_cell);
    free(seen_by);
    return SMAP_OK;
}
