/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencil strips: the 2020 paper, section V-C, algorithm 3. The grid is cut into strips that run
 * along its longest dimension; across it a strip is about as wide as a good box of n cells. Strips
 * are filled back and forth, so that consecutive cells stay together, and the nodes take
 * consecutive cells. */
#include <math.h>
#include <stdlib.h>

#include "map/algorithm.h"
#include "map/box.h"

/* The strips are numbered by a snake through the strip grid, the first dimension slowest. */
struct params {
    size_t run;                     /* the dimension along which strips run */
    uint32_t strips[SMAP_DIMS_MAX]; /* how many strips lie side by side; 1 for the run */
};

/* The distortion factor alpha_i = e_i / V_b^(1/d_b) of every dimension. */
static void distortion(const struct smap_stencil *stencil, double alpha[])
{
    double volume = 1;
    size_t extended = 0;
    for (size_t i = 0; i < stencil->ndims; i++) {
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (size_t r = 0; r < stencil->count; r++) {
            int32_t component = smap_stencil_offset(stencil, r)[i];
            low = component < low ? component : low;
            high = component > high ? component : high;
        }
        alpha[i] = (double)high - low;
        if (high > low) {
            volume *= alpha[i];
            extended++;
        }
    }
    for (size_t i = 0; extended && i < stencil->ndims; i++)
        alpha[i] /= pow(volume, 1.0 / (double)extended);
}

/* Strip widths s_i over all dimensions but the run, rounded to the nearest; a dimension without
 * communication gets width 1. The published values of the paper need the product under the root
 * and the root's degree counted over the strip dimensions only. */
static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    double alpha[SMAP_DIMS_MAX], filled = 1;
    double n = (double)m->in.grid->cells / smap_nodesizes_nodes(m->in.sizes);
    size_t d = m->in.grid->ndims, done = 0;
    struct params *params = calloc(1, sizeof(*params));
    if (!params)
        return smap_nomem(err);
    m->params = params;
    distortion(m->in.stencil, alpha);
    for (size_t i = 1; i < d; i++)
        if (m->in.grid->dims[i] > m->in.grid->dims[params->run])
            params->run = i;
    params->strips[params->run] = 1;
    for (size_t i = 0; i < d; i++) {
        uint32_t size = m->in.grid->dims[i];
        if (i == params->run)
            continue;
        double width = 1;
        if (alpha[i] > 0)
            /* The small addition makes a tie a tie whatever the last bit of pow. */
            width = floor(pow(alpha[i] * n / filled, 1.0 / (double)(d - done)) + 0.5 + 1e-9);
        width = fmin(fmax(width, 1), size);
        params->strips[i] = size / (uint32_t)width;
        filled *= width;
        done++;
    }
    return SMAP_OK;
}

/* Strips of a dimension have width q or q + 1, the wide ones last. Where strip t begins: */
static uint32_t strip_begin(uint32_t size, uint32_t strips, uint32_t t)
{
    uint32_t narrow = strips - size % strips;
    return t * (size / strips) + (t > narrow ? t - narrow : 0);
}

/* The strip that holds coordinate x. */
static uint32_t strip_at(uint32_t size, uint32_t strips, uint32_t x)
{
    uint32_t width = size / strips, narrow = strips - size % strips;
    return x < narrow * width ? x / width : narrow + (x - narrow * width) / (width + 1);
}

/* One strip: its cross-section (full length along the run), and whether it is filled backwards. */
struct strip {
    struct smap_box box;
    bool backwards;
};

/* Keeps of the strip's box along dimension i only strip t; the walk along i went backwards if
 * *reversed. The whole walk of the remaining dimensions is reversed in every odd slab, and a strip
 * is filled backwards if an odd number of strips came before it. */
static void enter(struct strip *strip, const struct smap_mapping *m, size_t i, uint32_t t,
                  bool *reversed, bool *odd)
{
    const struct params *params = m->params;
    uint32_t count = params->strips[i], begin = strip_begin(m->in.grid->dims[i], count, t);
    uint32_t width = strip_begin(m->in.grid->dims[i], count, t + 1) - begin;
    uint32_t ordinal = *reversed ? count - 1 - t : t;
    strip->box.low[i] = begin;
    strip->box.cells = strip->box.cells / strip->box.size[i] * width;
    strip->box.size[i] = width;
    /* The number of earlier strips is a mixed-radix number with these digits; only its parity
     * matters. */
    *odd = (*odd && count % 2) != (ordinal % 2 == 1);
    *reversed = *reversed != (t % 2 == 1);
}

/* Nested loops inside a strip: the run slowest, then the other dimensions in order. */
static void strip_order(const struct smap_mapping *m, size_t order[])
{
    const struct params *params = m->params;
    order[0] = params->run;
    for (size_t i = 0, k = 1; i < m->in.grid->ndims; i++)
        if (i != params->run)
            order[k++] = i;
}

static void mirror_run(const struct smap_mapping *m, const struct strip *strip, uint32_t coords[])
{
    size_t run = ((const struct params *)m->params)->run;
    if (strip->backwards)
        coords[run] = m->in.grid->dims[run] - 1 - coords[run];
}

static void cell(uint32_t coords[], const struct smap_mapping *m, uint32_t position)
{
    const struct params *params = m->params;
    struct strip strip;
    size_t order[SMAP_DIMS_MAX];
    bool reversed = false, odd = false;
    smap_box_whole(&strip.box, m->in.grid);
    for (size_t i = 0; i < m->in.grid->ndims; i++) {
        if (i == params->run)
            continue;
        uint32_t size = m->in.grid->dims[i], slice = strip.box.cells / size;
        uint32_t x = position / slice;
        uint32_t t = strip_at(size, params->strips[i], reversed ? size - 1 - x : x);
        uint32_t begin = strip_begin(size, params->strips[i], t);
        uint32_t end = strip_begin(size, params->strips[i], t + 1);
        position -= (reversed ? size - end : begin) * slice;
        enter(&strip, m, i, t, &reversed, &odd);
    }
    strip.backwards = odd;
    strip_order(m, order);
    smap_box_coords(coords, &strip.box, m->in.grid->ndims, order, position);
    mirror_run(m, &strip, coords);
}

static uint32_t position(const struct smap_mapping *m, const uint32_t coords[])
{
    const struct params *params = m->params;
    struct strip strip;
    size_t order[SMAP_DIMS_MAX];
    uint32_t mirrored[SMAP_DIMS_MAX], q = 0;
    bool reversed = false, odd = false;
    smap_box_whole(&strip.box, m->in.grid);
    for (size_t i = 0; i < m->in.grid->ndims; i++) {
        mirrored[i] = coords[i];
        if (i == params->run)
            continue;
        uint32_t size = m->in.grid->dims[i], slice = strip.box.cells / size;
        uint32_t t = strip_at(size, params->strips[i], coords[i]);
        uint32_t begin = strip_begin(size, params->strips[i], t);
        uint32_t end = strip_begin(size, params->strips[i], t + 1);
        q += (reversed ? size - end : begin) * slice;
        enter(&strip, m, i, t, &reversed, &odd);
    }
    strip.backwards = odd;
    mirror_run(m, &strip, mirrored);
    strip_order(m, order);
    return q + smap_box_index(&strip.box, m->in.grid->ndims, order, mirrored);
}

const struct smap_algorithm smap_algorithm_strips = {
    .name = "strips",
    .summary = "strips as wide as a good node box, back and forth (2020 paper)",
    .prepare = prepare,
    .cell = cell,
    .position = position,
};
