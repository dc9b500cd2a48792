/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication graphs as they are met: land-masked oceans, I/O servers, random meshes, several
 * parts, ranks that talk to nobody. Include after unit.h. */
#ifndef UNIT_GRAPH_H
#define UNIT_GRAPH_H

#include <stdlib.h>

#include "grid/graph.h"

enum { UNIT_EDGES_MAX = 20000 };

struct unit_edges {
    uint32_t ranks, count;
    uint32_t from[UNIT_EDGES_MAX], to[UNIT_EDGES_MAX];
    uint64_t weight[UNIT_EDGES_MAX];
};

static inline void unit_edge(struct unit_edges *e, uint32_t from, uint32_t to, uint64_t weight)
{
    assert_true(e->count < UNIT_EDGES_MAX);
    e->from[e->count] = from;
    e->to[e->count] = to;
    e->weight[e->count++] = weight;
}

static inline void unit_both(struct unit_edges *e, uint32_t a, uint32_t b, uint64_t weight)
{
    unit_edge(e, a, b, weight);
    unit_edge(e, b, a, weight);
}

static inline struct smap_graph *unit_graph(const struct unit_edges *e)
{
    struct smap_graph *graph = NULL;
    const struct smap_edges edges = {e->count, e->from, e->to, e->weight, NULL, 0};
    assert_int_equal(smap_graph_create(&graph, e->ranks, &edges, NULL), SMAP_OK);
    return graph;
}

/* A grid with its four neighbours and no ranks on land: round islands. servers: so many more ranks,
 * each of which all ranks in a stretch send to. */
static inline struct smap_graph *unit_ocean(uint32_t rows, uint32_t columns, uint32_t islands,
                                            uint32_t servers, uint64_t *seed)
{
    struct unit_edges *e = calloc(1, sizeof(*e));
    uint32_t *rank = calloc((size_t)rows * columns, sizeof(*rank));
    assert_non_null(e);
    assert_non_null(rank);
    for (uint32_t k = 0; k < islands; k++) {
        int64_t y = unit_between(seed, 0, rows - 1), x = unit_between(seed, 0, columns - 1);
        int64_t r = unit_between(seed, 1, 1 + rows / 6);
        for (int64_t c = 0; c < (int64_t)rows * columns; c++)
            if ((c / columns - y) * (c / columns - y) + (c % columns - x) * (c % columns - x) <
                r * r)
                rank[c] = UINT32_MAX;
    }
    for (uint32_t c = 0; c < rows * columns; c++)
        if (rank[c] != UINT32_MAX)
            rank[c] = e->ranks++;
    for (uint32_t c = 0; c < rows * columns; c++) {
        if (rank[c] == UINT32_MAX)
            continue;
        if (c % columns + 1 < columns && rank[c + 1] != UINT32_MAX)
            unit_both(e, rank[c], rank[c + 1], 1);
        if (c / columns + 1 < rows && rank[c + columns] != UINT32_MAX)
            unit_both(e, rank[c], rank[c + columns], 1);
    }
    uint32_t ocean = e->ranks;
    e->ranks += servers;
    for (uint32_t c = 0; servers && c < ocean; c++)
        unit_edge(e, c, ocean + (uint32_t)((uint64_t)c * servers / ocean), 3);
    struct smap_graph *graph = unit_graph(e);
    free(rank);
    free(e);
    return graph;
}

/* Ranks that talk to `degree` others each, of those `reach` ranks away at most; some talk to none,
 * and no edge leads from one of `parts` stretches to another. Weights up to heaviest. */
static inline struct smap_graph *unit_mesh(uint32_t ranks, uint32_t parts, uint32_t degree,
                                           uint64_t heaviest, uint64_t *seed)
{
    struct unit_edges *e = calloc(1, sizeof(*e));
    assert_non_null(e);
    e->ranks = ranks;
    for (uint32_t r = 0; r < ranks; r++)
        for (uint32_t k = 0; r % 17 != 5 && k < degree; k++) {
            uint32_t to = (r + unit_between(seed, 1, 12)) % ranks;
            if (to * (uint64_t)parts / ranks == r * (uint64_t)parts / ranks)
                unit_edge(e, r, to, 1 + smap_random(seed) % heaviest);
        }
    struct smap_graph *graph = unit_graph(e);
    free(e);
    return graph;
}

#endif
