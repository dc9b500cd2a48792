/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/refine_moves.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "partition/chains_private.h"
#include "partition/cooling_private.h"

/* With more neighbours a cell than that, a table of the weights between cells and groups is worth
 * its memory. */
#define TABLE_DEGREE 10

/* What a cell too much or too few in a group costs, in 1/256 of the mean weight of an edge; the
 * excess counts squared. */
#define PENALTY 128

/* One proposal in so many leads to any group, a neighbour's or not. */
#define ANYWHERE_ONE_IN 64

struct search {
    const struct smap_coarse *g;
    uint32_t groups;
    uint32_t *group;  /* of each cell: the caller's array */
    uint32_t *weight; /* of each edge, scaled so that a cell's sum fits 31 bits */
    int64_t *off;     /* what each group has too much */
    uint32_t *links;  /* cells x groups: weight between a cell and a group; NULL: looked up */
    int64_t penalty;  /* for one that is off by one, in 2^-PENALTY_BITS */
    uint64_t random;
    struct smap_logs logs;
};
enum { PENALTY_BITS = 16 };

/* What a move adds to the weight between groups. */
static inline int64_t change(const struct search *s, uint32_t cell, uint32_t from, uint32_t to)
{
    int64_t sum = 0;
    if (s->links) {
        const uint32_t *row = s->links + (uint64_t)cell * s->groups;
        return (int64_t)row[from] - row[to];
    }
    for (uint64_t e = s->g->first[cell]; e < s->g->first[cell + 1]; e++) {
        uint32_t group = s->group[s->g->to[e]];
        sum += group == from ? s->weight[e] : 0;
        sum -= group == to ? s->weight[e] : 0;
    }
    return sum;
}

static inline void move(struct search *s, uint32_t cell, uint32_t from, uint32_t to)
{
    s->group[cell] = to;
    s->off[from] -= s->g->size[cell];
    s->off[to] += s->g->size[cell];
    if (!s->links)
        return;
    for (uint64_t e = s->g->first[cell]; e < s->g->first[cell + 1]; e++) {
        uint32_t *row = s->links + (uint64_t)s->g->to[e] * s->groups;
        row[from] -= s->weight[e];
        row[to] += s->weight[e];
    }
}

/* One proposal: a cell moves to a neighbour's group; now and then, and a cell without neighbours,
 * to any group, so that places wander between parts of the graph that do not talk to each other. */
static inline void step(struct search *s, uint64_t temperature)
{
    uint64_t r = smap_random(&s->random), r2 = smap_random(&s->random);
    uint32_t cell = smap_random_below((uint32_t)(r >> 32), s->g->cells), other;
    uint64_t begin = s->g->first[cell], degree = s->g->first[cell + 1] - begin;
    if (degree > 0 && (r2 >> 16) % ANYWHERE_ONE_IN != 0)
        other = s->g->to[begin + smap_random_below((uint32_t)r, degree)];
    else
        other = smap_random_below((uint32_t)r, s->g->cells);
    uint32_t from = s->group[cell], to = s->group[other];
    if (from == to)
        return;
    int64_t limit = smap_logs_limit(&s->logs, temperature, r2);
    int64_t size = s->g->size[cell], off = s->off[to] - s->off[from] + size;
    limit -= (size * off * s->penalty) >> PENALTY_BITS;
    if (change(s, cell, from, to) <= limit)
        move(s, cell, from, to);
}

/* Weights and links of the start. */
static void begin_search(struct search *s)
{
    const struct smap_coarse *g = s->g;
    uint64_t most = 0;
    unsigned shift = 0;
    for (uint32_t c = 0; c < g->cells; c++) {
        uint64_t sum = 0;
        for (uint64_t e = g->first[c]; e < g->first[c + 1]; e++)
            sum += g->weight[e];
        most = sum > most ? sum : most;
    }
    while (most >> shift > INT32_MAX / 2)
        shift++;
    for (uint32_t c = 0; c < g->cells; c++) {
        s->off[s->group[c]] += g->size[c];
        for (uint64_t e = g->first[c]; e < g->first[c + 1]; e++) {
            uint64_t weight = g->weight[e] >> shift;
            s->weight[e] = weight ? (uint32_t)weight : 1;
            if (s->links)
                s->links[(uint64_t)c * s->groups + s->group[g->to[e]]] += s->weight[e];
        }
    }
}

/* With large cells sizes are coarser: being off by the mean cell costs what being off by one costs
 * where all are one. */
static uint64_t scale_of(struct search *s)
{
    const struct smap_coarse *g = s->g;
    uint64_t sum = 0, size = 0, edges = g->first[g->cells];
    for (uint64_t e = 0; e < edges; e++)
        sum += s->weight[e];
    for (uint32_t c = 0; c < g->cells; c++)
        size += g->size[c];
    uint64_t scale = smap_weight_scale(sum, edges, g->cells), mean = size / g->cells;
    s->penalty = (int64_t)((((scale * PENALTY) >> 8) << (PENALTY_BITS - SMAP_TEMPERATURE_BITS)) /
                           (mean * mean));
    return scale;
}

static void anneal(struct search *s, const struct smap_refine_schedule *schedule)
{
    uint64_t temperature = (scale_of(s) * schedule->start) >> 8;
    for (int t = 0; t < SMAP_TEMPERATURES; t++) {
        for (uint64_t i = schedule->steps / SMAP_TEMPERATURES; i > 0; i--)
            step(s, temperature);
        temperature = smap_cool(temperature, schedule->halves);
    }
}

static bool all_are_one(const struct smap_coarse *g)
{
    uint32_t c = 0;
    while (c < g->cells && g->size[c] == 1)
        c++;
    return c == g->cells;
}

int smap_refine_moves(uint32_t group_of_cell[], const struct smap_coarse *graph,
                      const uint32_t size[], uint32_t groups,
                      const struct smap_refine_schedule *schedule, struct smap_error *err)
{
    struct search *s = calloc(1, sizeof(*s));
    uint64_t edges = graph->first[graph->cells], links = (uint64_t)graph->cells * groups;
    bool table = links <= SMAP_REFINE_LINKS_MAX && edges > TABLE_DEGREE * (uint64_t)graph->cells;
    if (!s)
        return smap_nomem(err);
    *s = (struct search){.g = graph,
                         .groups = groups,
                         .group = group_of_cell,
                         .weight = calloc(edges + 1, sizeof(*s->weight)),
                         .off = calloc(groups, sizeof(*s->off)),
                         .links = table ? calloc(links, sizeof(*s->links)) : NULL,
                         .random = smap_random_state(schedule->seed)};
    int rc = s->weight && s->off && (s->links || !table) ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK) {
        for (uint32_t i = 0; i < groups; i++)
            s->off[i] = -(int64_t)size[i];
        smap_logs_make(&s->logs);
        begin_search(s);
        anneal(s, schedule);
    }
    free(s->weight);
    free(s->off);
    free(s->links);
    free(s);
    if (rc == SMAP_OK && all_are_one(graph))
        rc = smap_chains(group_of_cell, graph, size, groups, err);
    return rc;
}
