/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best_refine_private.h"

#include <string.h>

#include "partition/refine.h"
#include "partition/refine_max.h"

/* Refinement with fewer steps a cell is left alone. */
#define STEPS_MIN 100

/* From so many neighbours a cell on, cooling is slower and starts a little lower: fewer, longer
 * legs. Measured on 27-point stencils. */
#define DENSE_DEGREE 16

/* Steps of refinement in all; 0 where there would be too few a cell to matter. Without a table of
 * links a step takes several times as long. */
static uint64_t steps_for(const struct smap_best_state *s)
{
    uint64_t steps = s->effort->steps_per_cell * s->in->grid->cells, most = s->effort->steps_max;
    if ((uint64_t)s->in->grid->cells * s->nodes > SMAP_REFINE_LINKS_MAX)
        most /= 4;
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
    /* The best start gently first, then others and hotter; what comes out of a leg may be a start
     * of the next. */
    static const struct {
        size_t from;
        uint32_t temperature, halves, share; /* of 100 */
    } plan[] = {
        {0, 100, 1, 5},  {0, 140, 1, 20}, {1, 140, 1, 15},
        {2, 200, 1, 20}, {0, 260, 2, 20}, {3, 160, 1, 20},
    };
    bool dense = s->graph->first[s->graph->cells] / s->graph->cells >= DENSE_DEGREE;
    size_t rounds = dense ? (s->effort->rounds * 5 + 7) / 8 : s->effort->rounds;
    size_t legs = rounds * sizeof(plan) / sizeof(plan[0]);
    uint64_t steps = steps_for(s) / rounds;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < legs && !smap_best_finished(s); i++) {
        size_t leg = i % (sizeof(plan) / sizeof(plan[0]));
        struct smap_refine_schedule schedule = {
            .steps = steps / 100 * plan[leg].share,
            .start = dense ? plan[leg].temperature * 85 / 100 : plan[leg].temperature,
            .halves = plan[leg].halves + dense,
            .seed = i + 1,
            .enough = s->result->bound,
        };
        if (s->result->bound && s->starts[0].score.jsum == s->result->bound)
            break;
        load(s, plan[leg].from);
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
    uint64_t steps = steps_for(s) / (keep_sum ? 20 : 8);
    size_t starts = keep_sum ? 1 : s->start_count;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < starts; i++) {
        load(s, i);
        const struct smap_leveling leveling = {
            .steps = steps / starts, .seed = i + 1, .keep_sum = keep_sum};
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
