/* SPDX-License-Identifier: BSD-3-Clause */
/* What an order says about nodes. However the levels inside a node are walked, ranks reach the
 * nodes in blocks: the levels that vary faster than the node make one block, and a round gives
 * every node one block (Algorithm 2 of the paper with the node as one of the levels; Slurm's
 * plane=block). Inside a node the order without the node level numbers the cores. */
#ifndef SMAP_ORDER_NODES_H
#define SMAP_ORDER_NODES_H

#include <stdint.h>

#include "base/error.h"

/* A node takes all its ranks before the next one begins. */
#define SMAP_WHOLE_NODE UINT32_MAX

/* *block gets the ranks per block for an ORDER on a step of so many nodes and tasks. hierarchy may
 * be NULL: then the order must name the node first or last, or not at all; SMAP_EINVAL otherwise. A
 * hierarchy of bare numbers counts nodes first if its product is the number of tasks and the first
 * numbers multiply to the nodes. Several
 * levels of nodes (racks) must lie side by side in the order, the node fastest. */
int smap_order_block(uint32_t *block, const char *order, const char *hierarchy, uint32_t nodes,
                     uint32_t tasks, struct smap_error *err);

#endif
