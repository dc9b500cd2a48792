/* SPDX-License-Identifier: BSD-3-Clause */
#include "env.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *env_get(char *const env[], const char *name)
{
    size_t length = strlen(name);
    for (; env && *env; env++)
        if (strncmp(*env, name, length) == 0 && (*env)[length] == '=')
            return *env + length + 1;
    return NULL;
}

bool env_is_printable(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

char *env_copy(char *const env[], const char *name, size_t max, bool *refused)
{
    const char *value = env_get(env, name);
    if (!value)
        return NULL;
    char *copy = strnlen(value, max + 1) <= max && env_is_printable(value) ? strdup(value) : NULL;
    *refused = *refused || !copy;
    return copy;
}

uint32_t env_number(char *const env[], const char *name, uint32_t max)
{
    const char *value = env_get(env, name);
    uint64_t number = 0;
    return value && smap_scan_uint(&value, max, &number) && *value == '\0' ? (uint32_t)number : 0;
}

bool env_chooses_binding(const char *value)
{
    static const char *const only_tell[] = {"", "verbose", "quiet", "v", "q"};
    while (value) {
        size_t length = strcspn(value, ",");
        bool tells = false;
        for (size_t i = 0; i < sizeof(only_tell) / sizeof(only_tell[0]); i++)
            tells = tells ||
                    (strlen(only_tell[i]) == length && strncmp(value, only_tell[i], length) == 0);
        if (!tells)
            return true;
        value = value[length] ? value + length + 1 : NULL;
    }
    return false;
}
