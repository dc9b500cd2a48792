/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/refine_max.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

struct search {
    const struct smap_refine_graph *g;
    uint32_t *group;
    uint64_t *out;    /* of each group */
    uint32_t *member; /* cells, group after group; group i from first[i] on */
    uint32_t *first;
    uint32_t *slot;
    uint64_t limit;  /* what every group should stay below or at */
    uint64_t excess; /* sum of the squares of what groups have above the limit */
    uint64_t random;
};

static uint32_t below(struct search *s, uint64_t count)
{
    return smap_random_below((uint32_t)(smap_random(&s->random) >> 32), count);
}

static uint64_t excess_of(const struct search *s, uint64_t out)
{
    uint64_t above = out > s->limit ? out - s->limit : 0;
    above = above < UINT32_MAX / 4 ? above : UINT32_MAX / 4;
    return above * above;
}

/* What changes for groups a and b when cell c goes from a to b and cell d the other way; no other
 * group notices. */
static void move_delta(const struct search *s, uint32_t c, uint32_t d, uint32_t a, uint32_t b,
                       int64_t *delta_a, int64_t *delta_b)
{
    for (uint64_t e = s->g->first[c]; e < s->g->first[c + 1]; e++) {
        uint32_t to = s->g->to[e], group = s->group[to];
        int64_t there = s->g->out[e], back = (int64_t)s->g->both[e] - there;
        if (group != a)
            *delta_a -= there;
        else
            *delta_a += back;
        if (group != b || to == d)
            *delta_b += there;
        else
            *delta_b -= back;
    }
}

static void swap(struct search *s, uint32_t c, uint32_t d)
{
    uint32_t a = s->group[c], place = s->slot[c];
    s->group[c] = s->group[d];
    s->group[d] = a;
    s->slot[c] = s->slot[d];
    s->slot[d] = place;
    s->member[s->slot[c]] = c;
    s->member[s->slot[d]] = d;
}

/* A cell of a group above the limit goes to a neighbour's group, and another one comes back. Equal
 * excess is accepted too, so that the search can wander along plateaus. */
static void step(struct search *s, bool keep_sum)
{
    uint32_t c = below(s, s->g->cells), a = s->group[c];
    for (int tries = 0; tries < 16 && s->out[a] <= s->limit; tries++) {
        c = below(s, s->g->cells);
        a = s->group[c];
    }
    uint64_t degree = s->g->first[c + 1] - s->g->first[c];
    if (degree == 0)
        return;
    uint32_t b = s->group[s->g->to[s->g->first[c] + below(s, degree)]];
    if (a == b)
        return;
    uint32_t d = s->member[s->first[b] + below(s, s->first[b + 1] - s->first[b])];
    int64_t delta_a = 0, delta_b = 0;
    move_delta(s, c, d, a, b, &delta_a, &delta_b);
    move_delta(s, d, c, b, a, &delta_b, &delta_a);
    if (keep_sum && delta_a + delta_b > 0)
        return;
    uint64_t out_a = s->out[a] + (uint64_t)delta_a, out_b = s->out[b] + (uint64_t)delta_b;
    uint64_t before = excess_of(s, s->out[a]) + excess_of(s, s->out[b]);
    uint64_t after = excess_of(s, out_a) + excess_of(s, out_b);
    if (after > before || (after == before && delta_a + delta_b > 0))
        return;
    s->excess += after - before;
    s->out[a] = out_a;
    s->out[b] = out_b;
    swap(s, c, d);
}

/* The next aim: one less than the worst group has now. */
static void aim(struct search *s, uint32_t groups)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < groups; i++)
        most = s->out[i] > most ? s->out[i] : most;
    s->limit = most ? most - 1 : 0;
    s->excess = 0;
    for (uint32_t i = 0; i < groups; i++)
        s->excess += excess_of(s, s->out[i]);
}

static void list_members(struct search *s, uint32_t groups)
{
    for (uint32_t c = 0; c < s->g->cells; c++)
        s->first[s->group[c] + 1]++;
    for (uint32_t i = 0; i < groups; i++)
        s->first[i + 1] += s->first[i];
    for (uint32_t c = 0; c < s->g->cells; c++) {
        s->slot[c] = s->first[s->group[c]]++;
        s->member[s->slot[c]] = c;
    }
    for (uint32_t i = groups; i > 0; i--)
        s->first[i] = s->first[i - 1];
    s->first[0] = 0;
}

int smap_refine_max(const struct smap_refine_graph *graph, uint32_t groups,
                    uint32_t group_of_cell[], bool keep_sum, uint64_t steps, uint64_t seed,
                    struct smap_error *err)
{
    struct search s = {.g = graph, .group = group_of_cell};
    struct smap_score score;
    size_t cells = graph->cells * sizeof(uint32_t);
    uint32_t *best = malloc(cells);
    s.random = smap_random_state(seed);
    s.out = calloc(groups, sizeof(*s.out));
    s.member = malloc(cells);
    s.slot = malloc(cells);
    s.first = calloc((size_t)groups + 1, sizeof(*s.first));
    bool good = best && s.out && s.member && s.slot && s.first;
    if (good) {
        list_members(&s, groups);
        smap_refine_graph_score(&score, s.out, graph, s.group, groups);
        memcpy(best, s.group, cells);
        aim(&s, groups);
        for (; steps > 0 && s.limit > 0; steps--) {
            step(&s, keep_sum);
            if (s.excess > 0)
                continue;
            memcpy(best, s.group, cells);
            aim(&s, groups);
        }
        /* On a plateau J_sum may have fallen while J_max stayed. */
        struct smap_score last;
        smap_refine_graph_score(&score, s.out, graph, best, groups);
        smap_refine_graph_score(&last, s.out, graph, s.group, groups);
        if (last.jmax > score.jmax || (last.jmax == score.jmax && last.jsum > score.jsum))
            memcpy(s.group, best, cells);
    }
    free(best);
    free(s.out);
    free(s.member);
    free(s.slot);
    free(s.first);
    return good ? SMAP_OK : smap_nomem(err);
}
