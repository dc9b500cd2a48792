/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int smap_ranks_parse(uint32_t *first, uint32_t *last, const char *text, struct smap_error *err)
{
    uint64_t from, to;
    const char *cursor = text;
    if (!smap_scan_uint(&cursor, SMAP_TASKS_MAX - 1, &from) || *cursor++ != '-' ||
        !smap_scan_uint(&cursor, SMAP_TASKS_MAX - 1, &to) || *cursor != '\0')
        return smap_fail(err, SMAP_EINVAL, "not a first and a last rank like 2-33");
    if (from > to)
        return smap_fail(err, SMAP_EINVAL, "the first rank comes after the last one");
    *first = (uint32_t)from;
    *last = (uint32_t)to;
    return SMAP_OK;
}

/* From how many cells each of the step's nodes has. Uses count up. */
static int take_counts(struct smap_part *part, uint32_t count[], uint32_t nodes,
                       struct smap_error *err)
{
    uint32_t have = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        if (count[i] == 0)
            continue;
        part->node[have] = i;
        count[have++] = count[i];
    }
    return smap_nodesizes_create(&part->sizes, count, have, err);
}

int smap_part_init(struct smap_part *part, const uint32_t node_of_cell[], uint32_t cells,
                   uint32_t nodes, struct smap_error *err)
{
    uint32_t *count = calloc(nodes, sizeof(*count)), *number = calloc(nodes, sizeof(*number));
    *part = (struct smap_part){
        .node = calloc(nodes, sizeof(*part->node)),
        .node_of_cell = calloc(cells, sizeof(*part->node_of_cell)),
    };
    bool all = count && number && part->node && part->node_of_cell;
    int rc = all ? SMAP_OK : smap_nomem(err);
    for (uint32_t cell = 0; rc == SMAP_OK && cell < cells; cell++)
        count[node_of_cell[cell]]++;
    if (rc == SMAP_OK)
        rc = take_counts(part, count, nodes, err);
    if (rc == SMAP_OK) {
        for (uint32_t k = 0; k < smap_nodesizes_nodes(part->sizes); k++)
            number[part->node[k]] = k;
        for (uint32_t cell = 0; cell < cells; cell++)
            part->node_of_cell[cell] = number[node_of_cell[cell]];
    }
    free(count);
    free(number);
    return rc;
}

void smap_part_clear(struct smap_part *part)
{
    smap_nodesizes_destroy(part->sizes);
    free(part->node);
    free(part->node_of_cell);
    *part = (struct smap_part){0};
}

static void add_run(struct smap_text *text, uint32_t cells, uint32_t nodes)
{
    if (nodes == 0)
        return;
    smap_text_add(text, "%s%" PRIu32, text->length > 0 ? "," : "", cells);
    if (nodes > 1)
        smap_text_add(text, "(x%" PRIu32 ")", nodes);
}

char *smap_part_format(const struct smap_part *part, uint32_t nodes)
{
    struct smap_text text = {0};
    uint32_t have = smap_nodesizes_nodes(part->sizes), cells = 0, run = 0;
    for (uint32_t i = 0, k = 0; i < nodes; i++) {
        uint32_t own = k < have && part->node[k] == i ? smap_nodesizes_size(part->sizes, k++) : 0;
        if (own != cells) {
            add_run(&text, cells, run);
            run = 0;
        }
        cells = own;
        run++;
    }
    add_run(&text, cells, run);
    return smap_text_take(&text);
}

/* One item of such a list, "8" or "8(x3)", of at most `nodes` nodes. */
static bool scan_item(const char **cursor, uint64_t *cells, uint64_t *reps, uint32_t nodes)
{
    *reps = 1;
    if (!smap_scan_uint(cursor, SMAP_TASKS_MAX, cells) || nodes == 0)
        return false;
    return !smap_scan_char(cursor, '(') ||
           (smap_scan_char(cursor, 'x') && smap_scan_uint(cursor, nodes, reps) &&
            smap_scan_char(cursor, ')'));
}

/* count gets the cells of each node, if the list is one of so many nodes. */
static bool read_counts(uint32_t count[], const char *text, uint32_t nodes)
{
    uint64_t cells, reps;
    uint32_t next = 0;
    do {
        if (!scan_item(&text, &cells, &reps, nodes - next))
            return false;
        for (; reps > 0; reps--)
            count[next++] = (uint32_t)cells;
    } while (smap_scan_char(&text, ','));
    return *text == '\0' && next == nodes;
}

int smap_part_parse(struct smap_part *part, const char *text, uint32_t nodes,
                    struct smap_error *err)
{
    uint32_t *count = calloc(nodes, sizeof(*count));
    *part = (struct smap_part){.node = calloc(nodes, sizeof(*part->node))};
    int rc = count && part->node ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK && !read_counts(count, text, nodes))
        rc = smap_fail(err, SMAP_EINVAL,
                       "%.60s: not a number of ranks for each of %" PRIu32 " nodes", text, nodes);
    if (rc == SMAP_OK)
        rc = take_counts(part, count, nodes, err);
    free(count);
    return rc;
}

bool smap_part_find(uint32_t *number, const struct smap_part *part, uint32_t node)
{
    uint32_t low = 0, high = smap_nodesizes_nodes(part->sizes);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (part->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    *number = low;
    return low < smap_nodesizes_nodes(part->sizes) && part->node[low] == node;
}

/* Groups are numbered below the number of nodes: those of one level, in order of their nodes. */
static void keep_groups(struct smap_outer *outer, size_t level, const struct smap_part *part,
                        const struct smap_outer *all, uint32_t number[])
{
    uint32_t next = 0;
    memset(number, 0xff, all->nodes * sizeof(*number));
    for (uint32_t k = 0; k < outer->nodes; k++) {
        uint32_t group = all->group[part->node[k] * all->levels + level];
        if (number[group] == UINT32_MAX)
            number[group] = next++;
        outer->group[k * outer->levels + level] = number[group];
    }
}

int smap_part_outer(struct smap_outer *outer, const struct smap_part *part,
                    const struct smap_outer *all, struct smap_error *err)
{
    uint32_t *number = calloc(all->nodes, sizeof(*number));
    int rc = number ? smap_outer_init(outer, all->levels, smap_nodesizes_nodes(part->sizes), err)
                    : smap_nomem(err);
    for (size_t l = 0; rc == SMAP_OK && l < all->levels; l++) {
        memcpy(outer->name[l], all->name[l], SMAP_NAME_SIZE);
        keep_groups(outer, l, part, all, number);
    }
    free(number);
    return rc;
}
