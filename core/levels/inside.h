/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of a node's tasks sits where in the node, so that traffic across sockets is small, then
 * across NUMA domains, then across L3 groups: the cells of the node are divided over the objects of
 * its outermost level by the machinery that divides the grid over nodes (exact sizes, cuts, exact
 * local search), then those of each object over the objects in it, and so on. */
#ifndef SMAP_INSIDE_H
#define SMAP_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"
#include "order/order.h"

/* The seats of one node, each for one task, in the machine's own order, and the levels around them.
 * The seats of an object are neighbours, and every object lies in one object of the level before.
 */
struct smap_inside {
    size_t levels; /* outermost first */
    char name[SMAP_LEVELS_MAX][SMAP_NAME_SIZE];
    uint32_t seats;
    uint32_t *object; /* of seat k at level l: object[k * levels + l], any numbers */
};

/* Objects all zero, names empty. smap_inside_clear frees, also a zeroed one. */
int smap_inside_init(struct smap_inside *inside, size_t levels, uint32_t seats,
                     struct smap_error *err);
void smap_inside_clear(struct smap_inside *inside);

/* Drops the levels that cannot matter: all seats in one object, each seat in its own, or as the
 * level before. To be done before smap_inside_assign, which takes every level at its word. */
void smap_inside_settle(struct smap_inside *inside);

/* The seats that an order selects on a node of this hierarchy (no node levels): its first ones, at
 * all levels, not settled. Refused: more seats than the node has. */
int smap_inside_from_order(struct smap_inside *inside, const struct smap_hierarchy *hierarchy,
                           const struct smap_order *order, uint32_t seats, struct smap_error *err);

/* A seat for each of the node's cells (inside->seats distinct ones, in any order); the sizes of the
 * instance are not looked at, here and below. quick: as good
 * as cuts alone make it, for comparisons. A pure function of its arguments, the same on every
 * machine; moved to elsewhere on the grid, the same cells get the same seats, as long as they meet
 * no border. The weight across the outermost level is never more than with seats in order of the
 * cells; nor is that across an inner one, if the outer ones divide the same. */
int smap_inside_assign(uint32_t seat_of[], const struct smap_inside *inside,
                       const struct smap_instance *instance, const uint32_t cells[], bool quick,
                       struct smap_error *err);

/* The weight between cells of this node in different objects of each level: crossing[levels]. */
int smap_inside_crossings(uint64_t crossing[], const struct smap_inside *inside,
                          const struct smap_instance *instance, const uint32_t cells[],
                          const uint32_t seat_of[], struct smap_error *err);

#endif
