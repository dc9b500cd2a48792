/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/celltext.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"

/* How many cells lie between a cell and the next one in each dimension. */
static void find_strides(uint32_t stride[], const struct smap_grid *grid)
{
    uint32_t step = 1;
    for (size_t i = grid->ndims; i-- > 0; step *= grid->dims[i])
        stride[i] = step;
}

/* How many cells from `at` on are like the cell `stride` before each. */
static uint32_t copies(const uint32_t node_of_cell[], uint32_t cells, uint32_t at, uint32_t stride)
{
    uint32_t end = at;
    while (at >= stride && end < cells && node_of_cell[end] == node_of_cell[end - stride])
        end++;
    return end - at;
}

int smap_celltext_format(char **text, const struct smap_grid *grid, const uint32_t node_of_cell[],
                         size_t max, struct smap_error *err)
{
    struct smap_text written = {0};
    uint32_t stride[SMAP_DIMS_MAX];
    find_strides(stride, grid);
    for (uint32_t at = 0; at < grid->cells && written.length <= max && !written.failed;) {
        uint32_t longest = 0;
        size_t along = 0;
        for (size_t i = 0; i < grid->ndims; i++) {
            uint32_t length = copies(node_of_cell, grid->cells, at, stride[i]);
            if (length > longest) {
                longest = length;
                along = i;
            }
        }
        if (longest == 0)
            smap_text_add(&written, "%s%" PRIu32, at ? "," : "", node_of_cell[at]);
        else if (longest == 1)
            smap_text_add(&written, "%c", (char)('a' + along));
        else
            smap_text_add(&written, "%c%" PRIu32, (char)('a' + along), longest);
        at += longest ? longest : 1;
    }
    bool fits = written.length <= max;
    *text = smap_text_take(&written);
    if (!*text)
        return smap_nomem(err);
    if (!fits) {
        free(*text);
        *text = NULL;
    }
    return SMAP_OK;
}

/* One item of the text: a node, or cells to copy. */
struct item {
    bool copies;
    size_t along; /* the dimension */
    uint64_t number;
};

/* Reads the next item; first: of the text. */
static bool scan_item(struct item *item, const char **cursor, bool first)
{
    const char letter = **cursor;
    item->copies = letter >= 'a' && letter < 'a' + SMAP_DIMS_MAX;
    item->number = 1;
    if (item->copies) {
        item->along = (size_t)(letter - 'a');
        (*cursor)++;
        return !(**cursor >= '0' && **cursor <= '9') ||
               (smap_scan_uint(cursor, UINT32_MAX, &item->number) && item->number > 0);
    }
    return (first || smap_scan_char(cursor, ',')) &&
           smap_scan_uint(cursor, UINT32_MAX, &item->number);
}

int smap_celltext_parse(uint32_t node_of_cell[], const struct smap_grid *grid, uint32_t nodes,
                        const char *text, struct smap_error *err)
{
    uint32_t stride[SMAP_DIMS_MAX], at = 0;
    const char *cursor = text;
    find_strides(stride, grid);
    while (*cursor) {
        struct item item;
        const char *start = cursor;
        if (!scan_item(&item, &cursor, at == 0))
            return smap_fail(err, SMAP_EINVAL,
                             "at '%.20s': neither a node nor cells like those before", start);
        if (item.copies ? item.along >= grid->ndims || at < stride[item.along] ||
                              item.number > grid->cells - at
                        : item.number >= nodes || at == grid->cells)
            return smap_fail(err, SMAP_EINVAL, "at '%.20s': not on a grid of %" PRIu32 " cells",
                             start, grid->cells);
        if (item.copies)
            for (uint32_t i = 0; i < (uint32_t)item.number; i++, at++)
                node_of_cell[at] = node_of_cell[at - stride[item.along]];
        else
            node_of_cell[at++] = (uint32_t)item.number;
    }
    if (at != grid->cells)
        return smap_fail(err, SMAP_EINVAL,
                         "the text is for %" PRIu32 " cells, the grid has %" PRIu32, at,
                         grid->cells);
    return SMAP_OK;
}
