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

/* What a user wrote, one member per option; NULL where nothing was. */
struct smap_request {
    const char *map;       /* an algorithm, by its text (algorithms.h) */
    const char *stencil;   /* default: nn */
    const char *dims;      /* default: balanced factorization of the number of tasks */
    const char *periodic;  /* default: no dimension */
    const char *effort;    /* of map best; default: normal */
    const char *objective; /* default: sum */
    const char *hierarchy; /* H: the levels inside the nodes; NULL: not known */
    const char *order;     /* which of the cores there tasks get; NULL: the first ones */
    const struct smap_outer
        *outer;       /* levels above the nodes; NULL: those in front of "node" in H */
    bool keep_blocks; /* node i takes the mapping's i-th block, whatever is above */
};

/* The i-th option that fills a request, without dashes; NULL behind the last. What its value is
 * called and what it means, for usage texts. And the member that an option fills; NULL if it fills
 * none. */
const char *smap_request_option(size_t i);
const char *smap_request_help(const char **value, size_t i);
const char **smap_request_member(struct smap_request *request, const char *option);

/* The request made whole. Cells are numbered as the application numbers its ranks: with
 * ",column" the members hold dims and offsets in reverse, so that row-major is right again. */
struct smap_problem {
    struct smap_grid grid;
    struct smap_stencil *stencil;
    bool column;
};

/* Checks the values of a request alone and against each other. tasks 0: not known yet, then the
 * product of the dims is not checked and problem must be NULL. On success the caller releases
 * *problem (NULL: only checked). */
int smap_problem_init(struct smap_problem *problem, const struct smap_request *request,
                      uint32_t tasks, struct smap_error *err);
void smap_problem_release(struct smap_problem *problem);

/* The problem on nodes of these sizes (NULL: where they do not matter); borrows from both. */
struct smap_instance smap_problem_on(const struct smap_problem *problem,
                                     const struct smap_nodesizes *sizes);

/* The effort, objective and levels of a request as options of a mapping on nodes of these sizes.
 * *levels gets what options->levels points to; no levels if the request has no hierarchy. */
int smap_request_options(struct smap_mapping_options *options, struct smap_levels *levels,
                         const struct smap_request *request, const struct smap_nodesizes *sizes,
                         struct smap_error *err);

/* Texts as hints and reports show them, in the user's order of dimensions; owned by the caller,
 * NULL without memory: "50x48" or "50x48,column", "1,0", coordinates "3,17". */
char *smap_problem_dims(const struct smap_problem *problem);
char *smap_problem_periodic(const struct smap_problem *problem);
char *smap_problem_coords(const struct smap_problem *problem, uint32_t cell);

/* A mapping compared with the layout that there is without it. */
struct smap_plan {
    struct smap_problem problem;
    struct smap_instance instance; /* the problem on the nodes; their sizes are borrowed */
    struct smap_mapping *mapping;
    struct smap_score before;
    struct smap_score after;
    uint64_t bound; /* no mapping has a smaller J_sum; 0: nothing is known */
    bool gains;     /* after is better by the objective: J_sum then J_max, or the other way round,
                     * or the sum over all levels */
    uint32_t *node_of_cell; /* by the mapping */
    /* What crosses the levels inside the nodes, see levels.h: without us tasks sit in order of
     * their ranks. Level i is levels.hierarchy.level[i]; none if the request has no hierarchy. */
    struct smap_levels levels;
    uint64_t crossing_before[SMAP_LEVELS_MAX];
    uint64_t crossing_after[SMAP_LEVELS_MAX];
    /* The same for the levels above the nodes. With the objective `levels` nodes of the same size
     * have been exchanged in node_of_cell to lower it (smap_outer_arrange), unless keep_blocks. */
    struct smap_outer own_outer;
    const struct smap_outer *outer; /* NULL: none */
    uint64_t outer_before[SMAP_LEVELS_MAX];
    uint64_t outer_after[SMAP_LEVELS_MAX];
};

/* node_of_rank: the layout without us, NULL for blocked. sizes must outlive the plan. The plan is
 * good even if it gains nothing; the caller decides what follows from that. */
int smap_plan_create(struct smap_plan **plan, const struct smap_request *request,
                     const struct smap_nodesizes *sizes, const uint32_t node_of_rank[],
                     struct smap_error *err);
void smap_plan_destroy(struct smap_plan *plan);

/* The line that users see: "hyperplane, 5pt on 4x8 over 4 nodes: J_sum 48 -> 24 (-50 %), J_max
 * 16 -> 6". And the same as a small table, with a row per node if full. Owned by the caller. */
char *smap_plan_summary(const struct smap_plan *plan, const struct smap_request *request);
char *smap_plan_report(const struct smap_plan *plan, const struct smap_request *request,
                       const char *placement, bool full, struct smap_error *err);

#endif
