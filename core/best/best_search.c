/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/best_search.h"

#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "best/best_graph_private.h"
#include "best/best_levels_private.h"
#include "best/best_refine_private.h"
#include "best/best_state_private.h"
#include "bound/bound.h"
#include "map/bands_nodes.h"
#include "map/bands_search.h"

/* Above so many edges, and where a closed form is wanted, no graph is built: layouts are scored
 * straight from the grid and not refined, since the fixed number of steps would be too few a cell
 * to matter. */
#define EDGES_MAX (UINT64_C(1) << 22)

/* To lay out a cell and to look at it costs about as much as so many edges. */
#define CELL_AS_EDGES 3

/* At least so many band layouts are scored, half of them on grids of more cells than that, where a
 * layout takes long. */
#define LAYOUTS_MIN       8
#define LAYOUTS_MIN_CELLS 4000000

/* On the slowest row of the 2020 paper's table these come to 0.02 s, 0.4 s and 6 s: what nobody
 * notices at a launch, what is no trouble, and what somebody asks for who launches often. Each buys
 * more of everything, since a better layout is worth more to refinement, and the other way round;
 * the numbers themselves were found by trying. */
static const struct smap_best_effort efforts[] = {
    [SMAP_EFFORT_FAST] = {.layout_work = 3000000,
                          .layouts_max = 400,
                          .steps_per_cell = 400,
                          .steps_max = 1000000,
                          .divisions = 2,
                          .moves_per_cell = 2000,
                          .moves_max = 2000000,
                          .rounds = 1,
                          .guillotine = SMAP_GUILLOTINE_FAST},
    [SMAP_EFFORT_NORMAL] = {.layout_work = 12000000,
                            .layouts_max = 1000,
                            .steps_per_cell = 25000,
                            .steps_max = 60000000,
                            .divisions = 6,
                            .moves_per_cell = 50000,
                            .moves_max = 50000000,
                            .rounds = 1,
                            .guillotine = {.boxes = 1000, .fill = 6, .fill_layouts = 8}},
    [SMAP_EFFORT_THOROUGH] = {.layout_work = 40000000,
                              .layouts_max = 2000,
                              .steps_per_cell = 400000,
                              .steps_max = 500000000,
                              .divisions = 12,
                              .moves_per_cell = 500000,
                              .moves_max = 500000000,
                              .rounds = 8,
                              .guillotine = {.boxes = 6000, .fill = 20, .fill_layouts = 32}},
};

/* The order in s->cell_at, component after component: a stable counting sort. */
static void sort_by_component(struct smap_best_state *s)
{
    memset(s->first, 0, ((size_t)s->components + 1) * sizeof(*s->first));
    for (uint32_t c = 0; c < s->in->grid->cells; c++)
        s->first[s->component[c] + 1]++;
    for (uint32_t i = 0; i < s->components; i++)
        s->first[i + 1] += s->first[i];
    for (uint32_t q = 0; q < s->in->grid->cells; q++)
        s->sorted[s->first[s->component[s->cell_at[q]]]++] = s->cell_at[q];
}

/* Looks at the layout in s->cell_at; algorithm, with bands if it is that, says how to get it again;
 * NULL: there is no way. */
static int try_layout(struct smap_best_state *s, const struct smap_algorithm *algorithm,
                      const struct smap_bands *bands, struct smap_error *err)
{
    struct smap_best_result *r = s->result;
    struct smap_score found;
    smap_best_fill(s, s->cell_at);
    if (!algorithm)
        return smap_best_take(s, err);
    int rc = smap_best_score(&found, s, s->node_of_cell, err);
    if (rc == SMAP_OK && smap_best_better(s, &found, &r->score)) {
        r->algorithm = algorithm;
        r->score = found;
        if (bands)
            r->bands = *bands;
    }
    if (rc == SMAP_OK)
        rc = smap_best_offer(s, s->node_of_cell, &found, err);
    return rc;
}

/* The same, and the layout sorted by component if there is more than one. */
static int try_both(struct smap_best_state *s, const struct smap_algorithm *algorithm,
                    const struct smap_bands *bands, struct smap_error *err)
{
    int rc = try_layout(s, algorithm, bands, err);
    if (rc != SMAP_OK || s->components < 2)
        return rc;
    sort_by_component(s);
    smap_best_fill(s, s->sorted);
    return smap_best_take(s, err);
}

