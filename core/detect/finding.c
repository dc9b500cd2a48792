/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/finding_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"

/* The most offsets that are worth typing. */
enum { OFFSETS_TYPED = 128 };

static int by_offset(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(((const struct smap_fit_class *)a)->offset));
}

/* The kept offset of a link; SIZE_MAX if it has another one. kept is sorted by_offset. */
static size_t class_of(const struct smap_fit *fit, const struct smap_grid *grid,
                       const struct smap_link *link)
{
    uint32_t from[SMAP_DIMS_MAX], to[SMAP_DIMS_MAX];
    struct smap_fit_class key = {.feasible = 0};
    smap_grid_coords(from, grid, link->from);
    smap_grid_coords(to, grid, link->to);
    for (size_t i = 0; i < fit->ndims; i++) {
        int32_t o = (int32_t)to[i] - (int32_t)from[i];
        key.offset[i] = fit->periodic[i] ? smap_fit_fold(o, fit->dims[i]) : o;
    }
    const struct smap_fit_class *class =
        bsearch(&key, fit->kept, fit->classes, sizeof(key), by_offset);
    return class ? (size_t)(class - fit->kept) : SIZE_MAX;
}

static int add_up(struct smap_carried carried[], struct smap_finding *finding,
                  const struct smap_fit *fit, struct smap_world *world, struct smap_error *err)
{
    struct smap_links links;
    int rc = smap_world_links(&links, world, &finding->ranks, err);
    for (size_t i = 0; rc == SMAP_OK && i < links.count; i++) {
        const struct smap_record_edge *edge = &world->record->edge[links.link[i].edge];
        size_t class = class_of(fit, &finding->counted, &links.link[i]);
        if (class == SIZE_MAX)
            continue;
        carried[class].count++;
        carried[class].messages += edge->messages;
        carried[class].bytes += edge->bytes;
        finding->pairs++;
        finding->bytes += edge->bytes;
    }
    smap_links_clear(&links);
    return rc;
}

/* How many components of an offset are not 0; without those in dimensions of size 2 if plain. */
static size_t shape_of(const int32_t offset[], const struct smap_fit *fit, bool plain)
{
    size_t shape = 0;
    for (size_t i = 0; i < fit->ndims; i++)
        shape += offset[i] != 0 && !(plain && fit->dims[i] == 2);
    return shape;
}

/* In a periodic dimension of size 2 both neighbours are the same rank, and most codes send it two
 * messages: twice as many per pair as to neighbours of the same shape elsewhere. */
static bool sends_twice(const struct smap_fit *fit, const struct smap_carried carried[], size_t dim)
{
    size_t twice = 0, once = 0;
    for (size_t shape = 1; shape <= fit->ndims; shape++) {
        double here[2] = {0, 0}, there[2] = {0, 0};
        for (size_t c = 0; c < fit->classes; c++) {
            const int32_t *offset = fit->kept[c].offset;
            bool plain = shape_of(offset, fit, true) == shape;
            double *sum = plain ? there : here;
            if (shape_of(offset, fit, false) != shape || (!plain && offset[dim] == 0) ||
                (!plain && shape_of(offset, fit, true) + 1 != shape))
                continue;
            sum[0] += (double)carried[c].messages;
            sum[1] += (double)carried[c].count;
        }
        if (here[1] > 0 && there[1] > 0) {
            double ratio = here[0] / here[1] / (there[0] / there[1]);
            twice += ratio > 1.6 && ratio < 2.5;
            once += ratio <= 1.6;
        }
    }
    return twice > once;
}

/* Dimensions of size 2: by MPI_Cart_create, or by the messages, or as all others are. */
static void guess_periodic(struct smap_finding *finding, const struct smap_fit *fit,
                           const struct smap_carried carried[], const bool cart[])
{
    bool all = true, any = false;
    for (size_t i = 0; i < fit->ndims; i++) {
        all = all && (fit->dims[i] == 2 || fit->periodic[i]);
        any = any || (fit->dims[i] > 2 && fit->periodic[i]);
    }
    for (size_t i = 0; i < fit->ndims; i++) {
        bool *periodic = &finding->grid.periodic[i];
        *periodic = fit->periodic[i];
        if (fit->dims[i] == 2)
            *periodic = cart ? cart[i] : (all && any) || sends_twice(fit, carried, i);
    }
}

