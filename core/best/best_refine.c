/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best_refine_private.h"

#include <string.h>

#include "base/numbers.h"
#include "partition/refine.h"
#include "partition/refine_max.h"

/* Refinement with fewer steps a cell is left alone. */
#define STEPS_MIN 100

/* With that many neighbours a cell, cooling is slower and starts a little lower: fewer, longer legs
 * (of `rounds` 5/8, rounded up) at 85 % of the temperature. Measured on 27-point stencils. */
#define DENSE_DEGREE         16
#define DENSE_ROUNDS(rounds) (((rounds)*5 + 7) / 8)
#define DENSE_TEMPERATURE(t) ((t)*85 / 100)

/* Where the graph is all that there is, exchanges get this part of their steps. */
#define AFTER_MOVES 10

/* Without a table of links a step takes about so many times as long. */
#define COST_WITHOUT_LINKS 4

/* Levelling out gets this part of the steps: most of what it can do at the same J_sum is soon done;
 * where J_max is what counts, it is worth more. */
#define LEVEL_OUT_PART_SUM 20
#define LEVEL_OUT_PART_MAX 8

/* One run of annealing. */
struct leg {
    size_t from;                  /* which start */
    uint32_t temperature, halves; /* as in refine.h */
    uint32_t percent;             /* of the steps of a round */
};

/* The best start gently first, then others and hotter; what comes out of a leg may be a start of
 * the next. The numbers were found by trying. */
static const struct leg round_of_legs[] = {
    {0, 100, 1, 5},  {0, 140, 1, 20}, {1, 140, 1, 15},
    {2, 200, 1, 20}, {0, 260, 2, 20}, {3, 160, 1, 20},
};
enum { LEGS = sizeof(round_of_legs) / sizeof(round_of_legs[0]) };

/* Steps of refinement in all; 0 where there would be too few a cell to matter. */
static uint64_t steps_for(const struct smap_best_state *s)
{
    uint64_t steps = s->effort->steps_per_cell * s->in->grid->cells, most = s->effort->steps_max;
    if (s->in->graph) { /* annealing by moves has done most of it */
        steps /= AFTER_MOVES;
        most /= AFTER_MOVES;
    }
    if ((uint64_t)s->in->grid->cells * s->nodes > SMAP_REFINE_LINKS_MAX)
        most /= COST_WITHOUT_LINKS;
    steps = steps < most ? steps : most;
    return steps / STEPS_MIN < s->in->grid->cells ? 0 : steps;
}

static void load(struct smap_best_state *s, size_t start)
{
    if (start >= s->start_count)
        start = s->start_count - 1;
    memcpy(s->node_of_cell, s->starts[start].node_of_cell,
           s->in->grid->cells * sizeof(*s->node_of_cell));
}

static int anneal(struct smap_best_state *s, struct smap_error *err)
{
    bool dense = s->graph->first[s->graph->cells] / s->graph->cells >= DENSE_DEGREE;
    size_t rounds = dense ? DENSE_ROUNDS(s->effort->rounds) : s->effort->rounds;
    uint64_t steps = steps_for(s) / rounds;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < rounds * LEGS && !smap_best_finished(s); i++) {
        const struct leg *leg = &round_of_legs[i % LEGS];
        struct smap_refine_schedule schedule = {
            .steps = steps / 100 * leg->percent,
            .start = dense ? DENSE_TEMPERATURE(leg->temperature) : leg->temperature,
            .halves = leg->halves + dense,
            .seed = i + 1 + s->options->seed * SMAP_GOLDEN,
            .enough = s->result->bound,
        };
        if (s->result->bound && s->starts[0].score.jsum == s->result->bound)
            break;
        load(s, leg->from);
        rc = smap_refine_sum(s->node_of_cell, s->graph, s->nodes, &schedule, err);
        if (rc == SMAP_OK)
            rc = smap_best_take(s, err);
    }
    return rc;
}

/* Takes weight off the worst node: at the same J_sum, or, if J_max is what counts, at any. */
static int level_out(struct smap_best_state *s, struct smap_error *err)
{
    bool keep_sum = s->options->objective != SMAP_OBJECTIVE_MAX;
    uint64_t steps = steps_for(s) / (keep_sum ? LEVEL_OUT_PART_SUM : LEVEL_OUT_PART_MAX);
    size_t starts = keep_sum ? 1 : s->start_count;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < starts; i++) {
        load(s, i);
        const struct smap_leveling leveling = {.steps = steps / starts,
                                               .seed = i + 1 + s->options->seed * SMAP_GOLDEN,
                                               .keep_sum = keep_sum};
        rc = smap_refine_max(s->node_of_cell, s->graph, s->nodes, &leveling, err);
        if (rc == SMAP_OK)
            rc = smap_best_take(s, err);
    }
    return rc;
}

int smap_best_refine(struct smap_best_state *s, struct smap_error *err)
{
    if (!s->graph || s->nodes == 1 || steps_for(s) == 0)
        return SMAP_OK;
    int rc = smap_best_finished(s) ? SMAP_OK : anneal(s, err);
    if (rc == SMAP_OK && s->result->score.jsum > 0)
        rc = level_out(s, err);
    return rc;
}
