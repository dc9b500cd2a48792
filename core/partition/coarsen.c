/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/coarsen.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

#define NONE UINT32_MAX

int smap_coarse_init(struct smap_coarse *coarse, uint32_t cells, uint64_t edges,
                     struct smap_error *err)
{
    *coarse = (struct smap_coarse){
        .cells = cells,
        .first = calloc((size_t)cells + 1, sizeof(*coarse->first)),
        .to = calloc((size_t)edges + 1, sizeof(*coarse->to)),
        .weight = calloc((size_t)edges + 1, sizeof(*coarse->weight)),
        .size = calloc((size_t)cells + 1, sizeof(*coarse->size)),
    };
    return coarse->first && coarse->to && coarse->weight && coarse->size ? SMAP_OK
                                                                         : smap_nomem(err);
}

void smap_coarse_clear(struct smap_coarse *coarse)
{
    free(coarse->first);
    free(coarse->to);
    free(coarse->weight);
    free(coarse->size);
    *coarse = (struct smap_coarse){0};
}

int smap_coarse_copy(struct smap_coarse *coarse, const struct smap_refine_graph *graph,
                     struct smap_error *err)
{
    uint64_t edges = graph->first[graph->cells];
    int rc = smap_coarse_init(coarse, graph->cells, edges, err);
    if (rc != SMAP_OK)
        return rc;
    memcpy(coarse->first, graph->first, ((size_t)graph->cells + 1) * sizeof(*coarse->first));
    memcpy(coarse->to, graph->to, edges * sizeof(*coarse->to));
    for (uint64_t e = 0; e < edges; e++)
        coarse->weight[e] = graph->both[e];
    for (uint32_t c = 0; c < graph->cells; c++)
        coarse->size[c] = 1;
    return SMAP_OK;
}

/* All cells in a random order. */
static void shuffle(uint32_t order[], uint32_t cells, uint64_t *random)
{
    for (uint32_t c = 0; c < cells; c++) {
        uint32_t at = smap_random_below((uint32_t)(smap_random(random) >> 32), (uint64_t)c + 1);
        order[c] = order[at];
        order[at] = c;
    }
}

struct matching {
    const struct smap_coarse *g;
    const struct smap_coarsening *how;
    uint32_t *partner; /* of each cell; itself: it stays alone; NONE: not known yet */
    uint32_t *order;
    uint32_t *waiting; /* a cell without partner whose heaviest edge leads to this one; the last
                        * entry is for those without edges */
};

static bool fits(const struct matching *m, uint32_t a, uint32_t b)
{
    return (uint64_t)m->g->size[a] + m->g->size[b] <= m->how->size_max &&
           (!m->how->kind_of || m->how->kind_of[a] == m->how->kind_of[b]);
}

/* So that its product with a size fits 64 bits. */
static uint64_t rated(uint64_t weight)
{
    return weight < UINT64_C(1) << 32 ? weight : UINT64_C(1) << 32;
}

/* The neighbour with the most weight for what it adds, so that no cell runs away from the others;
 * NONE: there is none. free_only: of those that have no partner and fit. */
static uint32_t heaviest(const struct matching *m, uint32_t cell, bool free_only)
{
    const struct smap_coarse *g = m->g;
    uint64_t best = g->first[cell + 1];
    for (uint64_t e = g->first[cell]; e < g->first[cell + 1]; e++) {
        uint32_t to = g->to[e];
        if (free_only && (m->partner[to] != NONE || !fits(m, cell, to)))
            continue;
        if (best == g->first[cell + 1] ||
            rated(g->weight[e]) * g->size[g->to[best]] > rated(g->weight[best]) * g->size[to])
            best = e;
    }
    return best == g->first[cell + 1] ? NONE : g->to[best];
}

/* Neighbours first; then cells that have only a neighbour in common, as the leaves of a star, and
 * those without any. */
