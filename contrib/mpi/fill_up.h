/* SPDX-License-Identifier: BSD-3-Clause */
/* greedy-distributed, distributed: every node fills itself. */
#ifndef SMAP_MPI_FILL_UP_H
#define SMAP_MPI_FILL_UP_H

#include <stdbool.h>

#include "search.h"

/* Is it that algorithm? */
bool smap_fills_up(const char *algorithm);

/* The first process of every node finds the starters, fills its node from its own, and gets what
 * the others have taken in one exchange among these processes; then each puts right what several or
 * no nodes have taken, all alike, and hands their cells to the others of its node. The thesis lets
 * the process whose rank the starter is fill a node; here all of them would learn it, and the one
 * that needs it does it. The result is that of smap_algorithm_greedy_distributed. Collective as
 * smap_search, which see. O(p) memory on one process of each node, O(1) on the others. */
int smap_fill_up(struct smap_searched *searched, MPI_Comm comm,
                 const struct smap_instance *instance, const struct smap_nodesplit *split);

#endif
