/* SPDX-License-Identifier: BSD-3-Clause */
/* How both greedy algorithms fill a node: the 2019 thesis, algorithms 3 and 6. A node takes the
 * cell of highest priority (ties: the smaller rank) from a queue. First all its new neighbours are
 * put into the queue, with what they say to it as priority; then each of these and every cell in
 * the queue that talks to it raise each other. That order of steps gives the J_sum of the thesis'
 * table 6.1 for the centralized algorithm; its text alone leaves it open. */
#ifndef SMAP_GREEDY_FILL_PRIVATE_H
#define SMAP_GREEDY_FILL_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"

struct smap_greedy_fill;

/* The instance is borrowed; it has a grid and a stencil. No cell is taken yet. O(p) memory. */
int smap_greedy_fill_create(struct smap_greedy_fill **fill, const struct smap_instance *in,
                            struct smap_error *err);
void smap_greedy_fill_destroy(struct smap_greedy_fill *fill);

/* Nobody gets a cell that is taken. */
void smap_greedy_fill_set_taken(struct smap_greedy_fill *fill, uint32_t cell, bool taken);

/* One node takes n cells, of at least as many that are free, in the order in which it takes them.
 * It begins with the free cell start, or the smallest one (SMAP_NO_CELL), and where no neighbour is
 * left goes on with the smallest. O(n (k^2 + log)), and what it takes to find free cells. */
int smap_greedy_fill_node(uint32_t cells[], struct smap_greedy_fill *fill, uint32_t start,
                          uint32_t n, struct smap_error *err);

#endif
