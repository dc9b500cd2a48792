/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "srun/srunopts.h"

/* Is the job of --jobid, if any, the one that the variables tell of? */
static bool is_ours(void)
{
    const char *job = getenv("SLURM_JOB_ID");
    char *wanted = srunopts_get("jobid");
    bool ours = job && (!wanted || strcmp(wanted, job) == 0);
    free(wanted);
    return ours;
}

/* The component of a heterogeneous job that this step runs in: --het-group, whose value stands
 * although srun has taken back that it is set, else the first. Several ("0-1", "0,2"): SIZE_MAX. */
static size_t component(void)
{
    char *group = srunopts_get("het-group");
    const char *cursor = group;
    uint64_t number = 0;
    if (group && (!smap_scan_uint(&cursor, UINT32_MAX, &number) || *cursor != '\0'))
        number = SIZE_MAX;
    free(group);
    return number;
}

static const char *variable(const char *name, size_t group)
{
    char component[128];
    snprintf(component, sizeof(component), "%s_HET_GROUP_%zu", name, group);
    const char *value = getenv("SLURM_HET_SIZE") ? getenv(component) : NULL;
    return value || group > 0 ? value : getenv(name);
}

int job_read(struct job *job, struct smap_error *err)
{
    *job = (struct job){NULL, NULL};
    size_t group = component();
    if (group == SIZE_MAX)
        return smap_fail(err, SMAP_ENOTSUP,
                         "--het-group names several components, and each is a world of its own");
    const char *nodes = is_ours() ? variable("SLURM_JOB_NODELIST", group) : NULL;
    const char *cpus = nodes ? variable("SLURM_JOB_CPUS_PER_NODE", group) : NULL;
    int rc = nodes ? smap_hostlist_parse(&job->hosts, nodes, err) : SMAP_OK;
    if (rc == SMAP_OK && cpus)
        rc = smap_nodesizes_parse(&job->cpus, cpus, err);
    if (rc == SMAP_OK && job->cpus && smap_nodesizes_nodes(job->cpus) != job->hosts->count)
        rc = smap_fail(err, SMAP_ENOTSUP, "the job has %zu nodes, but the CPUs of %" PRIu32,
                       job->hosts->count, smap_nodesizes_nodes(job->cpus));
    if (rc == SMAP_OK)
        return SMAP_OK;
    job_clear(job);
    return rc == SMAP_ENOMEM ? rc : SMAP_ENOTSUP;
}

void job_clear(struct job *job)
{
    smap_hostlist_destroy(job->hosts);
    smap_nodesizes_destroy(job->cpus);
    *job = (struct job){NULL, NULL};
}
