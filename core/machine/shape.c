/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/shape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int smap_shape_init(struct smap_shape *shape, size_t leaves, size_t cpus, struct smap_error *err)
{
    *shape = (struct smap_shape){.leaf_name = "core", .leaves = leaves};
    shape->leaf = calloc(leaves, sizeof(*shape->leaf));
    shape->cpus = calloc(cpus, sizeof(*shape->cpus));
    return shape->leaf && shape->cpus ? SMAP_OK : smap_nomem(err);
}

void smap_shape_clear(struct smap_shape *shape)
{
    for (size_t i = 0; i < shape->count; i++)
        free(shape->level[i].object);
    free(shape->leaf);
    free(shape->cpus);
    *shape = (struct smap_shape){0};
}

static void set_name(char to[SMAP_NAME_SIZE], const char *name)
{
    snprintf(to, SMAP_NAME_SIZE, "%s", name);
}

__attribute__((format(printf, 3, 4))) static void refuse(struct smap_shape *shape, const char *name,
                                                         const char *format, ...)
{
    if (shape->refused_count == SMAP_LEVELS_MAX)
        return;
    struct smap_shape_refusal *refusal = &shape->refused[shape->refused_count++];
    va_list args;
    set_name(refusal->name, name);
    va_start(args, format);
    vsnprintf(refusal->reason, sizeof(refusal->reason), format, args);
    va_end(args);
}

/* Numbers the objects in the order in which the leaves meet them. */
static int renumber(const uint32_t *label, uint32_t labels, size_t leaves, uint32_t *object,
                    uint32_t *objects, struct smap_error *err)
{
    uint32_t *number = malloc((labels ? labels : 1) * sizeof(*number));
    if (!number)
        return smap_nomem(err);
    memset(number, 0xff, labels * sizeof(*number));
    *objects = 0;
    for (size_t i = 0; i < leaves; i++) {
        if (number[label[i]] == SMAP_NO_OBJECT)
            number[label[i]] = (*objects)++;
        object[i] = number[label[i]];
    }
    free(number);
    return SMAP_OK;
}

int smap_shape_add(struct smap_shape *shape, const char *name, const uint32_t *label,
                   uint32_t labels, struct smap_error *err)
{
    size_t cores = 0;
    size_t covered = 0;
    if (shape->count == SMAP_LEVELS_MAX)
        return SMAP_OK;
    for (size_t i = 0; i < shape->leaves; i++) {
        if (i > 0 && shape->leaf[i].core == shape->leaf[i - 1].core)
            continue; /* another PU of the same core */
        cores++;
        covered += label[i] != SMAP_NO_OBJECT;
    }
    if (covered < cores) {
        if (covered > 0)
            refuse(shape, name, "%s objects hold only %zu of the %zu cores here", name, covered,
                   cores);
        return SMAP_OK;
    }
    struct smap_shape_level *level = &shape->level[shape->count];
    *level = (struct smap_shape_level){0};
    set_name(level->label.name, name);
    level->object = malloc(shape->leaves * sizeof(*level->object));
    if (!level->object)
        return smap_nomem(err);
    shape->count++;
    return renumber(label, labels, shape->leaves, level->object, &level->objects, err);
}

/* Whether each object of `inner` lies in one object of `outer`. */
static int nests(const struct smap_shape *shape, const struct smap_shape_level *outer,
                 const struct smap_shape_level *inner, bool *result, struct smap_error *err)
{
    uint32_t *parent = malloc(inner->objects * sizeof(*parent));
    if (!parent)
        return smap_nomem(err);
    memset(parent, 0xff, inner->objects * sizeof(*parent));
    *result = true;
    for (size_t i = 0; i < shape->leaves && *result; i++) {
        uint32_t *known = &parent[inner->object[i]];
        if (*known == SMAP_NO_OBJECT)
            *known = outer->object[i];
        *result = *known == outer->object[i];
    }
    free(parent);
    return SMAP_OK;
}

