/* SPDX-License-Identifier: BSD-3-Clause */
/* J_sum = sum over nodes of what leaves their cells in a grid without borders, less B, the weight
 * of all edges that leave the real grid: every cell belongs to one node, so B does not depend on
 * the mapping. What leaves n cells is bounded by bound_shape. Offsets may be left out of a bound
 * (they cost nothing less than 0), and disjoint sets of offsets may be bounded apart and added. */
#include "bound/bound.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "bound/bound_graph_private.h"
#include "bound/bound_shape_private.h"

/* Offsets that have components in more than one dimension are looked at up to these limits: further
 * ones are rare, and with small components the whole numbers of `extend` stay small. */
#define OBLIQUE_OFFSETS_MAX   256
#define OBLIQUE_COMPONENT_MAX 64

/* Steps along an axis are looked at up to this length: 2^STEP_MAX states, and hops go to 3. */
#define STEP_MAX 6

enum { NOWHERE = SMAP_DIMS_MAX, OBLIQUE };

/* The only axis along which an offset leads; NOWHERE if it leads back to the cell or always out of
 * the grid, OBLIQUE if there are several axes. step gets how far, not below 1. */
static size_t axis_of(const struct smap_grid *grid, const int32_t offset[], uint32_t *step)
{
    size_t axis = NOWHERE;
    for (size_t i = 0; i < grid->ndims; i++) {
        int64_t length = offset[i] < 0 ? -(int64_t)offset[i] : offset[i];
        if (grid->periodic[i])
            length %= grid->dims[i];
        else if (length >= grid->dims[i])
            return NOWHERE;
        if (length == 0)
            continue;
        axis = axis == NOWHERE ? i : OBLIQUE;
        *step = (uint32_t)length;
    }
    return axis;
}

/* Lines with ends: the least weight that leaves k cells of one, for all steps along it together.
 * weight[a] belongs to the steps of a cells, both ways. A step leaves from as many cells as are
 * reached from outside by it, so walk along the line and charge every cell for the steps that come
 * from empty cells; what matters is which of the last STEP_MAX cells are taken. The exact minimum
 * is then bent down until it is concave. */
static int line_leaving(const uint64_t weight[], uint32_t most, uint64_t leaving[],
                        struct smap_error *err)
{
    const uint32_t masks = 1u << STEP_MAX;
    uint64_t *cost = malloc(masks * sizeof(*cost)), *next = malloc(masks * sizeof(*next));
    if (!cost || !next) {
        free(cost);
        free(next);
        return smap_nomem(err);
    }
    memset(cost, 0xff, masks * sizeof(*cost));
    cost[0] = 0;
    uint64_t slope = UINT64_MAX;
    for (uint32_t k = 1; k <= most; k++) {
        uint64_t least = UINT64_MAX;
        memset(next, 0xff, masks * sizeof(*next));
        for (uint32_t mask = masks; mask-- > 0;) {
            if (cost[mask] == UINT64_MAX)
                continue;
            /* Leave up to STEP_MAX cells empty, then take one; bit a - 1 is the cell a back. */
            for (uint32_t gap = 0, seen = mask; gap <= STEP_MAX; gap++) {
                uint64_t sum = cost[mask];
                for (uint32_t step = 1; step <= STEP_MAX; step++)
                    sum += seen >> (step - 1) & 1 ? 0 : weight[step];
                uint32_t taken = (seen << 1 | 1) & (masks - 1);
                next[taken] = sum < next[taken] ? sum : next[taken];
                least = sum < least ? sum : least;
                seen = seen << 1 & (masks - 1);
            }
        }
        slope = least - leaving[k - 1] < slope ? least - leaving[k - 1] : slope;
        leaving[k] = leaving[k - 1] + slope;
        uint64_t *swapped = cost;
        cost = next;
        next = swapped;
        if (slope == 0) { /* more cells never cost less than the first ones */
            for (; k < most; k++)
                leaving[k + 1] = leaving[k];
        }
    }
    free(cost);
    free(next);
    return SMAP_OK;
}

/* Sum over the nodes of least[n_i], less border; 0 if that is negative. */
static uint64_t total(const struct smap_instance *in, const uint64_t least[], uint64_t border)
{
    uint64_t sum = 0;
    uint32_t nodes = smap_nodesizes_nodes(in->sizes);
    for (uint32_t i = 0; i < nodes; i++)
        sum += least[smap_nodesizes_size(in->sizes, i)];
    return sum > border ? sum - border : 0;
}

