/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/order_parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "order/order_text_private.h"

#define NOT_NAMED SIZE_MAX

static int no_such_level(const char *text, const char *name, const char *shape,
                         const struct smap_hierarchy *h, struct smap_error *err)
{
    if (h->level[h->count - 1].name[0] == '\0')
        return smap_fail(err, SMAP_EINVAL,
                         "--rank-order=%s: no level '%s' here; levels are %s, without names: give "
                         "their numbers",
                         text, name, shape);
    return smap_fail(err, SMAP_EINVAL, "--rank-order=%s: no level '%s' here; levels are %s", text,
                     name, shape);
}

/* Where each level stands in the list of names: index[level], or NOT_NAMED. A level with several
 * names stands where the outermost of them is: the inner ones have one member each in it. */
static int find_names(size_t index[SMAP_LEVELS_MAX], const char *text,
                      const struct smap_order_text *s, const struct smap_hierarchy *h,
                      const char *shape, struct smap_error *err)
{
    size_t rank[SMAP_LEVELS_MAX];
    for (size_t i = 0; i < h->count; i++)
        index[i] = rank[i] = NOT_NAMED;
    for (size_t at = 0; at < s->count; at++) {
        const char *name = s->name[at];
        size_t i = smap_hierarchy_find(h, name);
        bool trivial = false;
        for (size_t t = 0; t < h->trivial_count; t++)
            trivial |= strcmp(h->trivial[t], name) == 0;
        if (i == SIZE_MAX && trivial)
            continue;
        if (i == SIZE_MAX)
            return no_such_level(text, name, shape, h, err);
        for (size_t j = i + 1; j < h->count; j++)
            if (smap_level_has_name(&h->level[j], name))
                return smap_fail(err, SMAP_EINVAL,
                                 "--rank-order=%s: levels %zu and %zu are called '%s'; give "
                                 "numbers, or call them fake1 and fake2",
                                 text, i, j, name);
        size_t alias = 0;
        while (alias < h->level[i].alias_count && strcmp(h->level[i].alias[alias], name) != 0)
            alias++;
        if (rank[i] == NOT_NAMED || alias < rank[i]) {
            rank[i] = alias;
            index[i] = at;
        }
    }
    return SMAP_OK;
}

static void append(struct smap_order *order, size_t level)
{
    order->level[order->count++] = (unsigned char)level;
}

/* Levels last, last-1, ..., first, as one. */
static void append_run(struct smap_order *order, size_t first, size_t end)
{
    while (end-- > first) {
        order->joined[order->count] = end > first;
        append(order, end);
    }
}

/* The rule for names in the header: a named level, then the unnamed ones around it. */
static void order_by_names(struct smap_order *order, const struct smap_hierarchy *h,
                           const size_t index[SMAP_LEVELS_MAX], size_t names)
{
    size_t tail[2];                 /* levels from here on are inside the innermost named one */
    size_t around[SMAP_LEVELS_MAX]; /* first of the unnamed levels directly around */
    for (int inside = 0; inside < 2; inside++) {
        size_t begin = inside ? h->node_levels : 0;
        size_t end = inside ? h->count : h->node_levels;
        for (size_t i = begin; i < end; i++) {
            around[i] = begin;
            if (index[i] != NOT_NAMED)
                begin = i + 1;
        }
        tail[inside] = begin;
    }
    for (size_t at = 0; at < names; at++)
        for (size_t i = 0; i < h->count; i++)
            if (index[i] == at)
                append_run(order, around[i], i + 1);
    append_run(order, tail[1], h->count);
    append_run(order, tail[0], h->node_levels);
}

/* Slurm's layouts, one task per core: nodes, then sockets in turn or filled one by one. */
static void order_by_words(struct smap_order *order, const struct smap_hierarchy *h,
                           const struct smap_order_text *s)
{
    size_t nodes = h->node_levels;
    size_t inside = nodes; /* first level inside a socket */
    if (s->sockets_cyclic) {
        size_t socket = smap_hierarchy_find(h, "socket");
        if (socket != SIZE_MAX && socket >= nodes)
            inside = socket + 1;
        else if (nodes < h->count && h->level[nodes].name[0] == '\0')
            inside = nodes + 1;
    }
    if (s->nodes_cyclic)
        append_run(order, 0, nodes);
    append_run(order, nodes, inside);
    append_run(order, inside, h->count);
    if (!s->nodes_cyclic)
        append_run(order, 0, nodes);
}