int smap_finding_init(struct smap_finding *finding, const struct smap_fit *fit,
                      struct smap_rank_set *set, const bool cart[], struct smap_world *world,
                      struct smap_error *err)
{
    *finding = (struct smap_finding){.ranks = *set, .cart = cart != NULL, .bits = fit->bits};
    *set = (struct smap_rank_set){.out = NULL};
    struct smap_carried *carried = calloc(fit->classes + 1, sizeof(*carried));
    if (!carried)
        return smap_nomem(err);
    qsort(fit->kept, fit->classes, sizeof(*fit->kept), by_offset);
    int rc = smap_grid_init(&finding->counted, fit->ndims, fit->dims, fit->periodic, err);
    if (rc == SMAP_OK)
        rc = add_up(carried, finding, fit, world, err);
    if (rc == SMAP_OK) {
        for (size_t i = 0; i < fit->classes; i++)
            finding->grid_pairs += fit->kept[i].feasible;
        finding->grid = finding->counted;
        guess_periodic(finding, fit, carried, cart);
        rc = smap_finding_stencil(finding, fit, carried, err);
    }
    free(carried);
    return rc;
}

void smap_finding_clear(struct smap_finding *finding)
{
    free(finding->ranks.out);
    smap_stencil_destroy(finding->stencil);
    free(finding->stencil_text);
    *finding = (struct smap_finding){.pairs = 0};
}

/* The sum of a number for each pair, the same in whatever order they come. */
static uint64_t pairs_hash(const struct smap_finding *f)
{
    uint32_t coords[SMAP_DIMS_MAX], to;
    uint64_t sum = 0;
    for (uint32_t cell = 0; cell < f->counted.cells; cell++) {
        smap_grid_coords(coords, &f->counted, cell);
        for (size_t i = 0; i < f->stencil->count; i++) {
            const int32_t *offset = smap_stencil_offset(f->stencil, i);
            if (!smap_grid_neighbour(&to, &f->counted, coords, offset, 1))
                continue;
            uint64_t state = smap_random_state(((uint64_t)cell << 32 | to) + 1);
            sum += smap_random(&state);
        }
    }
    return sum;
}

bool smap_finding_same_pairs(const struct smap_finding *a, const struct smap_finding *b)
{
    return a->counted.cells == b->counted.cells && a->grid_pairs == b->grid_pairs &&
           a->ranks.first == b->ranks.first && a->ranks.last == b->ranks.last &&
           a->ranks.every == b->ranks.every && a->ranks.times == b->ranks.times &&
           a->ranks.phase == b->ranks.phase && pairs_hash(a) == pairs_hash(b);
}

char *smap_finding_dims(const struct smap_finding *finding)
{
    return smap_dims_format(finding->grid.dims, finding->grid.ndims, false);
}

static char *flags(const struct smap_grid *grid)
{
    struct smap_text text = {0};
    for (size_t i = 0; i < grid->ndims; i++)
        smap_text_add(&text, "%s%d", i ? "," : "", grid->periodic[i]);
    return smap_text_take(&text);
}

char *smap_finding_periodic(const struct smap_finding *finding)
{
    return flags(&finding->grid);
}

char *smap_finding_ranks(const struct smap_finding *finding, uint32_t ranks)
{
    const struct smap_rank_set *set = &finding->ranks;
    struct smap_text text = {0};
    if (set->first == 0 && set->last + 1 == ranks)
        smap_text_add(&text, "all ranks");
    else
        smap_text_add(&text, "ranks %" PRIu32 "-%" PRIu32, set->first, set->last);
    if (set->every)
        smap_text_add(&text, " but %" PRIu32 ", %" PRIu32 ", ... (%" PRIu32 ")", set->phase,
                      set->phase + set->every, set->times);
    if (set->out) {
        uint32_t count = 0;
        for (uint32_t r = 0; r < ranks; r++)
            count += set->out[r];
        smap_text_add(&text, " but %" PRIu32 " of them", count);
    }
    return smap_text_take(&text);
}

char *smap_finding_options(const struct smap_finding *finding, uint32_t ranks, const char **reason)
{
    const struct smap_rank_set *set = &finding->ranks;
    struct smap_text text = {0};
    bool periodic = false;
    *reason = NULL;
    if (set->every || set->out)
        *reason = "the grid's ranks do not follow each other";
    else if (finding->stencil->count > OFFSETS_TYPED)
        *reason = "so many neighbours are no stencil to type";
    if (*reason)
        return NULL;
    char *dims = smap_finding_dims(finding), *wraps = flags(&finding->counted);
    smap_text_add(&text, "--stencil-map");
    if (set->first > 0 || set->last + 1 < ranks)
        smap_text_add(&text, " --stencil-ranks=%" PRIu32 "-%" PRIu32, set->first, set->last);
    smap_text_add(&text, " --stencil-dims=%s", dims ? dims : "");
    for (size_t i = 0; i < finding->counted.ndims; i++)
        periodic = periodic || finding->counted.periodic[i];
    if (periodic)
        smap_text_add(&text, " --stencil-periodic=%s", wraps ? wraps : "");
    bool quote = strpbrk(finding->stencil_text, "*;") != NULL;
    smap_text_add(&text, " --stencil=%s%s%s", quote ? "'" : "", finding->stencil_text,
                  quote ? "'" : "");
    text.failed = text.failed || !dims || !wraps;
    free(dims);
    free(wraps);
    return smap_text_take(&text);
}
