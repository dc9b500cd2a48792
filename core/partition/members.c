/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "partition/members_private.h"

int smap_members_init(struct smap_members *members, const uint32_t group_of_cell[], uint32_t cells,
                      uint32_t groups, struct smap_error *err)
{
    *members = (struct smap_members){
        .cell = calloc(cells, sizeof(*members->cell)),
        .first = calloc((size_t)groups + 1, sizeof(*members->first)),
        .index = calloc(cells, sizeof(*members->index)),
    };
    if (!members->cell || !members->first || !members->index) {
        smap_members_clear(members);
        return smap_nomem(err);
    }
    uint32_t *first = members->first;
    for (uint32_t c = 0; c < cells; c++)
        first[group_of_cell[c] + 1]++;
    for (uint32_t g = 0; g < groups; g++)
        first[g + 1] += first[g];
    /* Filling a group moves its beginning to its end, where the next one's was. */
    for (uint32_t c = 0; c < cells; c++)
        smap_members_put(members, c, first[group_of_cell[c]]++);
    for (uint32_t g = groups; g > 0; g--)
        first[g] = first[g - 1];
    first[0] = 0;
    return SMAP_OK;
}

void smap_members_clear(struct smap_members *members)
{
    free(members->cell);
    free(members->first);
    free(members->index);
    *members = (struct smap_members){0};
}
