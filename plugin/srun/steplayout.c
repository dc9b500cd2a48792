/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/steplayout.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <slurm/slurm.h>
#include <stdlib.h>

#include "step/layout.h"

/* Looked up and not linked: slurmstepd loads this plugin too and need not have them. */
struct functions {
    slurm_step_layout_t *(*get)(slurm_step_id_t *step);
    void (*release)(slurm_step_layout_t *layout);
};

static int convert(struct allocation *a, const slurm_step_layout_t *layout, struct smap_error *err)
{
    int rc = smap_hostlist_parse(&a->hosts, layout->node_list, err);
    if (rc != SMAP_OK)
        return rc;
    if (a->hosts->count != layout->node_cnt || layout->task_cnt == 0)
        return smap_fail(err, SMAP_ESYS, "the step has %" PRIu32 " nodes, %zu are named",
                         layout->node_cnt, a->hosts->count);
    a->node_of_rank = calloc(layout->task_cnt, sizeof(*a->node_of_rank));
    if (!a->node_of_rank)
        return smap_nomem(err);
    for (uint32_t node = 0; node < layout->node_cnt; node++)
        for (uint32_t local = 0; local < layout->tasks[node]; local++)
            if (layout->tids[node][local] < layout->task_cnt)
                a->node_of_rank[layout->tids[node][local]] = node;
    return smap_layout_sizes(&a->sizes, a->node_of_rank, layout->task_cnt, layout->node_cnt, err);
}

int steplayout_read(struct allocation *allocation, spank_t spank, struct smap_error *err)
{
    struct functions f;
    struct allocation a = {0};
    slurm_step_id_t step = {.step_het_comp = NO_VAL};
    *(void **)&f.get = dlsym(RTLD_DEFAULT, "slurm_job_step_layout_get");
    *(void **)&f.release = dlsym(RTLD_DEFAULT, "slurm_job_step_layout_free");
    if (!f.get || !f.release)
        return smap_fail(err, SMAP_ESYS, "this srun shows no step layout to plugins");
    if (spank_get_item(spank, S_JOB_ID, &step.job_id) != ESPANK_SUCCESS ||
        spank_get_item(spank, S_JOB_STEPID, &step.step_id) != ESPANK_SUCCESS)
        return smap_fail(err, SMAP_ESYS, "srun does not say which step this is");
    slurm_step_layout_t *layout = f.get(&step);
    if (!layout)
        return smap_fail(err, SMAP_ESYS,
                         "slurmctld does not tell the layout of step %" PRIu32 ".%" PRIu32,
                         step.job_id, step.step_id);
    int rc = convert(&a, layout, err);
    f.release(layout);
    if (rc != SMAP_OK) {
        allocation_release(&a);
        return rc;
    }
    *allocation = a;
    return SMAP_OK;
}
