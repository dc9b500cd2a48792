/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/mpi.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
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

/* Makes a plan by that algorithm, compared with the layout node_of_rank. NULL if it gains nothing
 * over that, cannot serve the step or be told. */
static struct smap_plan *plan_that_fits(const char *algorithm, const struct smap_request *wanted,
                                        const struct allocation *own, const uint32_t node_of_rank[])
{
    struct smap_request request = *wanted;
    struct smap_plan *plan = NULL;
    request.map = algorithm;
    if (smap_plan_create(&plan, &request, own->sizes, node_of_rank, NULL) == SMAP_OK &&
        plan->gains && mpi_fits(own, plan->node_of_rank, NULL) == SMAP_OK)
        return plan;
    smap_plan_destroy(plan);
    return NULL;
}

int mpi_best_that_fits(struct smap_plan **plan, const char **algorithm,
                       const struct smap_request *wanted, const struct allocation *own,
                       struct smap_error *err)
{
    struct smap_plan *found = NULL;
    const struct smap_algorithm *tried;
    const char *found_name = NULL;
    int rc = mpi_fits(own, (*plan)->node_of_rank, err);
    if (rc != SMAP_ENOTSUP)
        return rc;
    for (size_t i = 0; (tried = smap_algorithm_at(i)); i++) {
        /* Compared with the best so far, as if that were the layout without us. */
        const uint32_t *layout = found ? found->node_of_rank : own->node_of_rank;
        struct smap_plan *better = NULL;
        if (!tried->control && tried != smap_algorithm_find(NULL, wanted->map))
            better = plan_that_fits(tried->name, wanted, own, layout);
        if (better) {
            smap_plan_destroy(found);
            found = better;
            found_name = tried->name;
        }
    }
    /* And now with what is there without us. */
    smap_plan_destroy(found);
    found = found_name ? plan_that_fits(found_name, wanted, own, own->node_of_rank) : NULL;
    if (!found)
        return rc;
    smap_plan_destroy(*plan);
    *plan = found;
    *algorithm = found_name;
    return SMAP_OK;
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
