/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/bands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct smap_bands_division smap_bands_even(uint32_t size, uint32_t bands)
{
    uint32_t width = size / bands, wide = size % bands;
    return (struct smap_bands_division){{bands - wide, wide}, {width, width + 1}};
}

/* Do the numbers describe a layout of this grid? */
static bool fits(const struct smap_bands *bands, const struct smap_grid *grid)
{
    bool seen[SMAP_DIMS_MAX] = {false};
    if (bands->run >= grid->ndims)
        return false;
    seen[bands->run] = true;
    for (size_t k = 0; k + 1 < grid->ndims; k++) {
        size_t i = bands->order[k];
        if (i >= grid->ndims || seen[i])
            return false;
        seen[i] = true;
        const struct smap_bands_division *v = &bands->division[i];
        if ((v->count[0] && !v->width[0]) || (v->count[1] && !v->width[1]) || !v->count[0])
            return false;
        if ((uint64_t)v->count[0] * v->width[0] > grid->dims[i] ||
            (uint64_t)v->count[1] * v->width[1] !=
                grid->dims[i] - (uint64_t)v->count[0] * v->width[0])
            return false;
    }
    return true;
}

static uint32_t begin_of(const struct smap_bands_division *v, uint32_t t)
{
    uint32_t first = t < v->count[0] ? t : v->count[0];
    return first * v->width[0] + (t - first) * v->width[1];
}

static uint32_t band_at(const struct smap_bands_division *v, uint32_t x)
{
    uint32_t head = v->count[0] * v->width[0];
    return x < head ? x / v->width[0] : v->count[0] + (x - head) / v->width[1];
}

/* A band under construction: what is known of it after some of its dimensions. The bands lie in a
 * snake over the grid of bands; the walk of all remaining dimensions is reversed behind every odd
 * band, and a band is filled backwards if an odd number of bands comes before it. */
struct band {
    uint32_t low[SMAP_DIMS_MAX];
    uint32_t width[SMAP_DIMS_MAX];
    uint32_t cells;
    bool reversed;
    bool backwards;
};

/* Narrows the band to number t of dimension i, which has size slices of so many cells; returns how
 * many positions come before it there. */
static uint32_t enter(struct band *band, const struct smap_bands_division *v, size_t i,
                      uint32_t size, uint32_t slice, uint32_t t)
{
    uint32_t begin = begin_of(v, t), end = begin_of(v, t + 1);
    uint32_t count = v->count[0] + v->count[1];
    uint32_t ordinal = band->reversed ? count - 1 - t : t;
    uint32_t before = (band->reversed ? size - end : begin) * slice;
    band->low[i] = begin;
    band->width[i] = end - begin;
    band->cells = slice * (end - begin);
    /* The number of earlier bands is a mixed-radix number with these digits; only its parity
     * matters. */
    band->backwards = (band->backwards && count % 2) != (ordinal % 2 == 1);
    band->reversed = band->reversed != (t % 2 == 1);
    return before;
}

/* Cell r of a cross-section, the dimensions in the bands' order. */
static void section_coords(uint32_t coords[], const struct smap_bands *bands,
                           const struct smap_grid *grid, const struct band *band, uint32_t r)
{
    bool reversed = false;
    for (size_t k = grid->ndims - 1; k-- > 0;) {
        size_t i = bands->order[k];
        coords[i] = band->low[i] + r % band->width[i];
        r /= band->width[i];
    }
    for (size_t k = 0; bands->snake && k + 1 < grid->ndims; k++) {
        size_t i = bands->order[k];
        uint32_t x = coords[i] - band->low[i];
        x = reversed ? band->width[i] - 1 - x : x;
        reversed = reversed != (x % 2 == 1);
        coords[i] = band->low[i] + x;
    }
}

/* The inverse of section_coords. */
static uint32_t section_index(const struct smap_bands *bands, const struct smap_grid *grid,
                              const struct band *band, const uint32_t coords[])
{
    uint32_t r = 0;
    bool reversed = false;
    for (size_t k = 0; k + 1 < grid->ndims; k++) {
        size_t i = bands->order[k];
        uint32_t x = coords[i] - band->low[i];
        if (bands->snake) {
            bool odd = x % 2 == 1;
            x = reversed ? band->width[i] - 1 - x : x;
            reversed = reversed != odd;
        }
        r = r * band->width[i] + x;
    }
    return r;
}

/* The band that holds a position; returns the position within the band. */
static uint32_t find_band(struct band *band, const struct smap_bands *bands,
                          const struct smap_grid *grid, uint32_t q)
{
    *band = (struct band){.cells = grid->cells};
    for (size_t k = 0; k + 1 < grid->ndims; k++) {
        size_t i = bands->order[k];
        const struct smap_bands_division *v = &bands->division[i];
        uint32_t size = grid->dims[i], slice = band->cells / size, x = q / slice;
        q -= enter(band, v, i, size, slice, band_at(v, band->reversed ? size - 1 - x : x));
    }
    return q;
}

void smap_bands_cell(uint32_t coords[], const struct smap_bands *bands,
                     const struct smap_grid *grid, uint32_t position)
{
    struct band band;
    uint32_t q = find_band(&band, bands, grid, position);
    uint32_t length = grid->dims[bands->run];
    uint32_t area = band.cells / length, layer = q / area, r = q % area;
    if (bands->snake && layer % 2 == 1)
        r = area - 1 - r;
    section_coords(coords, bands, grid, &band, r);
    coords[bands->run] = band.backwards ? length - 1 - layer : layer;
}

