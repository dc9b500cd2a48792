/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/told.h"

#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "step/procmap.h"

int smap_told_by_pmi2(const struct smap_nodesizes *sizes, const uint32_t node_of_rank[],
                      struct smap_error *err)
{
    char *text = NULL;
    int rc = smap_procmap_format(&text, node_of_rank, smap_nodesizes_tasks(sizes),
                                 smap_nodesizes_nodes(sizes), err);
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
                                        const struct smap_nodesizes *sizes,
                                        const uint32_t node_of_rank[])
{
    struct smap_request request = *wanted;
    struct smap_plan *plan = NULL;
    request.map = algorithm;
    if (smap_plan_create(&plan, &request, sizes, node_of_rank, NULL) == SMAP_OK && plan->gains &&
        smap_told_by_pmi2(sizes, plan->node_of_rank, NULL) == SMAP_OK)
        return plan;
    smap_plan_destroy(plan);
    return NULL;
}

int smap_told_best(struct smap_plan **plan, const char **algorithm,
                   const struct smap_request *wanted, const struct smap_nodesizes *sizes,
                   const uint32_t node_of_rank[], struct smap_error *err)
{
    struct smap_plan *found = NULL;
    const struct smap_algorithm *tried;
    const char *found_name = NULL;
    int rc = smap_told_by_pmi2(sizes, (*plan)->node_of_rank, err);
    if (rc != SMAP_ENOTSUP)
        return rc;
    for (size_t i = 0; (tried = smap_algorithm_at(i)); i++) {
        /* Compared with the best so far, as if that were the layout without us. */
        const uint32_t *layout = found ? found->node_of_rank : node_of_rank;
        struct smap_plan *better = NULL;
        if (!tried->control && tried != smap_algorithm_find(NULL, wanted->map))
            better = plan_that_fits(tried->name, wanted, sizes, layout);
        if (better) {
            smap_plan_destroy(found);
            found = better;
            found_name = tried->name;
        }
    }
    /* And now with what is there without us. */
    smap_plan_destroy(found);
    found = found_name ? plan_that_fits(found_name, wanted, sizes, node_of_rank) : NULL;
    if (!found)
        return rc;
    smap_plan_destroy(*plan);
    *plan = found;
    *algorithm = found_name;
    return SMAP_OK;
}
