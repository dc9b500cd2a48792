/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked for, made whole and checked. Texts of refusals name the option, the value and what
 * would be right. */
#ifndef SMAP_PROBLEM_H
#define SMAP_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"
#include "levels/levels.h"
#include "levels/outer.h"
#include "map/mapping.h"

/* What a user wrote, one member per option; NULL where nothing was. */
struct smap_request {
    const char *map;       /* an algorithm, by its text (algorithms.h) */
    const char *stencil;   /* default: nn */
    const char *dims;      /* default: balanced factorization of the number of tasks */
    const char *periodic;  /* default: no dimension */
    const char *ranks;     /* which of the step's ranks are the grid; default: all of them */
    const char *effort;    /* of map best; default: normal */
    const char *objective; /* default: sum */
    const char *hierarchy; /* H: the levels inside the nodes; NULL: not known */
    const char *order;     /* which of the cores there tasks get; NULL: the first ones */
    const struct smap_outer
        *outer;      /* levels above the nodes; NULL: those in front of "node" in H */
    size_t text_max; /* not 0: node i takes the mapping's i-th block, whatever is above, and
                      * plan->text says in at most so many characters which cells these are */
    /* What hierarchy and order say, where that has been read already; NULL: not. */
    const struct smap_levels *levels;
    /* The node of each cell, where no mapping decides it: map is only what it is called then. Tasks
     * take the cores of the order as they come. NULL: the mapping decides. Not with ranks. */
    const uint32_t *layout;
    /* The graph that a stencil @FILE is, where that has been read already: of the ranks that are
     * to be mapped. NULL: the file is read. */
    const struct smap_graph *graph;
};

/* The i-th option that fills a request, without dashes; NULL behind the last. What its value is
 * called and what it means, for usage texts. And the member that an option fills; NULL if it fills
 * none. */
const char *smap_request_option(size_t i);
const char *smap_request_help(const char **value, size_t i);
const char **smap_request_member(struct smap_request *request, const char *option);

/* The request made whole. With a communication graph (stencil @FILE) the cells are its ranks and
 * the grid is a line of them. Cells are numbered as the application numbers its ranks: with
 * ",column" the members hold dims and offsets in reverse, so that row-major is right again. Cell c
 * is the step's rank first + c; the ranks before the first cell and behind the last one are outside
 * of the grid. */
struct smap_problem {
    struct smap_grid grid;
    struct smap_stencil *stencil;   /* NULL with a graph */
    const struct smap_graph *graph; /* NULL: grid and stencil */
    struct smap_graph *own_graph;   /* the same, if it was read here */
    bool column;
    uint32_t first;
    uint32_t tasks; /* of the step, the grid's and the others */
};

/* Checks the values of a request alone and against each other. tasks 0: not known yet, then the
 * product of the dims is not checked and problem must be NULL. On success the caller clears
 * *problem (NULL: only checked; then no file is opened). */
int smap_problem_init(struct smap_problem *problem, const struct smap_request *request,
                      uint32_t tasks, struct smap_error *err);
void smap_problem_clear(struct smap_problem *problem);

/* Are there ranks outside of the grid? And is this one of the grid's? */
bool smap_problem_is_part(const struct smap_problem *problem);
bool smap_problem_has_rank(const struct smap_problem *problem, uint32_t rank);

/* The problem on nodes of these sizes (NULL: where they do not matter); borrows from both. */
struct smap_instance smap_problem_on(const struct smap_problem *problem,
                                     const struct smap_nodesizes *sizes);

/* The effort, objective and levels of a request as options of a mapping; sizes are of all nodes.
 * *levels gets what options->levels points to; no levels if the request has no hierarchy. */
int smap_request_options(struct smap_mapping_options *options, struct smap_levels *levels,
                         const struct smap_request *request, const struct smap_nodesizes *sizes,
                         struct smap_error *err);

/* Texts as hints and reports show them, in the user's order of dimensions; owned by the caller,
 * NULL without memory: "50x48" or "50x48,column", "1,0", ranks "2-33", coordinates "3,17". */
char *smap_problem_dims(const struct smap_problem *problem);
char *smap_problem_periodic(const struct smap_problem *problem);
char *smap_problem_ranks(const struct smap_problem *problem);
char *smap_problem_coords(const struct smap_problem *problem, uint32_t cell);

#endif