/* The same bands with unequal nodes in an order that fits them. */
static int try_order(struct smap_best_state *s, const struct smap_bands *bands,
                     struct smap_error *err)
{
    bool fits = false;
    if (!s->node_order || s->options->closed_form)
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

/* How many band layouts may be scored. */
static size_t layouts(const struct smap_best_state *s)
{
    uint64_t work = s->in->grid->cells * (uint64_t)(s->in->stencil->count + CELL_AS_EDGES);
    size_t count = s->effort->layout_work / work;
    size_t least = s->in->grid->cells > LAYOUTS_MIN_CELLS ? LAYOUTS_MIN / 2 : LAYOUTS_MIN;
    count = count < least ? least : count;
    return count > s->effort->layouts_max ? s->effort->layouts_max : count;
}

static int try_bands(struct smap_best_state *s, struct smap_error *err)
{
    size_t count = layouts(s), found = 0;
    struct smap_bands *bands = calloc(count, sizeof(*bands));
    if (!bands)
        return smap_nomem(err);
    int rc = smap_bands_search(bands, &found, s->in, count, err);
    for (size_t k = 0; rc == SMAP_OK && k < found && !smap_best_finished(s); k++) {
        smap_bands_cells(s->cell_at, &bands[k], s->in->grid);
        rc = try_both(s, &smap_algorithm_bands, &bands[k], err);
        if (rc == SMAP_OK)
            rc = try_order(s, &bands[k], err);
    }
    free(bands);
    return rc;
}

/* Is there nothing to learn from an algorithm? */
static bool needless(const struct smap_best_state *s, const struct smap_algorithm *algorithm)
{
    if (algorithm == &smap_algorithm_cuts && s->graph) /* try_guillotine does it at least as well */
        return true;
    return algorithm->searches || algorithm->control ||
           (s->options->closed_form && algorithm->whole_grid) ||
           (algorithm->cells_max && s->in->grid->cells > algorithm->cells_max);
}

/* Every other algorithm on offer, blocked first. */
static int try_algorithms(struct smap_best_state *s, struct smap_error *err)
{
    const struct smap_algorithm *algorithm;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && (algorithm = smap_algorithm_at(i)); i++) {
        struct smap_mapping *mapping = NULL;
        if (needless(s, algorithm))
            continue;
        rc = smap_mapping_create(&mapping, algorithm, s->in, NULL, err);
        if (rc == SMAP_OK) {
            smap_mapping_cells(s->cell_at, mapping);
            rc = try_both(s, algorithm, NULL, err);
        } else if (rc == SMAP_ENOTSUP) {
            rc = SMAP_OK;
        }
        smap_mapping_destroy(mapping);
    }
    return rc;
}

/* The best recursive bisection. It has no short form of its own. */
static int try_guillotine(struct smap_best_state *s, struct smap_error *err)
{
    bool found = false;
    if (!s->graph)
        return SMAP_OK;
    int rc = smap_guillotine(s->cell_at, &found, s->in, &s->effort->guillotine, err);
    return rc == SMAP_OK && found ? try_both(s, NULL, NULL, err) : rc;
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
    uint64_t edges = s->in->graph ? 0 : 2 * cells * (uint64_t)s->in->stencil->count;
    if (edges > EDGES_MAX || s->options->closed_form)
        return SMAP_OK;
    return smap_refine_graph_create(&s->graph, s->in, NULL, 0, err);
}

static void clear(struct smap_best_state *s)
{
    smap_refine_graph_destroy(s->graph);
    free(s->component);
    free(s->first);
    free(s->cell_at);
    free(s->sorted);
    free(s->node_of_cell);
    free(s->node_order);
    free(s->out);
    for (size_t i = 0; i <= SMAP_BEST_STARTS; i++)
        free(s->starts[i].node_of_cell);
}

static int find_components(struct smap_best_state *s, struct smap_error *err)
{
    s->components = 1;
    if (!s->graph)
        return SMAP_OK;
    s->component = calloc(s->in->grid->cells, sizeof(*s->component));
    s->sorted = calloc(s->in->grid->cells, sizeof(*s->sorted));
    if (!s->component || !s->sorted)
        return smap_nomem(err);
    s->components = smap_refine_graph_components(s->component, s->graph, s->sorted);
    s->first = calloc((size_t)s->components + 1, sizeof(*s->first));
    return s->first ? SMAP_OK : smap_nomem(err);
}

int smap_best_search(struct smap_best_result *result, const struct smap_instance *instance,
                     const struct smap_mapping_options *options, struct smap_error *err)
{
    struct smap_best_state s = {.in = instance,
                                .options = options,
                                .effort = &efforts[options->effort],
                                .nodes = smap_nodesizes_nodes(instance->sizes),
                                .result = result};
    *result = (struct smap_best_result){.algorithm = &smap_algorithm_blocked,
                                        .score = {UINT64_MAX, UINT64_MAX, 0}};
    int rc = prepare(&s, err);
    if (rc == SMAP_OK)
        rc = smap_bound_jsum(&result->bound, instance, err);
    if (rc == SMAP_OK)
        rc = find_components(&s, err);
    if (rc == SMAP_OK)
        rc = try_algorithms(&s, err);
    if (rc == SMAP_OK && instance->graph && !smap_best_finished(&s))
        rc = smap_best_graph(&s, err);
    if (rc == SMAP_OK && !instance->graph && !smap_best_finished(&s))
        rc = try_bands(&s, err);
    if (rc == SMAP_OK && !instance->graph && !smap_best_finished(&s))
        rc = try_guillotine(&s, err);
    if (rc == SMAP_OK)
        rc = smap_best_refine(&s, err);
    if (rc == SMAP_OK && !options->closed_form)
        rc = smap_best_levels(&s, err);
    clear(&s);
    if (rc != SMAP_OK || result->algorithm) {
        free(result->node_of_cell);
        result->node_of_cell = NULL;
    }
    return rc;
}
