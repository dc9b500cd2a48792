/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels above the nodes, such as racks or the switches of a tree: which node takes which of the
 * blocks that a mapping has made, so that neighbouring blocks share a switch. */
#ifndef SMAP_OUTER_H
#define SMAP_OUTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"
#include "order/hierarchy.h"

struct smap_outer {
    size_t levels; /* outermost first */
    char name[SMAP_LEVELS_MAX][SMAP_NAME_SIZE];
    uint32_t nodes;
    /* Of node i at level l: group[i * levels + l]. Any numbers below nodes, different for different
     * groups of the level; a group lies in one of the level before. */
    uint32_t *group;
};

/* Groups all zero, names empty. smap_outer_clear frees, also a zeroed one. */
int smap_outer_init(struct smap_outer *outer, size_t levels, uint32_t nodes,
                    struct smap_error *err);
void smap_outer_clear(struct smap_outer *outer);

/* The levels in front of "node" in a hierarchy, whose node levels multiply to `nodes`; nodes are
 * numbered as they are there. */
int smap_outer_from_hierarchy(struct smap_outer *outer, const struct smap_hierarchy *hierarchy,
                              uint32_t nodes, struct smap_error *err);

/* Exchanges nodes of the same size in node_of_cell so that little weight crosses the outermost
 * level, then the next one. J_sum and J_max between nodes stay. Never more across a level than
 * before, where the levels outside of it stay; with a fixed number of steps, the same everywhere.
 */
int smap_outer_arrange(uint32_t node_of_cell[], const struct smap_outer *outer,
                       const struct smap_instance *instance, struct smap_error *err);

/* The weight between cells in different groups of each level: crossing[levels]. */
int smap_outer_crossings(uint64_t crossing[], const struct smap_outer *outer,
                         const struct smap_instance *instance, const uint32_t node_of_cell[],
                         struct smap_error *err);

#endif
