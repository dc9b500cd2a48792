/* SPDX-License-Identifier: BSD-3-Clause */
#include "compute.h"

#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"

bool smap_wants_whole_grid(const char *algorithm)
{
    const struct smap_algorithm *a = smap_algorithm_find(NULL, algorithm);
    return a && a->whole_grid;
}

int smap_compute_cell(struct smap_verdict *verdict, uint32_t *cell, const char **algorithm,
                      MPI_Comm comm, const struct smap_instance *instance,
                      const struct smap_nodesplit *split)
{
    struct smap_mapping *mapping = NULL;
    /* What one is refused, all are, but for memory. */
    int made = smap_mapping_from_text(&mapping, *algorithm, instance, NULL, NULL);
    if (made != SMAP_OK && made != SMAP_ENOMEM) {
        *algorithm = smap_algorithm_hyperplane.name;
        made = smap_mapping_from_text(&mapping, *algorithm, instance, NULL, NULL);
    }
    if (made != SMAP_OK)
        mapping = NULL;
    *cell = mapping ? smap_mapping_cell(mapping, smap_nodesplit_position(split)) : SMAP_NO_CELL;
    int rc = split->map ? smap_judge_mapping(verdict, comm, instance, split, mapping)
                        : smap_judge_cells(verdict, comm, instance, split->node, *cell);
    smap_mapping_destroy(mapping);
    return rc;
}
