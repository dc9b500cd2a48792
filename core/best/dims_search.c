/* SPDX-License-Identifier: BSD-3-Clause */
#include "best/dims_search.h"

#include <math.h>
#include <stdlib.h>

#include "best/best_search.h"
#include "best/dims_search_private.h"
#include "grid/grid.h"

/* Edges that the mappings of all grids together may be scored over, about; the search behind one
 * grid costs at least so many, and looks at each of its edges so often. It is a second or two. */
#define WORK       400000000
#define WORK_LEAST 6000000
#define WORK_EDGE  10

/* Grids of more cells are not mapped: four tables of all cells would be too much. */
#define CELLS_MAX (UINT32_C(1) << 22)

struct smap_dims_search {
    const struct smap_dims_request *request;
    struct smap_dims_choice choice[SMAP_DIMS_CHOICES_MAX];
    size_t count;
    double scale; /* makes the sizes of messages weights */
};

/* The domain where there is no lattice: so many points a task in each dimension. */
#define SIDE 32

static double domain_side(const struct smap_dims_request *request, size_t i)
{
    if (request->rules.lattice)
        return request->rules.lattice[i];
    return SIDE * pow(request->rules.p, 1.0 / (double)request->rules.d);
}

/* How large the message along an offset is on these dims. */
static double message(const struct smap_dims_request *request, const uint32_t dims[], size_t r)
{
    const int32_t *offset = smap_stencil_offset(request->stencil, r);
    double size = request->stencil->weights[r];
    for (size_t i = 0; i < request->rules.d; i++)
        if (offset[i] == 0)
            size *= domain_side(request, i) / dims[i];
    return size;
}

/* What a unit of dims_i adds to the messages of all: the weights of the offsets that cross i, over
 * the side of the domain; diagonal ones by the size that they have to faces. */
static void find_prices(double price[], const struct smap_dims_request *request)
{
    const struct smap_stencil *stencil = request->stencil;
    for (size_t i = 0; i < request->rules.d; i++) {
        price[i] = 0;
        for (size_t r = 0; r < stencil->count; r++) {
            const int32_t *offset = smap_stencil_offset(stencil, r);
            double size = stencil->weights[r] * (double)SIDE;
            for (size_t k = 0; k < stencil->ndims; k++)
                size /= offset[k] ? SIDE : 1;
            price[i] += offset[i] ? size : 0;
        }
        if (stencil->count == 0)
            price[i] = 1;
        price[i] /= domain_side(request, i);
    }
}

static size_t choices_max(const struct smap_dims_request *request)
{
    uint64_t p = request->rules.p;
    uint64_t work = p * (request->stencil->count + 3) * WORK_EDGE + WORK_LEAST;
    if (p > CELLS_MAX || work > WORK || request->stencil->count == 0)
        return 1;
    return WORK / work < SMAP_DIMS_CHOICES_MAX ? WORK / work : SMAP_DIMS_CHOICES_MAX;
}

/* The same scale for all grids, such that no weight and no sum of weights is above its limit. */
static void find_scale(struct smap_dims_search *search)
{
    double most = 0, most_sum = 0;
    for (size_t i = 0; i < search->count; i++) {
        double sum = 0;
        for (size_t r = 0; r < search->request->stencil->count; r++) {
            double size = message(search->request, search->choice[i].dims, r);
            most = size > most ? size : most;
            sum += size;
        }
        most_sum = sum > most_sum ? sum : most_sum;
    }
    double room = (double)SMAP_WEIGHT_SUM_MAX - SMAP_OFFSETS_MAX;
    search->scale = fmin(SMAP_WEIGHT_MAX / most, room / most_sum);
}

int smap_dims_search_create(struct smap_dims_search **search,
                            const struct smap_dims_request *request, struct smap_error *err)
{
    double price[SMAP_DIMS_MAX];
    struct smap_dims_search *s = calloc(1, sizeof(*s));
    if (!s)
        return smap_nomem(err);
    s->request = request;
    find_prices(price, request);
    int rc = smap_dims_choices(s->choice, &s->count, request, price, choices_max(request), err);
    if (rc != SMAP_OK) {
        free(s);
        return rc;
    }
    find_scale(s);
    *search = s;
    return SMAP_OK;
}

void smap_dims_search_destroy(struct smap_dims_search *search)
{
    free(search);
}

size_t smap_dims_search_count(const struct smap_dims_search *search)
{
    return search->count;
}

