/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/mpi.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "handover.h"
#include "plan/told.h"
#include "srun/srunopts.h"
#include "step/procmap.h"

/* srun fills the option in from SLURM_MPI_TYPE and MpiDefault before it asks plugins. */
static bool uses_pmi2(void)
{
    char *mpi = srunopts_get("mpi");
    bool pmi2 = mpi && strcmp(mpi, "pmi2") == 0;
    free(mpi);
    return pmi2;
}

int mpi_fits(const struct allocation *own, const uint32_t node_of_rank[], struct smap_error *err)
{
    return uses_pmi2() ? smap_told_by_pmi2(own->sizes, node_of_rank, err) : SMAP_OK;
}

int mpi_best_that_fits(struct smap_plan **plan, const char **algorithm,
                       const struct smap_request *wanted, const struct allocation *own,
                       struct smap_error *err)
{
    if (!uses_pmi2())
        return SMAP_OK;
    return smap_told_best(plan, algorithm, wanted, own->sizes, own->node_of_rank, err);
}

void mpi_hand_over(const struct allocation *real)
{
    char *text = NULL;
    if (uses_pmi2() &&
        smap_procmap_format(&text, real->node_of_rank, smap_nodesizes_tasks(real->sizes),
                            (uint32_t)real->hosts->count, NULL) == SMAP_OK)
        handover_set(HANDOVER_PROCESS_MAPPING, text);
    free(text);
}
