/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/shape_walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A refusal of the user's hierarchy that ends with what is really there. */
__attribute__((format(printf, 4, 5))) static int refuse(const struct smap_shape *shape,
                                                        const char *text, struct smap_error *err,
                                                        const char *format, ...)
{
    struct smap_error why;
    va_list args;
    va_start(args, format);
    vsnprintf(why.text, sizeof(why.text), format, args);
    va_end(args);
    char *levels = smap_shape_text(shape, ", ");
    int rc = smap_fail(err, SMAP_EINVAL, "--rank-hierarchy=%s: %.200s; levels here are %s", text,
                       why.text, levels ? levels : "?");
    free(levels);
    return rc;
}

static const struct smap_shape_level *find_level(const struct smap_shape *shape, const char *name)
{
    for (size_t i = 0; i < shape->count; i++)
        if (smap_level_has_name(&shape->level[i].label, name))
            return &shape->level[i];
    return NULL;
}

static bool is_trivial(const struct smap_shape *shape, const char *name)
{
    for (size_t i = 0; i < shape->trivial_count; i++)
        if (strcmp(shape->trivial[i], name) == 0)
            return true;
    return false;
}

/* A level that machines have: the user's division of the leaves must be the machine's. */
static int check_known(const struct smap_shape *shape, const char *name, size_t size,
                       const char *text, struct smap_error *err)
{
    const struct smap_shape_level *level = find_level(shape, name);
    size_t objects = shape->leaves / size;
    if (!level && is_trivial(shape, name))
        return objects == 1 ? SMAP_OK
                            : refuse(shape, text, err, "%s: 1 here, not %zu", name, objects);
    if (!level && smap_shape_refusal(shape, name))
        return refuse(shape, text, err, "%s", smap_shape_refusal(shape, name));
    if (!level)
        return refuse(shape, text, err, "no level '%s' here", name);
    if (level->objects != objects)
        return refuse(shape, text, err, "%s: %" PRIu32 " here, not %zu", name, level->objects,
                      objects);
    for (size_t i = 0; i < shape->leaves; i++)
        if (level->object[i] != i / size)
            return refuse(shape, text, err, "%s objects are not all of the same size", name);
    return SMAP_OK;
}

/* A level of the user's own: runs of `size` leaves, each inside or around the objects it meets. */
static int check_own(const struct smap_shape *shape, size_t number, size_t size, const char *text,
                     struct smap_error *err)
{
    for (size_t l = 0; l < shape->count; l++) {
        const uint32_t *object = shape->level[l].object;
        size_t end;
        for (size_t begin = 0; begin < shape->leaves; begin = end) {
            for (end = begin + 1; end < shape->leaves && object[end] == object[begin];)
                end++;
            /* The object is [begin, end): it may hold whole runs, or lie within one. */
            bool whole = begin % size == 0 && end % size == 0;
            if (!whole && begin / size != (end - 1) / size)
                return refuse(shape, text, err, "level %zu, runs of %zu, crosses %s borders",
                              number, size, shape->level[l].label.name);
        }
    }
    return SMAP_OK;
}

/* The names a level has on the machine, without those that the user gave to other levels. */
static void take_aliases(const struct smap_shape *shape, struct smap_hierarchy *h, size_t i)
{
    struct smap_level *label = &h->level[i];
    const struct smap_shape_level *level = find_level(shape, label->name);
    if (!level || label->name[0] == '\0')
        return;
    for (size_t a = 0; a < level->label.alias_count; a++) {
        const char *alias = level->label.alias[a];
        bool taken = false;
        for (size_t j = 0; j < h->count; j++)
            taken |= j != i && strcmp(h->level[j].name, alias) == 0;
        if (!taken)
            memcpy(label->alias[label->alias_count++], alias, SMAP_NAME_SIZE);
    }
}

static int build_levels(const struct smap_shape *shape, const struct smap_hierarchy *inside,
                        struct smap_shape_level *level, const char *text, struct smap_error *err)
{
    size_t size = shape->leaves;
    for (size_t l = 0; l < inside->count; l++) {
        const char *name = inside->level[l].name;
        size /= inside->level[l].arity;
        int rc = name[0] && smap_level_is_known(name) ? check_known(shape, name, size, text, err)
                                                      : check_own(shape, l, size, text, err);
        if (rc != SMAP_OK)
            return rc;
        level[l].object = malloc(shape->leaves * sizeof(*level[l].object));
        if (!level[l].object)
            return smap_nomem(err);
        for (size_t i = 0; i < shape->leaves; i++)
            level[l].object[i] = (uint32_t)(i / size);
        level[l].objects = (uint32_t)(shape->leaves / size);
        level[l].label = inside->level[l];
    }
    return SMAP_OK;
}