const uint32_t *smap_dims_search_dims(const struct smap_dims_search *search, size_t i)
{
    return search->choice[i].dims;
}

/* How many cells have a neighbour there that is another one. */
static uint64_t count_edges(const struct smap_grid *grid, const int32_t offset[])
{
    uint64_t edges = 1;
    bool elsewhere = false;
    for (size_t i = 0; i < grid->ndims; i++) {
        uint32_t distance = (uint32_t)abs(offset[i]), size = grid->dims[i];
        elsewhere = elsewhere || distance % size != 0;
        edges *= grid->periodic[i] ? size : distance < size ? size - distance : 0;
    }
    return elsewhere ? edges : 0;
}

/* The stencil with the sizes of messages on these dims as weights. */
static int weigh(struct smap_stencil **weighed, const struct smap_dims_search *search, size_t i,
                 struct smap_error *err)
{
    const struct smap_stencil *stencil = search->request->stencil;
    uint32_t *weights = calloc(stencil->count, sizeof(*weights));
    if (!weights)
        return smap_nomem(err);
    for (size_t r = 0; r < stencil->count; r++) {
        double size = message(search->request, search->choice[i].dims, r) * search->scale;
        weights[r] = size < 1 ? 1 : (uint32_t)lround(size);
    }
    int rc = smap_stencil_create(weighed, stencil->ndims, stencil->count, stencil->offsets, weights,
                                 err);
    free(weights);
    return rc;
}

int smap_dims_search_cost(struct smap_dims_cost *cost, const struct smap_dims_search *search,
                          size_t i, struct smap_error *err)
{
    const struct smap_mapping_options fast = {.effort = SMAP_EFFORT_FAST};
    struct smap_stencil *stencil = NULL;
    struct smap_best_result best;
    struct smap_grid grid;
    int rc = smap_grid_init(&grid, search->request->rules.d, search->choice[i].dims,
                            search->request->periodic, err);
    if (rc == SMAP_OK)
        rc = weigh(&stencil, search, i, err);
    if (rc != SMAP_OK)
        return rc;
    const struct smap_instance instance = {
        .grid = &grid, .stencil = stencil, .sizes = search->request->sizes};
    rc = smap_best_search(&best, &instance, &fast, err);
    if (rc == SMAP_OK) {
        *cost = (struct smap_dims_cost){best.score.jsum, best.score.jmax, 0};
        for (size_t r = 0; r < stencil->count; r++)
            cost->all += count_edges(&grid, smap_stencil_offset(stencil, r)) * stencil->weights[r];
        free(best.node_of_cell);
    }
    smap_stencil_destroy(stencil);
    return rc;
}

/* Is a value as good as the least? What differs by less than two percent is the same: weights are
 * rounded, a mapping found may not be the best, and a grid that is less compact has to pay. */
static bool near(uint64_t value, uint64_t least)
{
    return value <= least + least / 50;
}

size_t smap_dims_search_pick(const struct smap_dims_cost costs[], size_t count)
{
    uint64_t jsum = UINT64_MAX, jmax = UINT64_MAX;
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        jsum = costs[i].jsum < jsum ? costs[i].jsum : jsum;
    for (size_t i = 0; i < count; i++)
        if (near(costs[i].jsum, jsum) && costs[i].jmax < jmax)
            jmax = costs[i].jmax;
    for (size_t i = 0; i < count; i++)
        if (near(costs[i].jsum, jsum) && near(costs[i].jmax, jmax) &&
            (best == count || costs[i].all < costs[best].all))
            best = i;
    return best;
}

int smap_dims_search(uint32_t dims[], size_t *looked_at, const struct smap_dims_request *request,
                     struct smap_error *err)
{
    struct smap_dims_search *search;
    struct smap_dims_cost costs[SMAP_DIMS_CHOICES_MAX];
    int rc = smap_dims_search_create(&search, request, err);
    if (rc != SMAP_OK)
        return rc;
    for (size_t i = 0; search->count > 1 && i < search->count && rc == SMAP_OK; i++)
        rc = smap_dims_search_cost(&costs[i], search, i, err);
    size_t best =
        search->count > 1 && rc == SMAP_OK ? smap_dims_search_pick(costs, search->count) : 0;
    for (size_t i = 0; i < request->rules.d; i++)
        dims[i] = search->choice[best].dims[i];
    if (looked_at)
        *looked_at = search->count;
    smap_dims_search_destroy(search);
    return rc;
}
