/* SPDX-License-Identifier: BSD-3-Clause */
#include "handover.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env.h"

#define PREFIX "SLURM_STENCILMAP_"

#define HANDOVER_NAME(word) [HANDOVER_##word] = PREFIX #word,
static const char *const names[HANDOVER_COUNT] = {HANDOVER_VARIABLES(HANDOVER_NAME)};
#undef HANDOVER_NAME

/* The name of the first of our variables in an environment, or NULL; the caller frees. */
static char *first_name(char *const env[])
{
    for (; env && *env; env++)
        if (strncmp(*env, PREFIX, sizeof(PREFIX) - 1) == 0 && strchr(*env, '='))
            return strndup(*env, strcspn(*env, "="));
    return NULL;
}

void handover_clear(void)
{
    char *name;
    int rc = 0;
    while (rc == 0 && (name = first_name(environ))) {
        rc = unsetenv(name);
        free(name);
    }
}

void handover_set(enum handover variable, const char *value)
{
    if (value) {
        setenv(names[variable], value, 1);
        setenv(names[HANDOVER_VERSION], STENCILMAP_VERSION, 1);
    } else {
        unsetenv(names[variable]);
    }
}

void handover_read(struct handover_values *values, char *const env[])
{
    char *first = first_name(env);
    *values = (struct handover_values){.any = first != NULL};
    free(first);
    for (enum handover i = HANDOVER_NONE + 1; i < HANDOVER_COUNT; i++) {
        bool refused = false;
        values->value[i] = env_copy(env, names[i], HANDOVER_MAX, &refused);
        if (refused && values->refused == HANDOVER_NONE)
            values->refused = i;
    }
}

int handover_check(const struct handover_values *values, struct smap_error *err)
{
    const char *version = values->value[HANDOVER_VERSION];
    if (values->refused != HANDOVER_NONE)
        return smap_fail(err, SMAP_EINVAL, "%s is not what srun wrote", names[values->refused]);
    if (values->any && (!version || strcmp(version, STENCILMAP_VERSION) != 0))
        return smap_fail(err, SMAP_ENOTSUP, "srun's stencilmap is %.40s, this node's %s",
                         version ? version : "older", STENCILMAP_VERSION);
    return SMAP_OK;
}

void handover_release(struct handover_values *values)
{
    for (int i = 0; i < HANDOVER_COUNT; i++)
        free(values->value[i]);
    *values = (struct handover_values){.any = false};
}

void handover_unset(spank_t spank)
{
    /* Every change may move the array. No version has many more than this one; who makes up
     * thousands of them may keep them. */
    for (int i = 0; i < 4 * HANDOVER_COUNT; i++) {
        char **env = NULL;
        if (spank_get_item(spank, S_JOB_ENV, &env) != ESPANK_SUCCESS)
            return;
        char *name = first_name(env);
        if (name)
            spank_unsetenv(spank, name);
        free(name);
    }
}

const char *handover_name(enum handover variable)
{
    return names[variable];
}