/* What leaves k cells of a line along an axis, at least; border grows by what leaves the grid
 * there. In a ring that a step visits completely, all sets but the empty and the full one lose
 * something; otherwise whole sub-rings may be full. Long steps over lines with ends are left out.
 */
static int fill_axis(const struct smap_instance *in, size_t axis, uint32_t last, uint64_t leaving[],
                     uint64_t *border, struct smap_error *err)
{
    const struct smap_grid *grid = in->grid;
    uint64_t weight[STEP_MAX + 1] = {0}, ring = 0;
    for (size_t r = 0; r < in->stencil->count; r++) {
        uint32_t step = 0;
        uint64_t w = in->stencil->weights[r];
        if (axis_of(grid, smap_stencil_offset(in->stencil, r), &step) != axis)
            continue;
        if (grid->periodic[axis]) {
            ring += smap_gcd(step, grid->dims[axis]) == 1 ? w : 0;
        } else if (step <= STEP_MAX) {
            weight[step] += w;
            *border += w * step * (grid->cells / grid->dims[axis]);
        }
    }
    if (!grid->periodic[axis])
        return line_leaving(weight, last, leaving, err);
    for (uint32_t k = 1; k <= last; k++)
        leaving[k] = k < grid->dims[axis] ? ring : 0;
    return SMAP_OK;
}

/* All offsets along axes together. The order of the axes matters to the bound with three or more of
 * them; each gets its turn to be the last. */
static int bound_axes(uint64_t *bound, const struct smap_instance *in, struct smap_error *err)
{
    const uint32_t largest = smap_nodesizes_largest(in->sizes);
    const struct smap_grid *grid = in->grid;
    size_t d = grid->ndims;
    uint64_t border = 0, *buffer[SMAP_DIMS_MAX] = {NULL};
    uint64_t *least = calloc((size_t)largest + 1, sizeof(*least));
    struct smap_bound_axis axes[SMAP_DIMS_MAX];
    int rc = least ? SMAP_OK : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < d; i++) {
        uint32_t last = grid->dims[i] < largest ? grid->dims[i] : largest;
        buffer[i] = calloc((size_t)last + 1, sizeof(*buffer[i]));
        axes[i] = (struct smap_bound_axis){grid->dims[i], buffer[i]};
        rc = buffer[i] ? fill_axis(in, i, last, buffer[i], &border, err) : smap_nomem(err);
    }
    for (size_t turn = 0; rc == SMAP_OK && turn < (d > 2 ? d : 1); turn++) {
        struct smap_bound_axis swapped = axes[turn];
        axes[turn] = axes[d - 1];
        axes[d - 1] = swapped;
        rc = smap_bound_shape(axes, d, largest, least, err);
        uint64_t found = rc == SMAP_OK ? total(in, least, border) : 0;
        *bound = found > *bound ? found : *bound;
    }
    for (size_t i = 0; i < d; i++)
        free(buffer[i]);
    free(least);
    return rc;
}

/* A direction in which oblique offsets lead, with all their weight. */
struct direction {
    int64_t v[SMAP_DIMS_MAX]; /* primitive, first component that is not 0 positive */
    uint64_t weight;
    bool used;
};

static bool make_direction(struct direction *to, const int32_t offset[], size_t d)
{
    uint64_t divisor = 0;
    int sign = 0;
    *to = (struct direction){.weight = 0};
    for (size_t i = 0; i < d; i++) {
        if (offset[i] > OBLIQUE_COMPONENT_MAX || offset[i] < -OBLIQUE_COMPONENT_MAX)
            return false;
        divisor = smap_gcd(divisor, (uint64_t)(offset[i] < 0 ? -offset[i] : offset[i]));
        sign = sign ? sign : offset[i];
    }
    for (size_t i = 0; i < d; i++)
        to->v[i] = (sign < 0 ? -offset[i] : offset[i]) / (int64_t)divisor;
    return true;
}

