/* SPDX-License-Identifier: BSD-3-Clause */
/* The shortest text of a stencil that was found: a name, a name with weights by shape, or offsets.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "detect/finding_private.h"

/* Weights that differ by less are the same: patches of uneven sizes. */
#define SAME 1.25
/* Of the largest weight, so that the sum of all stays in bounds. */
#define WEIGHT_LARGEST 100000.0

/* Both are the same offset on the grid. */
static bool same_offset(const int32_t a[], const int32_t b[], const struct smap_grid *grid)
{
    for (size_t i = 0; i < grid->ndims; i++) {
        bool same =
            grid->periodic[i] ? smap_fit_fold(a[i] - b[i], grid->dims[i]) == 0 : a[i] == b[i];
        if (!same)
            return false;
    }
    return true;
}

static size_t find(const struct smap_fit *fit, const struct smap_grid *grid, const int32_t offset[])
{
    for (size_t i = 0; i < fit->classes; i++)
        if (same_offset(fit->kept[i].offset, offset, grid))
            return i;
    return SIZE_MAX;
}

/* Does it lead from any cell to another one? */
static bool is_feasible(const int32_t offset[], const struct smap_grid *grid)
{
    bool other = false;
    for (size_t i = 0; i < grid->ndims; i++) {
        if (!grid->periodic[i] && (uint32_t)abs(offset[i]) >= grid->dims[i])
            return false;
        other =
            other || (grid->periodic[i] ? smap_fit_fold(offset[i], grid->dims[i]) : offset[i]) != 0;
    }
    return other;
}

/* Bytes per pair of every kept offset, there and back the same: what is cut is cut both ways.
 * Messages, where no bytes are known. The smallest is 1. */
static void relative(double weight[], const struct smap_fit *fit, const struct smap_grid *grid,
                     const struct smap_carried carried[])
{
    double bytes = 0, least = INFINITY, most = 0;
    for (size_t i = 0; i < fit->classes; i++)
        bytes += (double)carried[i].bytes;
    for (size_t i = 0; i < fit->classes; i++) {
        int32_t back[SMAP_DIMS_MAX];
        for (size_t k = 0; k < grid->ndims; k++)
            back[k] = -fit->kept[i].offset[k];
        size_t j = find(fit, grid, back);
        j = j == SIZE_MAX ? i : j;
        double count = (double)carried[i].count + (double)carried[j].count;
        double sum = bytes > 0 ? (double)carried[i].bytes + (double)carried[j].bytes
                               : (double)carried[i].messages + (double)carried[j].messages;
        weight[i] = count > 0 ? sum / count : 0;
        most = weight[i] > most ? weight[i] : most;
    }
    for (size_t i = 0; i < fit->classes; i++) {
        double floor = most / WEIGHT_LARGEST;
        weight[i] = weight[i] > floor ? weight[i] : floor;
        least = weight[i] < least ? weight[i] : least;
    }
    for (size_t i = 0; i < fit->classes; i++)
        weight[i] = least > 0 ? weight[i] / least : 1;
}

/* Small whole numbers in about these ratios; all the same if they nearly are. */
static void make_whole(uint32_t whole[], const double weight[], size_t count)
{
    double most = 1;
    for (size_t i = 0; i < count; i++)
        most = weight[i] > most ? weight[i] : most;
    for (int scale = 1; scale <= 8; scale++) {
        bool close = true;
        for (size_t i = 0; i < count; i++) {
            double wanted = most <= SAME ? 1 : weight[i] * scale;
            whole[i] = (uint32_t)(wanted + 0.5);
            close = close && fabs(whole[i] - wanted) <= 0.06 * wanted;
        }
        if (close)
            return;
    }
}

/* Gives all offsets of one shape the mean of their weights; false where they differ too much. */
static bool by_shape(double mean[], const struct smap_fit *fit, const double weight[])
{
    double least[SMAP_FIT_DIMS], most[SMAP_FIT_DIMS] = {0};
    size_t count[SMAP_FIT_DIMS] = {0};
    for (size_t s = 0; s < SMAP_FIT_DIMS; s++) {
        least[s] = INFINITY;
        mean[s] = 0;
    }
    for (size_t i = 0; i < fit->classes; i++) {
        size_t shape = 0;
        for (size_t k = 0; k < fit->ndims; k++)
            shape += fit->kept[i].offset[k] != 0;
        double w = weight[i];
        least[shape - 1] = w < least[shape - 1] ? w : least[shape - 1];
        most[shape - 1] = w > most[shape - 1] ? w : most[shape - 1];
        mean[shape - 1] += w;
        count[shape - 1]++;
    }
    for (size_t s = 0; s < fit->ndims; s++) {
        if (count[s] && most[s] > SAME * least[s])
            return false;
        mean[s] = count[s] ? mean[s] / (double)count[s] : 0;
    }
    return true;
}