/* plane=k: k neighbouring cores of each node in turn. */
static int order_by_plane(struct smap_order *order, const char *text,
                          const struct smap_hierarchy *h, uint64_t plane, struct smap_error *err)
{
    struct smap_text possible = {0};
    uint64_t size = 1;
    size_t inside = h->count;
    smap_text_add(&possible, "1");
    while (size < plane && inside > h->node_levels) {
        size *= h->level[--inside].arity;
        smap_text_add(&possible, ", %" PRIu64, size);
    }
    if (size != plane) {
        char *list = smap_text_take(&possible);
        int rc = smap_fail(err, SMAP_EINVAL,
                           "--rank-order=%s: a plane of whole inner levels has %s cores", text,
                           list ? list : "?");
        free(list);
        return rc;
    }
    free(smap_text_take(&possible));
    append_run(order, inside, h->count);
    append_run(order, 0, h->node_levels);
    append_run(order, h->node_levels, inside);
    return SMAP_OK;
}

static int order_by_numbers(struct smap_order *order, const char *text,
                            const struct smap_order_text *s, const struct smap_hierarchy *h,
                            const char *shape, struct smap_error *err)
{
    if (s->count != h->count)
        return smap_fail(
            err, SMAP_EINVAL,
            "--rank-order=%s: %zu numbers for %zu level%s; %s are 0 to %zu, each exactly once",
            text, s->count, h->count, h->count == 1 ? "" : "s", shape, h->count - 1);
    int rc = smap_order_check_permutation(text, s, err);
    for (size_t i = 0; rc == SMAP_OK && i < s->count; i++)
        append(order, (size_t)s->number[i]);
    return rc;
}

int smap_order_parse_shape(struct smap_order *order, const char *text,
                           const struct smap_hierarchy *hierarchy, const char *shape,
                           struct smap_error *err)
{
    struct smap_order_text s;
    struct smap_order parsed = {0};
    size_t index[SMAP_LEVELS_MAX];
    int rc = smap_order_scan(&s, text, err);
    if (rc != SMAP_OK)
        return rc;
    if (hierarchy->count == 0)
        return smap_fail(err, SMAP_EINVAL, "--rank-order=%.120s: there are no levels here", text);
    switch (s.form) {
    case SMAP_FORM_NUMBERS:
        rc = order_by_numbers(&parsed, text, &s, hierarchy, shape, err);
        break;
    case SMAP_FORM_NAMES:
        rc = find_names(index, text, &s, hierarchy, shape, err);
        if (rc == SMAP_OK)
            order_by_names(&parsed, hierarchy, index, s.count);
        break;
    case SMAP_FORM_WORDS:
        order_by_words(&parsed, hierarchy, &s);
        break;
    case SMAP_FORM_PLANE:
        rc = order_by_plane(&parsed, text, hierarchy, s.plane, err);
        break;
    }
    if (rc != SMAP_OK)
        return rc;
    parsed.membind = s.membind;
    *order = parsed;
    return SMAP_OK;
}

int smap_order_parse(struct smap_order *order, const char *text,
                     const struct smap_hierarchy *hierarchy, struct smap_error *err)
{
    struct smap_text shape = {0};
    for (size_t i = 0; i < hierarchy->count; i++) {
        const struct smap_level *level = &hierarchy->level[i];
        smap_text_add(&shape, "%s%s%s%" PRIu64, i ? ", " : "", level->name,
                      level->name[0] ? ":" : "", level->arity);
    }
    char *words = smap_text_take(&shape);
    if (!words)
        return smap_nomem(err);
    int rc = smap_order_parse_shape(order, text, hierarchy, words, err);
    free(words);
    return rc;
}
