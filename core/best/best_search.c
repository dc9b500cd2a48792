/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best_search.h"

#include <stdlib.h>
#include <string.h>

#include "best/best_levels_private.h"
#include "best/best_refine_private.h"
#include "best/best_state_private.h"
#include "bound/bound.h"
#include "map/bands_nodes.h"
#include "map/bands_search.h"

/* Above so many edges no graph is built: layouts are scored straight from the grid and not
 * refined, since the fixed number of steps would be too few a cell to matter. */
#define EDGES_MAX (UINT64_C(1) << 22)

/* Greedy takes k^2 steps a cell and is far behind on large grids: not tried above so many cells. */
#define GREEDY_MAX (1u << 17)

static const struct smap_best_effort efforts[] = {
    [SMAP_EFFORT_FAST] = {3000000, 400, 400, 1000000, 1, {100, 3, 4}},
    [SMAP_EFFORT_NORMAL] = {12000000, 1000, 25000, 60000000, 1, {1000, 6, 8}},
    [SMAP_EFFORT_THOROUGH] = {40000000, 2000, 400000, 500000000, 8, {6000, 20, 32}},
};

/* The order in s->cell_at, component after component: a stable counting sort. */
static void sort_by_component(struct smap_best_state *s, uint32_t first[], uint32_t components)
{
    memset(first, 0, ((size_t)components + 1) * sizeof(*first));
    for (uint32_t c = 0; c < s->in->grid->cells; c++)
        first[s->component[c] + 1]++;
    for (uint32_t i = 0; i < components; i++)
        first[i + 1] += first[i];
    for (uint32_t q = 0; q < s->in->grid->cells; q++)
        s->sorted[first[s->component[s->cell_at[q]]]++] = s->cell_at[q];
}

/* Looks at the layout in s->cell_at; bands or name, if any, say how to get it again. */
static int try_layout(struct smap_best_state *s, const char *name, const struct smap_bands *bands,
                      struct smap_error *err)
{
    struct smap_best_result *r = s->result;
    struct smap_score found;
    smap_best_fill(s, s->cell_at);
    if (!name && !bands)
        return smap_best_take(s, err);
    int rc = smap_best_score(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK && smap_best_better(s, &found, &r->score)) {
        r->kind = bands ? SMAP_BEST_BANDS : SMAP_BEST_NAMED;
        r->name = name;
        r->score = found;
        if (bands)
            r->bands = *bands;
    }
    if (rc == SMAP_OK)
        rc = smap_best_offer(s, s->node_of_cell, &found, err);
    return rc;
}

/* The same, and the layout sorted by component if there is more than one. */
static int try_both(struct smap_best_state *s, const char *name, const struct smap_bands *bands,
                    uint32_t components, uint32_t first[], struct smap_error *err)
{
    int rc = try_layout(s, name, bands, err);
    if (rc != SMAP_OK || components < 2)
        return rc;
    sort_by_component(s, first, components);
    smap_best_fill(s, s->sorted);
    return smap_best_take(s, err);
}

/* The same bands with unequal nodes in an order that fits them. */
static int try_order(struct smap_best_state *s, const struct smap_bands *bands,
                     struct smap_error *err)
{
    bool fits = false;
    if (!s->node_order)
        return SMAP_OK;
    int rc = smap_bands_nodes(s->node_order, &fits, bands, s->in, err);
    if (rc != SMAP_OK || !fits)
        return rc;
    for (uint32_t i = 0, q = 0; i < s->nodes; i++) {
        uint32_t node = s->node_order[i];
        for (uint32_t end = q + smap_nodesizes_size(s->in->sizes, node); q < end; q++)
            s->node_of_cell[s->cell_at[q]] = node;
    }
    return smap_best_take(s, err);
}

static int try_bands(struct smap_best_state *s, uint32_t components, uint32_t first[],
                     struct smap_error *err)
{
    uint64_t work = s->in->grid->cells * (uint64_t)(s->in->stencil->count + 3);
    size_t count = s->effort->layout_work / work, found = 0;
    size_t least = s->in->grid->cells > 4000000 ? 4 : 8;
    count = count < least ? least : count;
    count = count > s->effort->layouts_max ? s->effort->layouts_max : count;
    struct smap_bands *bands = calloc(count, sizeof(*bands));
    if (!bands)
        return smap_nomem(err);
    int rc = smap_bands_search(bands, &found, s->in, count, err);
    for (size_t k = 0; rc == SMAP_OK && k < found && !smap_best_finished(s); k++) {
        smap_bands_cells(&bands[k], s->in->grid, s->cell_at);
        rc = try_both(s, NULL, &bands[k], components, first, err);
        if (rc == SMAP_OK)
            rc = try_order(s, &bands[k], err);
    }
    free(bands);
    return rc;
}

