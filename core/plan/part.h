/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a step that is the grid: a run of its ranks (--stencil-ranks), on those nodes that
 * have some of them. The other ranks, I/O servers for example, are no matter of a mapping's. */
#ifndef SMAP_PART_H
#define SMAP_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "levels/outer.h"
#include "step/nodesizes.h"

/* "FIRST-LAST". Refusals do not name the option. */
int smap_ranks_parse(uint32_t *first, uint32_t *last, const char *text, struct smap_error *err);

/* The nodes of a part have numbers of their own, in order of the step's. All zero: nothing there.
 */
struct smap_part {
    struct smap_nodesizes *sizes; /* how many cells each has */
    uint32_t *node;               /* node k is the step's node[k] */
    uint32_t *node_of_cell;       /* by the part's numbers */
};

/* node_of_cell: where the cells are among the step's nodes. smap_part_clear frees, also after a
 * failure and a zeroed one. */
int smap_part_init(struct smap_part *part, const uint32_t node_of_cell[], uint32_t cells,
                   uint32_t nodes, struct smap_error *err);
void smap_part_clear(struct smap_part *part);

/* How many cells each of the step's nodes has, as Slurm writes lists: "0,8(x3),4". The text is the
 * caller's, NULL without memory; what is read has no node_of_cell. */
char *smap_part_format(const struct smap_part *part, uint32_t nodes);
int smap_part_parse(struct smap_part *part, const char *text, uint32_t nodes,
                    struct smap_error *err);

/* The part's number of a node of the step; false if that node has no cell. */
bool smap_part_find(uint32_t *number, const struct smap_part *part, uint32_t node);

/* The levels above the part's nodes, from those above the step's. The caller clears *outer. */
int smap_part_outer(struct smap_outer *outer, const struct smap_part *part,
                    const struct smap_outer *all, struct smap_error *err);

#endif
