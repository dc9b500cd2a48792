/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/pmi2.h"

#include <inttypes.h>
#include <slurm/slurm.h>
#include <stdbool.h>
#include <stdlib.h>

#include "env.h"
#include "handover.h"
#include "step/procmap.h"
#include "stepd/items.h"
#include "stepd/voice.h"

#define SLURMS_OWN "SLURM_PMI2_PROC_MAPPING"

/* The environment can be a user's: all ranks of the step are told, and this node's tasks, and no
 * other, have one node. That is as much as a node knows. */
static bool tells_this_step(spank_t spank, const struct smap_procmap *map)
{
    uint32_t tasks = items_number(spank, S_JOB_LOCAL_TASK_COUNT), node = 0;
    if (smap_procmap_ranks(map) != items_number(spank, S_JOB_TOTAL_TASK_COUNT) || tasks == 0)
        return false;
    for (uint32_t local = 0; local < tasks; local++) {
        uint32_t rank;
        if (spank_get_item(spank, S_JOB_LOCAL_TO_GLOBAL_ID, local, &rank) != ESPANK_SUCCESS ||
            rank >= smap_procmap_ranks(map))
            return false;
        if (local == 0)
            node = smap_procmap_node(map, rank);
        else if (smap_procmap_node(map, rank) != node)
            return false;
    }
    return smap_procmap_size(map, node) == tasks;
}

void pmi2_prepare(spank_t spank, char **env)
{
    bool refused = false;
    char *text = env_copy(env, handover_name(HANDOVER_PROCESS_MAPPING), SMAP_PROCMAP_MAX, &refused);
    struct smap_procmap *map = NULL;
    bool known =
        text && env_get(env, SLURMS_OWN) && smap_procmap_parse(&map, text, NULL) == SMAP_OK;
    if (known && tells_this_step(spank, map))
        spank_setenv(spank, SLURMS_OWN, text, 1);
    else if (known)
        voice_say(items_number(spank, S_JOB_NODEID) == 0 ? VOICE_USER : VOICE_LOG,
                  "pmi2 tells as Slurm does who shares a node: srun handed over another step's");
    smap_procmap_destroy(map);
    free(text);
}
