/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/procmap.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/text.h"
#include "step/nodesizes.h"

#define NOBODY UINT32_MAX

/* Ranks that follow each other on one node. */
struct run {
    uint32_t node;
    uint32_t length;
};

/* Runs of one length on two nodes follow each other `times` times, at the run numbered `first` for
 * the first time: so often a tuple could go on if `after` had the number behind that of `before`.
 */
struct pair {
    uint32_t before, after;
    uint32_t times;
    uint32_t first;
};

struct numbering {
    struct run *runs;
    uint32_t run_count;
    struct pair *pairs;
    uint32_t pair_count;
    uint32_t nodes;
    /* Chains of nodes whose numbers will follow each other: the neighbours in the chain, and at
     * both ends of a chain its other end. */
    uint32_t *before, *after, *other_end;
    uint32_t *number; /* the result */
};

static void find_runs(struct numbering *it, const uint32_t node_of_rank[], uint32_t ranks)
{
    for (uint32_t rank = 0; rank < ranks; rank++) {
        if (rank == 0 || node_of_rank[rank] != node_of_rank[rank - 1])
            it->runs[it->run_count++] = (struct run){.node = node_of_rank[rank]};
        it->runs[it->run_count - 1].length++;
    }
}

static int by_nodes(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->before != b->before)
        return a->before < b->before ? -1 : 1;
    if (a->after != b->after)
        return a->after < b->after ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static int by_times(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->times != b->times)
        return a->times > b->times ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static void find_pairs(struct numbering *it)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i + 1 < it->run_count; i++)
        if (it->runs[i].length == it->runs[i + 1].length)
            it->pairs[found++] = (struct pair){it->runs[i].node, it->runs[i + 1].node, 1, i};
    qsort(it->pairs, found, sizeof(*it->pairs), by_nodes);
    for (uint32_t i = 0; i < found; i++) {
        struct pair *last = it->pair_count ? &it->pairs[it->pair_count - 1] : NULL;
        if (last && last->before == it->pairs[i].before && last->after == it->pairs[i].after)
            last->times++;
        else
            it->pairs[it->pair_count++] = it->pairs[i];
    }
    qsort(it->pairs, it->pair_count, sizeof(*it->pairs), by_times);
}

/* The most frequent pairs first; a chain must not become a ring. */
static void link_chains(struct numbering *it)
{
    for (uint32_t node = 0; node < it->nodes; node++) {
        it->before[node] = it->after[node] = it->number[node] = NOBODY;
        it->other_end[node] = node;
    }
    for (uint32_t i = 0; i < it->pair_count; i++) {
        uint32_t before = it->pairs[i].before, after = it->pairs[i].after;
        if (it->after[before] != NOBODY || it->before[after] != NOBODY ||
            it->other_end[before] == after)
            continue;
        uint32_t head = it->other_end[before], tail = it->other_end[after];
        it->after[before] = after;
        it->before[after] = before;
        it->other_end[head] = tail;
        it->other_end[tail] = head;
    }
}

/* Whole chains are numbered when the first of their nodes occurs. */
static void number_nodes(struct numbering *it)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < it->run_count; i++) {
        uint32_t node = it->runs[i].node;
        if (it->number[node] != NOBODY)
            continue;
        while (it->before[node] != NOBODY)
            node = it->before[node];
        for (; node != NOBODY; node = it->after[node])
            it->number[node] = next++;
    }
}

static void write_tuples(const struct numbering *it, struct smap_text *text)
{
    uint32_t end;
    smap_text_add(text, "(vector");
    for (uint32_t i = 0; i < it->run_count; i = end) {
        const struct run *runs = it->runs;
        uint32_t start = it->number[runs[i].node];
        for (end = i + 1; end < it->run_count && runs[end].length == runs[i].length &&
                          it->number[runs[end].node] == start + (end - i);
             end++)
            ;
        smap_text_add(text, ",(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", start, end - i,
                      runs[i].length);
    }
    smap_text_add(text, ")");
}

static void numbering_clear(struct numbering *it)
{
    free(it->runs);
    free(it->pairs);
    free(it->before);
    free(it->after);
    free(it->other_end);
    free(it->number);
}