/* Has the grid exactly these offsets, once each, if the stencil is this one? */
static bool is_stencil(const char *text, const struct smap_fit *fit, const struct smap_grid *grid)
{
    struct smap_stencil *stencil = NULL;
    size_t found = 0;
    bool same = smap_stencil_parse(&stencil, text, grid->ndims, NULL) == SMAP_OK;
    char *seen = calloc(fit->classes + 1, 1);
    for (size_t i = 0; same && seen && i < stencil->count; i++) {
        const int32_t *offset = smap_stencil_offset(stencil, i);
        size_t class = find(fit, grid, offset);
        if (!is_feasible(offset, grid))
            continue;
        same = class != SIZE_MAX && !seen[class];
        if (same)
            seen[class] = 1;
        found += same;
    }
    same = same && seen && found == fit->classes;
    free(seen);
    smap_stencil_destroy(stencil);
    return same;
}

/* moore with weights by shape, 0 for shapes that are not there; NULL if it is not that. */
static char *moore_text(const struct smap_fit *fit, const struct smap_grid *grid,
                        const double weight[])
{
    static const char *const names[] = {"moore", "moore", "9pt", "27pt"};
    const char *name = grid->ndims < 4 ? names[grid->ndims] : "moore";
    double mean[SMAP_FIT_DIMS];
    double there[SMAP_FIT_DIMS];
    uint32_t whole[SMAP_FIT_DIMS];
    size_t shapes = 0, at = 0;
    bool regular = by_shape(mean, fit, weight), same = true;
    for (size_t s = 0; s < grid->ndims; s++)
        if (mean[s] > 0)
            there[shapes++] = mean[s];
    make_whole(whole, there, shapes);
    struct smap_text text = {0};
    smap_text_add(&text, "%s", name);
    for (size_t s = 0; s < grid->ndims; s++) {
        uint32_t w = mean[s] > 0 ? whole[at++] : 0;
        smap_text_add(&text, "%s%" PRIu32, s ? "," : "*", w);
        same = same && w == 1;
    }
    char *result = smap_text_take(&text);
    if (!regular || !result || !is_stencil(result, fit, grid)) {
        free(result);
        return NULL;
    }
    return same ? (free(result), strdup(name)) : result;
}

/* The name of the offsets, whatever they weigh; NULL: none. */
static const char *name_of(const struct smap_fit *fit, const struct smap_grid *grid)
{
    static const char *const generic[] = {"nn", "moore"};
    const char *name, *summary;
    for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
        if (is_stencil(generic[i], fit, grid))
            return generic[i];
    for (size_t i = 0; smap_stencil_name(&name, &summary, i); i++)
        if (is_stencil(name, fit, grid))
            return name;
    return NULL;
}

/* That name if all weigh the same: the shorter one where there is one for the dimensions. */
static char *name_text(const char *name, const struct smap_fit *fit, const struct smap_grid *grid,
                       const uint32_t whole[])
{
    static const char *const nearest[] = {"nn", "nn", "5pt", "7pt"};
    for (size_t i = 0; i < fit->classes; i++)
        if (whole[i] != 1)
            return NULL;
    if (!name || strcmp(name, "moore") == 0) /* moore_text knows it */
        return NULL;
    if (strcmp(name, "nn") == 0 && grid->ndims < 4)
        name = nearest[grid->ndims];
    return strdup(name);
}

static int make_stencil(struct smap_finding *finding, const struct smap_fit *fit,
                        const uint32_t whole[], struct smap_error *err)
{
    size_t d = fit->ndims;
    int32_t *offsets = malloc((fit->classes * d + 1) * sizeof(*offsets));
    if (!offsets)
        return smap_nomem(err);
    for (size_t i = 0; i < fit->classes; i++)
        memcpy(offsets + i * d, fit->kept[i].offset, d * sizeof(*offsets));
    int rc = smap_stencil_create(&finding->stencil, d, fit->classes, offsets, whole, err);
    free(offsets);
    return rc;
}

int smap_finding_stencil(struct smap_finding *finding, const struct smap_fit *fit,
                         const struct smap_carried carried[], struct smap_error *err)
{
    const struct smap_grid *grid = &finding->counted;
    double *weight = calloc(fit->classes + 1, sizeof(*weight));
    uint32_t *whole = calloc(fit->classes + 1, sizeof(*whole));
    int rc = weight && whole ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK) {
        relative(weight, fit, grid, carried);
        make_whole(whole, weight, fit->classes);
        finding->name = name_of(fit, grid);
        finding->stencil_text = name_text(finding->name, fit, grid, whole);
        if (!finding->stencil_text)
            finding->stencil_text = moore_text(fit, grid, weight);
        rc = make_stencil(finding, fit, whole, err);
    }
    if (rc == SMAP_OK && !finding->stencil_text)
        finding->stencil_text = smap_stencil_format(finding->stencil);
    if (rc == SMAP_OK && !finding->stencil_text)
        rc = smap_nomem(err);
    free(weight);
    free(whole);
    return rc;
}
