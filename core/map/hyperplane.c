/* SPDX-License-Identifier: BSD-3-Clause */
/* Hyperplane: the 2020 paper, section V-A, algorithm 1. The grid is cut recursively at node
 * boundaries, across the dimension that is most orthogonal to the stencil (Eq. 2), until a box
 * holds at most two nodes.
 *
 * Equal node sizes: a cut that keeps a slices of h cells each needs n | a h; among the multiples of
 * n / gcd(n, h) the largest a <= d_i / 2 is taken, and the small part goes to the grid border if
 * the box touches one (for J_max).
 *
 * Unequal node sizes: the papers put the mean, minimum or maximum for n, which gives boxes but not
 * exactly n_i cells. Here a box always knows which positions it holds, so a cut is wanted where a
 * prefix sum of the n_i falls on a slice; where no dimension offers one, the cut nearest to a
 * prefix sum in the preferred dimension is taken, and one node continues on the other side of it.
 * Every node gets exactly n_i cells either way, and with equal sizes both rules are the same. */
#include <math.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "map/algorithm.h"
#include "map/box.h"

struct params {
    /* Dimensions in ascending order of Eq. 2 get ascending classes, exact ties share one. */
    uint32_t class[SMAP_DIMS_MAX];
    uint32_t n;  /* node size, 0 if unequal */
    bool thesis; /* cut down to single nodes, the small part always first */
};

static uint64_t squared_length(const int32_t offset[], size_t ndims)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ndims; i++)
        sum += (uint64_t)((int64_t)offset[i] * offset[i]);
    return sum;
}

/* Eq. 2 of every dimension, w_R R_i^2 / |R|^2 summed over the stencil, as integers over the common
 * denominator: a sum of doubles would break exact ties, and with them 16 % on the nine-point
 * stencil. False where the integers grow too large. */
static bool orthogonality_exact(const struct smap_stencil *s, uint64_t value[])
{
    uint64_t common = 1;
    for (size_t r = 0; r < s->count; r++) {
        uint64_t length = squared_length(smap_stencil_offset(s, r), s->ndims);
        if (__builtin_mul_overflow(common, length / smap_gcd(common, length), &common))
            return false;
    }
    for (size_t i = 0; i < s->ndims; i++) {
        value[i] = 0;
        for (size_t r = 0; r < s->count; r++) {
            const int32_t *offset = smap_stencil_offset(s, r);
            uint64_t square = (uint64_t)((int64_t)offset[i] * offset[i]), term;
            if (__builtin_mul_overflow(common / squared_length(offset, s->ndims), square, &term) ||
                __builtin_mul_overflow(term, s->weights[r], &term) ||
                __builtin_add_overflow(value[i], term, &value[i]))
                return false;
        }
    }
    return true;
}

/* The same rounded to a fixed grid, coarse enough that equal sums come out equal. */
static void orthogonality_rounded(const struct smap_stencil *s, uint64_t value[])
{
    double weight = (double)smap_stencil_weight(s);
    for (size_t i = 0; i < s->ndims; i++) {
        double sum = 0;
        for (size_t r = 0; r < s->count; r++) {
            const int32_t *offset = smap_stencil_offset(s, r);
            sum += s->weights[r] * ((double)offset[i] * offset[i]) /
                   (double)squared_length(offset, s->ndims);
        }
        value[i] = (uint64_t)llround(sum / weight * 1e9);
    }
}

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    uint64_t value[SMAP_DIMS_MAX];
    struct params *params = calloc(1, sizeof(*params));
    if (!params)
        return smap_nomem(err);
    m->params = params;
    params->n = smap_nodesizes_uniform(m->in.sizes);
    params->thesis = m->algorithm == &smap_algorithm_hyperplane_thesis && params->n;
    if (!orthogonality_exact(m->in.stencil, value))
        orthogonality_rounded(m->in.stencil, value);
    for (size_t i = 0; i < m->in.grid->ndims; i++)
        for (size_t j = 0; j < m->in.grid->ndims; j++)
            params->class[i] += value[j] < value[i];
    return SMAP_OK;
}

