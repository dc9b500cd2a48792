/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels inside the nodes of a whole step, for all nodes alike: what crosses them. */
#ifndef SMAP_LEVELS_H
#define SMAP_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"
#include "levels/inside.h"
#include "order/order.h"

/* Of what machine a node is, and which of its cores tasks get. No node levels; those that H began
 * with are kept beside it. */
struct smap_levels {
    struct smap_hierarchy hierarchy;
    struct smap_order order;
    struct smap_hierarchy full;
    /* The seats of a node in the order in which tasks take them, at all levels of the hierarchy,
     * for what arities alone do not tell: borrowed. NULL: all cores, by the order. */
    const struct smap_inside *seats;
};

/* hierarchy: H (hierarchy.h); its node levels, if it begins with some, must make `nodes`
 * and are left out. order: ORDER or NULL for the natural one. most: tasks of the fullest node,
 * which must have that many cores. Refusals name the option. */
int smap_levels_parse(struct smap_levels *levels, const char *hierarchy, const char *order,
                      uint32_t nodes, uint32_t most, struct smap_error *err);

/* Levels whose seats are known one by one, with those of the nodes in front (full.node_levels). */
void smap_levels_from_seats(struct smap_levels *levels, const struct smap_hierarchy *full,
                            const struct smap_inside *seats);

/* The seats that `count` tasks of a node take, in the machine's order, at all levels, not settled;
 * no more than there are. seat_of (NULL: not wanted): the seat that the order gives the i-th task.
 */
int smap_levels_inside(struct smap_inside *inside, uint32_t seat_of[],
                       const struct smap_levels *levels, uint32_t count, struct smap_error *err);

/* How the cells of each node are seated: in order of their ranks, as they are without us, by
 * smap_inside_assign, or in order of their ranks on the cores of the order, as they come. */
enum smap_seating { SMAP_SEATS_BY_RANK, SMAP_SEATS_QUICK, SMAP_SEATS_BEST, SMAP_SEATS_BY_ORDER };

/* The cells on their nodes, and how they sit there. */
struct smap_seated {
    const uint32_t *node_of_cell;
    uint64_t jsum; /* the weight between the nodes */
    enum smap_seating seating;
};

/* The weight between cells in different objects of level l, whatever node they are on: crossing[l],
 * one for each level of the hierarchy, the last of them all weight between cores. Nodes whose cells
 * have the same shape are looked at once. */
int smap_levels_crossings(uint64_t crossing[], const struct smap_levels *levels,
                          const struct smap_instance *instance, const struct smap_seated *seated,
                          struct smap_error *err);

/* The object of a level that each cell sits in, numbered over all nodes in machine order: for
 * pictures. */
int smap_levels_objects(uint32_t object_of_cell[], const struct smap_levels *levels,
                        const struct smap_instance *instance, const struct smap_seated *seated,
                        size_t level, struct smap_error *err);

/* What the objective `levels` adds up: the weight between nodes and that across each level but the
 * last. An edge counts once for every level that it crosses. */
uint64_t smap_levels_total(const struct smap_levels *levels, uint64_t jsum,
                           const uint64_t crossing[]);

#endif
