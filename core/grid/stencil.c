/* SPDX-License-Identifier: BSD-3-Clause */
#include "grid/stencil.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "grid/grid.h"

/* A stencil under construction. */
struct builder {
    struct smap_stencil *stencil;
    size_t capacity;
    bool too_many;
    bool no_memory;
};

static void add(struct builder *b, const int32_t offset[], uint32_t weight)
{
    struct smap_stencil *s = b->stencil;
    bool zero = true;
    for (size_t i = 0; i < s->ndims; i++)
        zero = zero && offset[i] == 0;
    if (zero || b->too_many || b->no_memory)
        return;
    if (s->count == SMAP_OFFSETS_MAX) {
        b->too_many = true;
        return;
    }
    if (s->count == b->capacity) {
        size_t capacity = b->capacity ? 2 * b->capacity : 16;
        int32_t *offsets = reallocarray(s->offsets, capacity * s->ndims, sizeof(*offsets));
        if (offsets)
            s->offsets = offsets;
        uint32_t *weights = reallocarray(s->weights, capacity, sizeof(*weights));
        if (weights)
            s->weights = weights;
        b->no_memory = !offsets || !weights;
        if (b->no_memory)
            return;
        b->capacity = capacity;
    }
    memcpy(s->offsets + s->count * s->ndims, offset, s->ndims * sizeof(*offset));
    s->weights[s->count++] = weight;
}

static void add_unit(struct builder *b, size_t dim, int32_t distance)
{
    int32_t offset[SMAP_DIMS_MAX] = {0};
    offset[dim] = distance;
    add(b, offset, 1);
    offset[dim] = -distance;
    add(b, offset, 1);
}

static void add_nearest(struct builder *b, size_t dims)
{
    for (size_t i = 0; i < dims; i++)
        add_unit(b, i, 1);
}

/* Every vector over the digits, the last dimension fastest. */
static void add_product(struct builder *b, const int32_t digits[], size_t ndigits)
{
    size_t d = b->stencil->ndims;
    size_t choice[SMAP_DIMS_MAX] = {0};
    int32_t offset[SMAP_DIMS_MAX] = {0};
    for (;;) {
        for (size_t i = 0; i < d; i++)
            offset[i] = digits[choice[i]];
        add(b, offset, 1);
        size_t i = d;
        while (i > 0 && ++choice[i - 1] == ndigits)
            choice[--i] = 0;
        if (i == 0 || b->too_many || b->no_memory)
            return;
    }
}

static void build_nn(struct builder *b)
{
    add_nearest(b, b->stencil->ndims);
}

static void build_moore(struct builder *b)
{
    add_product(b, (const int32_t[]){-1, 0, 1}, 3);
}

static void build_component(struct builder *b)
{
    add_nearest(b, b->stencil->ndims - 1);
}

static void build_diagonal(struct builder *b)
{
    add_product(b, (const int32_t[]){-1, 1}, 2);
}

static void build_hops_along(struct builder *b, size_t dim)
{
    build_nn(b);
    add_unit(b, dim, 2);
    add_unit(b, dim, 3);
}

static void build_hops(struct builder *b)
{
    build_hops_along(b, 0);
}

static void build_hops_last(struct builder *b)
{
    build_hops_along(b, b->stencil->ndims - 1);
}

static void build_crank_nicolson(struct builder *b)
{
    size_t last = b->stencil->ndims - 1;
    int32_t offset[SMAP_DIMS_MAX] = {0};
    build_component(b);
    offset[last] = 1;
    for (size_t i = 0; i < last; i++) {
        offset[i] = 1;
        add(b, offset, 1);
        offset[i] = -1;
        add(b, offset, 1);
        offset[i] = 0;
    }
    add(b, offset, 1);
}

/* ndims: the only dimension a name is for, 0 for any. */
static const struct named {
    const char *name;
    const char *summary;
    size_t ndims;
    void (*build)(struct builder *b);
} named[] = {
    {"nn", "nearest neighbours, +-1 in every dimension", 0, build_nn},
    {"5pt", "nn in 2-D", 2, build_nn},
    {"7pt", "nn in 3-D", 3, build_nn},
    {"moore", "all cells of the surrounding cube; moore*64,8,1 weighs faces, edges, corners", 0,
     build_moore},
    {"9pt", "moore in 2-D", 2, build_moore},
    {"27pt", "moore in 3-D", 3, build_moore},
    {"component", "+-1 in every dimension but the last", 0, build_component},
    {"diagonal", "all corners of the surrounding cube", 0, build_diagonal},
    {"crank-nicolson", "component now and one step ahead in the last dimension", 0,
     build_crank_nicolson},
    {"hops", "nn and distances 2 and 3 along the first dimension", 0, build_hops},
    {"hops-last", "nn and distances 2 and 3 along the last dimension", 0, build_hops_last},
};

bool smap_stencil_name(const char **name, const char **summary, size_t i)
{
    if (i >= sizeof(named) / sizeof(named[0]))
        return false;
    *name = named[i].name;
    *summary = named[i].summary;
    return true;
}

