/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/order_parse.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define NOT_NAMED SIZE_MAX

/* An ORDER text, understood as far as it goes without a hierarchy. */
struct scanned {
    enum { FORM_NUMBERS, FORM_NAMES, FORM_WORDS, FORM_PLANE } form;
    size_t count;
    uint64_t number[SMAP_LEVELS_MAX];
    char name[SMAP_LEVELS_MAX][SMAP_NAME_SIZE];
    bool nodes_cyclic;
    bool sockets_cyclic;
    uint64_t plane;
    bool membind;
};

static bool scan_word(const char **cursor, char name[SMAP_NAME_SIZE])
{
    const char *begin = *cursor;
    while (isalnum((unsigned char)**cursor) || **cursor == '_')
        (*cursor)++;
    return smap_level_canonical(name, begin, (size_t)(*cursor - begin));
}

/* Numbers use '-' in the paper and ',' is natural too; the same goes for names. */
static bool scan_separator(const char **cursor)
{
    return smap_scan_char(cursor, ',') || smap_scan_char(cursor, '-');
}

static const char *scan_numbers(struct scanned *s, const char *cursor)
{
    s->form = FORM_NUMBERS;
    do {
        char word[SMAP_NAME_SIZE];
        if (s->count > 0 && scan_word(&(const char *){cursor}, word) &&
            strcmp(word, "membind") == 0) {
            s->membind = true;
            return cursor[strlen("membind")] ? "membind comes last" : NULL;
        }
        if (s->count == SMAP_LEVELS_MAX)
            return "more levels than a hierarchy can have";
        if (!smap_scan_uint(&cursor, UINT64_MAX, &s->number[s->count]))
            return "level numbers look like 2-1-0";
        s->count++;
    } while (scan_separator(&cursor));
    return *cursor ? "level numbers look like 2-1-0" : NULL;
}

static const char *scan_names(struct scanned *s, const char *cursor)
{
    s->form = FORM_NAMES;
    do {
        char word[SMAP_NAME_SIZE];
        if (!scan_word(&cursor, word))
            return "level names look like core,socket,node";
        if (strcmp(word, "membind") == 0) {
            s->membind = true;
            return s->count == 0 ? "an order comes before membind"
                   : *cursor     ? "membind comes last"
                                 : NULL;
        }
        if (strcmp(word, "block") == 0 || strcmp(word, "cyclic") == 0)
            return "Slurm's words look like block:cyclic and do not mix with levels";
        if (s->count == SMAP_LEVELS_MAX)
            return "more levels than a hierarchy can have";
        for (size_t i = 0; i < s->count; i++)
            if (strcmp(s->name[i], word) == 0)
                return "a level is there twice";
        memcpy(s->name[s->count++], word, SMAP_NAME_SIZE);
    } while (scan_separator(&cursor));
    return *cursor ? "level names look like core,socket,node" : NULL;
}

static const char *scan_membind(struct scanned *s, const char *cursor)
{
    char word[SMAP_NAME_SIZE];
    if (*cursor == '\0')
        return NULL;
    s->membind = smap_scan_char(&cursor, ',') && scan_word(&cursor, word) &&
                 strcmp(word, "membind") == 0 && *cursor == '\0';
    return s->membind ? NULL : "only ,membind can follow here";
}

/* "block", "block:cyclic", "plane=4"; false if it does not begin like that. */
static bool scan_slurm(struct scanned *s, const char **problem, const char *cursor)
{
    char word[SMAP_NAME_SIZE];
    if (!scan_word(&cursor, word))
        return false;
    if (strcmp(word, "plane") == 0) {
        s->form = FORM_PLANE;
        *problem = smap_scan_char(&cursor, '=') && smap_scan_uint(&cursor, UINT64_MAX, &s->plane) &&
                           s->plane > 0
                       ? scan_membind(s, cursor)
                       : "a plane has a size, as in plane=4";
        return true;
    }
    s->nodes_cyclic = strcmp(word, "cyclic") == 0;
    if (!s->nodes_cyclic && strcmp(word, "block") != 0)
        return false;
    s->form = FORM_WORDS;
    s->sockets_cyclic = true;
    if (smap_scan_char(&cursor, ':')) {
        if (!scan_word(&cursor, word))
            word[0] = '\0';
        s->sockets_cyclic = strcmp(word, "cyclic") == 0;
        if (!s->sockets_cyclic && strcmp(word, "block") != 0) {
            *problem = "the word for sockets is block or cyclic";
            return true;
        }
        if (*cursor == ':') {
            *problem = "two words are enough, for nodes and sockets";
            return true;
        }
    }
    *problem = scan_membind(s, cursor);
    return true;
}

