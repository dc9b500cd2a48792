/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/gpus.h"

#include <stddef.h>

#include "env.h"

bool gpus_are_there(char *const env[])
{
    static const char *const names[] = {
        "SLURM_STEP_GPUS",      "SLURM_JOB_GPUS",   "SLURM_GPUS_ON_NODE", "CUDA_VISIBLE_DEVICES",
        "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "GPU_DEVICE_ORDINAL",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = env_get(env, names[i]);
        if (value && *value)
            return true;
    }
    return false;
}
