/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells of each group in a list, so that a search picks one of a group at random, and exchanges
 * two, in constant time. */
#ifndef SMAP_MEMBERS_PRIVATE_H
#define SMAP_MEMBERS_PRIVATE_H

#include <stdint.h>

#include "base/error.h"
#include "base/numbers.h"

struct smap_members {
    uint32_t *cell;  /* those of group g: cell[first[g]] ... cell[first[g + 1] - 1] */
    uint32_t *first; /* of each group, and behind the last */
    uint32_t *index; /* of each cell: where in `cell` it is */
};

/* Ascending in each group. smap_members_clear frees, also a zeroed one. */
int smap_members_init(struct smap_members *members, const uint32_t group_of_cell[], uint32_t cells,
                      uint32_t groups, struct smap_error *err);
void smap_members_clear(struct smap_members *members);

/* The member of a group that 32 random bits choose. */
static inline uint32_t smap_members_any(const struct smap_members *members, uint32_t group,
                                        uint32_t random)
{
    uint32_t first = members->first[group];
    return members->cell[first + smap_random_below(random, members->first[group + 1] - first)];
}

/* Puts a cell where its predecessor in the list has left. */
static inline void smap_members_put(struct smap_members *members, uint32_t cell, uint32_t index)
{
    members->cell[index] = cell;
    members->index[cell] = index;
}

#endif