static int scan(struct scanned *s, const char *text, struct smap_error *err)
{
    const char *problem = NULL;
    memset(s, 0, sizeof(*s));
    if (*text == '\0')
        problem = "empty; give level numbers (2-1-0), names (core,socket,node) or block:cyclic";
    else if (*text >= '0' && *text <= '9')
        problem = scan_numbers(s, text);
    else if (!scan_slurm(s, &problem, text))
        problem = scan_names(s, text);
    return problem ? smap_fail(err, SMAP_EINVAL, "--rank-order=%s: %s", text, problem) : SMAP_OK;
}

/* Each of 0..count-1 exactly once. */
static int check_permutation(const char *text, const struct scanned *s, struct smap_error *err)
{
    unsigned seen = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->number[i] >= s->count)
            return smap_fail(err, SMAP_EINVAL,
                             "--rank-order=%s: no level %" PRIu64 "; %zu levels are 0 to %zu", text,
                             s->number[i], s->count, s->count - 1);
        if (seen & 1u << s->number[i])
            return smap_fail(err, SMAP_EINVAL, "--rank-order=%s: level %" PRIu64 " is there twice",
                             text, s->number[i]);
        seen |= 1u << s->number[i];
    }
    return SMAP_OK;
}

static int refuse_unknown(const char *text, const char *name, struct smap_error *err)
{
    char *list = smap_level_kinds();
    smap_fail(err, SMAP_EINVAL,
              "--rank-order=%s: no level is called '%s'; there are node, %s, fake", text, name,
              list ? list : "");
    free(list);
    return SMAP_EINVAL;
}

int smap_order_check(size_t *numbers, const char *text, struct smap_error *err)
{
    struct scanned s;
    int rc = scan(&s, text, err);
    if (numbers)
        *numbers = 0;
    if (rc != SMAP_OK)
        return rc;
    if (s.form == FORM_NUMBERS) {
        if (numbers)
            *numbers = s.count;
        return check_permutation(text, &s, err);
    }
    bool nodes = false; /* then other names may be levels around them */
    for (size_t i = 0; i < s.count; i++)
        nodes = nodes || strcmp(s.name[i], "node") == 0;
    for (size_t i = 0; i < s.count && !nodes; i++)
        if (!smap_level_is_known(s.name[i]) && !smap_level_is_fake(s.name[i]))
            return refuse_unknown(text, s.name[i], err);
    return SMAP_OK;
}

bool smap_order_names(const char *text, const char *name)
{
    struct scanned s;
    if (scan(&s, text, NULL) != SMAP_OK || s.form != FORM_NAMES)
        return false;
    for (size_t i = 0; i < s.count; i++)
        if (strcmp(s.name[i], name) == 0)
            return true;
    return false;
}

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
static int find_names(size_t index[SMAP_LEVELS_MAX], const char *text, const struct scanned *s,
                      const struct smap_hierarchy *h, const char *shape, struct smap_error *err)
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
                           const struct scanned *s)
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

static int order_by_numbers(struct smap_order *order, const char *text, const struct scanned *s,
                            const struct smap_hierarchy *h, const char *shape,
                            struct smap_error *err)
{
    if (s->count != h->count)
        return smap_fail(err, SMAP_EINVAL,
                         "--rank-order=%s: %zu of %zu levels; %s are 0 to %zu, each exactly once",
                         text, s->count, h->count, shape, h->count - 1);
    int rc = check_permutation(text, s, err);
    for (size_t i = 0; rc == SMAP_OK && i < s->count; i++)
        append(order, (size_t)s->number[i]);
    return rc;
}

int smap_order_parse_shape(struct smap_order *order, const char *text,
                           const struct smap_hierarchy *hierarchy, const char *shape,
                           struct smap_error *err)
{
    struct scanned s;
    struct smap_order parsed = {0};
    size_t index[SMAP_LEVELS_MAX];
    int rc = scan(&s, text, err);
    if (rc != SMAP_OK)
        return rc;
    if (hierarchy->count == 0)
        return smap_fail(err, SMAP_EINVAL, "--rank-order=%.120s: there are no levels here", text);
    switch (s.form) {
    case FORM_NUMBERS:
        rc = order_by_numbers(&parsed, text, &s, hierarchy, shape, err);
        break;
    case FORM_NAMES:
        rc = find_names(index, text, &s, hierarchy, shape, err);
        if (rc == SMAP_OK)
            order_by_names(&parsed, hierarchy, index, s.count);
        break;
    case FORM_WORDS:
        order_by_words(&parsed, hierarchy, &s);
        break;
    case FORM_PLANE:
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