/* Preferred dimension order of a box: Eq. 2 ascending, then the larger size, then the lower index.
 * Insertion sort: there are few dimensions. */
static void preference(size_t order[], const struct smap_mapping *m, const struct smap_box *box)
{
    const uint32_t *class = ((const struct params *)m->params)->class;
    for (size_t i = 0; i < m->in.grid->ndims; i++) {
        size_t k = i;
        for (; k > 0; k--) {
            size_t before = order[k - 1];
            if (class[before] < class[i] ||
                (class[before] == class[i] && box->size[before] >= box->size[i]))
                break;
            order[k] = before;
        }
        order[k] = i;
    }
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* How far a position is from the nearest node boundary. */
static uint32_t boundary_distance(const struct smap_nodesizes *sizes, uint32_t position)
{
    uint32_t node = smap_nodesizes_node_at(sizes, position);
    uint32_t first = smap_nodesizes_first(sizes, node);
    return smaller(position - first, first + smap_nodesizes_size(sizes, node) - position);
}

/* A cut keeps the first slices of dimension dim on the left. */
struct cut {
    size_t dim;
    uint32_t slices;
    uint32_t miss; /* cells between the cut and the nearest node boundary; 0: exact */
};

/* True if the small part of a cut belongs on the right: the box touches the grid's upper border
 * there and not the lower one. */
static bool small_part_right(const struct smap_mapping *m, const struct smap_box *box, size_t dim)
{
    if (((const struct params *)m->params)->thesis)
        return false;
    return box->low[dim] != 0 && box->low[dim] + box->size[dim] == m->in.grid->dims[dim];
}

/* Equal sizes; every box is a multiple of n. False if no a fits this dimension. */
static bool cut_equal(struct cut *cut, const struct smap_mapping *m, const struct smap_box *box,
                      size_t dim)
{
    uint32_t n = ((const struct params *)m->params)->n, size = box->size[dim];
    uint32_t step = n / (uint32_t)smap_gcd(n, box->cells / size);
    uint32_t a = size / 2 / step * step;
    if (a == 0)
        return false;
    *cut = (struct cut){dim, small_part_right(m, box, dim) ? size - a : a, 0};
    return true;
}

/* Unequal sizes; first is the box's first position. The exact cut nearest to the middle, else the
 * one that misses a node boundary by the fewest cells and lies in the middle half of the box. */
static bool cut_unequal(struct cut *cut, const struct smap_mapping *m, const struct smap_box *box,
                        uint32_t first, size_t dim)
{
    uint32_t size = box->size[dim], slice = box->cells / size;
    *cut = (struct cut){dim, 0, UINT32_MAX};
    for (uint32_t a = size / 2; a > 0; a--) {
        uint32_t side[2] = {a, size - a};
        bool swap = small_part_right(m, box, dim);
        for (int k = 0; k < 2; k++) {
            uint32_t slices = side[swap ? 1 - k : k];
            uint32_t miss = boundary_distance(m->in.sizes, first + slices * slice);
            if (miss < cut->miss && (miss == 0 || a >= size / 4))
                *cut = (struct cut){dim, slices, miss};
            if (miss == 0)
                return true;
        }
    }
    return false;
}

/* Does the box hold cells of at most two nodes (thesis: of one)? Then it is not cut again. */
static bool is_leaf(const struct smap_mapping *m, const struct smap_box *box, uint32_t first)
{
    uint32_t low = smap_nodesizes_node_at(m->in.sizes, first);
    uint32_t high = smap_nodesizes_node_at(m->in.sizes, first + box->cells - 1);
    return high - low <= (((const struct params *)m->params)->thesis ? 0 : 1);
}

/* The best cut of a box that is no leaf: in the first dimension of the preferred order that has an
 * exact one; with unequal sizes else the smallest miss in the first dimension that can be cut. */
static struct cut find_cut(const struct smap_mapping *m, const struct smap_box *box, uint32_t first,
                           const size_t order[])
{
    bool equal = ((const struct params *)m->params)->n != 0;
    struct cut best = {0, 0, UINT32_MAX};
    for (size_t k = 0; k < m->in.grid->ndims; k++) {
        struct cut cut;
        if (box->size[order[k]] == 1)
            continue;
        if (equal ? cut_equal(&cut, m, box, order[k]) : cut_unequal(&cut, m, box, first, order[k]))
            return cut;
        if (!equal && best.slices == 0)
            best = cut;
    }
    return best;
}

/* One level of the recursion: a cut, or a leaf, to be filled in nested loops with order[0], the
 * preferred dimension, slowest. */
struct level {
    size_t order[SMAP_DIMS_MAX];
    bool leaf;
    size_t dim; /* of the cut; unless it is a leaf, like the following */
    struct smap_box left, right;
};

static void split(struct level *level, const struct smap_mapping *m, const struct smap_box *box,
                  uint32_t first)
{
    preference(level->order, m, box);
    level->leaf = is_leaf(m, box, first);
    if (level->leaf)
        return;
    struct cut cut = find_cut(m, box, first, level->order);
    level->dim = cut.dim;
    smap_box_cut(&level->left, &level->right, box, cut.dim, cut.slices);
}

static void cell(uint32_t coords[], const struct smap_mapping *m, uint32_t position)
{
    struct smap_box box;
    struct level level;
    uint32_t first = 0;
    smap_box_whole(&box, m->in.grid);
    for (split(&level, m, &box, first); !level.leaf; split(&level, m, &box, first)) {
        if (position - first < level.left.cells) {
            box = level.left;
        } else {
            first += level.left.cells;
            box = level.right;
        }
    }
    smap_box_coords(coords, &box, m->in.grid->ndims, level.order, position - first);
}

static uint32_t position(const struct smap_mapping *m, const uint32_t coords[])
{
    struct smap_box box;
    struct level level;
    uint32_t first = 0;
    smap_box_whole(&box, m->in.grid);
    for (split(&level, m, &box, first); !level.leaf; split(&level, m, &box, first)) {
        if (coords[level.dim] < level.right.low[level.dim]) {
            box = level.left;
        } else {
            first += level.left.cells;
            box = level.right;
        }
    }
    return first + smap_box_index(&box, m->in.grid->ndims, level.order, coords);
}

static void fill(uint32_t cell_at[], const struct smap_mapping *m, const struct smap_box *box,
                 uint32_t first)
{
    struct level level;
    split(&level, m, box, first);
    if (!level.leaf) {
        fill(cell_at, m, &level.left, first);
        fill(cell_at, m, &level.right, first + level.left.cells);
        return;
    }
    for (uint32_t q = 0; q < box->cells; q++) {
        uint32_t coords[SMAP_DIMS_MAX];
        smap_box_coords(coords, box, m->in.grid->ndims, level.order, q);
        cell_at[first + q] = smap_grid_cell(m->in.grid, coords);
    }
}

static void cells(uint32_t cell_at[], const struct smap_mapping *m)
{
    struct smap_box box;
    smap_box_whole(&box, m->in.grid);
    fill(cell_at, m, &box, 0);
}

const struct smap_algorithm smap_algorithm_hyperplane = {
    .name = "hyperplane",
    .summary = "recursive cuts at node boundaries (2020 paper)",
    .prepare = prepare,
    .cell = cell,
    .position = position,
    .cells = cells,
};

const struct smap_algorithm smap_algorithm_hyperplane_thesis = {
    .name = "hyperplane-thesis",
    .summary = "hyperplane down to single nodes (2019 thesis); unequal nodes: as hyperplane",
    .prepare = prepare,
    .cell = cell,
    .position = position,
    .cells = cells,
};
