/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/mpi.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "handover.h"
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
    char *text = NULL;
    if (!uses_pmi2())
        return SMAP_OK;
    int rc = smap_procmap_format(&text, node_of_rank, smap_nodesizes_tasks(own->sizes),
                                 (uint32_t)own->hosts->count, err);
    size_t length = text ? strlen(text) : 0;
    free(text);
    if (rc == SMAP_OK && length > SMAP_PROCMAP_MAX)
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "--mpi=pmi2 has %d bytes to tell MPI which ranks share a node, and this "
                       "layout takes %zu",
                       SMAP_PROCMAP_MAX, length);
    return rc;
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
