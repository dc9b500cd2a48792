/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/grid.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "step/nodesizes.h"

int smap_grid_init(struct smap_grid *grid, size_t ndims, const uint32_t dims[],
                   const bool periodic[], struct smap_error *err)
{
    uint32_t cells = 1;
    if (ndims < 1 || ndims > SMAP_DIMS_MAX)
        return smap_fail(err, SMAP_EINVAL, "%zu dimensions, the limit is 1 to %d", ndims,
                         SMAP_DIMS_MAX);
    *grid = (struct smap_grid){.ndims = ndims};
    for (size_t i = 0; i < ndims; i++) {
        if (dims[i] == 0)
            return smap_fail(err, SMAP_EINVAL, "dimension %zu has size 0", i);
        if (__builtin_mul_overflow(cells, dims[i], &cells))
            return smap_fail(err, SMAP_EINVAL, "more than %" PRIu32 " cells", SMAP_TASKS_MAX);
        grid->dims[i] = dims[i];
        grid->periodic[i] = periodic && periodic[i];
    }
    grid->cells = cells;
    return SMAP_OK;
}

int smap_dims_parse(uint32_t dims[SMAP_DIMS_MAX], size_t *ndims, bool *column, const char *text,
                    struct smap_error *err)
{
    const char *cursor = text;
    size_t count = 0;
    *column = false;
    do {
        uint64_t size;
        if (count == SMAP_DIMS_MAX)
            return smap_fail(err, SMAP_EINVAL, "more than %d dimensions", SMAP_DIMS_MAX);
        if (!smap_scan_uint(&cursor, SMAP_TASKS_MAX, &size) || size == 0)
            return smap_fail(err, SMAP_EINVAL, "not sizes like 50x48 or 50x48,column");
        dims[count++] = (uint32_t)size;
    } while (smap_scan_char(&cursor, 'x'));
    if (strcmp(cursor, ",column") == 0)
        *column = true;
    else if (*cursor != '\0')
        return smap_fail(err, SMAP_EINVAL, "not sizes like 50x48 or 50x48,column");
    *ndims = count;
    return SMAP_OK;
}

int smap_periodic_parse(bool periodic[SMAP_DIMS_MAX], size_t *count, const char *text,
                        struct smap_error *err)
{
    const char *cursor = text;
    size_t n = 0;
    do {
        if (n == SMAP_DIMS_MAX)
            return smap_fail(err, SMAP_EINVAL, "more than %d dimensions", SMAP_DIMS_MAX);
        if (*cursor != '0' && *cursor != '1')
            return smap_fail(err, SMAP_EINVAL, "not a 0 or 1 per dimension like 1,0");
        periodic[n++] = *cursor++ == '1';
    } while (smap_scan_char(&cursor, ','));
    if (*cursor != '\0')
        return smap_fail(err, SMAP_EINVAL, "not a 0 or 1 per dimension like 1,0");
    *count = n;
    return SMAP_OK;
}

void smap_grid_coords(uint32_t coords[], const struct smap_grid *grid, uint32_t cell)
{
    for (size_t i = grid->ndims; i-- > 0;) {
        coords[i] = cell % grid->dims[i];
        cell /= grid->dims[i];
    }
}

uint32_t smap_grid_cell(const struct smap_grid *grid, const uint32_t coords[])
{
    uint32_t cell = 0;
    for (size_t i = 0; i < grid->ndims; i++)
        cell = cell * grid->dims[i] + coords[i];
    return cell;
}

char *smap_dims_format(const uint32_t dims[], size_t ndims, bool column)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < ndims; i++)
        smap_text_add(&text, "%s%" PRIu32, i ? "x" : "", dims[i]);
    if (column)
        smap_text_add(&text, ",column");
    return smap_text_take(&text);
}