int smap_shape_divide(struct smap_shape *shape, struct smap_hierarchy *inside, const char *text,
                      struct smap_error *err)
{
    struct smap_shape_level level[SMAP_LEVELS_MAX] = {0};
    uint64_t product = smap_hierarchy_product(inside);
    if (inside->count == 0 || product != shape->leaves)
        return refuse(shape, text, err, "product %" PRIu64 " a node, but there %s %zu %s%s",
                      product, shape->leaves == 1 ? "is" : "are", shape->leaves, shape->leaf_name,
                      shape->leaves == 1 ? "" : "s");
    for (size_t i = 0; i < inside->count; i++)
        take_aliases(shape, inside, i);
    int rc = build_levels(shape, inside, level, text, err);
    for (size_t i = 0; i < SMAP_LEVELS_MAX; i++)
        free(rc != SMAP_OK ? level[i].object : i < shape->count ? shape->level[i].object : NULL);
    if (rc != SMAP_OK)
        return rc;
    memcpy(shape->level, level, sizeof(level));
    shape->count = inside->count;
    return SMAP_OK;
}

/* The end of the run of leaves from `begin` that lie in one object of level l; SIZE_MAX: the node.
 */
static size_t run_end(const struct smap_shape *shape, size_t l, size_t begin)
{
    size_t end = begin + 1;
    if (l == SIZE_MAX)
        return shape->leaves;
    while (end < shape->leaves && shape->level[l].object[end] == shape->level[l].object[begin])
        end++;
    return end;
}

/* Where the blocks begin that fit into the objects of level l: start[0 .. return value). NULL only
 * counts. */
static size_t find_blocks(const struct smap_shape *shape, size_t l, size_t size, size_t *start)
{
    size_t blocks = 0;
    size_t end;
    for (size_t begin = 0; begin < shape->leaves; begin = end) {
        end = run_end(shape, l, begin);
        for (size_t at = begin; end - at >= size; at += size, blocks++)
            if (start)
                start[blocks] = at;
    }
    return blocks;
}

/* The innermost level whose objects hold enough blocks; SIZE_MAX if only the node does. */
static size_t level_that_holds(const struct smap_shape *shape, size_t size, size_t wanted)
{
    for (size_t l = shape->count; l-- > 0;)
        if (find_blocks(shape, l, size, NULL) >= wanted)
            return l;
    return SIZE_MAX;
}

size_t smap_shape_room(const struct smap_shape *shape, size_t size)
{
    return shape->leaves / size; /* the node holds them, if nothing smaller does */
}

/* Runs of leaves that are to be leaves themselves. */
struct blocks {
    size_t level; /* in whose objects they lie; SIZE_MAX: the node */
    size_t size;  /* leaves of one */
    size_t count;
    size_t *start; /* the first leaf of each */
};

/* Puts the cpus of the blocks' leaves together. */
static int build_leaves(struct smap_shape *made, const struct smap_shape *shape,
                        const struct blocks *blocks, struct smap_error *err)
{
    size_t cpus = 0;
    for (size_t b = 0; b < blocks->count; b++)
        for (size_t i = 0; i < blocks->size; i++)
            cpus += shape->leaf[blocks->start[b] + i].count;
    int rc = smap_shape_init(made, blocks->count, cpus, err);
    if (rc != SMAP_OK)
        return rc;
    made->leaf_name = "block";
    cpus = 0;
    for (size_t b = 0; b < blocks->count; b++) {
        const struct smap_shape_leaf *leaf = &shape->leaf[blocks->start[b]];
        made->leaf[b] = (struct smap_shape_leaf){leaf->core, cpus, 0};
        for (size_t i = 0; i < blocks->size; i++, leaf++) {
            memcpy(&made->cpus[cpus], &shape->cpus[leaf->first], leaf->count * sizeof(unsigned));
            cpus += leaf->count;
            made->leaf[b].count += leaf->count;
        }
    }
    return SMAP_OK;
}

/* The shape whose leaves are the blocks: the levels down to theirs, then the blocks. */
static int build_blocks(struct smap_shape *made, const struct smap_shape *shape,
                        const struct blocks *blocks, struct smap_error *err)
{
    size_t levels = blocks->level == SIZE_MAX ? 0 : blocks->level + 1;
    uint32_t *label = calloc(blocks->count, sizeof(*label));
    int rc = build_leaves(made, shape, blocks, err);
    if (rc == SMAP_OK && !label)
        rc = smap_nomem(err);
    for (size_t l = 0; rc == SMAP_OK && l < levels; l++) {
        for (size_t b = 0; b < blocks->count; b++)
            label[b] = shape->level[l].object[blocks->start[b]];
        rc = smap_shape_append(made, &shape->level[l].label, label, shape->level[l].objects, err);
    }
    for (size_t b = 0; rc == SMAP_OK && b < blocks->count; b++)
        label[b] = (uint32_t)b;
    if (rc == SMAP_OK)
        rc = smap_shape_append(made, &(struct smap_level){.name = "block"}, label,
                               (uint32_t)blocks->count, err);
    free(label);
    return rc;
}