static int finish(struct builder *b, struct smap_stencil **stencil, struct smap_error *err)
{
    int rc = SMAP_OK;
    if (b->no_memory)
        rc = smap_nomem(err);
    else if (b->too_many)
        rc = smap_fail(err, SMAP_EINVAL, "more than %d offsets", SMAP_OFFSETS_MAX);
    else if (smap_stencil_weight(b->stencil) > SMAP_WEIGHT_SUM_MAX)
        rc = smap_fail(err, SMAP_EINVAL, "the weights add up to more than %d", SMAP_WEIGHT_SUM_MAX);
    if (rc != SMAP_OK)
        smap_stencil_destroy(b->stencil);
    else
        *stencil = b->stencil;
    return rc;
}

static int begin(struct builder *b, size_t ndims, struct smap_error *err)
{
    *b = (struct builder){.stencil = calloc(1, sizeof(struct smap_stencil))};
    if (!b->stencil)
        return smap_nomem(err);
    b->stencil->ndims = ndims;
    return SMAP_OK;
}

static int refuse_spec(struct smap_error *err)
{
    return smap_fail(err, SMAP_EINVAL,
                     "neither a stencil name (see --stencil=help) nor offsets like "
                     "1,0;-1,0;0,1*4;0,-1*4");
}

/* What follows the star; a number that is no weight is named. */
static int scan_weight(const char **cursor, uint32_t *weight, struct smap_error *err)
{
    const char *text = *cursor;
    size_t sign = *text == '-', digits = strspn(text + sign, "0123456789");
    uint64_t w;
    if (smap_scan_uint(cursor, SMAP_WEIGHT_MAX, &w) && w > 0) {
        *weight = (uint32_t)w;
        return SMAP_OK;
    }
    if (digits == 0)
        return refuse_spec(err);
    return smap_fail(err, SMAP_EINVAL, "weight %.*s is not 1 to %d",
                     (int)(sign + (digits < 24 ? digits : 24)), text, SMAP_WEIGHT_MAX);
}

/* One offset "0,-1*4"; *ndims gets how many components it has. */
static int scan_offset(const char **cursor, int32_t offset[], size_t *ndims, uint32_t *weight,
                       struct smap_error *err)
{
    *weight = 1;
    *ndims = 0;
    do {
        int64_t component;
        if (*ndims == SMAP_DIMS_MAX || !smap_scan_int(cursor, SMAP_OFFSET_MAX, &component))
            return refuse_spec(err);
        offset[(*ndims)++] = (int32_t)component;
    } while (smap_scan_char(cursor, ','));
    int rc = smap_scan_char(cursor, '*') ? scan_weight(cursor, weight, err) : SMAP_OK;
    return rc == SMAP_OK && **cursor != ';' && **cursor != '\0' ? refuse_spec(err) : rc;
}

static int parse_offsets(struct builder *b, const char *text, size_t ndims, struct smap_error *err)
{
    const char *cursor = text;
    do {
        int32_t offset[SMAP_DIMS_MAX];
        uint32_t weight;
        size_t n;
        if (*cursor == '\0' && cursor != text)
            break; /* a closing semicolon */
        int rc = scan_offset(&cursor, offset, &n, &weight, err);
        if (rc != SMAP_OK)
            return rc;
        if (ndims && n != ndims)
            return smap_fail(err, SMAP_EINVAL, "an offset has %zu components, the grid has %zu", n,
                             ndims);
        ndims = b->stencil->ndims = n;
        add(b, offset, weight);
    } while (smap_scan_char(&cursor, ';'));
    if (b->stencil->count == 0 && !b->no_memory)
        return smap_fail(err, SMAP_EINVAL, "no offset but the cell itself");
    return SMAP_OK;
}

/* The numbers behind the star of moore*64,8,1. */
static int scan_shapes(uint32_t weights[], size_t *count, const char *cursor,
                       struct smap_error *err)
{
    bool any = false;
    *count = 0;
    do {
        uint64_t w;
        if (*count == SMAP_DIMS_MAX || !smap_scan_uint(&cursor, SMAP_WEIGHT_MAX, &w))
            return smap_fail(err, SMAP_EINVAL,
                             "not weights of faces, edges, corners, 0 to %d, like moore*64,8,1",
                             SMAP_WEIGHT_MAX);
        any = any || w > 0;
        weights[(*count)++] = (uint32_t)w;
    } while (smap_scan_char(&cursor, ','));
    if (*cursor != '\0' || !any)
        return smap_fail(err, SMAP_EINVAL,
                         any ? "not weights of faces, edges, corners like moore*64,8,1"
                             : "all weights are 0");
    return SMAP_OK;
}

/* Gives the offsets the weights of their shapes: a face differs in one dimension, an edge in two,
 * a corner in three. Weight 0 leaves them out. */
