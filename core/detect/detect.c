/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/detect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detect/finding_private.h"

/* A grid must save this share of the bits, and explain this share of the bytes or of the pairs. */
#define SAVES_MIN    0.1
#define EXPLAINS_MIN 0.5
/* A grid of MPI_Cart_create is believed if it saves this share of what the best one saves. */
#define BELIEVED 0.97

void smap_detection_clear(struct smap_detection *detection)
{
    for (size_t i = 0; i < detection->count; i++)
        smap_finding_clear(&detection->finding[i]);
    free(detection->finding);
    *detection = (struct smap_detection){.count = 0};
}

/* All that was sent is on the grid, and all of the grid was sent to. */
static bool is_perfect(const struct smap_supposition *s, const struct smap_world *world)
{
    uint64_t count = 0, grid = 0;
    if (s->fits[0].count == 0)
        return false;
    const struct smap_fit *fit = &s->fits[0].fit[0];
    for (size_t i = 0; i < fit->classes; i++) {
        count += fit->kept[i].count;
        grid += fit->kept[i].feasible;
    }
    return count == world->edges && grid == count;
}

static int find_best(struct smap_supposition *best, struct smap_world *world,
                     struct smap_error *err)
{
    const struct smap_record *record = world->record;
    struct smap_supposition *list = NULL;
    size_t count = 0;
    *best = (struct smap_supposition){.sets = 1, .set = {{.last = record->ranks - 1}}};
    int rc = smap_world_judge(best, world, err);
    if (rc == SMAP_OK && !is_perfect(best, world))
        rc = smap_suspects(&list, &count, world, err);
    for (size_t i = 0; i < count; i++) {
        if (rc == SMAP_OK)
            rc = smap_world_judge(&list[i], world, err);
        if (rc == SMAP_OK && list[i].bits < best->bits) {
            struct smap_supposition worse = *best;
            *best = list[i];
            list[i] = worse;
        }
        smap_supposition_clear(&list[i]);
    }
    free(list);
    return rc;
}

/* What MPI_Cart_create made, without dimensions of size 1, as a fit of given dims. */
static bool cart_fit(struct smap_fit *fit, bool periodic[], const struct smap_record_cart *cart)
{
    *fit = (struct smap_fit){.ndims = 0};
    for (size_t i = 0; i < cart->ndims; i++) {
        if (cart->dims[i] == 1)
            continue;
        if (fit->ndims == SMAP_FIT_DIMS)
            return false;
        fit->dims[fit->ndims] = cart->dims[i];
        periodic[fit->ndims] = cart->periodic[i];
        fit->periodic[fit->ndims++] = cart->periodic[i] && cart->dims[i] > 2;
    }
    return fit->ndims > 0;
}

/* The bits of everything if the ranks of a cart are its grid; whether its dimensions are used as
 * periodic ones is seen from what was sent, if that explains more. */
static int judge_cart(double *bits, struct smap_fit *fit, struct smap_world *world,
                      struct smap_rank_set *set, struct smap_error *err)
{
    const struct smap_record *record = world->record;
    struct smap_links links;
    size_t loose[SMAP_SYMBOLS];
    struct smap_fit open = *fit;
    int rc = smap_world_links(&links, world, set, err);
    if (rc == SMAP_OK)
        rc = smap_fit(fit, &world->fitter, &links, true, true, err);
    if (rc == SMAP_OK)
        rc = smap_fit(&open, &world->fitter, &links, false, true, err);
    if (rc == SMAP_OK && open.bits + 20 < fit->bits) {
        struct smap_fit swapped = *fit;
        *fit = open;
        open = swapped;
    }
    free(open.kept);
    for (size_t i = 0; i < SMAP_SYMBOLS; i++)
        loose[i] = world->total[i] - links.total[i];
    double all = record->ranks, cells = links.cells;
    *bits = fit->bits + smap_fit_loose(all * (all - 1) - cells * (cells - 1), loose);
    smap_links_clear(&links);
    return rc;
}

/* Leaves out answers that say what the first one says. */
static void drop_again(struct smap_detection *d)
{
    const struct smap_finding *best = &d->finding[0];
    size_t kept = 1;
    for (size_t i = 1; i < d->count; i++) {
        struct smap_finding *f = &d->finding[i];
        if (f->ranks.last - f->ranks.first == best->ranks.last - best->ranks.first &&
            f->grid.ndims == best->grid.ndims &&
            memcmp(f->grid.dims, best->grid.dims, sizeof(f->grid.dims)) == 0)
            smap_finding_clear(f);
        else
            d->finding[kept++] = *f;
    }
    d->count = kept;
}

/* Puts the grid of MPI_Cart_create in front if it is believed; else tells it. */
static int add_cart(struct smap_detection *d, const struct smap_record_cart *cart,
                    struct smap_world *world, struct smap_error *err)
{
    struct smap_fit fit;
    struct smap_rank_set set = {.first = 0};
    bool periodic[SMAP_FIT_DIMS] = {false};
    double bits;
    if (!cart_fit(&fit, periodic, cart))
        return SMAP_OK;
    uint32_t cells = 1;
    for (size_t i = 0; i < fit.ndims; i++)
        cells *= fit.dims[i];
    set.last = cells - 1;
    int rc = judge_cart(&bits, &fit, world, &set, err);
    if (rc == SMAP_OK && fit.classes > 0 && d->bits_nothing > bits &&
        d->bits_nothing - bits >= BELIEVED * (d->bits_nothing - d->bits)) {
        memmove(d->finding + 1, d->finding, d->count * sizeof(*d->finding));
        d->count++;
        d->parts = 1;
        d->bits = bits;
        rc = smap_finding_init(&d->finding[0], &fit, &set, periodic, world, err);
        drop_again(d);
    } else if (rc == SMAP_OK && d->cart.ndims == 0) {
        rc = smap_grid_init(&d->cart, fit.ndims, fit.dims, periodic, err);
    }
    free(fit.kept);
    return rc;
}

