/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank is on which node, in few words: the ranks of a node are one or a few regular rows.
 * A block of ranks is one row, Slurm's cyclic and plane distributions are one a node (unequal
 * nodes: as many as there are sizes), boxes of a grid are a few. So it can be put together from
 * what each process knows of itself without anybody having a table of all ranks: two stretches of
 * ranks that lie one behind the other are joined, and so on, in any tree. */
#ifndef SMAP_NODEMAP_H
#define SMAP_NODEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "step/nodesizes.h"

/* Ranks first ... first + block - 1, and the same every `stride` ranks, `count` times in all, are
 * on the node with this key. Plain numbers, to be sent as they are. */
struct smap_row {
    uint64_t key; /* tells nodes apart, no more */
    uint32_t first;
    uint32_t block;
    uint32_t stride; /* 0 for a count of 1 */
    uint32_t count;
};

/* Rows, sorted by key, then first rank. The room for them is somebody else's. */
struct smap_rows {
    struct smap_row *rows;
    size_t count;
};

/* Joins the rows of a stretch of ranks, sorted as a single rank is, with those of the stretch that
 * follows. joined->count is the room that there is, and becomes the number of rows; false if that
 * would be more. joined must be neither of the two. O(left + right). */
bool smap_rows_join(struct smap_rows *joined, const struct smap_rows *left,
                    const struct smap_rows *right);

/* The rows of all ranks from 0 on, with nodes numbered in order of their lowest rank. */
struct smap_nodemap;

/* The rows must be all ranks from 0 on, once each, as joining makes them; SMAP_EINVAL if their
 * number or their ends say that they are not. O(count log count). (A pointer, since gcc 12 with
 * sanitizers takes an array that lies behind something else for too short.) */
int smap_nodemap_create(struct smap_nodemap **map, const struct smap_row *rows, size_t count,
                        struct smap_error *err);
void smap_nodemap_destroy(struct smap_nodemap *map);

/* How many ranks each node has; the map's own. */
const struct smap_nodesizes *smap_nodemap_sizes(const struct smap_nodemap *map);

/* The node of a rank, and how many lower ranks are on that node. O(log rows) if every row is one
 * block, else O(rows). */
uint32_t smap_nodemap_node(const struct smap_nodemap *map, uint32_t rank, uint32_t *slot);

/* The table after all, for those who work on it: for each rank its position, where all ranks of a
 * node come behind those of the nodes before it, in order of rank. */
void smap_nodemap_positions(uint32_t position_of_rank[], const struct smap_nodemap *map);

#endif
