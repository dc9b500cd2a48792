/* SPDX-License-Identifier: BSD-3-Clause */
#include "best_search.h"

#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "guillotine.h"
#include "portfolio.h"
#include "portfolio_order.h"
#include "refine.h"
#include "refine_graph.h"
#include "refine_max.h"

/* Structured layouts that refinement may start from. */
#define STARTS 6

/* Above so many edges no graph is built: layouts are scored straight from the grid and not
 * refined, since the fixed number of steps would be too few a cell to matter. */
#define EDGES_MAX (UINT64_C(1) << 22)

/* Greedy takes k^2 steps a cell and is far behind on large grids: not tried above so many cells. */
#define GREEDY_MAX (1u << 17)

/* Refinement with fewer steps a cell is left alone. */
#define STEPS_MIN 100

#ifndef ROUNDS
#define ROUNDS 4
#endif
/* What an effort buys. */
struct effort {
    uint64_t layout_work; /* edges visited for exact scores of structured layouts */
    size_t layouts_max;
    uint64_t steps_per_cell;
    uint64_t steps_max;
    size_t rounds; /* over the plan of refine_all */
    struct smap_guillotine_limits guillotine;
};

static const struct effort efforts[] = {
    [SMAP_EFFORT_FAST] = {3000000, 400, 400, 1000000, 1, {100, 3, 4}},
    [SMAP_EFFORT_NORMAL] = {12000000, 1000, 25000, 60000000, 1, {1000, 6, 8}},
    [SMAP_EFFORT_THOROUGH] = {40000000, 2000, 250000, 500000000, ROUNDS, {4000, 12, 16}},
};

struct start {
    struct smap_score score;
    uint32_t *node_of_cell;
};

struct search {
    const struct smap_grid *grid;
    const struct smap_stencil *stencil;
    const struct smap_nodesizes *sizes;
    const struct smap_mapping_options *options;
    const struct effort *effort;
    uint32_t nodes;
    struct smap_refine_graph *graph; /* NULL: too many edges */
    uint32_t *component;             /* of each cell; NULL if there is one only */
    uint32_t *cell_at;               /* scratch: a layout as an order of cells */
    uint32_t *sorted;                /* scratch: the same, component after component */
    uint32_t *node_of_cell;          /* scratch: a layout as nodes */
    uint32_t *node_order;            /* scratch, per node; NULL if all have the same size */
    uint64_t *out;                   /* scratch, per node */
    struct start starts[STARTS + 1]; /* best first */
    size_t start_count;
    struct smap_best_result *result;
};

static bool better(const struct search *s, const struct smap_score *a, const struct smap_score *b)
{
    if (s->options->objective == SMAP_OBJECTIVE_MAX)
        return a->jmax < b->jmax || (a->jmax == b->jmax && a->jsum < b->jsum);
    return a->jsum < b->jsum || (a->jsum == b->jsum && a->jmax < b->jmax);
}

static int score(struct search *s, const uint32_t node_of_cell[], struct smap_score *score_out,
                 struct smap_error *err)
{
    if (!s->graph)
        return smap_score_nodes(score_out, s->grid, s->stencil, node_of_cell, s->nodes, NULL, err);
    smap_refine_graph_score(s->graph, node_of_cell, s->nodes, s->out, score_out);
    return SMAP_OK;
}

/* Keeps a division as a start of refinement if it is among the best; two of the same score are most
 * likely mirror images. */
static int offer_start(struct search *s, const uint32_t node_of_cell[],
                       const struct smap_score *new_score, struct smap_error *err)
{
    size_t at = 0;
    if (!s->graph)
        return SMAP_OK;
    while (at < s->start_count && better(s, &s->starts[at].score, new_score))
        at++;
    if (at == STARTS || (at < s->start_count && !better(s, new_score, &s->starts[at].score)))
        return SMAP_OK;
    struct start *spare = &s->starts[s->start_count];
    if (!spare->node_of_cell)
        spare->node_of_cell = calloc(s->grid->cells, sizeof(*spare->node_of_cell));
    if (!spare->node_of_cell)
        return smap_nomem(err);
    uint32_t *copy = spare->node_of_cell;
    memcpy(copy, node_of_cell, s->grid->cells * sizeof(*copy));
    memmove(&s->starts[at + 1], &s->starts[at], (s->start_count - at) * sizeof(s->starts[0]));
    s->starts[at] = (struct start){*new_score, copy};
    if (s->start_count < STARTS)
        s->start_count++;
    return SMAP_OK;
}

