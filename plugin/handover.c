/* SPDX-License-Identifier: BSD-3-Clause */
#include "handover.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[HANDOVER_COUNT] = {
    [HANDOVER_MAP] = "SLURM_STENCILMAP_MAP",
    [HANDOVER_FORM] = "SLURM_STENCILMAP_FORM",
    [HANDOVER_EFFORT] = "SLURM_STENCILMAP_EFFORT",
    [HANDOVER_OBJECTIVE] = "SLURM_STENCILMAP_OBJECTIVE",
    [HANDOVER_PLACEMENT] = "SLURM_STENCILMAP_PLACEMENT",
    [HANDOVER_STENCIL] = "SLURM_STENCILMAP_STENCIL",
    [HANDOVER_DIMS] = "SLURM_STENCILMAP_DIMS",
    [HANDOVER_PERIODIC] = "SLURM_STENCILMAP_PERIODIC",
    [HANDOVER_NODE_SIZES] = "SLURM_STENCILMAP_NODE_SIZES",
    [HANDOVER_JSUM] = "SLURM_STENCILMAP_JSUM",
    [HANDOVER_JMAX] = "SLURM_STENCILMAP_JMAX",
    [HANDOVER_ORDER] = "SLURM_STENCILMAP_ORDER",
    [HANDOVER_HIERARCHY] = "SLURM_STENCILMAP_HIERARCHY",
    [HANDOVER_BLOCK] = "SLURM_STENCILMAP_BLOCK",
    [HANDOVER_CPU_BIND] = "SLURM_STENCILMAP_CPU_BIND",
    [HANDOVER_QUIET] = "SLURM_STENCILMAP_QUIET",
    [HANDOVER_REPORT] = "SLURM_STENCILMAP_REPORT",
    [HANDOVER_PROCESS_MAPPING] = "SLURM_STENCILMAP_PROCESS_MAPPING",
};

void handover_clear(void)
{
    for (size_t i = 0; i < HANDOVER_COUNT; i++)
        unsetenv(names[i]);
}

void handover_set(enum handover variable, const char *value)
{
    if (value)
        setenv(names[variable], value, 1);
    else
        unsetenv(names[variable]);
}

const char *handover_getenv(char **env, const char *name)
{
    size_t length = strlen(name);
    for (; env && *env; env++)
        if (strncmp(*env, name, length) == 0 && (*env)[length] == '=')
            return *env + length + 1;
    return NULL;
}

void handover_read(struct handover_values *values, char **env)
{
    for (size_t i = 0; i < HANDOVER_COUNT; i++) {
        const char *value = handover_getenv(env, names[i]);
        values->value[i] = value ? strdup(value) : NULL;
    }
}

bool handover_any(const struct handover_values *values)
{
    for (size_t i = 0; i < HANDOVER_COUNT; i++)
        if (values->value[i])
            return true;
    return false;
}

void handover_release(struct handover_values *values)
{
    for (size_t i = 0; i < HANDOVER_COUNT; i++) {
        free(values->value[i]);
        values->value[i] = NULL;
    }
}

const char *handover_name(enum handover variable)
{
    return names[variable];
}
