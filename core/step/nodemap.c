/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/nodemap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row with its node; sorted by the first rank. */
struct placed {
    struct smap_row row;
    uint32_t node;
    uint32_t before; /* how many ranks of the node are in rows that begin earlier */
};

struct smap_nodemap {
    struct smap_nodesizes *sizes;
    uint32_t ranks;
    bool blocks; /* every row has a count of 1 */
    size_t count;
    struct placed rows[];
};

/* The first rank of the last block. */
static uint32_t last_block(const struct smap_row *row)
{
    return row->first + (row->count - 1) * row->stride;
}

static uint32_t row_ranks(const struct smap_row *row)
{
    return row->block * row->count;
}

struct output {
    struct smap_row *rows;
    size_t count, capacity;
    bool over;
};

static void push(struct output *out, struct smap_row row)
{
    if (row.count == 0)
        return;
    if (out->count == out->capacity) {
        out->over = true;
        return;
    }
    if (row.count == 1)
        row.stride = 0;
    out->rows[out->count++] = row;
}

/* Makes one row of the last one and the given one if they go on alike. */
static void append(struct output *out, const struct smap_row *row)
{
    struct smap_row *last = out->count > 0 ? &out->rows[out->count - 1] : NULL;
    if (row->count == 0)
        return;
    if (!last || last->key != row->key || last->block != row->block) {
        push(out, *row);
        return;
    }
    uint32_t gap = row->first - last_block(last);
    if ((last->count > 1 && last->stride != gap) || (row->count > 1 && row->stride != gap)) {
        push(out, *row);
        return;
    }
    last->stride = gap;
    last->count += row->count;
}

/* The same where the last block and the first one may be halves of one. */
static void append_joined(struct output *out, const struct smap_row *row)
{
    struct smap_row *last = out->count > 0 ? &out->rows[out->count - 1] : NULL;
    if (!last || last->key != row->key || last_block(last) + last->block != row->first) {
        append(out, row);
        return;
    }
    struct smap_row whole = {row->key, last_block(last), last->block + row->block, 0, 1};
    struct smap_row rest = {row->key, row->first + row->stride, row->block, row->stride,
                            row->count - 1};
    if (--last->count == 0)
        out->count--;
    else if (last->count == 1)
        last->stride = 0;
    append(out, &whole);
    append(out, &rest);
}

bool smap_rows_join(struct smap_rows *joined, const struct smap_rows *left,
                    const struct smap_rows *right)
{
    struct output out = {joined->rows, 0, joined->count, false};
    size_t l = 0, r = 0;
    while (!out.over && (l < left->count || r < right->count)) {
        if (r == right->count || (l < left->count && left->rows[l].key <= right->rows[r].key)) {
            push(&out, left->rows[l++]);
            continue;
        }
        uint64_t key = right->rows[r].key;
        /* Only the first row of a node can go on where its ranks on the left end. */
        append_joined(&out, &right->rows[r++]);
        for (; r < right->count && right->rows[r].key == key; r++)
            append(&out, &right->rows[r]);
    }
    joined->count = out.count;
    return !out.over;
}

static int by_first(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return (x->row.first > y->row.first) - (x->row.first < y->row.first);
}

/* Sorted by key, then first; gives each node the place of its lowest rank. */
static int by_key(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->row.key != y->row.key)
        return x->row.key < y->row.key ? -1 : 1;
    return by_first(a, b);
}

/* Rows are sorted by key: numbers the nodes of these in order of the lowest rank. The rows that
 * begin a node are told by `before` being 0. Returns how many nodes there are. */
static uint32_t number_nodes(struct smap_nodemap *map)
{
    uint32_t nodes = 0, node = 0;
    for (size_t i = 0; i < map->count; i++) {
        struct placed *p = &map->rows[i];
        bool first = i == 0 || p[-1].row.key != p->row.key;
        p->before = first ? 0 : p[-1].before + row_ranks(&p[-1].row);
    }
    qsort(map->rows, map->count, sizeof(*map->rows), by_first);
    for (size_t i = 0; i < map->count; i++)
        if (map->rows[i].before == 0)
            map->rows[i].node = nodes++;
    qsort(map->rows, map->count, sizeof(*map->rows), by_key);
    for (size_t i = 0; i < map->count; i++) {
        node = map->rows[i].before == 0 ? map->rows[i].node : node;
        map->rows[i].node = node;
    }
    qsort(map->rows, map->count, sizeof(*map->rows), by_first);
    return nodes;
}

