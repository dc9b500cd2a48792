/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/refine.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "partition/cooling_private.h"
#include "partition/members_private.h"

/* One proposal in so many is a cyclic exchange of three cells. */
#define CYCLES_ONE_IN 4

struct search {
    const struct smap_refine_graph *g;
    uint32_t groups;
    uint32_t *group; /* of each cell: the caller's array */
    uint32_t *best;  /* the best division that was left for a worse one; best_jsum is its J_sum */
    int64_t jsum;
    int64_t best_jsum;
    struct smap_members members;
    uint32_t *links; /* cells x groups: weight between a cell and a group; NULL if too large */
    struct smap_logs logs;
    uint64_t random;
};

static uint32_t scan_link(const struct search *s, uint32_t cell, uint32_t group)
{
    uint32_t sum = 0;
    for (uint64_t e = s->g->first[cell]; e < s->g->first[cell + 1]; e++)
        sum += s->group[s->g->to[e]] == group ? s->g->both[e] : 0;
    return sum;
}

static inline int64_t link_of(const struct search *s, uint32_t cell, uint32_t group)
{
    return s->links ? s->links[(uint64_t)cell * s->groups + group] : scan_link(s, cell, group);
}

static int64_t pair_weight(const struct search *s, uint32_t a, uint32_t b)
{
    int64_t sum = 0;
    for (uint64_t e = s->g->first[a]; e < s->g->first[a + 1]; e++)
        sum += s->g->to[e] == b ? s->g->both[e] : 0;
    return sum;
}

/* Puts a cell into a group, at the index in its list that another one has left. */
static void put(struct search *s, uint32_t cell, uint32_t from, uint32_t to, uint32_t index)
{
    s->group[cell] = to;
    smap_members_put(&s->members, cell, index);
    if (!s->links)
        return;
    for (uint64_t e = s->g->first[cell]; e < s->g->first[cell + 1]; e++) {
        uint32_t *row = s->links + (uint64_t)s->g->to[e] * s->groups;
        row[from] -= s->g->both[e];
        row[to] += s->g->both[e];
    }
}

/* Cells move to the next one's group, in a circle; count is 2 or 3. */
static void rotate(struct search *s, const uint32_t cell[], size_t count, int64_t delta)
{
    uint32_t group[3], index[3];
    if (delta > 0 && s->jsum < s->best_jsum) {
        s->best_jsum = s->jsum;
        memcpy(s->best, s->group, s->g->cells * sizeof(*s->best));
    }
    for (size_t i = 0; i < count; i++) {
        group[i] = s->group[cell[i]];
        index[i] = s->members.index[cell[i]];
    }
    for (size_t i = 0; i < count; i++)
        put(s, cell[i], group[i], group[(i + 1) % count], index[(i + 1) % count]);
    s->jsum += delta;
}

static inline bool same_kind(const struct search *s, uint32_t c, uint32_t d)
{
    return !s->g->kind || s->g->kind[c] == s->g->kind[d];
}

static void propose_swap(struct search *s, uint32_t c, uint32_t d, int64_t delta, int64_t limit)
{
    if (!same_kind(s, c, d))
        return;
    uint32_t a = s->group[c], b = s->group[d];
    delta += link_of(s, d, b) - link_of(s, d, a);
    if (delta > limit)
        return;
    delta += 2 * pair_weight(s, c, d);
    if (delta <= limit)
        rotate(s, (const uint32_t[]){c, d}, 2, delta);
}

/* What the sum of three single moves misses: between two moving cells it takes the other one to
 * stay. x moves from p to q, and y from q to r with p, q, r all different. */
static void propose_cycle(struct search *s, const uint32_t cell[3], int64_t delta, int64_t limit)
{
    if (!same_kind(s, cell[0], cell[1]) || !same_kind(s, cell[1], cell[2]))
        return;
    uint32_t group[3] = {s->group[cell[0]], s->group[cell[1]], s->group[cell[2]]};
    delta += link_of(s, cell[1], group[1]) - link_of(s, cell[1], group[2]);
    delta += link_of(s, cell[2], group[2]) - link_of(s, cell[2], group[0]);
    if (delta > limit)
        return;
    /* Each pair: new groups differ (1), first one joins where the second was (0), second one goes
     * where the first never was (1), old groups differ (1): 1 - 0 - 1 + 1. */
    delta += pair_weight(s, cell[0], cell[1]) + pair_weight(s, cell[1], cell[2]) +
             pair_weight(s, cell[2], cell[0]);
    if (delta <= limit)
        rotate(s, cell, 3, delta);
}

