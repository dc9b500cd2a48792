/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/nodesizes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"

/* reps nodes of the same size, and what lies before them. */
struct run {
    uint32_t size;
    uint32_t reps;
    uint32_t first_node;
    uint32_t first_position;
};

struct smap_nodesizes {
    struct run *runs;
    size_t count;
    size_t capacity;
    uint32_t nodes;
    uint32_t tasks;
};

static int append(struct smap_nodesizes *s, uint64_t size, uint64_t reps, struct smap_error *err)
{
    uint64_t added;
    if (__builtin_mul_overflow(size, reps, &added) || added > SMAP_TASKS_MAX - s->tasks)
        return smap_fail(err, SMAP_EINVAL, "more than %" PRIu32 " tasks", SMAP_TASKS_MAX);
    struct run *last = s->count ? &s->runs[s->count - 1] : NULL;
    if (last && last->size == size) {
        last->reps += (uint32_t)reps;
    } else {
        if (s->count == s->capacity) {
            size_t capacity = s->capacity ? 2 * s->capacity : 4;
            struct run *grown = reallocarray(s->runs, capacity, sizeof(*grown));
            if (!grown)
                return smap_nomem(err);
            s->runs = grown;
            s->capacity = capacity;
        }
        s->runs[s->count++] = (struct run){(uint32_t)size, (uint32_t)reps, s->nodes, s->tasks};
    }
    s->nodes += (uint32_t)reps;
    s->tasks += (uint32_t)added;
    return SMAP_OK;
}

/* One item, "48" or "48(x50)". */
static bool scan_item(const char **cursor, uint64_t *size, uint64_t *reps)
{
    *reps = 1;
    if (!smap_scan_uint(cursor, SMAP_TASKS_MAX, size) || *size == 0)
        return false;
    if (!smap_scan_char(cursor, '('))
        return true;
    return smap_scan_char(cursor, 'x') && smap_scan_uint(cursor, SMAP_TASKS_MAX, reps) &&
           *reps > 0 && smap_scan_char(cursor, ')');
}

int smap_nodesizes_parse(struct smap_nodesizes **sizes, const char *text, struct smap_error *err)
{
    const char *cursor = text;
    int rc = SMAP_OK;
    struct smap_nodesizes *s = calloc(1, sizeof(*s));
    if (!s)
        return smap_nomem(err);
    do {
        uint64_t size, reps;
        if (!scan_item(&cursor, &size, &reps))
            rc = smap_fail(err, SMAP_EINVAL,
                           "'%.200s' is not a list of tasks per node like 48(x50),16", text);
        else
            rc = append(s, size, reps, err);
    } while (rc == SMAP_OK && smap_scan_char(&cursor, ','));
    if (rc == SMAP_OK && *cursor != '\0')
        rc = smap_fail(err, SMAP_EINVAL, "'%.200s' is not a list of tasks per node like 48(x50),16",
                       text);
    if (rc != SMAP_OK) {
        smap_nodesizes_destroy(s);
        return rc;
    }
    *sizes = s;
    return SMAP_OK;
}

int smap_nodesizes_create(struct smap_nodesizes **sizes, const uint32_t counts[], size_t nodes,
                          struct smap_error *err)
{
    int rc = SMAP_OK;
    struct smap_nodesizes *s = calloc(1, sizeof(*s));
    if (!s)
        return smap_nomem(err);
    if (nodes == 0)
        rc = smap_fail(err, SMAP_EINVAL, "no nodes");
    for (size_t i = 0; rc == SMAP_OK && i < nodes; i++) {
        if (counts[i] == 0)
            rc = smap_fail(err, SMAP_EINVAL, "node %zu has no task", i);
        else
            rc = append(s, counts[i], 1, err);
    }
    if (rc != SMAP_OK) {
        smap_nodesizes_destroy(s);
        return rc;
    }
    *sizes = s;
    return SMAP_OK;
}

void smap_nodesizes_destroy(struct smap_nodesizes *sizes)
{
    if (!sizes)
        return;
    free(sizes->runs);
    free(sizes);
}

uint32_t smap_nodesizes_nodes(const struct smap_nodesizes *sizes)
{
    return sizes->nodes;
}

uint32_t smap_nodesizes_tasks(const struct smap_nodesizes *sizes)
{
    return sizes->tasks;
}

/* The last run whose first node (or first position) is not behind the wanted one. */
static const struct run *find_run(const struct smap_nodesizes *s, uint32_t wanted, bool by_node)
{
    size_t low = 0, high = s->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        uint32_t first = by_node ? s->runs[middle].first_node : s->runs[middle].first_position;
        if (first <= wanted)
            low = middle;
        else
            high = middle;
    }
    return &s->runs[low];
}

uint32_t smap_nodesizes_size(const struct smap_nodesizes *sizes, uint32_t node)
{
    return find_run(sizes, node, true)->size;
}

uint32_t smap_nodesizes_first(const struct smap_nodesizes *sizes, uint32_t node)
{
    if (node >= sizes->nodes)
        return sizes->tasks;
    const struct run *run = find_run(sizes, node, true);
    return run->first_position + (node - run->first_node) * run->size;
}

uint32_t smap_nodesizes_node_at(const struct smap_nodesizes *sizes, uint32_t position)
{
    const struct run *run = find_run(sizes, position, false);
    return run->first_node + (position - run->first_position) / run->size;
}

uint32_t smap_nodesizes_uniform(const struct smap_nodesizes *sizes)
{
    return sizes->count == 1 ? sizes->runs[0].size : 0;
}

uint32_t smap_nodesizes_largest(const struct smap_nodesizes *sizes)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < sizes->count; i++)
        largest = sizes->runs[i].size > largest ? sizes->runs[i].size : largest;
    return largest;
}

uint32_t *smap_nodesizes_sort(const struct smap_nodesizes *sizes, const uint32_t node_of[])
{
    uint32_t *sorted = calloc((size_t)sizes->tasks + 1, sizeof(*sorted));
    uint32_t *next = calloc((size_t)sizes->nodes + 1, sizeof(*next));
    for (uint32_t i = 0; next && i < sizes->nodes; i++)
        next[i] = smap_nodesizes_first(sizes, i);
    for (uint32_t t = 0; next && sorted && t < sizes->tasks; t++)
        sorted[next[node_of[t]]++] = t;
    if (!next) {
        free(sorted);
        sorted = NULL;
    }
    free(next);
    return sorted;
}

char *smap_nodesizes_format(const struct smap_nodesizes *sizes)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < sizes->count; i++) {
        const struct run *run = &sizes->runs[i];
        smap_text_add(&text, "%s%" PRIu32, i ? "," : "", run->size);
        if (run->reps > 1)
            smap_text_add(&text, "(x%" PRIu32 ")", run->reps);
    }
    return smap_text_take(&text);
}
