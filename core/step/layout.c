/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/layout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* Does the text begin with the word, and end there or go on with one of the separators? */
static bool begins(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncasecmp(text, word, length) == 0 && strchr(":,", text[length]) != NULL;
}

/* Is one of the comma separated words behind the first the given one? */
static bool has_word(const char *text, const char *word)
{
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ','))
        if (begins(comma + 1, word))
            return true;
    return false;
}

int smap_layout_rule_parse(struct smap_layout_rule *rule, const char *text, struct smap_error *err)
{
    *rule = (struct smap_layout_rule){SMAP_BLOCK, 0};
    if (strncasecmp(text, "plane", strlen("plane")) == 0) {
        uint64_t plane;
        const char *cursor = text + strlen("plane");
        if (!smap_scan_char(&cursor, '=') || !smap_scan_uint(&cursor, SMAP_TASKS_MAX, &plane) ||
            plane == 0 || (*cursor != '\0' && *cursor != ','))
            return smap_fail(err, SMAP_EINVAL, "'%.100s' is no distribution", text);
        *rule = (struct smap_layout_rule){SMAP_PLANE, (uint32_t)plane};
    } else if (begins(text, "cyclic")) {
        rule->distribution = SMAP_CYCLIC;
    } else if (begins(text, "block") || begins(text, "*") || begins(text, "unset")) {
        rule->distribution = has_word(text, "Pack") ? SMAP_PACK : SMAP_BLOCK;
    } else if (begins(text, "Pack")) {
        rule->distribution = SMAP_PACK;
    } else if (!begins(text, "NoPack")) {
        return smap_fail(err, SMAP_ENOTSUP, "distribution '%.100s' is not a rule", text);
    }
    return SMAP_OK;
}

/* Tasks per node of a block layout: rounds of one task for every node that has room left, then
 * rounds over all nodes. */
static void deal(uint32_t counts[], const uint32_t capacity[], uint32_t nodes, uint32_t tasks)
{
    bool overcommit = false;
    for (uint32_t round = 0, dealt = 0; dealt < tasks; round++) {
        bool room = false;
        for (uint32_t i = 0; i < nodes && dealt < tasks; i++) {
            if (round >= capacity[i] && !overcommit)
                continue;
            counts[i]++;
            dealt++;
            room = room || round + 1 < capacity[i];
        }
        overcommit = overcommit || !room;
    }
}

/* Ranks of a cyclic layout. Where there is not room for all, every node is first given the same
 * number of tasks more, so many that all find room. */
static void deal_cyclic(uint32_t node_of_rank[], const uint32_t capacity[], uint32_t nodes,
                        uint32_t tasks)
{
    uint64_t room = 0, more = 0;
    for (uint32_t i = 0; i < nodes; i++)
        room += capacity[i];
    if (room < tasks)
        more = (tasks - room + nodes - 1) / nodes;
    for (uint32_t round = 0, rank = 0; rank < tasks; round++)
        for (uint32_t i = 0; i < nodes && rank < tasks; i++)
            if (round < capacity[i] + more)
                node_of_rank[rank++] = i;
}

/* Tasks per node of a plane deal: planes instead of single tasks, the first task of each node put
 * before all others. */
static void deal_planes(uint32_t counts[], const uint32_t capacity[], uint32_t nodes,
                        uint32_t tasks, uint32_t plane)
{
    bool overcommit = false;
    uint32_t dealt = 0;
    for (uint32_t i = 0; i < nodes && dealt < tasks; i++, dealt++)
        counts[i]++;
    for (uint32_t round = 0; dealt < tasks; round++) {
        bool room = false;
        for (uint32_t i = 0; i < nodes; i++) {
            for (uint32_t k = round == 0; k < plane && dealt < tasks; k++) {
                if (counts[i] >= capacity[i] && !overcommit)
                    break;
                counts[i]++;
                dealt++;
                room = room || counts[i] < capacity[i];
            }
        }
        overcommit = overcommit || !room;
    }
}

