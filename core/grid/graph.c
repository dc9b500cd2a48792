/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool smap_graph_row(uint32_t *row, const struct smap_graph *graph, uint32_t cell)
{
    uint32_t low = 0, high = graph->rows;
    if (!graph->own) {
        *row = cell;
        return cell < graph->rows;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->own[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    *row = low;
    return low < graph->rows && graph->own[low] == cell;
}

static int check(uint32_t cells, const struct smap_edges *edges, struct smap_error *err)
{
    uint64_t left = SMAP_GRAPH_WEIGHT_MAX;
    for (uint64_t e = 0; e < edges->count; e++) {
        uint64_t weight = edges->weight ? edges->weight[e] : 1;
        if (edges->from[e] >= cells || edges->to[e] >= cells)
            return smap_fail(err, SMAP_EINVAL,
                             "an edge from rank %" PRIu32 " to rank %" PRIu32 ", there are %" PRIu32
                             " ranks",
                             edges->from[e], edges->to[e], cells);
        if (weight > left)
            return smap_fail(err, SMAP_EINVAL, "the weights of all edges are above %" PRIu64,
                             (uint64_t)SMAP_GRAPH_WEIGHT_MAX);
        left -= weight;
    }
    return SMAP_OK;
}

static int reserve(struct smap_graph *g, uint64_t edges, struct smap_error *err)
{
    g->first = calloc((size_t)g->rows + 2, sizeof(*g->first));
    g->to = calloc((size_t)edges + 1, sizeof(*g->to));
    g->weight = calloc((size_t)edges + 1, sizeof(*g->weight));
    return g->first && g->to && g->weight ? SMAP_OK : smap_nomem(err);
}

static void release(struct smap_graph *g)
{
    free(g->own);
    free(g->first);
    free(g->to);
    free(g->weight);
}

/* Rows by target, each with its sources, in any order: `to` holds rows here. */
static int sort_by_target(struct smap_graph *back, const struct smap_graph *g,
                          const struct smap_edges *edges, struct smap_error *err)
{
    uint32_t from, to;
    uint64_t kept = 0;
    back->rows = g->rows;
    int rc = reserve(back, edges->count, err);
    for (int fill = 0; rc == SMAP_OK && fill < 2; fill++) {
        for (uint64_t e = 0; e < edges->count; e++) {
            uint64_t weight = edges->weight ? edges->weight[e] : 1;
            if (weight == 0 || edges->from[e] == edges->to[e] ||
                !smap_graph_row(&from, g, edges->from[e]) || !smap_graph_row(&to, g, edges->to[e]))
                continue;
            if (!fill) {
                back->first[to + 2]++;
                continue;
            }
            /* Filling a row moves its beginning to its end. */
            back->to[back->first[to + 1]] = from;
            back->weight[back->first[to + 1]++] = weight;
            kept++;
        }
        for (uint32_t r = 0; !fill && r < back->rows; r++)
            back->first[r + 2] += back->first[r + 1];
    }
    return rc;
}

/* Rows by source, targets ascending, those of equal ends added up. */
static int sort_by_source(struct smap_graph *g, const struct smap_graph *back,
                          struct smap_error *err)
{
    uint64_t edges = back->first[back->rows], kept = 0;
    int rc = reserve(g, edges, err);
    if (rc != SMAP_OK)
        return rc;
    for (uint64_t e = 0; e < edges; e++)
        g->first[back->to[e] + 2]++;
    for (uint32_t r = 0; r < g->rows; r++)
        g->first[r + 2] += g->first[r + 1];
    for (uint32_t to = 0; to < back->rows; to++)
        for (uint64_t e = back->first[to]; e < back->first[to + 1]; e++) {
            uint64_t at = g->first[back->to[e] + 1]++;
            g->to[at] = to;
            g->weight[at] = back->weight[e];
        }
    for (uint32_t r = 0; r < g->rows; r++) {
        uint64_t begin = g->first[r], start = kept;
        g->first[r] = start;
        for (uint64_t e = begin; e < g->first[r + 1]; e++) {
            uint32_t to = g->own ? g->own[g->to[e]] : g->to[e];
            if (kept > start && g->to[kept - 1] == to) {
                g->weight[kept - 1] += g->weight[e];
            } else {
                g->to[kept] = to;
                g->weight[kept++] = g->weight[e];
            }
        }
    }
    g->first[g->rows] = kept;
    return SMAP_OK;
}

static int keep_own(struct smap_graph *g, const struct smap_edges *edges, struct smap_error *err)
{
    if (!edges->own)
        return SMAP_OK;
    g->rows = edges->own_count;
    g->own = calloc((size_t)g->rows + 1, sizeof(*g->own));
    if (!g->own)
        return smap_nomem(err);
    memcpy(g->own, edges->own, g->rows * sizeof(*g->own));
    return SMAP_OK;
}

int smap_graph_create(struct smap_graph **graph, uint32_t cells, const struct smap_edges *edges,
                      struct smap_error *err)
{
    struct smap_graph back = {0}, *g = calloc(1, sizeof(*g));
    if (!g)
        return smap_nomem(err);
    g->cells = g->rows = cells;
    int rc = check(cells, edges, err);
    if (rc == SMAP_OK)
        rc = keep_own(g, edges, err);
    if (rc == SMAP_OK)
        rc = sort_by_target(&back, g, edges, err);
    if (rc == SMAP_OK)
        rc = sort_by_source(g, &back, err);
    release(&back);
    if (rc == SMAP_OK)
        *graph = g;
    else
        smap_graph_destroy(g);
    return rc;
}

void smap_graph_destroy(struct smap_graph *graph)
{
    if (!graph)
        return;
    release(graph);
    free(graph);
}

int smap_graph_part(struct smap_graph **part, const struct smap_graph *graph, uint32_t first,
                    uint32_t count, struct smap_error *err)
{
    uint64_t begin = graph->first[first], end = graph->first[first + count], kept = 0;
    struct smap_graph *g = calloc(1, sizeof(*g));
    if (!g)
        return smap_nomem(err);
    g->cells = g->rows = count;
    int rc = reserve(g, end - begin, err);
    for (uint32_t r = 0; rc == SMAP_OK && r < count; r++) {
        for (uint64_t e = graph->first[first + r]; e < graph->first[first + r + 1]; e++)
            if (graph->to[e] >= first && graph->to[e] - first < count) {
                g->to[kept] = graph->to[e] - first;
                g->weight[kept++] = graph->weight[e];
            }
        g->first[r + 1] = kept;
    }
    if (rc == SMAP_OK)
        *part = g;
    else
        smap_graph_destroy(g);
    return rc;
}