static void nodes_from_order(const struct search *s, const uint32_t cell_at[])
{
    for (uint32_t node = 0, q = 0; node < s->nodes; node++)
        for (uint32_t end = q + smap_nodesizes_size(s->sizes, node); q < end; q++)
            s->node_of_cell[cell_at[q]] = node;
}

/* Keeps a table of nodes as the result. */
static int keep_table(struct search *s, const uint32_t node_of_cell[],
                      const struct smap_score *new_score, struct smap_error *err)
{
    struct smap_best_result *r = s->result;
    if (!r->node_of_cell)
        r->node_of_cell = calloc(s->grid->cells, sizeof(*r->node_of_cell));
    if (!r->node_of_cell)
        return smap_nomem(err);
    memcpy(r->node_of_cell, node_of_cell, s->grid->cells * sizeof(*r->node_of_cell));
    r->kind = SMAP_BEST_TABLE;
    r->score = *new_score;
    return SMAP_OK;
}

/* The order in s->cell_at, component after component: a stable counting sort. */
static void sort_by_component(struct search *s, uint32_t first[], uint32_t components)
{
    memset(first, 0, ((size_t)components + 1) * sizeof(*first));
    for (uint32_t c = 0; c < s->grid->cells; c++)
        first[s->component[c] + 1]++;
    for (uint32_t i = 0; i < components; i++)
        first[i + 1] += first[i];
    for (uint32_t q = 0; q < s->grid->cells; q++)
        s->sorted[first[s->component[s->cell_at[q]]]++] = s->cell_at[q];
}

/* Looks at the layout in s->cell_at; bands or name say how to get it again. */
static int try_layout(struct search *s, const char *name, const struct smap_bands *bands,
                      struct smap_error *err)
{
    struct smap_best_result *r = s->result;
    struct smap_score found;
    nodes_from_order(s, s->cell_at);
    int rc = score(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK && !name && !bands && better(s, &found, &r->score))
        rc = keep_table(s, s->node_of_cell, &found, err);
    else if (rc == SMAP_OK && better(s, &found, &r->score)) {
        r->kind = bands ? SMAP_BEST_BANDS : SMAP_BEST_NAMED;
        r->name = name;
        r->score = found;
        if (bands)
            r->bands = *bands;
    }
    if (rc == SMAP_OK)
        rc = offer_start(s, s->node_of_cell, &found, err);
    return rc;
}

/* The same, and the layout sorted by component if there is more than one. */
static int try_both(struct search *s, const char *name, const struct smap_bands *bands,
                    uint32_t components, uint32_t first[], struct smap_error *err)
{
    struct smap_score found;
    int rc = try_layout(s, name, bands, err);
    if (rc != SMAP_OK || components < 2)
        return rc;
    sort_by_component(s, first, components);
    nodes_from_order(s, s->sorted);
    rc = score(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK && better(s, &found, &s->result->score))
        rc = keep_table(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK)
        rc = offer_start(s, s->node_of_cell, &found, err);
    return rc;
}

static bool finished(const struct search *s)
{
    return s->options->objective == SMAP_OBJECTIVE_SUM && s->result->score.jsum == 0;
}

/* The same bands with unequal nodes in an order that fits them. */
static int try_order(struct search *s, const struct smap_bands *bands, struct smap_error *err)
{
    struct smap_score found;
    bool fits = false;
    if (!s->node_order)
        return SMAP_OK;
    int rc = smap_portfolio_order(s->node_order, &fits, bands, s->grid, s->sizes, err);
    if (rc != SMAP_OK || !fits)
        return rc;
    for (uint32_t i = 0, q = 0; i < s->nodes; i++) {
        uint32_t node = s->node_order[i];
        for (uint32_t end = q + smap_nodesizes_size(s->sizes, node); q < end; q++)
            s->node_of_cell[s->cell_at[q]] = node;
    }
    rc = score(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK && better(s, &found, &s->result->score))
        rc = keep_table(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK)
        rc = offer_start(s, s->node_of_cell, &found, err);
    return rc;
}