/* One task for every node, then each node is filled, then rounds over all nodes. */
static void deal_packed(uint32_t counts[], const uint32_t capacity[], uint32_t nodes,
                        uint32_t tasks)
{
    uint32_t dealt = 0;
    for (uint32_t i = 0; i < nodes && dealt < tasks; i++, dealt++)
        counts[i]++;
    for (uint32_t i = 0; i < nodes; i++)
        for (; counts[i] < capacity[i] && dealt < tasks; dealt++)
            counts[i]++;
    for (uint32_t i = 0; dealt < tasks; i = (i + 1) % nodes, dealt++)
        counts[i]++;
}

/* Ranks in planes of the given size over nodes that take counts[i] in all. */
static void hand_out(uint32_t node_of_rank[], uint32_t taken[], const uint32_t counts[],
                     uint32_t nodes, uint32_t tasks, uint32_t plane)
{
    for (uint32_t rank = 0; rank < tasks;)
        for (uint32_t i = 0; i < nodes; i++)
            for (uint32_t k = 0; k < plane && taken[i] < counts[i]; k++, taken[i]++)
                node_of_rank[rank++] = i;
}

int smap_layout_nodes(uint32_t node_of_rank[], const struct smap_layout_rule *rule,
                      const uint32_t capacity[], uint32_t nodes, uint32_t tasks,
                      struct smap_error *err)
{
    if (nodes == 0)
        return smap_fail(err, SMAP_EINVAL, "no nodes");
    uint32_t *counts = calloc(nodes, 2 * sizeof(*counts));
    if (!counts)
        return smap_nomem(err);
    switch (rule->distribution) {
    case SMAP_CYCLIC:
        deal_cyclic(node_of_rank, capacity, nodes, tasks);
        break;
    case SMAP_PLANE:
        deal_planes(counts, capacity, nodes, tasks, rule->plane);
        hand_out(node_of_rank, counts + nodes, counts, nodes, tasks, rule->plane);
        break;
    case SMAP_BLOCK:
        deal(counts, capacity, nodes, tasks);
        hand_out(node_of_rank, counts + nodes, counts, nodes, tasks, UINT32_MAX);
        break;
    case SMAP_PACK:
        deal_packed(counts, capacity, nodes, tasks);
        hand_out(node_of_rank, counts + nodes, counts, nodes, tasks, UINT32_MAX);
        break;
    }
    free(counts);
    return SMAP_OK;
}

int smap_layout_blocks(uint32_t node_of_rank[], const struct smap_nodesizes *sizes, uint32_t block,
                       struct smap_error *err)
{
    uint32_t nodes = smap_nodesizes_nodes(sizes);
    if (block == 0)
        return smap_fail(err, SMAP_EINVAL, "blocks of no rank");
    uint32_t *counts = calloc(nodes, 2 * sizeof(*counts));
    if (!counts)
        return smap_nomem(err);
    for (uint32_t i = 0; i < nodes; i++)
        counts[i] = smap_nodesizes_size(sizes, i);
    hand_out(node_of_rank, counts + nodes, counts, nodes, smap_nodesizes_tasks(sizes), block);
    free(counts);
    return SMAP_OK;
}

uint32_t smap_layout_block_rank(const struct smap_nodesizes *sizes, uint32_t block, uint32_t node,
                                uint32_t k)
{
    uint64_t before = (uint64_t)(k / block) * block; /* on a full node, in earlier rounds */
    uint64_t rank = k;
    for (uint32_t i = 0; i < smap_nodesizes_nodes(sizes); i++) {
        uint64_t dealt = i < node ? before + block : before, size = smap_nodesizes_size(sizes, i);
        if (i != node)
            rank += dealt < size ? dealt : size;
    }
    return (uint32_t)rank;
}

int smap_layout_sizes(struct smap_nodesizes **sizes, const uint32_t node_of_rank[], uint32_t tasks,
                      uint32_t nodes, struct smap_error *err)
{
    uint32_t *counts = calloc(nodes, sizeof(*counts));
    if (!counts)
        return smap_nomem(err);
    for (uint32_t rank = 0; rank < tasks; rank++)
        counts[node_of_rank[rank]]++;
    int rc = smap_nodesizes_create(sizes, counts, nodes, err);
    free(counts);
    return rc;
}
