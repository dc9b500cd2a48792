/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/items.h"

#include <slurm/slurm.h>
#include <stdlib.h>

#include "env.h"

uint32_t items_number(spank_t spank, spank_item_t which)
{
    uint32_t value = 0;
    return spank_get_item(spank, which, &value) == ESPANK_SUCCESS ? value : 0;
}

char **items_env(spank_t spank)
{
    char **env = NULL;
    return spank_get_item(spank, S_JOB_ENV, &env) == ESPANK_SUCCESS ? env : NULL;
}

uint32_t items_limit(spank_t spank, const char *name)
{
    /* Slurm counts these in 16 bits, and the two largest numbers mean that nothing is set. */
    return env_number(items_env(spank), name, NO_VAL16 - 1);
}

int items_read(struct items *items, spank_t spank, struct smap_error *err)
{
    *items = (struct items){
        .job = items_number(spank, S_JOB_ID),
        .step = items_number(spank, S_JOB_STEPID),
        .nodes = items_number(spank, S_JOB_NNODES),
        .node = items_number(spank, S_JOB_NODEID),
        .total = items_number(spank, S_JOB_TOTAL_TASK_COUNT),
        .tasks = items_number(spank, S_JOB_LOCAL_TASK_COUNT),
    };
    if (spank_get_item(spank, S_JOB_UID, &items->user) != ESPANK_SUCCESS)
        items->user = (uid_t)-1;
    items->rank = calloc(items->tasks ? items->tasks : 1, sizeof(*items->rank));
    items->pid = calloc(items->tasks ? items->tasks : 1, sizeof(*items->pid));
    if (!items->rank || !items->pid)
        return smap_nomem(err);
    for (uint32_t local = 0; local < items->tasks; local++)
        if (spank_get_item(spank, S_JOB_LOCAL_TO_GLOBAL_ID, local, &items->rank[local]) !=
            ESPANK_SUCCESS)
            return smap_fail(err, SMAP_EINVAL, "Slurm does not know the ranks of this node");
    return SMAP_OK;
}

void items_clear(struct items *items)
{
    free(items->rank);
    free(items->pid);
    *items = (struct items){0};
}

bool items_forked(struct items *items, uint32_t local, pid_t pid)
{
    if (local >= items->tasks || pid <= 0)
        return false;
    items->pid[local] = pid;
    bool all = local + 1 == items->tasks;
    /* To the kernel, process 0 is the one that asks: slurmstepd itself. */
    for (uint32_t i = 0; all && i < items->tasks; i++)
        all = items->pid[i] > 0;
    return all;
}