/* A level is shown by the name that people use most for it. */
static void add_alias(struct smap_level *label, const char *name)
{
    static const char *const preferred[] = {"core", "gpu", "socket", "numa", "l3", "die", "l2"};
    if (label->alias_count == 0)
        set_name(label->alias[label->alias_count++], label->name);
    if (label->alias_count < SMAP_ALIASES_MAX)
        set_name(label->alias[label->alias_count++], name);
    for (size_t i = 0; i < sizeof(preferred) / sizeof(preferred[0]); i++) {
        if (strcmp(label->name, preferred[i]) == 0)
            return;
        if (strcmp(name, preferred[i]) == 0) {
            set_name(label->name, name);
            return;
        }
    }
}

/* Outermost first is fewest objects first; equal ones stay as they were added. */
static void sort_levels(struct smap_shape *shape)
{
    for (size_t i = 1; i < shape->count; i++) {
        struct smap_shape_level moved = shape->level[i];
        size_t j = i;
        for (; j > 0 && shape->level[j - 1].objects > moved.objects; j--)
            shape->level[j] = shape->level[j - 1];
        shape->level[j] = moved;
    }
}

/* Keeps the levels that divide, each inside the one before it. */
static int nest_levels(struct smap_shape *shape, struct smap_error *err)
{
    size_t kept = 0;
    int rc = SMAP_OK;
    for (size_t i = 0; i < shape->count; i++) {
        struct smap_shape_level *level = &shape->level[i];
        struct smap_shape_level *outer = kept ? &shape->level[kept - 1] : NULL;
        bool is_leaf = i + 1 == shape->count;
        bool inside = true;
        if (outer && rc == SMAP_OK)
            rc = nests(shape, outer, level, &inside, err);
        if (rc == SMAP_OK && inside && (level->objects > 1 || is_leaf) &&
            (!outer || level->objects > outer->objects)) {
            struct smap_shape_level moved = *level;
            level->object = NULL;
            shape->level[kept++] = moved;
            continue;
        }
        if (!inside)
            refuse(shape, level->label.name, "%s borders cross %s borders here", level->label.name,
                   outer->label.name);
        else if (outer)
            add_alias(&outer->label, level->label.name);
        else if (shape->trivial_count < SMAP_ALIASES_MAX)
            set_name(shape->trivial[shape->trivial_count++], level->label.name);
        free(level->object);
        level->object = NULL;
    }
    shape->count = kept;
    return rc;
}

/* Leaves sorted by outermost object, then the next, ...: stable, so in most machines unmoved. */
static int sort_leaves(struct smap_shape *shape, struct smap_error *err)
{
    size_t n = shape->leaves;
    size_t *from = malloc(n * sizeof(*from));
    size_t *next = malloc(n * sizeof(*next));
    size_t *start = calloc(n + 1, sizeof(*start));
    uint32_t *object = malloc(n * sizeof(*object));
    struct smap_shape_leaf *leaf = malloc(n * sizeof(*leaf));
    int rc = from && next && start && object && leaf ? SMAP_OK : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < n; i++)
        from[i] = i;
    for (size_t l = shape->count; rc == SMAP_OK && l-- > 0;) {
        const struct smap_shape_level *level = &shape->level[l];
        memset(start, 0, (n + 1) * sizeof(*start));
        for (size_t i = 0; i < n; i++)
            start[level->object[i] + 1]++;
        for (size_t i = 0; i < n; i++)
            start[i + 1] += start[i];
        for (size_t i = 0; i < n; i++)
            next[start[level->object[from[i]]]++] = from[i];
        memcpy(from, next, n * sizeof(*from));
    }
    for (size_t l = 0; rc == SMAP_OK && l < shape->count; l++) {
        struct smap_shape_level *level = &shape->level[l];
        for (size_t i = 0; i < n; i++)
            object[i] = level->object[from[i]];
        rc = renumber(object, level->objects, n, level->object, &level->objects, err);
    }
    for (size_t i = 0; rc == SMAP_OK && i < n; i++)
        leaf[i] = shape->leaf[from[i]];
    if (rc == SMAP_OK)
        memcpy(shape->leaf, leaf, n * sizeof(*leaf));
    free(from);
    free(next);
    free(start);
    free(object);
    free(leaf);
    return rc;
}

