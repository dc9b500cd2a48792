/* SPDX-License-Identifier: BSD-3-Clause */
#include "compute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "judge.h"

/* Does the algorithm look at the whole grid before it knows one cell? Then once is enough. */
static bool wants_whole_grid(const char *text)
{
    const struct smap_algorithm *algorithm = smap_algorithm_find(NULL, text);
    return algorithm && algorithm->whole_grid;
}

/* positions[r] becomes the cell of the process with rank r. */
static bool search(uint32_t positions[], const char *algorithm,
                   const struct smap_instance *instance)
{
    const struct smap_grid *grid = instance->grid;
    struct smap_mapping *mapping = NULL;
    uint32_t *cell_at = calloc(grid->cells, sizeof(*cell_at));
    bool able =
        cell_at && smap_mapping_from_text(&mapping, algorithm, instance, NULL, NULL) == SMAP_OK;
    if (able)
        smap_mapping_cells(cell_at, mapping);
    for (uint32_t r = 0; able && r < grid->cells; r++)
        positions[r] = cell_at[positions[r]];
    smap_mapping_destroy(mapping);
    free(cell_at);
    return able;
}

/* Rank 0 searches and deals out the cells; *able, the same everywhere, is false if it could not. */
static int search_once(uint32_t *cell, int *able, MPI_Comm comm, const char *algorithm,
                       const struct smap_instance *instance, uint32_t position)
{
    uint32_t *cells = NULL;
    int rank;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        cells = calloc(instance->grid->cells, sizeof(*cells));
    *able = cells != NULL;
    int rc = PMPI_Bcast(able, 1, MPI_INT, 0, comm);
    if (rc != MPI_SUCCESS || !*able)
        return rc;
    rc = PMPI_Gather(&position, 1, MPI_UINT32_T, cells, 1, MPI_UINT32_T, 0, comm);
    if (rank == 0)
        *able = rc == MPI_SUCCESS && search(cells, algorithm, instance);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Bcast(able, 1, MPI_INT, 0, comm);
    if (rc == MPI_SUCCESS && *able)
        rc = PMPI_Scatter(cells, 1, MPI_UINT32_T, cell, 1, MPI_UINT32_T, 0, comm);
    free(cells);
    return rc;
}

int smap_compute_cell(uint32_t *cell, const char **algorithm, MPI_Comm comm,
                      const struct smap_instance *instance, const struct smap_nodesplit *split)
{
    uint32_t position = smap_nodesizes_first(split->sizes, split->node) + split->slot;
    struct smap_mapping *mapping = NULL;
    *cell = SMAP_NO_CELL;
    if (wants_whole_grid(*algorithm)) {
        int able = 0;
        int rc = search_once(cell, &able, comm, *algorithm, instance, position);
        if (rc != MPI_SUCCESS || able)
            return rc;
        *algorithm = smap_algorithm_hyperplane.name;
    }
    /* The closed form: every process for itself. What one is refused, all are, but for memory. */
    if (smap_mapping_from_text(&mapping, *algorithm, instance, NULL, NULL) != SMAP_OK) {
        *algorithm = smap_algorithm_hyperplane.name;
        if (smap_mapping_from_text(&mapping, *algorithm, instance, NULL, NULL) != SMAP_OK)
            return MPI_SUCCESS;
    }
    *cell = smap_mapping_cell(mapping, position);
    smap_mapping_destroy(mapping);
    return MPI_SUCCESS;
}
