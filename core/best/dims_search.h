/* SPDX-License-Identifier: BSD-3-Clause */
/* Which grid for a number of tasks, when the nodes and the stencil are known: the one whose best
 * mapping costs least.
 *
 * What a message costs depends on the grid. On a given domain other dims make patches of other
 * sides, and the message along an offset R is as large as the patch's face, edge or corner that R
 * crosses: the product of the patch's sides in all dimensions in which R is 0. (Counting messages
 * alone would always end at 1 x p, a chain whose few messages are the largest there are.) So the
 * cost of a grid is J_sum where an edge of offset R weighs w_R times the points of that face. The
 * domain is the lattice; where there is none, a cube that gives each task 32 points in each
 * dimension on a grid of equal sides.
 *
 * Of equal J_sum, less J_max is better, then less weight in all, inside the nodes too, then the
 * more compact grid. What differs by less than two percent counts as equal. */
#ifndef SMAP_DIMS_SEARCH_H
#define SMAP_DIMS_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/dims.h"
#include "grid/stencil.h"
#include "step/nodesizes.h"

/* So many grids are looked at, and less where looking at one takes long. */
#define SMAP_DIMS_CHOICES_MAX 48

/* All borrowed; must outlive the search. */
struct smap_dims_request {
    struct smap_dims_rules rules; /* p is the number of tasks of sizes */
    const bool *periodic;         /* d flags; NULL: none */
    const struct smap_stencil *stencil;
    const struct smap_nodesizes *sizes;
};

struct smap_dims_cost {
    uint64_t jsum, jmax; /* between nodes, by the best mapping found */
    uint64_t all;        /* of all messages, inside the nodes too */
};

struct smap_dims_search;

/* Lists the grids, the most compact first: those whose messages, taken by the faces of the patches
 * alone, are at most a quarter more than the least; one of several that are equal by symmetry.
 * Bounded work. SMAP_EINVAL where no grid follows the rules. */
int smap_dims_search_create(struct smap_dims_search **search,
                            const struct smap_dims_request *request, struct smap_error *err);
void smap_dims_search_destroy(struct smap_dims_search *search);

/* At least 1. Where it is 1 there is nothing to compare. */
size_t smap_dims_search_count(const struct smap_dims_search *search);
const uint32_t *smap_dims_search_dims(const struct smap_dims_search *search, size_t i);

/* What grid i costs; a search with effort fast, the same everywhere. Comparable within a search. */
int smap_dims_search_cost(struct smap_dims_cost *cost, const struct smap_dims_search *search,
                          size_t i, struct smap_error *err);

/* The place of the best of the costs; of equals the first one, which is more compact. count > 0. */
size_t smap_dims_search_pick(const struct smap_dims_cost costs[], size_t count);

/* All of it: dims gets the best grid, and *looked_at (NULL: not wanted) how many there were. */
int smap_dims_search(uint32_t dims[], size_t *looked_at, const struct smap_dims_request *request,
                     struct smap_error *err);

#endif