/* The number of ranks if the rows make sense one by one, else 0. */
static uint64_t count_ranks(const struct smap_row rows[], size_t count)
{
    uint64_t ranks = 0;
    for (size_t i = 0; i < count; i++) {
        const struct smap_row *row = &rows[i];
        if (row->block == 0 || row->count == 0 || (row->count > 1 && row->stride < row->block))
            return 0;
        ranks += (uint64_t)row->block * row->count;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t end = rows[i].first + (uint64_t)(rows[i].count - 1) * rows[i].stride;
        if (end + rows[i].block > ranks)
            return 0;
    }
    return ranks <= SMAP_TASKS_MAX ? ranks : 0;
}

static int fill_sizes(struct smap_nodemap *map, uint32_t nodes, struct smap_error *err)
{
    uint32_t *counts = calloc(nodes, sizeof(*counts));
    if (!counts)
        return smap_nomem(err);
    for (size_t i = 0; i < map->count; i++)
        counts[map->rows[i].node] += row_ranks(&map->rows[i].row);
    int rc = smap_nodesizes_create(&map->sizes, counts, nodes, err);
    free(counts);
    return rc;
}

int smap_nodemap_create(struct smap_nodemap **map, const struct smap_row *rows, size_t count,
                        struct smap_error *err)
{
    uint64_t ranks = count_ranks(rows, count);
    if (ranks == 0)
        return smap_fail(err, SMAP_EINVAL, "not all ranks from 0 on");
    struct smap_nodemap *m = calloc(1, sizeof(*m) + count * sizeof(m->rows[0]));
    if (!m)
        return smap_nomem(err);
    m->ranks = (uint32_t)ranks;
    m->count = count;
    m->blocks = true;
    for (size_t i = 0; i < count; i++) {
        m->rows[i].row = rows[i];
        m->blocks = m->blocks && rows[i].count == 1;
    }
    qsort(m->rows, count, sizeof(*m->rows), by_key);
    int rc = fill_sizes(m, number_nodes(m), err);
    if (rc != SMAP_OK) {
        smap_nodemap_destroy(m);
        return rc;
    }
    *map = m;
    return SMAP_OK;
}

void smap_nodemap_destroy(struct smap_nodemap *map)
{
    if (map)
        smap_nodesizes_destroy(map->sizes);
    free(map);
}

const struct smap_nodesizes *smap_nodemap_sizes(const struct smap_nodemap *map)
{
    return map->sizes;
}

/* How many ranks of the row are below the rank; *has: is it one itself? */
static uint32_t ranks_below(const struct smap_row *row, uint32_t rank, bool *has)
{
    *has = false;
    if (rank < row->first)
        return 0;
    uint32_t offset = rank - row->first;
    uint32_t at = row->count > 1 ? offset / row->stride : 0;
    if (at >= row->count)
        return row_ranks(row);
    uint32_t inside = offset - at * row->stride;
    *has = inside < row->block;
    return at * row->block + (*has ? inside : row->block);
}

/* The last row that begins at the rank or before it. */
static size_t last_begun(const struct smap_nodemap *map, uint32_t rank)
{
    size_t low = 0, high = map->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (map->rows[middle].row.first <= rank)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t smap_nodemap_node(const struct smap_nodemap *map, uint32_t rank, uint32_t *slot)
{
    size_t i = map->blocks ? last_begun(map, rank) : 0;
    for (bool has = false; i < map->count; i++) {
        uint32_t below = ranks_below(&map->rows[i].row, rank, &has);
        if (!has)
            continue;
        if (slot)
            *slot = map->rows[i].before + below;
        return map->rows[i].node;
    }
    return UINT32_MAX;
}

void smap_nodemap_positions(uint32_t position_of_rank[], const struct smap_nodemap *map)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct smap_row *row = &map->rows[i].row;
        uint32_t q = smap_nodesizes_first(map->sizes, map->rows[i].node) + map->rows[i].before;
        for (uint32_t c = 0; c < row->count; c++)
            for (uint32_t b = 0; b < row->block; b++)
                position_of_rank[row->first + c * row->stride + b] = q++;
    }
}