static void match(struct matching *m)
{
    uint32_t cells = m->g->cells;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t cell = m->order[i], to;
        if (m->partner[cell] == NONE && (to = heaviest(m, cell, true)) != NONE) {
            m->partner[cell] = to;
            m->partner[to] = cell;
        }
    }
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t cell = m->order[i];
        if (m->partner[cell] != NONE)
            continue;
        uint32_t hub = heaviest(m, cell, false);
        uint32_t *waiting = &m->waiting[hub == NONE ? cells : hub];
        if (*waiting != NONE && fits(m, cell, *waiting)) {
            m->partner[cell] = *waiting;
            m->partner[*waiting] = cell;
            *waiting = NONE;
        } else {
            *waiting = cell;
        }
    }
    for (uint32_t c = 0; c < cells; c++)
        if (m->partner[c] == NONE)
            m->partner[c] = c;
}

/* place[to]: where the edge to a coarse cell is. */
struct contraction {
    struct smap_coarse *coarse;
    const uint32_t *coarse_of;
    uint64_t *place;
};

/* Adds the edges of one cell to those of the coarse cell that it is part of, which begin at
 * `begin`; returns where they end. */
static uint64_t add_edges(struct contraction *k, const struct smap_coarse *fine, uint32_t cell,
                          uint64_t begin, uint64_t end)
{
    struct smap_coarse *coarse = k->coarse;
    const uint32_t *coarse_of = k->coarse_of;
    uint64_t *place = k->place;
    for (uint64_t e = fine->first[cell]; e < fine->first[cell + 1]; e++) {
        uint32_t to = coarse_of[fine->to[e]];
        if (to == coarse_of[cell])
            continue;
        if (place[to] < begin || place[to] >= end || coarse->to[place[to]] != to) {
            place[to] = end;
            coarse->to[end] = to;
            coarse->weight[end++] = 0;
        }
        coarse->weight[place[to]] += fine->weight[e];
    }
    return end;
}

/* Two cells of the fine graph make one. */
static int contract(struct smap_coarse *coarse, uint32_t coarse_of[], const struct matching *m,
                    struct smap_error *err)
{
    const struct smap_coarse *fine = m->g;
    uint32_t cells = 0;
    for (uint32_t c = 0; c < fine->cells; c++)
        coarse_of[c] = m->partner[c] < c ? coarse_of[m->partner[c]] : cells++;
    uint64_t *place = calloc((size_t)cells + 1, sizeof(*place)), edges = 0;
    struct contraction contraction = {coarse, coarse_of, place};
    int rc = smap_coarse_init(coarse, cells, fine->first[fine->cells], err);
    if (rc == SMAP_OK && !place)
        rc = smap_nomem(err);
    for (uint32_t c = 0; rc == SMAP_OK && c < fine->cells; c++) {
        uint32_t other = m->partner[c];
        if (other < c)
            continue;
        uint64_t begin = edges;
        coarse->size[coarse_of[c]] = fine->size[c] + (other > c ? fine->size[other] : 0);
        edges = add_edges(&contraction, fine, c, begin, edges);
        if (other > c)
            edges = add_edges(&contraction, fine, other, begin, edges);
        coarse->first[coarse_of[c] + 1] = edges;
    }
    free(place);
    return rc;
}

int smap_coarsen(struct smap_coarse *coarse, uint32_t coarse_of[], const struct smap_coarse *fine,
                 struct smap_coarsening *how, struct smap_error *err)
{
    size_t cells = fine->cells;
    uint32_t *memory = calloc(3 * cells + 1, sizeof(*memory));
    *coarse = (struct smap_coarse){0};
    if (!memory)
        return smap_nomem(err);
    struct matching m = {fine, how, memory, memory + cells, memory + 2 * cells};
    memset(m.partner, 0xff, cells * sizeof(*m.partner));
    memset(m.waiting, 0xff, (cells + 1) * sizeof(*m.waiting));
    shuffle(m.order, fine->cells, &how->random);
    match(&m);
    int rc = contract(coarse, coarse_of, &m, err);
    free(memory);
    return rc;
}
