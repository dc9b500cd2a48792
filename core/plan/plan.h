/* SPDX-License-Identifier: BSD-3-Clause */
/* From option values to a decision: the one road that srun, slurmstepd and the tool take. Texts of
 * refusals name the option, the value and what would be right. */
#ifndef SMAP_PLAN_H
#define SMAP_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"
#include "grid/score.h"
#include "levels/levels.h"
#include "levels/outer.h"
#include "map/mapping.h"
#include "plan/part.h"
#include "plan/problem.h"

/* A mapping compared with the layout that there is without it. */
struct smap_plan {
    struct smap_problem problem;
    struct smap_instance instance; /* the grid on the nodes that have ranks of it */
    struct smap_mapping *mapping;
    /* With text_max: by this nodes find their cells, see smap_mapping_to_text; if the result of
     * `best` is too long for it, the best closed form is the result. */
    char *text;
    struct smap_score before;
    struct smap_score after;
    uint64_t bound; /* no mapping has a smaller J_sum; 0: nothing is known */
    bool gains;     /* after is better by the objective: J_sum then J_max, or the other way round,
                     * or the sum over all levels */
    uint32_t *node_of_cell; /* by the mapping, or request->layout, as the nodes of the
                             * instance are numbered */
    /* Of all ranks of the step, by the mapping, as the step's nodes are numbered: ranks outside of
     * the grid are where they are without us, and every node keeps the number of its tasks. */
    uint32_t *node_of_rank;
    uint32_t nodes;        /* of the step */
    struct smap_part part; /* where there are such ranks */
    /* What crosses the levels inside the nodes, see levels.h: without us tasks sit in order of
     * their ranks. Level i is levels.hierarchy.level[i]; none if the request has no hierarchy. */
    struct smap_levels levels;
    uint64_t crossing_before[SMAP_LEVELS_MAX];
    uint64_t crossing_after[SMAP_LEVELS_MAX];
    /* The same for the levels above the nodes. With the objective `levels` nodes of the same size
     * have been exchanged in node_of_cell to lower it (smap_outer_arrange), unless text_max is set.
     */
    struct smap_outer own_outer;
    const struct smap_outer *outer; /* NULL: none */
    uint64_t outer_before[SMAP_LEVELS_MAX];
    uint64_t outer_after[SMAP_LEVELS_MAX];
};

/* sizes: of all nodes of the step; must outlive the plan. node_of_rank: the layout of all ranks
 * without us, NULL for blocked. The plan is good even if it gains nothing; the caller decides what
 * follows from that. */
int smap_plan_create(struct smap_plan **plan, const struct smap_request *request,
                     const struct smap_nodesizes *sizes, const uint32_t node_of_rank[],
                     struct smap_error *err);
void smap_plan_destroy(struct smap_plan *plan);

/* The step's number of a node of the instance. */
uint32_t smap_plan_node(const struct smap_plan *plan, uint32_t node);

/* The line that users see: "hyperplane, 5pt on 4x8 over 4 nodes: J_sum 48 -> 24 (-50 %), J_max
 * 16 -> 6"; a grid that nobody typed is "on grid 4x8 assumed", a graph "best, @ocean.graph on 4198
 * ranks over 88 nodes". And the same as a small table, with
 * a row per node if full. Owned by the caller. */
char *smap_plan_summary(const struct smap_plan *plan, const struct smap_request *request);
char *smap_plan_report(const struct smap_plan *plan, const struct smap_request *request,
                       const char *placement, bool full, struct smap_error *err);

/* Which ranks the application has side by side: "ranks 0 and 1 differ in the last dimension", as
 * the user wrote the dimensions; NULL for a grid of one cell and for a graph. Owned by the caller.
 */
char *smap_plan_neighbours(const struct smap_problem *problem);

#endif
