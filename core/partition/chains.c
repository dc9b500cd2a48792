/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/chains_private.h"

#include <stdbool.h>
#include <stdlib.h>

struct chains {
    const struct smap_coarse *g;
    uint32_t groups;
    uint32_t *group;
    int64_t *off;   /* what each group has too much */
    uint64_t *cost; /* of the cheapest chain to each group; UINT64_MAX: none is known */
    uint32_t *via;  /* the cell that moves there at its end */
    uint32_t *from; /* and the group that it leaves */
};

/* What moving a cell costs; what gains counts nothing, so that there are no circles. */
static uint64_t cost_of(const struct chains *k, uint32_t cell, uint32_t from, uint32_t to)
{
    uint64_t lost = 0, won = 0;
    for (uint64_t e = k->g->first[cell]; e < k->g->first[cell + 1]; e++) {
        uint32_t group = k->group[k->g->to[e]];
        lost += group == from ? k->g->weight[e] : 0;
        won += group == to ? k->g->weight[e] : 0;
    }
    return lost > won ? lost - won : 0;
}

/* Lowers the costs by one more move at the end of each chain; false: nothing changed. */
static bool extend(struct chains *k)
{
    bool changed = false;
    for (uint32_t c = 0; c < k->g->cells; c++) {
        uint32_t from = k->group[c];
        if (k->cost[from] == UINT64_MAX)
            continue;
        for (uint64_t e = k->g->first[c]; e < k->g->first[c + 1]; e++) {
            uint32_t to = k->group[k->g->to[e]];
            if (k->cost[to] <= k->cost[from])
                continue;
            uint64_t cost = k->cost[from] + cost_of(k, c, from, to);
            if (cost >= k->cost[to])
                continue;
            k->cost[to] = cost;
            k->via[to] = c;
            k->from[to] = from;
            changed = true;
        }
    }
    return changed;
}

static void move(struct chains *k, uint32_t cell, uint32_t to)
{
    k->off[k->group[cell]]--;
    k->off[to]++;
    k->group[cell] = to;
}

/* No chain leads from a group to one that is too small: the cell that loses least goes there at
 * once. */
static void jump(struct chains *k, uint32_t from)
{
    uint32_t best = UINT32_MAX, to = 0;
    uint64_t lowest = UINT64_MAX;
    while (k->off[to] >= 0)
        to++;
    for (uint32_t c = 0; c < k->g->cells; c++) {
        uint64_t cost = k->group[c] == from ? cost_of(k, c, from, to) : UINT64_MAX;
        if (cost < lowest) {
            lowest = cost;
            best = c;
        }
    }
    move(k, best, to);
}

/* Takes one cell off a group that is too large. */
static void lighten(struct chains *k, uint32_t start)
{
    uint32_t end = UINT32_MAX;
    for (uint32_t i = 0; i < k->groups; i++)
        k->cost[i] = i == start ? 0 : UINT64_MAX;
    for (uint32_t i = 0; i < k->groups && extend(k); i++)
        ;
    for (uint32_t i = 0; i < k->groups; i++)
        if (k->off[i] < 0 && k->cost[i] != UINT64_MAX &&
            (end == UINT32_MAX || k->cost[i] < k->cost[end]))
            end = i;
    if (end == UINT32_MAX)
        jump(k, start);
    for (; end != UINT32_MAX && end != start; end = k->from[end])
        move(k, k->via[end], end);
}

int smap_chains(uint32_t group_of_cell[], const struct smap_coarse *graph, const uint32_t size[],
                uint32_t groups, struct smap_error *err)
{
    struct chains k = {.g = graph,
                       .groups = groups,
                       .group = group_of_cell,
                       .off = calloc(groups, sizeof(*k.off)),
                       .cost = calloc(groups, sizeof(*k.cost)),
                       .via = calloc(groups, sizeof(*k.via)),
                       .from = calloc(groups, sizeof(*k.from))};
    int rc = k.off && k.cost && k.via && k.from ? SMAP_OK : smap_nomem(err);
    for (uint32_t c = 0; rc == SMAP_OK && c < graph->cells; c++)
        k.off[group_of_cell[c]]++;
    for (uint32_t i = 0; rc == SMAP_OK && i < groups; i++)
        k.off[i] -= size[i];
    for (uint32_t i = 0; rc == SMAP_OK && i < groups; i++)
        while (k.off[i] > 0)
            lighten(&k, i);
    free(k.off);
    free(k.cost);
    free(k.via);
    free(k.from);
    return rc;
}