/* The order without the levels inside the one that the blocks replace. */
static struct smap_order order_of_blocks(const struct smap_order *order, size_t block_level)
{
    struct smap_order adapted = {.membind = order->membind};
    for (size_t i = 0; i < order->count; i++) {
        if (order->level[i] > block_level)
            continue;
        adapted.joined[adapted.count] = order->joined[i];
        adapted.level[adapted.count++] = order->level[i];
    }
    return adapted;
}

int smap_shape_block(struct smap_shape *shape, struct smap_order *order, size_t size, size_t wanted,
                     bool strict, struct smap_error *err)
{
    struct smap_shape made = {0};
    struct blocks blocks = {.size = size};
    if (size <= 1)
        return SMAP_OK;
    blocks.level = level_that_holds(shape, size, wanted ? wanted : 1);
    blocks.start = calloc(shape->leaves / size, sizeof(*blocks.start));
    if (!blocks.start)
        return smap_nomem(err);
    blocks.count = find_blocks(shape, blocks.level, size, blocks.start);
    size_t used = blocks.count * size;
    int rc = SMAP_OK;
    if (strict && used < shape->leaves)
        rc = smap_fail(
            err, SMAP_ENOTSUP, "tasks of %zu %ss leave %zu of %zu unused: they do not divide %s",
            size, shape->leaf_name, shape->leaves - used, shape->leaves,
            blocks.level == SIZE_MAX ? "the node" : shape->level[blocks.level].label.name);
    if (rc == SMAP_OK)
        rc = build_blocks(&made, shape, &blocks, err);
    free(blocks.start);
    if (rc != SMAP_OK) {
        smap_shape_clear(&made);
        return rc;
    }
    smap_shape_clear(shape);
    *shape = made;
    *order = order_of_blocks(order, blocks.level == SIZE_MAX ? 0 : blocks.level + 1);
    return SMAP_OK;
}

static void find_coordinates(const struct smap_shape *shape, uint32_t *coordinates)
{
    size_t levels = shape->count;
    for (size_t i = 0; i < shape->leaves; i++) {
        uint32_t *mine = &coordinates[i * levels];
        const uint32_t *before = i > 0 ? mine - levels : NULL;
        for (size_t l = 0; l < levels; l++) {
            const uint32_t *object = shape->level[l].object;
            bool same = before && object[i] == object[i - 1];
            mine[l] = !before ? 0 : same ? before[l] : before[l] + 1;
            if (!same)
                before = NULL; /* another object: numbering begins anew inside it */
        }
    }
}

/* One stable counting sort: `to` gets `from` by ascending key, all below `end`; `start` has room
 * for end + 1. */
static void sort_by(const uint32_t *key, size_t end, const uint32_t *from, uint32_t *to, size_t n,
                    uint32_t *start)
{
    memset(start, 0, (end + 1) * sizeof(*start));
    for (size_t i = 0; i < n; i++)
        start[key[i] + 1]++;
    for (size_t c = 0; c < end; c++)
        start[c + 1] += start[c];
    for (size_t i = 0; i < n; i++)
        to[start[key[from[i]]]++] = from[i];
}

/* The index of each leaf's object of level `inner` among those in the same object of the level
 * around `outer`; returns a number above all. */
static size_t find_keys(const struct smap_shape *shape, size_t outer, size_t inner, uint32_t *key)
{
    const uint32_t *object = shape->level[inner].object;
    const uint32_t *around = outer > 0 ? shape->level[outer - 1].object : NULL;
    size_t largest = 0;
    key[0] = 0;
    for (size_t i = 1; i < shape->leaves; i++) {
        bool begins = around && around[i] != around[i - 1];
        key[i] = begins ? 0 : key[i - 1] + (object[i] != object[i - 1]);
        largest = key[i] > largest ? key[i] : largest;
    }
    return largest + 1;
}

int smap_shape_walk(uint32_t *coordinates, uint32_t *sequence, const struct smap_shape *shape,
                    const struct smap_order *order, struct smap_error *err)
{
    size_t n = shape->leaves;
    uint32_t *spare = malloc(n * sizeof(*spare));
    uint32_t *key = malloc(n * sizeof(*key));
    uint32_t *start = malloc((n + 1) * sizeof(*start));
    uint32_t *from = sequence, *to = spare;
    int rc = spare && key && start ? SMAP_OK : smap_nomem(err);
    if (rc != SMAP_OK)
        goto out;
    find_coordinates(shape, coordinates);
    for (size_t i = 0; i < n; i++)
        from[i] = (uint32_t)i;
    /* Radix sort, the fastest index first; levels that are joined have one index. */
    for (size_t k = 0; k < order->count; k++) {
        size_t inner = order->level[k];
        while (order->joined[k] && k + 1 < order->count)
            k++;
        size_t end = find_keys(shape, order->level[k], inner, key);
        sort_by(key, end, from, to, n, start);
        uint32_t *done = to;
        to = from;
        from = done;
    }
    if (from != sequence)
        memcpy(sequence, from, n * sizeof(*sequence));
out:
    free(spare);
    free(key);
    free(start);
    return rc;
}
