/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithms that look at the whole grid: few processes do that for all. */
#ifndef SMAP_MPI_SEARCH_H
#define SMAP_MPI_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "grid/instance.h"
#include "judge.h"
#include "nodesplit.h"

/* So many processes search at the same time where the algorithm has random numbers (`best`), each
 * on a node of its own and with numbers of its own. */
#define SMAP_SEARCHERS_MAX 16

/* Is this process one of them? */
bool smap_is_searcher(const char *algorithm, const struct smap_nodesplit *split);

struct smap_searched {
    struct smap_verdict verdict; /* NO_MEMORY where nobody could: no memory, or no such mapping */
    uint32_t cell;               /* of this process; valid with BETTER and NO_GAIN */
};

/* The first processes of the first nodes search, and the least J counts, of equals that of the
 * lowest node: the result is the same at every run, and never worse than one search. Grids are
 * searched with the usual effort, graphs with effort fast. Of the instance the others look at the
 * grid and the sizes only. The one that has found it deals out the cells. Collective over comm,
 * which has as many processes as the grid has cells. Returns what MPI returned. O(p) memory on
 * those that search, O(nodes) on the others.
 */
int smap_search(struct smap_searched *searched, MPI_Comm comm, const char *algorithm,
                const struct smap_instance *instance, const struct smap_nodesplit *split);

#endif