uint32_t smap_bands_position(const struct smap_bands *bands, const struct smap_grid *grid,
                             const uint32_t coords[])
{
    struct band band = {.cells = grid->cells};
    uint32_t q = 0;
    for (size_t k = 0; k + 1 < grid->ndims; k++) {
        size_t i = bands->order[k];
        const struct smap_bands_division *v = &bands->division[i];
        uint32_t size = grid->dims[i];
        q += enter(&band, v, i, size, band.cells / size, band_at(v, coords[i]));
    }
    uint32_t length = grid->dims[bands->run], x = coords[bands->run];
    uint32_t area = band.cells / length, layer = band.backwards ? length - 1 - x : x;
    uint32_t r = section_index(bands, grid, &band, coords);
    if (bands->snake && layer % 2 == 1)
        r = area - 1 - r;
    return q + layer * area + r;
}

/* Writes one band. The first layer holds its cross-section; each further layer is the same, or its
 * mirror image, at a distance. */
static uint32_t *fill_band(const struct smap_bands *bands, const struct smap_grid *grid,
                           const struct band *band, uint32_t *cell_at)
{
    uint32_t length = grid->dims[bands->run], coords[SMAP_DIMS_MAX] = {0}, stride = 1;
    uint32_t area = band->cells / length, *section = cell_at;
    for (size_t i = grid->ndims; --i > bands->run;)
        stride *= grid->dims[i];
    coords[bands->run] = band->backwards ? length - 1 : 0;
    for (uint32_t r = 0; r < area; r++) {
        section_coords(coords, bands, grid, band, r);
        *cell_at++ = smap_grid_cell(grid, coords);
    }
    for (uint32_t layer = 1; layer < length; layer++) {
        uint32_t shift = layer * stride;
        shift = band->backwards ? -shift : shift; /* unsigned: wraps, and back in the sum */
        if (bands->snake && layer % 2 == 1)
            for (uint32_t r = area; r-- > 0;)
                *cell_at++ = section[r] + shift;
        else
            for (uint32_t r = 0; r < area; r++)
                *cell_at++ = section[r] + shift;
    }
    return cell_at;
}

void smap_bands_cells(uint32_t cell_at[], const struct smap_bands *bands,
                      const struct smap_grid *grid)
{
    uint32_t *end = cell_at + grid->cells;
    while (cell_at < end) {
        struct band band;
        find_band(&band, bands, grid, grid->cells - (uint32_t)(end - cell_at));
        cell_at = fill_band(bands, grid, &band, cell_at);
    }
}

uint32_t smap_bands_length(const struct smap_bands *bands, const struct smap_grid *grid,
                           uint32_t position)
{
    struct band band;
    find_band(&band, bands, grid, position);
    return band.cells;
}

char *smap_bands_format(const struct smap_bands *bands, const struct smap_grid *grid)
{
    struct smap_text text = {0};
    smap_text_add(&text, "run=%zu,snake=%d", bands->run, bands->snake);
    for (size_t k = 0; k + 1 < grid->ndims; k++) {
        const struct smap_bands_division *v = &bands->division[bands->order[k]];
        smap_text_add(&text, ",%zu:%" PRIu32 "x%" PRIu32, bands->order[k], v->count[0],
                      v->width[0]);
        if (v->count[1])
            smap_text_add(&text, "+%" PRIu32 "x%" PRIu32, v->count[1], v->width[1]);
    }
    return smap_text_take(&text);
}

static bool scan_word(const char **cursor, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*cursor, word, length) != 0)
        return false;
    *cursor += length;
    return true;
}

static bool scan_number(const char **cursor, uint32_t *number)
{
    uint64_t value;
    if (!smap_scan_uint(cursor, UINT32_MAX, &value))
        return false;
    *number = (uint32_t)value;
    return true;
}

/* "1:3x15+1x3" */
static bool scan_division(const char **cursor, struct smap_bands *bands, size_t k)
{
    struct smap_bands_division v = {{0, 0}, {0, 0}};
    uint32_t dim;
    if (!scan_number(cursor, &dim) || dim >= SMAP_DIMS_MAX || !smap_scan_char(cursor, ':') ||
        !scan_number(cursor, &v.count[0]) || !smap_scan_char(cursor, 'x') ||
        !scan_number(cursor, &v.width[0]))
        return false;
    if (smap_scan_char(cursor, '+') &&
        (!scan_number(cursor, &v.count[1]) || !smap_scan_char(cursor, 'x') ||
         !scan_number(cursor, &v.width[1])))
        return false;
    bands->order[k] = dim;
    bands->division[dim] = v;
    return true;
}

bool smap_bands_parse(struct smap_bands *bands, const struct smap_grid *grid, const char *text)
{
    uint32_t run, snake;
    *bands = (struct smap_bands){0};
    if (!scan_word(&text, "run=") || !scan_number(&text, &run) || !scan_word(&text, ",snake=") ||
        !scan_number(&text, &snake))
        return false;
    bands->run = run;
    bands->snake = snake != 0;
    for (size_t k = 0; k + 1 < grid->ndims; k++)
        if (!smap_scan_char(&text, ',') || !scan_division(&text, bands, k))
            return false;
    return *text == '\0' && fits(bands, grid);
}
