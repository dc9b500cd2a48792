/* SPDX-License-Identifier: BSD-3-Clause */
/* Unequal nodes in the bands of a layout: which node comes when is free, and where whole nodes fill
 * every band, no node is torn apart at a turn. */
#ifndef SMAP_BANDS_NODES_H
#define SMAP_BANDS_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/instance.h"
#include "map/bands.h"

/* node_order gets all nodes in an order in which every band ends where a node ends. *found is false
 * where there is no such order, the nodes do not have exactly two sizes, or the search would be
 * long. */
int smap_bands_nodes(uint32_t node_order[], bool *found, const struct smap_bands *bands,
                     const struct smap_instance *instance, struct smap_error *err);

#endif
