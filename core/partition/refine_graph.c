/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/refine_graph.h"

#include <stdlib.h>
#include <string.h>

#include "partition/refine_graph_edges_private.h"

/* An offset of the stencil or the reverse of one. */
struct link {
    int32_t offset[SMAP_DIMS_MAX];
    uint32_t both;
    uint32_t out;
};

/* Offsets in lexicographic order, so that equal ones can be merged. */
static int compare_links(const void *a, const void *b)
{
    const int32_t *x = ((const struct link *)a)->offset, *y = ((const struct link *)b)->offset;
    for (size_t i = 0; i < SMAP_DIMS_MAX; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Every offset and its reverse, merged; *count of them. */
static struct link *make_links(size_t *count, const struct smap_stencil *stencil)
{
    struct link *links = calloc(2 * stencil->count, sizeof(*links));
    size_t n = 0;
    if (!links)
        return NULL;
    for (size_t r = 0; r < stencil->count; r++) {
        const int32_t *offset = smap_stencil_offset(stencil, r);
        uint32_t weight = stencil->weights[r];
        for (size_t i = 0; i < stencil->ndims; i++) {
            links[n].offset[i] = offset[i];
            links[n + 1].offset[i] = -offset[i];
        }
        links[n].both = links[n + 1].both = links[n].out = weight;
        n += 2;
    }
    qsort(links, n, sizeof(*links), compare_links);
    *count = 0;
    for (size_t i = 0; i < n; i++) {
        if (*count > 0 && compare_links(&links[*count - 1], &links[i]) == 0) {
            links[*count - 1].both += links[i].both;
            links[*count - 1].out += links[i].out;
        } else {
            links[(*count)++] = links[i];
        }
    }
    return links;
}

uint32_t smap_refine_graph_find(const uint32_t subset[], uint32_t count, uint32_t cell)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (subset[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && subset[low] == cell ? low : UINT32_MAX;
}

/* Fills the edges; subset is NULL for the whole grid. */
static void fill(struct smap_refine_graph *g, const struct smap_grid *grid,
                 const struct link links[], size_t count, const uint32_t subset[])
{
    uint64_t edges = 0;
    uint32_t coords[SMAP_DIMS_MAX] = {0};
    for (uint32_t c = 0; c < g->cells; c++) {
        g->first[c] = edges;
        uint32_t cell = subset ? subset[c] : c;
        smap_grid_coords(coords, grid, cell);
        for (size_t l = 0; l < count; l++) {
            uint32_t target;
            if (!smap_grid_neighbour(&target, grid, coords, links[l].offset, 1) || target == cell)
                continue;
            if (subset && (target = smap_refine_graph_find(subset, g->cells, target)) == UINT32_MAX)
                continue;
            g->to[edges] = target;
            g->both[edges] = links[l].both;
            g->out[edges++] = links[l].out;
        }
    }
    g->first[g->cells] = edges;
}

static int fill_from_grid(struct smap_refine_graph *g, const struct smap_instance *in,
                          const uint32_t subset[], struct smap_error *err)
{
    size_t links_count = 0;
    struct link *links = make_links(&links_count, in->stencil);
    if (!links)
        return smap_nomem(err);
    uint64_t room = (uint64_t)g->cells * links_count;
    g->first = calloc((size_t)g->cells + 1, sizeof(*g->first));
    g->to = calloc(room, sizeof(*g->to));
    g->both = calloc(room, sizeof(*g->both));
    g->out = calloc(room, sizeof(*g->out));
    bool good = g->first && g->to && g->both && g->out;
    if (good)
        fill(g, in->grid, links, links_count, subset);
    free(links);
    return good ? SMAP_OK : smap_nomem(err);
}

int smap_refine_graph_create(struct smap_refine_graph **graph, const struct smap_instance *instance,
                             const uint32_t subset[], uint32_t count, struct smap_error *err)
{
    struct smap_refine_graph *g = calloc(1, sizeof(*g));
    if (!g)
        return smap_nomem(err);
    g->cells = subset ? count : instance->grid->cells;
    int rc = instance->graph ? smap_refine_graph_fill(g, instance->graph, subset, g->cells, err)
                             : fill_from_grid(g, instance, subset, err);
    if (rc == SMAP_OK)
        *graph = g;
    else
        smap_refine_graph_destroy(g);
    return rc;
}

void smap_refine_graph_destroy(struct smap_refine_graph *graph)
{
    if (!graph)
        return;
    free(graph->first);
    free(graph->to);
    free(graph->both);
    free(graph->out);
    free(graph);
}

void smap_refine_graph_score(struct smap_score *score, uint64_t out[],
                             const struct smap_refine_graph *graph, const uint32_t group_of_cell[],
                             uint32_t groups)
{
    memset(out, 0, groups * sizeof(*out));
    for (uint32_t c = 0; c < graph->cells; c++) {
        uint32_t group = group_of_cell[c];
        uint64_t sum = 0;
        for (uint64_t e = graph->first[c]; e < graph->first[c + 1]; e++)
            sum += group_of_cell[graph->to[e]] != group ? graph->out[e] : 0;
        out[group] += sum;
    }
    *score = (struct smap_score){.jmin = UINT64_MAX};
    for (uint32_t i = 0; i < groups; i++) {
        score->jsum += out[i];
        score->jmax = out[i] > score->jmax ? out[i] : score->jmax;
        score->jmin = out[i] < score->jmin ? out[i] : score->jmin;
    }
}

uint32_t smap_refine_graph_components(uint32_t component_of_cell[],
                                      const struct smap_refine_graph *graph, uint32_t stack[])
{
    uint32_t components = 0;
    memset(component_of_cell, 0xff, (size_t)graph->cells * sizeof(*component_of_cell));
    for (uint32_t c = 0; c < graph->cells; c++) {
        uint32_t depth = 0;
        if (component_of_cell[c] != UINT32_MAX)
            continue;
        component_of_cell[c] = components;
        stack[depth++] = c;
        while (depth > 0) {
            uint32_t at = stack[--depth];
            for (uint64_t e = graph->first[at]; e < graph->first[at + 1]; e++)
                if (component_of_cell[graph->to[e]] == UINT32_MAX) {
                    component_of_cell[graph->to[e]] = components;
                    stack[depth++] = graph->to[e];
                }
        }
        components++;
    }
    return components;
}
