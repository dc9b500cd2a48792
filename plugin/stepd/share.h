/* SPDX-License-Identifier: BSD-3-Clause */
/* This node's share of what srun decided: which cells of the grid, or which ranks in an order, its
 * tasks are. */
#ifndef STENCILMAP_SHARE_H
#define STENCILMAP_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "handover.h"
#include "plan/plan.h"
#include "stepd/items.h"

/* Tasks of a node times offsets of the stencil, and no more: seating them takes about a second. The
 * largest known node with a stencil of 125 points has 64000. */
#define SHARE_EDGES_MAX 1000000

/* Larger files of a graph are not read: looking through this much takes a second on every node. */
#define SHARE_FILE_MAX (UINT64_C(100) << 20)

struct share {
    bool mapped; /* a mapping is in force: problem is valid, and cell holds cells of its grid */
    bool ranked; /* an order of nodes is told only: cell holds ranks in it */
    struct smap_problem problem;
    struct smap_graph without_edges; /* stands in for one of a file */
    uint32_t *cell;  /* of each task here, SMAP_NO_CELL outside of the grid; NULL if neither */
    uint32_t inside; /* tasks here that are on the grid */
    struct smap_error unread; /* of a graph's file: why the edges of the tasks here are not known,
                               * so that they are not placed in the node; empty: they are */
};

/* Works out what was handed over, if anything, for the tasks in items. Refused with a text: a
 * hand-over that is incomplete, wrong, or made for another step than this one: SMAP_ENOTSUP where
 * it does not fit this node, and it may fit others. share_clear frees, also after a failure and a
 * zeroed one. */
int share_find(struct share *share, const struct handover_values *handed, const struct items *items,
               struct smap_error *err);
void share_clear(struct share *share);

#endif
