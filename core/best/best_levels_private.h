/* SPDX-License-Identifier: BSD-3-Clause */
/* The objective `levels` of `best`: which division over nodes leaves least weight across nodes and
 * the levels inside them together. */
#ifndef SMAP_BEST_LEVELS_PRIVATE_H
#define SMAP_BEST_LEVELS_PRIVATE_H

#include "best/best_state_private.h"

/* Chooses by smap_levels_total among what the search has found so far, the algorithms by name, and
 * the same algorithms on the objects of each level instead of nodes, whose cells are then taken
 * together node by node. Nothing to do without levels in the options. */
int smap_best_levels(struct smap_best_state *s, struct smap_error *err);

#endif
