/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/refine_graph_edges_private.h"

#include <stdlib.h>

/* Directed edges of the cells that are looked at, by their numbers there: row after row, in each
 * ascending. */
struct rows {
    uint32_t count;
    uint64_t *first;
    uint32_t *to;
    uint64_t *weight;
};

static int rows_init(struct rows *rows, uint32_t count, uint64_t edges, struct smap_error *err)
{
    *rows = (struct rows){
        .count = count,
        .first = calloc((size_t)count + 2, sizeof(*rows->first)),
        .to = calloc((size_t)edges + 1, sizeof(*rows->to)),
        .weight = calloc((size_t)edges + 1, sizeof(*rows->weight)),
    };
    return rows->first && rows->to && rows->weight ? SMAP_OK : smap_nomem(err);
}

static void rows_clear(struct rows *rows)
{
    free(rows->first);
    free(rows->to);
    free(rows->weight);
}

/* The rows of the subset, edges to other cells left out; NULL: of all cells. */
static int take_rows(struct rows *rows, const struct smap_graph *graph, const uint32_t subset[],
                     uint32_t count, struct smap_error *err)
{
    uint64_t room = 0, kept = 0;
    uint32_t row, to;
    for (uint32_t c = 0; c < count; c++)
        if (smap_graph_row(&row, graph, subset ? subset[c] : c))
            room += graph->first[row + 1] - graph->first[row];
    int rc = rows_init(rows, count, room, err);
    for (uint32_t c = 0; rc == SMAP_OK && c < count; c++) {
        bool has = smap_graph_row(&row, graph, subset ? subset[c] : c);
        for (uint64_t e = has ? graph->first[row] : 0; has && e < graph->first[row + 1]; e++) {
            to = subset ? smap_refine_graph_find(subset, count, graph->to[e]) : graph->to[e];
            if (to == UINT32_MAX)
                continue;
            rows->to[kept] = to;
            rows->weight[kept++] = graph->weight[e];
        }
        rows->first[c + 1] = kept;
    }
    return rc;
}

/* Every edge the other way round. */
static int reverse_rows(struct rows *back, const struct rows *rows, struct smap_error *err)
{
    uint64_t edges = rows->first[rows->count];
    int rc = rows_init(back, rows->count, edges, err);
    if (rc != SMAP_OK)
        return rc;
    for (uint64_t e = 0; e < edges; e++)
        back->first[rows->to[e] + 2]++;
    for (uint32_t c = 0; c < rows->count; c++)
        back->first[c + 2] += back->first[c + 1];
    /* Filling a row moves its beginning to its end, where the next one's was. */
    for (uint32_t c = 0; c < rows->count; c++)
        for (uint64_t e = rows->first[c]; e < rows->first[c + 1]; e++) {
            uint64_t at = back->first[rows->to[e] + 1]++;
            back->to[at] = c;
            back->weight[at] = rows->weight[e];
        }
    return SMAP_OK;
}

/* By how many places weights are to be shifted so that no cell's sum is above 31 bits, also if
 * every edge is rounded up to 1. */
static unsigned find_shift(const struct rows *there, const struct rows *back)
{
    uint64_t most = 0;
    unsigned shift = 0;
    for (uint32_t c = 0; c < there->count; c++) {
        uint64_t sum = 0;
        for (uint64_t e = there->first[c]; e < there->first[c + 1]; e++)
            sum += there->weight[e];
        for (uint64_t e = back->first[c]; e < back->first[c + 1]; e++)
            sum += back->weight[e];
        most = sum > most ? sum : most;
    }
    while (most >> shift > INT32_MAX / 2)
        shift++;
    return shift;
}

/* Merges both directions. */
static void merge(struct smap_refine_graph *g, const struct rows *there, const struct rows *back)
{
    uint64_t edges = 0;
    for (uint32_t c = 0; c < there->count; c++) {
        uint64_t t = there->first[c], b = back->first[c];
        g->first[c] = edges;
        while (t < there->first[c + 1] || b < back->first[c + 1]) {
            uint32_t to_t = t < there->first[c + 1] ? there->to[t] : UINT32_MAX;
            uint32_t to_b = b < back->first[c + 1] ? back->to[b] : UINT32_MAX;
            uint64_t out = to_t <= to_b ? there->weight[t++] : 0;
            uint64_t in = to_b <= to_t ? back->weight[b++] : 0;
            uint32_t both = (uint32_t)((out + in) >> g->shift);
            g->to[edges] = to_t < to_b ? to_t : to_b;
            g->both[edges] = both ? both : 1;
            g->out[edges++] = (uint32_t)(out >> g->shift);
        }
    }
    g->first[there->count] = edges;
}

int smap_refine_graph_fill(struct smap_refine_graph *g, const struct smap_graph *graph,
                           const uint32_t subset[], uint32_t count, struct smap_error *err)
{
    struct rows there = {0}, back = {0};
    int rc = take_rows(&there, graph, subset, count, err);
    if (rc == SMAP_OK)
        rc = reverse_rows(&back, &there, err);
    if (rc == SMAP_OK) {
        uint64_t room = 2 * there.first[count] + 1;
        g->cells = count;
        g->first = calloc((size_t)count + 1, sizeof(*g->first));
        g->to = calloc(room, sizeof(*g->to));
        g->both = calloc(room, sizeof(*g->both));
        g->out = calloc(room, sizeof(*g->out));
        rc = g->first && g->to && g->both && g->out ? SMAP_OK : smap_nomem(err);
    }
    if (rc == SMAP_OK) {
        g->shift = find_shift(&there, &back);
        merge(g, &there, &back);
    }
    rows_clear(&there);
    rows_clear(&back);
    return rc;
}
