/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/bisect_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

/* Graphs of so many cells are cut without making them smaller, and no cell of a smaller graph
 * stands for much more than its part of that. */
#define COARSEST 40

/* So many cells to grow a side from are tried there. */
#define TRIES 8

/* Each graph has at most 19/20 of the cells of the one before, else there are no more. */
#define SHRINKS(coarse, fine) ((uint64_t)(coarse)*20 < (uint64_t)(fine)*19)
enum { GRAPHS_MAX = 64 };

/* The weight between the sides. */
static uint64_t cut_of(const struct smap_coarse *g, const uint8_t side[])
{
    uint64_t cut = 0;
    for (uint32_t c = 0; c < g->cells; c++)
        for (uint64_t e = g->first[c]; e < g->first[c + 1]; e++)
            cut += side[g->to[e]] > side[c] ? g->weight[e] : 0;
    return cut;
}

static uint64_t size_of(const struct smap_coarse *g, const uint8_t side[], uint64_t *largest)
{
    uint64_t size = 0;
    *largest = 0;
    for (uint32_t c = 0; c < g->cells; c++) {
        size += side && side[c] ? 0 : g->size[c];
        *largest = g->size[c] > *largest ? g->size[c] : *largest;
    }
    return size;
}

/* Grows side 0 from some cells, one after the other, by what refinement does with sizes that are
 * wrong, and keeps the best cut. */
static int cut_coarsest(uint8_t side[], const struct smap_coarse *g, uint64_t left,
                        uint64_t *random, struct smap_error *err)
{
    uint64_t lowest = UINT64_MAX, nearest = UINT64_MAX, largest;
    uint8_t *tried = calloc((size_t)g->cells + 1, sizeof(*tried));
    int rc = tried ? SMAP_OK : smap_nomem(err);
    size_of(g, NULL, &largest);
    for (int i = 0; rc == SMAP_OK && i < TRIES; i++) {
        memset(tried, 1, g->cells);
        tried[smap_random_below((uint32_t)(smap_random(random) >> 32), g->cells)] = 0;
        rc = smap_bisect_refine(tried, g, left, largest > 1 ? largest / 2 : 0, err);
        uint64_t size = size_of(g, tried, &largest), cut = cut_of(g, tried);
        uint64_t off = size > left ? size - left : left - size;
        off = off > largest / 2 ? off : largest / 2;
        if (rc == SMAP_OK && (off < nearest || (off == nearest && cut < lowest))) {
            nearest = off;
            lowest = cut;
            memcpy(side, tried, g->cells);
        }
    }
    free(tried);
    return rc;
}

/* The graph itself and smaller ones, each made of the one before. */
struct ladder {
    struct smap_coarse graph[GRAPHS_MAX]; /* from 1 on */
    uint32_t *coarse_of[GRAPHS_MAX];      /* of each cell of the one before */
    size_t count;
};

static int climb(struct ladder *l, const struct smap_coarse *graph, uint64_t *random,
                 struct smap_error *err)
{
    uint64_t largest, size = size_of(graph, NULL, &largest);
    struct smap_coarsening how = {.size_max = (uint32_t)(size * 3 / 2 / COARSEST + 1),
                                  .random = smap_random(random) | 1};
    const struct smap_coarse *fine = graph;
    int rc = SMAP_OK;
    for (l->count = 1; rc == SMAP_OK && fine->cells > COARSEST && l->count < GRAPHS_MAX;) {
        struct smap_coarse *coarse = &l->graph[l->count];
        uint32_t *coarse_of = calloc(fine->cells, sizeof(*coarse_of));
        l->coarse_of[l->count++] = coarse_of;
        rc = coarse_of ? smap_coarsen(coarse, coarse_of, fine, &how, err) : smap_nomem(err);
        if (rc != SMAP_OK || !SHRINKS(coarse->cells, fine->cells))
            break;
        fine = coarse;
    }
    return rc;
}

static void take_down(struct ladder *l)
{
    for (size_t i = 1; i < l->count; i++) {
        smap_coarse_clear(&l->graph[i]);
        free(l->coarse_of[i]);
    }
}

int smap_bisect(uint8_t side[], const struct smap_coarse *graph, uint64_t left, uint64_t *random,
                struct smap_error *err)
{
    struct ladder *l = calloc(1, sizeof(*l));
    uint8_t *coarse_side = calloc((size_t)graph->cells + 1, sizeof(*coarse_side));
    int rc = l && coarse_side ? climb(l, graph, random, err) : smap_nomem(err);
    if (rc == SMAP_OK) {
        size_t top = l->count - 1;
        rc = cut_coarsest(coarse_side, top ? &l->graph[top] : graph, left, random, err);
        for (; rc == SMAP_OK && top > 0; top--) {
            const struct smap_coarse *fine = top > 1 ? &l->graph[top - 1] : graph;
            uint64_t largest;
            for (uint32_t c = 0; c < fine->cells; c++)
                side[c] = coarse_side[l->coarse_of[top][c]];
            size_of(fine, NULL, &largest);
            rc = smap_bisect_refine(side, fine, left, largest > 1 ? largest / 2 : 0, err);
            memcpy(coarse_side, side, fine->cells);
        }
        memcpy(side, coarse_side, graph->cells);
    }
    if (l)
        take_down(l);
    free(l);
    free(coarse_side);
    return rc;
}
