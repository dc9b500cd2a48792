/* SPDX-License-Identifier: BSD-3-Clause */
#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "base/text.h"
#include "best/algorithms.h"
#include "plan/part.h"

/* The value of STENCILMAP_name; empty counts as not there. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static bool number(const char *name, uint64_t max, uint64_t *value)
{
    const char *cursor = variable(name);
    return cursor && smap_scan_uint(&cursor, max, value) && *cursor == '\0';
}

static bool read_grid(struct smap_grid *grid)
{
    const char *dims_text = variable("STENCILMAP_DIMS");
    const char *periodic_text = variable("STENCILMAP_PERIODIC");
    uint32_t dims[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX] = {false};
    size_t ndims, flags;
    bool column = false;
    /* A column-major grid is not what MPI numbers; the plugin tells row-major ones only. */
    if (!dims_text || smap_dims_parse(dims, &ndims, &column, dims_text, NULL) != SMAP_OK || column)
        return false;
    if (periodic_text &&
        (smap_periodic_parse(periodic, &flags, periodic_text, NULL) != SMAP_OK || flags != ndims))
        return false;
    return smap_grid_init(grid, ndims, dims, periodic, NULL) == SMAP_OK;
}

/* An algorithm that can compute something new. The plugin may also have told the short form of a
 * mapping that it has found, whose parameter is good for one instance only. */
static const char *algorithm_text(const char *map)
{
    const struct smap_algorithm *algorithm = map ? smap_algorithm_find(NULL, map) : NULL;
    return algorithm && algorithm->parameter != SMAP_PARAMETER_REQUIRED ? map : NULL;
}

static void read_gain(struct smap_hints *hints)
{
    uint64_t jmax = 0;
    hints->jsum_known = number("STENCILMAP_JSUM", UINT64_MAX, &hints->jsum);
    hints->gain_known = hints->jsum_known && number("STENCILMAP_JMAX", UINT64_MAX, &jmax) &&
                        number("STENCILMAP_JSUM_BEFORE", UINT64_MAX, &hints->before.jsum) &&
                        number("STENCILMAP_JMAX_BEFORE", UINT64_MAX, &hints->before.jmax);
    hints->after = (struct smap_score){.jsum = hints->jsum, .jmax = jmax};
}

void smap_hints_read(struct smap_hints *hints)
{
    uint64_t value;
    uint32_t last;
    *hints = (struct smap_hints){.placement = variable("STENCILMAP_PLACEMENT"),
                                 .stencil_text = variable("STENCILMAP_STENCIL"),
                                 .map = variable("STENCILMAP_MAP")};
    hints->grid_known = read_grid(&hints->grid);
    if (hints->grid_known && hints->stencil_text &&
        smap_stencil_parse(&hints->stencil, hints->stencil_text, hints->grid.ndims, NULL) !=
            SMAP_OK)
        hints->stencil = NULL;
    hints->rank_known = number("STENCILMAP_RANK", UINT32_MAX, &value);
    if (hints->rank_known)
        hints->rank = (uint32_t)value;
    const char *ranks = variable("STENCILMAP_RANKS");
    hints->part = ranks != NULL;
    if (ranks && smap_ranks_parse(&hints->first, &last, ranks, NULL) != SMAP_OK)
        hints->rank_known = false;
    read_gain(hints);
    hints->launch = hints->placement && strcmp(hints->placement, "launch") == 0;
    hints->algorithm = algorithm_text(hints->map);
}

void smap_hints_clear(struct smap_hints *hints)
{
    smap_stencil_destroy(hints->stencil);
    hints->stencil = NULL;
}

bool smap_hints_mode(const char *word)
{
    const char *words = variable("STENCILMAP_MPI");
    size_t wanted = strlen(word);
    while (words) {
        size_t length = strcspn(words, ",");
        if (length == wanted && strncmp(words, word, length) == 0)
            return true;
        words = words[length] ? words + length + 1 : NULL;
    }
    return false;
}

bool smap_hints_fit(const struct smap_hints *hints, const struct smap_grid *grid,
                    const struct smap_stencil *stencil)
{
    if (!hints->grid_known || !hints->stencil || hints->grid.ndims != grid->ndims)
        return false;
    for (size_t i = 0; i < grid->ndims; i++)
        if (hints->grid.dims[i] != grid->dims[i] || hints->grid.periodic[i] != grid->periodic[i])
            return false;
    return !stencil || smap_stencil_same(hints->stencil, stencil);
}

uint64_t smap_stencil_fingerprint(const struct smap_stencil *s)
{
    uint64_t hash = smap_fingerprint(s->offsets, s->count * s->ndims * sizeof(*s->offsets), 0);
    return smap_fingerprint(s->weights, s->count * sizeof(*s->weights), hash);
}

/* An offset with its weight, for sorting. */
struct edge {
    const int32_t *offset;
    size_t ndims;
    uint32_t weight;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    for (size_t i = 0; i < x->ndims; i++)
        if (x->offset[i] != y->offset[i])
            return x->offset[i] < y->offset[i] ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

static void sort_edges(const struct smap_stencil *s, struct edge edges[])
{
    for (size_t i = 0; i < s->count; i++)
        edges[i] = (struct edge){smap_stencil_offset(s, i), s->ndims, s->weights[i]};
    qsort(edges, s->count, sizeof(*edges), compare_edges);
}

bool smap_stencil_same(const struct smap_stencil *a, const struct smap_stencil *b)
{
    if (a->ndims != b->ndims || a->count != b->count)
        return false;
    struct edge *edges = calloc(2 * a->count + 1, sizeof(*edges));
    bool same = edges != NULL;
    if (edges) {
        sort_edges(a, edges);
        sort_edges(b, edges + a->count);
    }
    for (size_t i = 0; same && i < a->count; i++)
        same = compare_edges(&edges[i], &edges[a->count + i]) == 0;
    free(edges);
    return same;
}
