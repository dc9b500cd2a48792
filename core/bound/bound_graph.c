/* SPDX-License-Identifier: BSD-3-Clause */
#include "bound/bound_graph_private.h"

#include <stdlib.h>

#include "partition/refine_graph.h"

/* Larger graphs are not looked at: sorting their edges takes longer than it is worth. */
#define EDGES_MAX (UINT64_C(1) << 24)

static int by_weight(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* scratch: as many as the graph has edges. */
static uint64_t bound_degrees(const struct smap_refine_graph *g, uint32_t largest,
                              uint32_t scratch[])
{
    uint64_t sum = 0;
    for (uint32_t c = 0; c < g->cells; c++) {
        uint64_t degree = g->first[c + 1] - g->first[c];
        if (degree < largest)
            continue;
        for (uint64_t i = 0; i < degree; i++)
            scratch[i] = g->both[g->first[c] + i];
        qsort(scratch, degree, sizeof(*scratch), by_weight);
        for (uint64_t i = 0; i + largest <= degree; i++)
            sum += scratch[i];
    }
    return sum / 2 + sum % 2;
}

/* An edge between two cells, both ways. */
struct edge {
    uint32_t weight, from, to;
};

static int by_edge(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static uint32_t root_of(uint32_t parent[], uint32_t cell)
{
    while (parent[cell] != cell)
        cell = parent[cell] = parent[parent[cell]];
    return cell;
}

/* How many edges without a circle lie between nodes at least. */
static uint64_t count_forest(const struct smap_refine_graph *g, const struct smap_nodesizes *sizes,
                             uint32_t component[], uint32_t scratch[])
{
    uint32_t parts = smap_refine_graph_components(component, g, scratch);
    uint32_t largest = smap_nodesizes_largest(sizes), nodes = smap_nodesizes_nodes(sizes);
    uint64_t visits = 0;
    for (uint32_t i = 0; i < parts; i++)
        scratch[i] = 0;
    for (uint32_t c = 0; c < g->cells; c++)
        scratch[component[c]]++;
    for (uint32_t i = 0; i < parts; i++)
        visits += scratch[i] / largest + (scratch[i] % largest != 0);
    visits = visits > nodes ? visits : nodes;
    return visits > parts ? visits - parts : 0;
}

static uint64_t bound_parts(const struct smap_refine_graph *g, uint64_t forest, struct edge list[],
                            uint32_t parent[])
{
    uint64_t count = 0, sum = 0;
    for (uint32_t c = 0; c < g->cells; c++) {
        parent[c] = c;
        for (uint64_t e = g->first[c]; e < g->first[c + 1]; e++)
            if (g->to[e] > c)
                list[count++] = (struct edge){g->both[e], c, g->to[e]};
    }
    qsort(list, count, sizeof(*list), by_edge);
    for (uint64_t i = 0; i < count && forest > 0; i++) {
        uint32_t a = root_of(parent, list[i].from), b = root_of(parent, list[i].to);
        if (a == b)
            continue;
        parent[a] = b;
        sum += list[i].weight;
        forest--;
    }
    return sum;
}

int smap_bound_graph(uint64_t *bound, const struct smap_instance *instance, struct smap_error *err)
{
    const struct smap_graph *graph = instance->graph;
    struct smap_refine_graph *g = NULL;
    *bound = 0;
    if (graph->first[graph->rows] > EDGES_MAX)
        return SMAP_OK;
    int rc = smap_refine_graph_create(&g, instance, NULL, 0, err);
    if (rc != SMAP_OK)
        return rc;
    uint64_t edges = g->first[g->cells] + g->cells;
    uint32_t *component = calloc(g->cells, sizeof(*component));
    uint32_t *scratch = calloc(edges, sizeof(*scratch));
    struct edge *list = calloc(edges, sizeof(*list));
    if (!component || !scratch || !list)
        rc = smap_nomem(err);
    if (rc == SMAP_OK && g->shift == 0) { /* rounded weights prove nothing */
        uint64_t degrees = bound_degrees(g, smap_nodesizes_largest(instance->sizes), scratch);
        uint64_t forest = count_forest(g, instance->sizes, component, scratch);
        uint64_t parts = bound_parts(g, forest, list, component);
        *bound = degrees > parts ? degrees : parts;
    }
    smap_refine_graph_destroy(g);
    free(component);
    free(scratch);
    free(list);
    return rc;
}