/* Every other algorithm on offer, blocked first. */
static int try_named(struct smap_best_state *s, uint32_t components, uint32_t first[],
                     struct smap_error *err)
{
    const char *name, *summary;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && smap_mapping_algorithm(i, &name, &summary); i++) {
        struct smap_mapping *mapping = NULL;
        if (strcmp(name, "best") == 0 || strcmp(name, "random") == 0)
            continue;
        if (strcmp(name, "greedy") == 0 && s->in->grid->cells > GREEDY_MAX)
            continue;
        if (strcmp(name, "cuts") == 0 && s->graph) /* try_guillotine does it at least as well */
            continue;
        rc = smap_mapping_create(&mapping, name, s->in, NULL, err);
        if (rc == SMAP_OK) {
            smap_mapping_cells(mapping, s->cell_at);
            rc = try_both(s, name, NULL, components, first, err);
        } else if (rc == SMAP_ENOTSUP) {
            rc = SMAP_OK;
        }
        smap_mapping_destroy(mapping);
    }
    return rc;
}

/* The best recursive bisection. It has no short form of its own. */
static int try_guillotine(struct smap_best_state *s, uint32_t components, uint32_t first[],
                          struct smap_error *err)
{
    bool found = false;
    if (!s->graph)
        return SMAP_OK;
    int rc = smap_guillotine(s->cell_at, &found, s->in, &s->effort->guillotine, err);
    return rc == SMAP_OK && found ? try_both(s, NULL, NULL, components, first, err) : rc;
}

static int prepare(struct smap_best_state *s, struct smap_error *err)
{
    size_t cells = s->in->grid->cells;
    s->cell_at = calloc(cells, sizeof(*s->cell_at));
    s->node_of_cell = calloc(cells, sizeof(*s->node_of_cell));
    s->out = calloc(s->nodes, sizeof(*s->out));
    bool unequal = smap_nodesizes_uniform(s->in->sizes) == 0;
    if (unequal)
        s->node_order = calloc(s->nodes, sizeof(*s->node_order));
    if (!s->cell_at || !s->node_of_cell || !s->out || (unequal && !s->node_order))
        return smap_nomem(err);
    if (2 * cells * (uint64_t)s->in->stencil->count > EDGES_MAX)
        return SMAP_OK;
    return smap_refine_graph_create(&s->graph, s->in->grid, s->in->stencil, NULL, 0, err);
}

static void release(struct smap_best_state *s)
{
    smap_refine_graph_destroy(s->graph);
    free(s->component);
    free(s->cell_at);
    free(s->sorted);
    free(s->node_of_cell);
    free(s->node_order);
    free(s->out);
    for (size_t i = 0; i <= SMAP_BEST_STARTS; i++)
        free(s->starts[i].node_of_cell);
}

/* Finds the components of the stencil graph; *first gets room for one counter each. */
static int find_components(struct smap_best_state *s, uint32_t *components, uint32_t **first,
                           struct smap_error *err)
{
    *components = 1;
    *first = NULL;
    if (!s->graph)
        return SMAP_OK;
    s->component = calloc(s->in->grid->cells, sizeof(*s->component));
    s->sorted = calloc(s->in->grid->cells, sizeof(*s->sorted));
    if (!s->component || !s->sorted)
        return smap_nomem(err);
    *components = smap_refine_graph_components(s->component, s->graph, s->sorted);
    *first = calloc((size_t)*components + 1, sizeof(**first));
    return *first ? SMAP_OK : smap_nomem(err);
}

int smap_best_search(struct smap_best_result *result, const struct smap_instance *instance,
                     const struct smap_mapping_options *options, struct smap_error *err)
{
    struct smap_best_state s = {.in = instance,
                                .options = options,
                                .effort = &efforts[options->effort],
                                .nodes = smap_nodesizes_nodes(instance->sizes),
                                .result = result};
    uint32_t components, *first = NULL;
    *result = (struct smap_best_result){.kind = SMAP_BEST_NAMED, .name = "blocked"};
    result->score = (struct smap_score){UINT64_MAX, UINT64_MAX, 0};
    int rc = prepare(&s, err);
    if (rc == SMAP_OK)
        rc = smap_bound_jsum(&result->bound, instance, err);
    if (rc == SMAP_OK)
        rc = find_components(&s, &components, &first, err);
    if (rc == SMAP_OK)
        rc = try_named(&s, components, first, err);
    if (rc == SMAP_OK && !smap_best_finished(&s))
        rc = try_bands(&s, components, first, err);
    if (rc == SMAP_OK && !smap_best_finished(&s))
        rc = try_guillotine(&s, components, first, err);
    if (rc == SMAP_OK)
        rc = smap_best_refine(&s, err);
    if (rc == SMAP_OK)
        rc = smap_best_levels(&s, err);
    free(first);
    release(&s);
    if (rc != SMAP_OK || result->kind != SMAP_BEST_TABLE) {
        free(result->node_of_cell);
        result->node_of_cell = NULL;
    }
    return rc;
}