/* Collects the directions of the oblique offsets; border gets the weight that leaves the grid. */
static size_t collect(const struct smap_instance *in, struct direction list[], uint64_t *border)
{
    size_t count = 0, d = in->grid->ndims;
    for (size_t r = 0; r < in->stencil->count; r++) {
        const int32_t *offset = smap_stencil_offset(in->stencil, r);
        struct direction found;
        uint32_t step;
        uint64_t inside = 1;
        if (axis_of(in->grid, offset, &step) != OBLIQUE || !make_direction(&found, offset, d))
            continue;
        for (size_t i = 0; i < d; i++)
            inside *= in->grid->dims[i] - (uint32_t)(offset[i] < 0 ? -offset[i] : offset[i]);
        *border += in->stencil->weights[r] * (in->grid->cells - inside);
        size_t at = 0;
        while (at < count && memcmp(list[at].v, found.v, sizeof(found.v)) != 0)
            at++;
        if (at == count)
            list[count++] = found;
        list[at].weight += in->stencil->weights[r];
    }
    return count;
}

/* Is v independent of the rows? Rows are kept in echelon form, in whole numbers; on success v
 * becomes the next row. */
static bool extend(int64_t rows[][SMAP_DIMS_MAX], size_t lead[], size_t count, const int64_t v[],
                   size_t d)
{
    int64_t w[SMAP_DIMS_MAX];
    memcpy(w, v, sizeof(w));
    for (size_t k = 0; k < count; k++) {
        int64_t a = rows[k][lead[k]], b = w[lead[k]];
        uint64_t divisor = 0;
        for (size_t i = 0; i < d; i++) {
            int64_t x, y;
            if (__builtin_mul_overflow(w[i], a, &x) || __builtin_mul_overflow(rows[k][i], b, &y) ||
                __builtin_sub_overflow(x, y, &w[i]) || w[i] == INT64_MIN)
                return false;
            divisor = smap_gcd(divisor, (uint64_t)(w[i] < 0 ? -w[i] : w[i]));
        }
        for (size_t i = 0; divisor && i < d; i++)
            w[i] /= (int64_t)divisor;
    }
    for (size_t i = 0; i < d; i++) {
        if (w[i] == 0)
            continue;
        memcpy(rows[count], w, sizeof(w));
        lead[count] = i;
        return true;
    }
    return false;
}

/* Oblique offsets of a grid without periodic dimensions, in groups of independent directions. From
 * every line along a direction that meets S, each offset in that direction has at least one way
 * out. Within a group, number the lines of each direction by the coordinates that a change of basis
 * gives the cells, and number the values of each coordinate: S becomes a set of as many cells whose
 * lines along axes are at most the lines met, so bound_shape with one unit of leaving a line holds.
 * (Fewer directions than dimensions: S falls apart into layers, and the bound is subadditive.) */
static int bound_oblique(uint64_t *bound, const struct smap_instance *in, struct smap_error *err)
{
    const uint32_t largest = smap_nodesizes_largest(in->sizes);
    size_t d = in->grid->ndims, count, left;
    uint64_t border = 0, sum = 0;
    for (size_t i = 0; i < d; i++)
        if (in->grid->periodic[i])
            return SMAP_OK;
    if (in->stencil->count > OBLIQUE_OFFSETS_MAX)
        return SMAP_OK;
    struct direction *list = calloc(in->stencil->count, sizeof(*list));
    uint64_t *least = calloc((size_t)largest + 1, sizeof(*least));
    uint64_t *unit = calloc(d * ((size_t)largest + 1), sizeof(*unit));
    int rc = list && least && unit ? SMAP_OK : smap_nomem(err);
    count = left = rc == SMAP_OK ? collect(in, list, &border) : 0;
    while (rc == SMAP_OK && left > 0) {
        int64_t rows[SMAP_DIMS_MAX][SMAP_DIMS_MAX];
        size_t lead[SMAP_DIMS_MAX], size = 0;
        struct smap_bound_axis axes[SMAP_DIMS_MAX];
        for (size_t k = 0; k < count && size < d; k++) {
            if (list[k].used || !extend(rows, lead, size, list[k].v, d))
                continue;
            list[k].used = true;
            axes[size] = (struct smap_bound_axis){UINT32_MAX, unit + size * ((size_t)largest + 1)};
            for (uint32_t m = 1; m <= largest; m++)
                unit[size * ((size_t)largest + 1) + m] = list[k].weight;
            size++;
        }
        if (size == 0)
            break; /* numbers too large */
        left -= size;
        rc = smap_bound_shape(axes, size, largest, least, err);
        sum += rc == SMAP_OK ? total(in, least, 0) : 0;
    }
    if (rc == SMAP_OK)
        *bound += sum > border ? sum - border : 0;
    free(list);
    free(least);
    free(unit);
    return rc;
}