static void weigh_shapes(struct smap_stencil *s, const uint32_t weights[])
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        size_t differs = 0;
        for (size_t j = 0; j < s->ndims; j++)
            differs += s->offsets[i * s->ndims + j] != 0;
        if (weights[differs - 1] == 0)
            continue;
        memmove(s->offsets + kept * s->ndims, s->offsets + i * s->ndims,
                s->ndims * sizeof(*s->offsets));
        s->weights[kept++] = weights[differs - 1];
    }
    s->count = kept;
}

/* shapes: what follows the star; NULL: nothing. */
static int parse_name(struct smap_stencil **stencil, const struct named *name, const char *shapes,
                      size_t ndims, struct smap_error *err)
{
    struct builder b;
    uint32_t weights[SMAP_DIMS_MAX];
    size_t count = 0;
    if (shapes && name->build != build_moore)
        return smap_fail(err, SMAP_EINVAL,
                         "weights by shape are for moore, 9pt and 27pt; others are offsets like "
                         "1,0*4;-1,0*4");
    if (shapes && scan_shapes(weights, &count, shapes, err) != SMAP_OK)
        return SMAP_EINVAL;
    if (ndims && name->ndims && ndims != name->ndims)
        return smap_fail(err, SMAP_EINVAL, "is for %zu dimensions, the grid has %zu", name->ndims,
                         ndims);
    if (!ndims)
        ndims = name->ndims ? name->ndims : shapes ? count : 2;
    if (shapes && count != ndims)
        return smap_fail(err, SMAP_EINVAL, "%zu weights by shape for %zu dimensions", count, ndims);
    if (begin(&b, ndims, err) != SMAP_OK)
        return SMAP_ENOMEM;
    name->build(&b);
    if (shapes && !b.too_many && !b.no_memory)
        weigh_shapes(b.stencil, weights);
    if (b.stencil->count == 0 && !b.no_memory) {
        smap_stencil_destroy(b.stencil);
        return smap_fail(err, SMAP_EINVAL, "has no offset in %zu dimension", ndims);
    }
    return finish(&b, stencil, err);
}

int smap_stencil_parse(struct smap_stencil **stencil, const char *text, size_t ndims,
                       struct smap_error *err)
{
    struct builder b;
    size_t length = strcspn(text, "*");
    const char *shapes = text[length] ? text + length + 1 : NULL;
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (strlen(named[i].name) == length && strncmp(text, named[i].name, length) == 0)
            return parse_name(stencil, &named[i], shapes, ndims, err);
    if (begin(&b, ndims, err) != SMAP_OK)
        return SMAP_ENOMEM;
    int rc = parse_offsets(&b, text, ndims, err);
    if (rc != SMAP_OK) {
        smap_stencil_destroy(b.stencil);
        return rc;
    }
    return finish(&b, stencil, err);
}

int smap_stencil_create(struct smap_stencil **stencil, size_t ndims, size_t count,
                        const int32_t offsets[], const uint32_t weights[], struct smap_error *err)
{
    struct builder b;
    if (ndims < 1 || ndims > SMAP_DIMS_MAX)
        return smap_fail(err, SMAP_EINVAL, "%zu dimensions, the limit is 1 to %d", ndims,
                         SMAP_DIMS_MAX);
    for (size_t i = 0; i < count * ndims; i++)
        if (offsets[i] < -SMAP_OFFSET_MAX || offsets[i] > SMAP_OFFSET_MAX)
            return smap_fail(err, SMAP_EINVAL, "offset component %" PRId32 " is beyond %d",
                             offsets[i], SMAP_OFFSET_MAX);
    for (size_t i = 0; weights && i < count; i++)
        if (weights[i] == 0 || weights[i] > SMAP_WEIGHT_MAX)
            return smap_fail(err, SMAP_EINVAL, "weight %" PRIu32 " is not 1 to %d", weights[i],
                             SMAP_WEIGHT_MAX);
    if (begin(&b, ndims, err) != SMAP_OK)
        return SMAP_ENOMEM;
    for (size_t i = 0; i < count; i++)
        add(&b, offsets + i * ndims, weights ? weights[i] : 1);
    return finish(&b, stencil, err);
}

void smap_stencil_destroy(struct smap_stencil *stencil)
{
    if (!stencil)
        return;
    free(stencil->offsets);
    free(stencil->weights);
    free(stencil);
}

const int32_t *smap_stencil_offset(const struct smap_stencil *stencil, size_t i)
{
    return stencil->offsets + i * stencil->ndims;
}

uint64_t smap_stencil_weight(const struct smap_stencil *stencil)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < stencil->count; i++)
        sum += stencil->weights[i];
    return sum;
}

char *smap_stencil_format(const struct smap_stencil *stencil)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < stencil->count; i++) {
        const int32_t *offset = smap_stencil_offset(stencil, i);
        for (size_t j = 0; j < stencil->ndims; j++)
            smap_text_add(&text, "%s%" PRId32, j ? "," : i ? ";" : "", offset[j]);
        if (stencil->weights[i] != 1)
            smap_text_add(&text, "*%" PRIu32, stencil->weights[i]);
    }
    return smap_text_take(&text);
}