static int try_bands(struct search *s, uint32_t components, uint32_t first[],
                     struct smap_error *err)
{
    uint64_t work = s->grid->cells * (uint64_t)(s->stencil->count + 3);
    size_t count = s->effort->layout_work / work, found = 0;
    size_t least = s->grid->cells > 4000000 ? 4 : 8;
    count = count < least ? least : count;
    count = count > s->effort->layouts_max ? s->effort->layouts_max : count;
    struct smap_bands *bands = calloc(count, sizeof(*bands));
    if (!bands)
        return smap_nomem(err);
    int rc = smap_portfolio_bands(s->grid, s->stencil, s->sizes, count, bands, &found, err);
    for (size_t k = 0; rc == SMAP_OK && k < found && !finished(s); k++) {
        smap_bands_cells(&bands[k], s->grid, s->cell_at);
        rc = try_both(s, NULL, &bands[k], components, first, err);
        if (rc == SMAP_OK)
            rc = try_order(s, &bands[k], err);
    }
    free(bands);
    return rc;
}

/* Every other algorithm on offer, blocked first. */
static int try_named(struct search *s, uint32_t components, uint32_t first[],
                     struct smap_error *err)
{
    const char *name, *summary;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && smap_mapping_algorithm(i, &name, &summary); i++) {
        struct smap_mapping *mapping = NULL;
        if (strcmp(name, "best") == 0 || strcmp(name, "random") == 0)
            continue;
        if (strcmp(name, "greedy") == 0 && s->grid->cells > GREEDY_MAX)
            continue;
        rc = smap_mapping_create(&mapping, name, s->grid, s->stencil, s->sizes, err);
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
static int try_guillotine(struct search *s, uint32_t components, uint32_t first[],
                          struct smap_error *err)
{
    bool found = false;
    if (!s->graph)
        return SMAP_OK;
    int rc = smap_guillotine(s->cell_at, &found, s->grid, s->stencil, s->sizes,
                             &s->effort->guillotine, err);
    return rc == SMAP_OK && found ? try_both(s, NULL, NULL, components, first, err) : rc;
}

/* Anneals one start and keeps what comes out of it if it is better. */
static int refine(struct search *s, size_t from, const struct smap_refine_schedule *schedule,
                  struct smap_error *err)
{
    struct smap_score found;
    if (from >= s->start_count)
        from = s->start_count - 1;
    memcpy(s->node_of_cell, s->starts[from].node_of_cell,
           s->grid->cells * sizeof(*s->node_of_cell));
    int rc = smap_refine_sum(s->graph, s->nodes, s->node_of_cell, schedule, err);
    if (rc == SMAP_OK)
        rc = score(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK && better(s, &found, &s->result->score))
        rc = keep_table(s, s->node_of_cell, &found, err);
    if (rc == SMAP_OK)
        rc = offer_start(s, s->node_of_cell, &found, err);
    return rc;
}

/* Steps of refinement in all; 0 where there would be too few a cell to matter. Without a table of
 * links a step takes several times as long. */
static uint64_t steps_for(const struct search *s)
{
    uint64_t steps = s->effort->steps_per_cell * s->grid->cells, most = s->effort->steps_max;
    if ((uint64_t)s->grid->cells * s->nodes > SMAP_REFINE_LINKS_MAX)
        most /= 4;
    steps = steps < most ? steps : most;
    return steps / STEPS_MIN < s->grid->cells ? 0 : steps;
}

static int refine_all(struct search *s, struct smap_error *err)
{
    static const struct {
        size_t from;
        uint32_t temperature, halves, share; /* of 100 */
    } plan[] = {
        {0, 100, 1, 5},  {0, 140, 1, 20}, {1, 140, 1, 15},
        {2, 200, 1, 20}, {0, 260, 2, 20}, {3, 160, 1, 20},
    };
    size_t legs = s->effort->rounds * sizeof(plan) / sizeof(plan[0]);
    uint64_t steps = steps_for(s) / s->effort->rounds;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < legs && !finished(s); i++) {
        size_t leg = i % (sizeof(plan) / sizeof(plan[0]));
        struct smap_refine_schedule schedule = {
            .steps = steps / 100 * plan[leg].share,
            .start = plan[leg].temperature,
            .halves = plan[leg].halves,
            .seed = i + 1,
            .enough = s->result->bound,
        };
        if (s->result->bound && s->starts[0].score.jsum == s->result->bound)
            break;
        rc = refine(s, plan[leg].from, &schedule, err);
    }
    return rc;
}