/* Nodes too large for the programme, on a 2-D grid with borders: S meets a columns and b rows with
 * a * b >= n, and from each of them every offset along it has at least one way out. */
static void bound_plane(uint64_t *bound, const struct smap_instance *in)
{
    const struct smap_grid *grid = in->grid;
    uint64_t weight[2] = {0, 0}, border = 0, sum = 0, least = 0;
    uint32_t nodes = smap_nodesizes_nodes(in->sizes), known = 0;
    if (grid->ndims != 2 || grid->periodic[0] || grid->periodic[1])
        return;
    for (size_t r = 0; r < in->stencil->count; r++) {
        uint32_t step = 0;
        size_t i = axis_of(grid, smap_stencil_offset(in->stencil, r), &step);
        if (i >= 2)
            continue;
        weight[i] += in->stencil->weights[r];
        border += (uint64_t)in->stencil->weights[r] * step * (grid->cells / grid->dims[i]);
    }
    for (uint32_t k = 0; k < nodes; k++) {
        uint32_t n = smap_nodesizes_size(in->sizes, k);
        if (n != known) {
            known = n;
            least = UINT64_MAX;
            for (uint32_t columns = 1; columns <= grid->dims[1] && columns <= n; columns++) {
                uint64_t rows = n / columns + (n % columns != 0);
                uint64_t cost = columns * weight[0] + rows * weight[1];
                if (rows <= grid->dims[0] && cost < least)
                    least = cost;
            }
        }
        sum += least;
    }
    if (sum > border && sum - border > *bound)
        *bound = sum - border;
}

/* Steps of one along an axis alone, over lines of D cells. A line that m nodes share is cut at
 * least m - 1 times. Join every line to the nodes on it: with c connected parts, that graph has at
 * least lines + N - c edges, so there are at least N - c cuts. A part holds whole lines, so the
 * sizes of its nodes add up to a multiple of D: with equal sizes to one of lcm(D, n) as well, else
 * a node whose own size is no multiple of D is at least in a pair. */
static void bound_lines(uint64_t *bound, const struct smap_instance *in, size_t axis)
{
    uint64_t length = in->grid->dims[axis], weight = 0, parts = 0;
    uint32_t nodes = smap_nodesizes_nodes(in->sizes), n = smap_nodesizes_uniform(in->sizes);
    for (size_t r = 0; r < in->stencil->count; r++) {
        uint32_t step = 0;
        if (axis_of(in->grid, smap_stencil_offset(in->stencil, r), &step) == axis &&
            (step == 1 || (in->grid->periodic[axis] && step + 1 == length)))
            weight += in->stencil->weights[r];
    }
    for (uint32_t k = 0; n == 0 && k < nodes; k++)
        parts += smap_nodesizes_size(in->sizes, k) % length == 0 ? 2 : 1;
    parts = n ? in->grid->cells / (length / smap_gcd(length, n) * n) : parts / 2;
    if ((nodes - parts) * weight > *bound)
        *bound = (nodes - parts) * weight;
}

int smap_bound_jsum(uint64_t *bound, const struct smap_instance *instance, struct smap_error *err)
{
    uint64_t found = 0;
    *bound = 0;
    if (smap_nodesizes_nodes(instance->sizes) == 1)
        return SMAP_OK;
    if (instance->graph)
        return smap_bound_graph(bound, instance, err);
    for (size_t i = 0; i < instance->grid->ndims; i++)
        bound_lines(bound, instance, i);
    bound_plane(bound, instance);
    if (smap_nodesizes_largest(instance->sizes) > SMAP_BOUND_CELLS_MAX)
        return SMAP_OK;
    int rc = bound_axes(&found, instance, err);
    if (rc == SMAP_OK || rc == SMAP_ENOTSUP)
        rc = bound_oblique(&found, instance, err);
    if (rc == SMAP_ENOTSUP)
        rc = SMAP_OK;
    *bound = found > *bound ? found : *bound;
    return rc;
}
