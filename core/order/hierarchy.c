/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/hierarchy.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool smap_level_canonical(char name[SMAP_NAME_SIZE], const char *text, size_t length)
{
    static const char *const synonyms[][2] = {
        {"package", "socket"}, {"pack", "socket"}, {"numanode", "numa"},
        {"l3cache", "l3"},     {"ccx", "l3"},      {"l2cache", "l2"},
        {"thread", "pu"},      {"hwthread", "pu"}, {"host", "node"},
    };
    if (length == 0 || length >= SMAP_NAME_SIZE || !isalpha((unsigned char)text[0]))
        return false;
    memset(name, 0, SMAP_NAME_SIZE);
    for (size_t i = 0; i < length; i++) {
        if (!is_word(text[i]))
            return false;
        name[i] = (char)tolower((unsigned char)text[i]);
    }
    for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++) {
        if (strcmp(name, synonyms[i][0]) == 0) {
            memset(name, 0, SMAP_NAME_SIZE);
            memcpy(name, synonyms[i][1], strlen(synonyms[i][1]));
        }
    }
    return true;
}

/* "fake", "fake1", "fake27": a stem, then digits only. */
static bool is_numbered(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    return strncmp(name, stem, length) == 0 &&
           name[length + strspn(name + length, "0123456789")] == '\0';
}

/* Which objects of hwloc each is: machine/topology_shape.c. */
static const char *const kinds[] = {"socket", "die",   "numa", "l3", "l2",
                                    "gpu",    "group", "core", "pu"};

bool smap_level_is_known(const char *name)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(name, kinds[i]) == 0)
            return true;
    return strcmp(name, "node") == 0 || is_numbered(name, "group");
}

char *smap_level_kinds(void)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        smap_text_add(&text, "%s%s", i ? ", " : "", kinds[i]);
    return smap_text_take(&text);
}

bool smap_level_is_fake(const char *name)
{
    return is_numbered(name, "fake");
}

/* Words that mean something else in an order. */
static bool is_reserved(const char *name)
{
    return strcmp(name, "block") == 0 || strcmp(name, "cyclic") == 0 ||
           strcmp(name, "plane") == 0 || strcmp(name, "membind") == 0;
}

/* Reads "8" or "core:8"; NULL, or what is wrong with it. */
static const char *scan_level(const char **cursor, struct smap_level *level)
{
    *level = (struct smap_level){0};
    if (isalpha((unsigned char)**cursor)) {
        const char *begin = *cursor;
        while (is_word(**cursor))
            (*cursor)++;
        if (!smap_level_canonical(level->name, begin, (size_t)(*cursor - begin)))
            return "a name has at most 15 letters, digits and '_'";
        if (!smap_scan_char(cursor, ':'))
            return "a name is followed by ':' and a number, as in socket:2";
    }
    if (!smap_scan_uint(cursor, UINT64_MAX, &level->arity))
        return "levels are numbers, 16,2,8, or named numbers, node:16,socket:2,core:8";
    if (level->arity == 0)
        return "a level has at least 1 member";
    return NULL;
}

static int scan_levels(struct smap_hierarchy *h, const char *text, struct smap_error *err)
{
    const char *cursor = text;
    do {
        if (h->count == SMAP_LEVELS_MAX)
            return smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%s: more than %d levels", text,
                             SMAP_LEVELS_MAX);
        const char *problem = scan_level(&cursor, &h->level[h->count]);
        if (!problem && *cursor != ',' && *cursor != '\0')
            problem = "levels are separated by ','";
        if (problem)
            return smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%s: level %zu: %s", text, h->count,
                             problem);
        h->count++;
    } while (smap_scan_char(&cursor, ','));
    return SMAP_OK;
}

static int refuse_unknown(const char *text, const char *name, struct smap_error *err)
{
    char *list = smap_level_kinds();
    smap_fail(
        err, SMAP_EINVAL,
        "--rank-hierarchy=%s: no level is called '%s'; there are %s, and fake for one of your "
        "own",
        text, name, list ? list : "");
    free(list);
    return SMAP_EINVAL;
}

static int check_names(const char *text, const struct smap_hierarchy *h, struct smap_error *err)
{
    for (size_t i = 0; i < h->count; i++) {
        const char *name = h->level[i].name;
        if ((name[0] == '\0') != (h->level[0].name[0] == '\0'))
            return smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%s: name all levels or none",
                             text);
        if (name[0] == '\0')
            continue;
        if (is_reserved(name))
            return smap_fail(err, SMAP_EINVAL,
                             "--rank-hierarchy=%s: '%s' is a word of orders, not a level", text,
                             name);
        if (i >= h->node_levels && !smap_level_is_known(name) && !smap_level_is_fake(name))
            return refuse_unknown(text, name, err);
        for (size_t j = 0; j < i; j++)
            if (strcmp(name, h->level[j].name) == 0 && strcmp(name, "fake") != 0)
                return smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%s: '%s' is there twice", text,
                                 name);
    }
    return SMAP_OK;
}

