/* SPDX-License-Identifier: BSD-3-Clause */
/* Changing how a shape is divided (a user's hierarchy, several leaves per task), and walking
 * through it in an order. */
#ifndef SMAP_SHAPE_WALK_H
#define SMAP_SHAPE_WALK_H

#include "machine/shape.h"
#include "order/order.h"

/* Replaces the levels of a settled shape by those of a user's hierarchy of one node. Known names
 * must be levels of the shape with as many objects, others and nameless ones are runs of leaves
 * that cross no border of the shape; the product is the number of leaves. Level names in `inside`
 * get the aliases they have here. `text` is the option's value, for refusals. */
int smap_shape_divide(struct smap_shape *shape, struct smap_hierarchy *inside, const char *text,
                      struct smap_error *err);

/* Makes blocks of `size` neighbouring leaves the new leaves, `wanted` or more if there can be so
 * many: see smap_topology_slots. The order, one of the shape's, is adapted to the levels left. */
int smap_shape_block(struct smap_shape *shape, struct smap_order *order, size_t size, size_t wanted,
                     bool strict, struct smap_error *err);

/* How many such blocks there can be at most. */
size_t smap_shape_room(const struct smap_shape *shape, size_t size);

/* coordinates[i * levels + l]: index of leaf i among its siblings at level l. sequence: the leaves
 * sorted by their coordinates, the order's slowest level first, that of joined levels being the
 * index among all the inner one's objects in the object around. Both arrays are the caller's, of
 * leaves * levels and leaves elements. O(leaves * levels). */
int smap_shape_walk(uint32_t *coordinates, uint32_t *sequence, const struct smap_shape *shape,
                    const struct smap_order *order, struct smap_error *err);

#endif