/* Copies the set, for an answer of its own. */
static int copy_set(struct smap_rank_set *copy, const struct smap_rank_set *set, uint32_t ranks,
                    struct smap_error *err)
{
    *copy = *set;
    if (!set->out)
        return SMAP_OK;
    copy->out = malloc(ranks * sizeof(*copy->out));
    if (!copy->out)
        return smap_nomem(err);
    memcpy(copy->out, set->out, ranks * sizeof(*copy->out));
    return SMAP_OK;
}

static int add_finding(struct smap_detection *d, const struct smap_supposition *best, size_t set,
                       size_t fit, struct smap_world *world, struct smap_error *err)
{
    struct smap_rank_set own;
    int rc = copy_set(&own, &best->set[set], world->record->ranks, err);
    if (rc == SMAP_OK)
        rc = smap_finding_init(&d->finding[d->count++], &best->fits[set].fit[fit], &own, NULL,
                               world, err);
    return rc;
}

/* The grids of the best supposition, then other grids for the ranks of the first one. */
static int add_findings(struct smap_detection *d, const struct smap_supposition *best,
                        struct smap_world *world, struct smap_error *err)
{
    int rc = SMAP_OK;
    size_t first = SIZE_MAX;
    for (size_t i = 0; rc == SMAP_OK && i < best->sets; i++) {
        if (best->fits[i].count == 0 || best->fits[i].fit[0].classes == 0)
            continue;
        rc = add_finding(d, best, i, 0, world, err);
        first = first == SIZE_MAX ? i : first;
    }
    d->parts = d->count;
    for (size_t i = 1; rc == SMAP_OK && d->parts == 1 && i < best->fits[first].count; i++)
        if (best->fits[first].fit[i].classes > 0)
            rc = add_finding(d, best, first, i, world, err);
    for (size_t i = 1; i < d->parts; i++) /* few: by insertion, most bytes first */
        for (size_t k = i; k > 0 && d->finding[k].bytes > d->finding[k - 1].bytes; k--) {
            struct smap_finding swapped = d->finding[k];
            d->finding[k] = d->finding[k - 1];
            d->finding[k - 1] = swapped;
        }
    return rc;
}

/* Is it worth telling? */
static bool explains(const struct smap_detection *d, const struct smap_world *world)
{
    uint64_t pairs = 0, bytes = 0;
    for (size_t i = 0; i < d->parts; i++) {
        pairs += d->finding[i].pairs;
        bytes += d->finding[i].bytes;
    }
    return d->bits < (1 - SAVES_MIN) * d->bits_nothing &&
           ((double)pairs >= EXPLAINS_MIN * (double)world->edges ||
            (double)bytes >= EXPLAINS_MIN * (double)world->record->bytes);
}

static int detect(struct smap_detection *d, struct smap_world *world, struct smap_error *err)
{
    const struct smap_record *record = world->record;
    struct smap_supposition best = {.sets = 0};
    d->bits_nothing = smap_fit_loose((double)record->ranks * (record->ranks - 1.0), world->total);
    d->finding = calloc(SMAP_SETS_MAX + SMAP_FITS_MAX + SMAP_RECORD_CARTS_MAX, sizeof(*d->finding));
    if (!d->finding)
        return smap_nomem(err);
    int rc = find_best(&best, world, err);
    d->bits = best.bits;
    if (rc == SMAP_OK)
        rc = add_findings(d, &best, world, err);
    for (size_t i = record->carts; rc == SMAP_OK && i-- > 0;)
        rc = add_cart(d, &record->cart[i], world, err);
    if (rc == SMAP_OK && !explains(d, world)) {
        for (size_t i = 0; i < d->count; i++)
            smap_finding_clear(&d->finding[i]);
        d->count = d->parts = 0;
    }
    smap_supposition_clear(&best);
    return rc;
}

int smap_detect(struct smap_detection *detection, const struct smap_record *record,
                struct smap_error *err)
{
    struct smap_world world;
    *detection = (struct smap_detection){.count = 0};
    if (record->edges == 0)
        return SMAP_OK;
    int rc = smap_world_init(&world, record, err);
    if (rc == SMAP_OK)
        rc = detect(detection, &world, err);
    smap_world_clear(&world);
    if (rc != SMAP_OK)
        smap_detection_clear(detection);
    return rc;
}

/* A hundredth of what is saved, and what a dimension costs, is no difference. */
bool smap_detection_ties(const struct smap_detection *d, size_t i)
{
    return d->parts == 1 && i > 0 && i < d->count &&
           d->finding[i].bits - d->finding[0].bits < 4 + 0.01 * (d->bits_nothing - d->bits) &&
           !smap_finding_same_pairs(&d->finding[0], &d->finding[i]);
}