static bool product(uint64_t *result, const struct smap_hierarchy *h)
{
    *result = 1;
    for (size_t i = 0; i < h->count; i++)
        if (__builtin_mul_overflow(*result, h->level[i].arity, result))
            return false;
    return true;
}

int smap_hierarchy_parse(struct smap_hierarchy *hierarchy, const char *text, struct smap_error *err)
{
    struct smap_hierarchy h = {0};
    uint64_t leaves;
    int rc = scan_levels(&h, text, err);
    if (rc != SMAP_OK)
        return rc;
    size_t node = smap_hierarchy_find(&h, "node");
    h.node_levels = node == SIZE_MAX ? 0 : node + 1;
    rc = check_names(text, &h, err);
    if (rc != SMAP_OK)
        return rc;
    if (!product(&leaves, &h))
        return smap_fail(err, SMAP_EINVAL,
                         "--rank-hierarchy=%s: the product of the levels does not fit in 64 bits",
                         text);
    *hierarchy = h;
    return SMAP_OK;
}

int smap_hierarchy_add_nodes(struct smap_hierarchy *hierarchy, uint64_t nodes,
                             struct smap_error *err)
{
    struct smap_hierarchy h = *hierarchy;
    uint64_t leaves;
    if (nodes == 0)
        return smap_fail(err, SMAP_EINVAL, "a hierarchy needs at least 1 node");
    if (h.count == SMAP_LEVELS_MAX)
        return smap_fail(err, SMAP_EINVAL, "no room for a node level in front of %d levels",
                         SMAP_LEVELS_MAX);
    memmove(&h.level[1], &h.level[0], h.count * sizeof(h.level[0]));
    h.level[0] = (struct smap_level){.arity = nodes};
    if (h.count == 0 || h.level[1].name[0])
        memcpy(h.level[0].name, "node", sizeof("node"));
    h.count++;
    h.node_levels++;
    if (!product(&leaves, &h))
        return smap_fail(err, SMAP_EINVAL,
                         "the cores of %" PRIu64 " such nodes do not fit in 64 bits", nodes);
    *hierarchy = h;
    return SMAP_OK;
}

bool smap_hierarchy_split(struct smap_hierarchy *hierarchy, uint64_t nodes, uint64_t least,
                          uint64_t most)
{
    uint64_t outside = 1, inside = smap_hierarchy_product(hierarchy);
    if (hierarchy->node_levels > 0 || hierarchy->level[0].name[0] != '\0')
        return false;
    for (size_t l = 0; l < hierarchy->count; l++) {
        bool fits_nodes = nodes == 0 || (outside == nodes && l > 0);
        if (fits_nodes && inside >= least && inside <= most) {
            hierarchy->node_levels = l;
            return true;
        }
        outside *= hierarchy->level[l].arity;
        inside /= hierarchy->level[l].arity;
    }
    return false;
}

struct smap_hierarchy smap_hierarchy_inside_node(const struct smap_hierarchy *hierarchy)
{
    struct smap_hierarchy inside = *hierarchy;
    inside.count -= hierarchy->node_levels;
    inside.node_levels = 0;
    memmove(&inside.level[0], &hierarchy->level[hierarchy->node_levels],
            inside.count * sizeof(inside.level[0]));
    return inside;
}

char *smap_hierarchy_format(const struct smap_hierarchy *hierarchy)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < hierarchy->count; i++) {
        const struct smap_level *level = &hierarchy->level[i];
        smap_text_add(&text, "%s%s%s%" PRIu64, i ? "," : "", level->name, level->name[0] ? ":" : "",
                      level->arity);
    }
    return smap_text_take(&text);
}

uint64_t smap_hierarchy_product(const struct smap_hierarchy *hierarchy)
{
    uint64_t leaves;
    product(&leaves, hierarchy);
    return leaves;
}

bool smap_level_has_name(const struct smap_level *level, const char *name)
{
    for (size_t i = 0; i < level->alias_count; i++)
        if (strcmp(level->alias[i], name) == 0)
            return true;
    return strcmp(level->name, name) == 0;
}

size_t smap_hierarchy_find(const struct smap_hierarchy *hierarchy, const char *name)
{
    for (size_t i = 0; i < hierarchy->count; i++)
        if (smap_level_has_name(&hierarchy->level[i], name))
            return i;
    return SIZE_MAX;
}

void smap_hierarchy_coordinates(uint64_t *coordinate, const struct smap_hierarchy *hierarchy,
                                uint64_t rank)
{
    for (size_t i = hierarchy->count; i-- > 0;) {
        coordinate[i] = rank % hierarchy->level[i].arity;
        rank /= hierarchy->level[i].arity;
    }
}
