/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of srun's options that are numbers. */
#include <stdlib.h>

#include "base/text.h"
#include "step/predict.h"

uint32_t smap_srun_number(const struct smap_srun *srun, const char *name)
{
    char *value = srun->get(srun->context, name);
    const char *cursor = value;
    uint64_t number = 0;
    if (!value || !smap_scan_uint(&cursor, SMAP_TASKS_MAX, &number) || *cursor != '\0')
        number = 0;
    free(value);
    return (uint32_t)number;
}

bool smap_srun_range(const struct smap_srun *srun, const char *name, uint32_t *least,
                     uint32_t *most)
{
    char *value = srun->get(srun->context, name);
    const char *cursor = value;
    uint64_t first = 0, last = 0;
    bool good = value && smap_scan_uint(&cursor, SMAP_TASKS_MAX, &first) && first > 0;
    last = first;
    if (good && smap_scan_char(&cursor, '-'))
        good = smap_scan_uint(&cursor, SMAP_TASKS_MAX, &last);
    good = good && *cursor == '\0';
    free(value);
    if (good) {
        *least = (uint32_t)first;
        *most = (uint32_t)last;
    }
    return good;
}
