/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/nodeinfo.h"

#include <dlfcn.h>
#include <slurm/slurm.h>

/* Looked up and not linked: slurmstepd loads this plugin too and need not have them. */
struct functions {
    int (*load)(node_info_msg_t **answer, char *node, uint16_t flags);
    void (*release)(node_info_msg_t *answer);
};

int nodeinfo_read(struct smap_node_kind *info, const char *node, struct smap_error *err)
{
    struct functions f;
    node_info_msg_t *answer = NULL;
    *(void **)&f.load = dlsym(RTLD_DEFAULT, "slurm_load_node_single");
    *(void **)&f.release = dlsym(RTLD_DEFAULT, "slurm_free_node_info_msg");
    *info = (struct smap_node_kind){0};
    if (f.load && f.release && f.load(&answer, (char *)node, 0) == 0 && answer) {
        if (answer->record_count == 1) {
            const node_info_t *found = answer->node_array;
            info->cores = (uint32_t)found->sockets * found->cores;
            info->threads = found->threads;
        }
        f.release(answer);
    }
    return info->threads > 0
               ? SMAP_OK
               : smap_fail(err, SMAP_ESYS, "slurmctld does not tell of node %s", node);
}