uint32_t *smap_shape_members(size_t *parents, const struct smap_shape *shape, size_t i)
{
    const struct smap_shape_level *level = &shape->level[i];
    *parents = i ? shape->level[i - 1].objects : 1;
    uint32_t *members = calloc(*parents, sizeof(*members));
    if (!members)
        return NULL;
    for (size_t leaf = 0; leaf < shape->leaves; leaf++)
        if (leaf == 0 || level->object[leaf] != level->object[leaf - 1])
            members[i ? shape->level[i - 1].object[leaf] : 0]++;
    return members;
}

static int set_arity(struct smap_shape *shape, size_t i, struct smap_error *err)
{
    size_t parents;
    uint32_t *members = smap_shape_members(&parents, shape, i);
    if (!members)
        return smap_nomem(err);
    shape->level[i].label.arity = 0;
    for (size_t p = 0; p < parents; p++)
        if (members[p] > shape->level[i].label.arity)
            shape->level[i].label.arity = members[p];
    free(members);
    return SMAP_OK;
}

int smap_shape_settle(struct smap_shape *shape, struct smap_error *err)
{
    sort_levels(shape);
    int rc = nest_levels(shape, err);
    if (rc == SMAP_OK)
        rc = sort_leaves(shape, err);
    for (size_t i = 0; rc == SMAP_OK && i < shape->count; i++)
        rc = set_arity(shape, i, err);
    return rc;
}

int smap_shape_append(struct smap_shape *shape, const struct smap_level *label,
                      const uint32_t *object, uint32_t objects, struct smap_error *err)
{
    struct smap_shape_level *level = &shape->level[shape->count];
    *level = (struct smap_shape_level){.label = *label};
    level->object = malloc(shape->leaves * sizeof(*level->object));
    if (!level->object)
        return smap_nomem(err);
    int rc = renumber(object, objects, shape->leaves, level->object, &level->objects, err);
    shape->count++;
    return rc != SMAP_OK ? rc : set_arity(shape, shape->count - 1, err);
}

const char *smap_shape_refusal(const struct smap_shape *shape, const char *name)
{
    for (size_t i = 0; i < shape->refused_count; i++)
        if (strcmp(shape->refused[i].name, name) == 0)
            return shape->refused[i].reason;
    return NULL;
}

/* "8" if all are alike, else "9+8" for a few and "1..8" for many. */
static void add_members(struct smap_text *text, const uint32_t *members, size_t parents)
{
    enum { FEW = 4 };
    uint32_t least = members[0];
    uint32_t most = members[0];
    for (size_t p = 1; p < parents; p++) {
        least = members[p] < least ? members[p] : least;
        most = members[p] > most ? members[p] : most;
    }
    if (least == most)
        smap_text_add(text, "%" PRIu32, most);
    else if (parents > FEW)
        smap_text_add(text, "%" PRIu32 "..%" PRIu32, least, most);
    else
        for (size_t p = 0; p < parents; p++)
            smap_text_add(text, "%s%" PRIu32, p ? "+" : "", members[p]);
}

char *smap_shape_text(const struct smap_shape *shape, const char *separator)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < shape->count; i++) {
        size_t parents;
        uint32_t *members = smap_shape_members(&parents, shape, i);
        if (!members) {
            free(smap_text_take(&text));
            return NULL;
        }
        const char *name = shape->level[i].label.name;
        smap_text_add(&text, "%s%s%s", i ? separator : "", name, name[0] ? ":" : "");
        add_members(&text, members, parents);
        free(members);
    }
    return smap_text_take(&text);
}

bool smap_shape_is_regular(const struct smap_shape *shape)
{
    /* The largest arities multiply to the number of leaves only if every object has the largest. */
    uint64_t product = 1;
    for (size_t i = 0; i < shape->count; i++)
        if (__builtin_mul_overflow(product, shape->level[i].label.arity, &product))
            return false;
    return product == shape->leaves;
}

struct smap_hierarchy smap_shape_hierarchy(const struct smap_shape *shape)
{
    struct smap_hierarchy h = {.count = shape->count, .trivial_count = shape->trivial_count};
    for (size_t i = 0; i < shape->count; i++)
        h.level[i] = shape->level[i].label;
    memcpy(h.trivial, shape->trivial, sizeof(h.trivial));
    return h;
}