/* One proposal: a cell at a border moves across it, and another one comes back, directly or by way
 * of a third group. */
static void step(struct search *s, uint64_t temperature)
{
    uint64_t r = smap_random(&s->random);
    uint32_t c = smap_random_below((uint32_t)(r >> 32), s->g->cells);
    uint64_t begin = s->g->first[c], degree = s->g->first[c + 1] - begin;
    if (degree == 0)
        return;
    uint64_t r2 = smap_random(&s->random);
    uint32_t a = s->group[c],
             b = s->group[s->g->to[begin + smap_random_below((uint32_t)(r2 >> 32), degree)]];
    if (a == b)
        return;
    int64_t limit = smap_logs_limit(&s->logs, temperature, r);
    int64_t delta = link_of(s, c, a) - link_of(s, c, b);
    uint32_t d = smap_members_any(&s->members, b, (uint32_t)r2);
    if ((r >> 16) % CYCLES_ONE_IN == 0) {
        uint64_t r3 = smap_random(&s->random);
        uint64_t begin_d = s->g->first[d], degree_d = s->g->first[d + 1] - begin_d;
        uint32_t third = b;
        if (degree_d)
            third = s->group[s->g->to[begin_d + smap_random_below((uint32_t)(r3 >> 32), degree_d)]];
        if (third != b && third != a) {
            uint32_t e = smap_members_any(&s->members, third, (uint32_t)r3);
            propose_cycle(s, (const uint32_t[]){c, d, e}, delta, limit);
            return;
        }
    }
    propose_swap(s, c, d, delta, limit);
}

/* Links and J_sum of the start. */
static void begin_search(struct search *s)
{
    const struct smap_refine_graph *g = s->g;
    for (uint32_t c = 0; c < g->cells; c++)
        for (uint64_t e = g->first[c]; e < g->first[c + 1]; e++) {
            uint32_t other = s->group[g->to[e]];
            s->jsum += other != s->group[c] ? g->out[e] : 0;
            if (s->links)
                s->links[(uint64_t)c * s->groups + other] += g->both[e];
        }
    s->best_jsum = s->jsum;
    memcpy(s->best, s->group, g->cells * sizeof(*s->best));
}

static uint64_t weight_scale(const struct smap_refine_graph *g)
{
    uint64_t sum = 0, edges = g->first[g->cells];
    for (uint64_t e = 0; e < edges; e++)
        sum += g->both[e];
    return smap_weight_scale(sum, edges, g->cells);
}

static void anneal(struct search *s, const struct smap_refine_schedule *schedule)
{
    uint64_t temperature = (weight_scale(s->g) * schedule->start) >> 8; /* start is in 1/256 */
    for (int t = 0; t < SMAP_TEMPERATURES && s->jsum > (int64_t)schedule->enough; t++) {
        for (uint64_t i = schedule->steps / SMAP_TEMPERATURES; i > 0; i--)
            step(s, temperature);
        temperature = smap_cool(temperature, schedule->halves);
    }
    if (s->best_jsum < s->jsum)
        memcpy(s->group, s->best, s->g->cells * sizeof(*s->best));
}

int smap_refine_sum(uint32_t group_of_cell[], const struct smap_refine_graph *graph,
                    uint32_t groups, const struct smap_refine_schedule *schedule,
                    struct smap_error *err)
{
    struct search *s = calloc(1, sizeof(*s)); /* its table of logarithms is large for a stack */
    if (!s)
        return smap_nomem(err);
    *s = (struct search){.g = graph, .groups = groups, .group = group_of_cell};
    s->random = smap_random_state(schedule->seed);
    uint64_t links = (uint64_t)graph->cells * groups;
    bool table = links <= SMAP_REFINE_LINKS_MAX;
    s->best = calloc(graph->cells, sizeof(*s->best));
    s->links = table ? calloc(links, sizeof(*s->links)) : NULL;
    /* Not &s->members: the compiler is to see that nothing else points into the search. */
    struct smap_members members = {0};
    int rc = s->best && (s->links || !table)
                 ? smap_members_init(&members, group_of_cell, graph->cells, groups, err)
                 : smap_nomem(err);
    if (rc == SMAP_OK) {
        s->members = members;
        smap_logs_make(&s->logs);
        begin_search(s);
        anneal(s, schedule);
    }
    free(s->best);
    free(s->links);
    smap_members_clear(&members);
    free(s);
    return rc;
}