static bool numbering_init(struct numbering *it, uint32_t ranks, uint32_t nodes)
{
    *it = (struct numbering){
        .nodes = nodes,
        .runs = calloc(ranks, sizeof(*it->runs)),
        .pairs = calloc(ranks, sizeof(*it->pairs)),
        .before = calloc(nodes, sizeof(*it->before)),
        .after = calloc(nodes, sizeof(*it->after)),
        .other_end = calloc(nodes, sizeof(*it->other_end)),
        .number = calloc(nodes, sizeof(*it->number)),
    };
    return it->runs && it->pairs && it->before && it->after && it->other_end && it->number;
}

int smap_procmap_format(char **text, const uint32_t node_of_rank[], uint32_t ranks, uint32_t nodes,
                        struct smap_error *err)
{
    struct numbering it;
    struct smap_text written = {0};
    *text = NULL;
    if (ranks == 0 || nodes == 0)
        return smap_fail(err, SMAP_EINVAL, "a process mapping of no ranks");
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (node_of_rank[rank] >= nodes)
            return smap_fail(err, SMAP_EINVAL,
                             "rank %" PRIu32 " is on node %" PRIu32 " of %" PRIu32, rank,
                             node_of_rank[rank], nodes);
    if (numbering_init(&it, ranks, nodes)) {
        find_runs(&it, node_of_rank, ranks);
        find_pairs(&it);
        link_chains(&it);
        number_nodes(&it);
        write_tuples(&it, &written);
        *text = smap_text_take(&written);
    }
    numbering_clear(&it);
    return *text ? SMAP_OK : smap_nomem(err);
}

struct tuple {
    uint32_t start, count, block;
};

struct smap_procmap {
    uint32_t ranks;
    size_t count;
    struct tuple tuples[];
};

static bool scan_number(const char **cursor, uint32_t least, char behind, uint32_t *value)
{
    uint64_t number;
    if (!smap_scan_uint(cursor, UINT32_MAX, &number) || number < least ||
        !smap_scan_char(cursor, behind))
        return false;
    *value = (uint32_t)number;
    return true;
}

/* False also where the numbers of nodes or ranks would be too large. */
static bool scan_tuple(const char **cursor, struct smap_procmap *map)
{
    struct tuple tuple;
    if (!smap_scan_char(cursor, ',') || !smap_scan_char(cursor, '(') ||
        !scan_number(cursor, 0, ',', &tuple.start) || !scan_number(cursor, 1, ',', &tuple.count) ||
        !scan_number(cursor, 1, ')', &tuple.block))
        return false;
    uint64_t ranks = map->ranks + (uint64_t)tuple.count * tuple.block;
    if (ranks > SMAP_TASKS_MAX || tuple.start > UINT32_MAX - tuple.count)
        return false;
    map->ranks = (uint32_t)ranks;
    map->tuples[map->count++] = tuple;
    return true;
}

int smap_procmap_parse(struct smap_procmap **map, const char *text, struct smap_error *err)
{
    static const char head[] = "(vector";
    const char *cursor = text, *letter = head;
    size_t tuples = 0;
    for (const char *c = text; *c; c++)
        tuples += *c == '(';
    *map = calloc(1, sizeof(**map) + tuples * sizeof((*map)->tuples[0]));
    if (!*map)
        return smap_nomem(err);
    while (*letter && smap_scan_char(&cursor, *letter))
        letter++;
    bool good = *letter == '\0';
    do
        good = good && scan_tuple(&cursor, *map);
    while (good && *cursor == ',');
    if (good && smap_scan_char(&cursor, ')') && *cursor == '\0')
        return SMAP_OK;
    smap_procmap_destroy(*map);
    *map = NULL;
    return smap_fail(err, SMAP_EINVAL, "no process mapping like (vector,(0,2,8)), from byte %zu on",
                     (size_t)(cursor - text));
}

void smap_procmap_destroy(struct smap_procmap *map)
{
    free(map);
}

uint32_t smap_procmap_ranks(const struct smap_procmap *map)
{
    return map->ranks;
}

uint32_t smap_procmap_node(const struct smap_procmap *map, uint32_t rank)
{
    const struct tuple *tuple = map->tuples;
    while (rank >= tuple->count * tuple->block) {
        rank -= tuple->count * tuple->block;
        tuple++;
    }
    return tuple->start + rank / tuple->block;
}

uint32_t smap_procmap_size(const struct smap_procmap *map, uint32_t node)
{
    uint32_t size = 0;
    for (size_t i = 0; i < map->count; i++)
        if (node >= map->tuples[i].start && node - map->tuples[i].start < map->tuples[i].count)
            size += map->tuples[i].block;
    return size;
}
