/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/allocation.h"

#include <slurm/slurm_version.h>
#include <stdlib.h>

#include "srun/job.h"
#include "srun/nodeinfo.h"
#include "srun/srunopts.h"

static int tell_node(struct smap_node_kind *kind, void *context, const char *name,
                     struct smap_error *err)
{
    (void)context;
    return nodeinfo_read(kind, name, err);
}

int allocation_predict(struct allocation *allocation, uint32_t tasks, bool yields,
                       struct smap_error *err)
{
    struct job job;
    struct smap_prediction found = {0};
    struct smap_srun srun = srunopts_all();
    srun.node = tell_node;
    srun.hostfile = getenv("SLURM_HOSTFILE") != NULL;
    srun.yields = yields;
    srun.release =
        SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER) * 100 + SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER);
    int rc = job_read(&job, err);
    if (rc != SMAP_OK)
        return rc;
    srun.job = job.hosts;
    srun.cpus = job.cpus;
    rc = smap_predict(&found, &srun, tasks, err);
    job_clear(&job);
    if (rc == SMAP_OK)
        *allocation =
            (struct allocation){found.hosts, found.sizes, found.node_of_rank, found.node_asked};
    return rc;
}

void allocation_release(struct allocation *allocation)
{
    smap_hostlist_destroy(allocation->hosts);
    smap_nodesizes_destroy(allocation->sizes);
    free(allocation->node_of_rank);
    *allocation = (struct allocation){0};
}