/* Takes weight off the worst node: at the same J_sum, or, if J_max is what counts, at any. */
static int level_out(struct search *s, struct smap_error *err)
{
    bool keep_sum = s->options->objective != SMAP_OBJECTIVE_MAX;
    uint64_t steps = steps_for(s) / (keep_sum ? 20 : 8);
    size_t starts = keep_sum ? 1 : s->start_count;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && i < starts; i++) {
        struct smap_score found;
        memcpy(s->node_of_cell, s->starts[i].node_of_cell,
               s->grid->cells * sizeof(*s->node_of_cell));
        rc = smap_refine_max(s->graph, s->nodes, s->node_of_cell, keep_sum,
                             steps / starts, i + 1, err);
        if (rc == SMAP_OK)
            rc = score(s, s->node_of_cell, &found, err);
        if (rc == SMAP_OK && better(s, &found, &s->result->score))
            rc = keep_table(s, s->node_of_cell, &found, err);
    }
    return rc;
}

static int prepare(struct search *s, struct smap_error *err)
{
    size_t cells = s->grid->cells;
    s->cell_at = calloc(cells, sizeof(*s->cell_at));
    s->node_of_cell = calloc(cells, sizeof(*s->node_of_cell));
    s->out = calloc(s->nodes, sizeof(*s->out));
    bool unequal = smap_nodesizes_uniform(s->sizes) == 0;
    if (unequal)
        s->node_order = calloc(s->nodes, sizeof(*s->node_order));
    if (!s->cell_at || !s->node_of_cell || !s->out || (unequal && !s->node_order))
        return smap_nomem(err);
    if (2 * cells * (uint64_t)s->stencil->count > EDGES_MAX)
        return SMAP_OK;
    return smap_refine_graph_create(&s->graph, s->grid, s->stencil, NULL, 0, err);
}

static void release(struct search *s)
{
    smap_refine_graph_destroy(s->graph);
    free(s->component);
    free(s->cell_at);
    free(s->sorted);
    free(s->node_of_cell);
    free(s->node_order);
    free(s->out);
    for (size_t i = 0; i <= STARTS; i++)
        free(s->starts[i].node_of_cell);
}

/* Finds the components of the stencil graph; *first gets room for one counter each. */
static int find_components(struct search *s, uint32_t *components, uint32_t **first,
                           struct smap_error *err)
{
    *components = 1;
    *first = NULL;
    if (!s->graph)
        return SMAP_OK;
    s->component = calloc(s->grid->cells, sizeof(*s->component));
    s->sorted = calloc(s->grid->cells, sizeof(*s->sorted));
    if (!s->component || !s->sorted)
        return smap_nomem(err);
    *components = smap_refine_graph_components(s->graph, s->component, s->sorted);
    *first = calloc((size_t)*components + 1, sizeof(**first));
    return *first ? SMAP_OK : smap_nomem(err);
}

int smap_best_search(struct smap_best_result *result, const struct smap_grid *grid,
                     const struct smap_stencil *stencil, const struct smap_nodesizes *sizes,
                     const struct smap_mapping_options *options, struct smap_error *err)
{
    struct search s = {.grid = grid,
                       .stencil = stencil,
                       .sizes = sizes,
                       .options = options,
                       .effort = &efforts[options->effort],
                       .nodes = smap_nodesizes_nodes(sizes),
                       .result = result};
    uint32_t components, *first = NULL;
    *result = (struct smap_best_result){.kind = SMAP_BEST_NAMED, .name = "blocked"};
    result->score = (struct smap_score){UINT64_MAX, UINT64_MAX, 0};
    int rc = prepare(&s, err);
    if (rc == SMAP_OK)
        rc = smap_bound_jsum(&result->bound, grid, stencil, sizes, err);
    if (rc == SMAP_OK)
        rc = find_components(&s, &components, &first, err);
    if (rc == SMAP_OK)
        rc = try_named(&s, components, first, err);
    if (rc == SMAP_OK && !finished(&s))
        rc = try_bands(&s, components, first, err);
    if (rc == SMAP_OK && !finished(&s))
        rc = try_guillotine(&s, components, first, err);
    bool refined = s.graph && steps_for(&s) > 0;
    if (rc == SMAP_OK && refined && !finished(&s))
        rc = refine_all(&s, err);
    if (rc == SMAP_OK && refined && result->score.jsum > 0 && s.nodes > 1)
        rc = level_out(&s, err);
    free(first);
    release(&s);
    if (rc != SMAP_OK || result->kind != SMAP_BEST_TABLE) {
        free(result->node_of_cell);
        result->node_of_cell = NULL;
    }
    return rc;
}
