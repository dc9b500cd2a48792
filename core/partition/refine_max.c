/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/refine_max.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "partition/members_private.h"

/* So often a cell is drawn again because its group is not above the limit: late in a search few
 * groups are. */
#define TRIES 16

/* What a group has above the limit counts up to here, so that its square and the sum of two stay
 * far below 2^64. */
#define ABOVE_MAX (UINT32_MAX / 4)

struct search {
    const struct smap_refine_graph *g;
    uint32_t *group;
    uint64_t *out; /* of each group */
    struct smap_members members;
    uint64_t limit;  /* what every group should stay below or at */
    uint64_t excess; /* sum of the squares of what groups have above the limit */
    uint64_t random;
};

static uint32_t random_bits(struct search *s)
{
    return (uint32_t)(smap_random(&s->random) >> 32);
}

static uint32_t below(struct search *s, uint64_t count)
{
    return smap_random_below(random_bits(s), count);
}

static uint64_t excess_of(const struct search *s, uint64_t out)
{
    uint64_t above = out > s->limit ? out - s->limit : 0;
    above = above < ABOVE_MAX ? above : ABOVE_MAX;
    return above * above;
}

/* What leaves two groups more than before. */
struct change {
    int64_t from, to;
};

/* The part of cell c when it goes from one group to another and cell d the other way; no third
 * group notices. */
static struct change change_of(const struct search *s, uint32_t c, uint32_t d, uint32_t from,
                               uint32_t to)
{
    struct change change = {0, 0};
    for (uint64_t e = s->g->first[c]; e < s->g->first[c + 1]; e++) {
        uint32_t other = s->g->to[e], group = s->group[other];
        int64_t there = s->g->out[e], back = (int64_t)s->g->both[e] - there;
        if (group != from)
            change.from -= there;
        else
            change.from += back;
        if (group != to || other == d)
            change.to += there;
        else
            change.to -= back;
    }
    return change;
}

static void swap(struct search *s, uint32_t c, uint32_t d)
{
    uint32_t group = s->group[c], index = s->members.index[c];
    s->group[c] = s->group[d];
    s->group[d] = group;
    smap_members_put(&s->members, c, s->members.index[d]);
    smap_members_put(&s->members, d, index);
}

/* A cell of a group above the limit goes to a neighbour's group, and another one comes back. Equal
 * excess is accepted too, so that the search can wander along plateaus. */
static void step(struct search *s, bool keep_sum)
{
    uint32_t c = below(s, s->g->cells), a = s->group[c];
    for (int tries = 0; tries < TRIES && s->out[a] <= s->limit; tries++) {
        c = below(s, s->g->cells);
        a = s->group[c];
    }
    uint64_t degree = s->g->first[c + 1] - s->g->first[c];
    if (degree == 0)
        return;
    uint32_t b = s->group[s->g->to[s->g->first[c] + below(s, degree)]];
    if (a == b)
        return;
    uint32_t d = smap_members_any(&s->members, b, random_bits(s));
    struct change there = change_of(s, c, d, a, b), back = change_of(s, d, c, b, a);
    int64_t delta_a = there.from + back.to, delta_b = there.to + back.from;
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

static void search(struct search *s, uint32_t best[], uint32_t groups,
                   const struct smap_leveling *leveling)
{
    size_t size = s->g->cells * sizeof(*best);
    struct smap_score score, last;
    smap_refine_graph_score(&score, s->out, s->g, s->group, groups);
    memcpy(best, s->group, size);
    aim(s, groups);
    for (uint64_t i = leveling->steps; i > 0 && s->limit > 0; i--) {
        step(s, leveling->keep_sum);
        if (s->excess > 0)
            continue;
        memcpy(best, s->group, size);
        aim(s, groups);
    }
    /* On a plateau J_sum may have fallen while J_max stayed. */
    smap_refine_graph_score(&score, s->out, s->g, best, groups);
    smap_refine_graph_score(&last, s->out, s->g, s->group, groups);
    if (last.jmax > score.jmax || (last.jmax == score.jmax && last.jsum > score.jsum))
        memcpy(s->group, best, size);
}

int smap_refine_max(uint32_t group_of_cell[], const struct smap_refine_graph *graph,
                    uint32_t groups, const struct smap_leveling *leveling, struct smap_error *err)
{
    struct search s = {.g = graph, .group = group_of_cell};
    uint32_t *best = calloc(graph->cells, sizeof(*best));
    s.random = smap_random_state(leveling->seed);
    s.out = calloc(groups, sizeof(*s.out));
    int rc = best && s.out ? smap_members_init(&s.members, group_of_cell, graph->cells, groups, err)
                           : smap_nomem(err);
    if (rc == SMAP_OK)
        search(&s, best, groups, leveling);
    free(best);
    free(s.out);
    smap_members_clear(&s.members);
    return rc;
}
