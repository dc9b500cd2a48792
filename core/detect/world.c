/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/world_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t smap_rank_set_cells(uint32_t cell_of_rank[], const struct smap_rank_set *set,
                             uint32_t ranks)
{
    uint32_t cells = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        bool in = r >= set->first && r <= set->last &&
                  !(set->every && r % set->every == set->phase && r / set->every < set->times) &&
                  !(set->out && set->out[r]);
        cell_of_rank[r] = in ? cells++ : SMAP_NO_CELL;
    }
    return cells;
}

/* The symbol that most of one rank's edges carry, those that it sends or those that it gets. */
static uint8_t usual_symbol(const struct smap_world *world, uint32_t rank, bool sends)
{
    size_t count[SMAP_IGNORED + 1] = {0}, most = 0;
    for (size_t e = 0; e < world->record->edges; e++) {
        const struct smap_record_edge *edge = &world->record->edge[e];
        if ((sends ? edge->from : edge->to) == rank)
            count[world->symbol[e]]++;
    }
    for (size_t i = 0; i < SMAP_SYMBOLS; i++)
        most = count[i] > count[most] ? i : most;
    return (uint8_t)most;
}

/* Ignores what few ranks exchange with nearly all others, in one direction. */
static int ignore_hubs(struct smap_world *world, bool sends, struct smap_error *err)
{
    const struct smap_record *record = world->record;
    uint32_t hubs = 0, *degree = calloc(record->ranks, sizeof(*degree));
    if (!degree)
        return smap_nomem(err);
    for (size_t e = 0; e < record->edges; e++)
        degree[sends ? record->edge[e].from : record->edge[e].to]++;
    for (uint32_t r = 0; r < record->ranks; r++)
        hubs += degree[r] >= 0.8 * (record->ranks - 1.0);
    for (uint32_t r = 0; record->ranks >= 8 && hubs <= 1 + record->ranks / 64 && r < record->ranks;
         r++) {
        if (degree[r] < 0.8 * (record->ranks - 1.0))
            continue;
        uint8_t usual = usual_symbol(world, r, sends);
        for (size_t e = 0; e < record->edges; e++) {
            const struct smap_record_edge *edge = &record->edge[e];
            if ((sends ? edge->from : edge->to) == r && world->symbol[e] == usual)
                world->symbol[e] = SMAP_IGNORED;
        }
    }
    free(degree);
    return SMAP_OK;
}

int smap_world_init(struct smap_world *world, const struct smap_record *record,
                    struct smap_error *err)
{
    *world = (struct smap_world){.record = record};
    world->symbol = malloc(record->edges + 1);
    world->cell_of_rank = malloc(record->ranks * sizeof(*world->cell_of_rank));
    world->set_of_rank = malloc(record->ranks * sizeof(*world->set_of_rank));
    if (!world->symbol || !world->cell_of_rank || !world->set_of_rank)
        return smap_nomem(err);
    smap_links_symbols(world->symbol, record);
    int rc = ignore_hubs(world, false, err);
    if (rc == SMAP_OK)
        rc = ignore_hubs(world, true, err);
    for (size_t e = 0; e < record->edges; e++) {
        if (world->symbol[e] == SMAP_IGNORED)
            continue;
        world->total[world->symbol[e]]++;
        world->edges++;
    }
    return rc;
}

void smap_world_clear(struct smap_world *world)
{
    free(world->symbol);
    free(world->cell_of_rank);
    free(world->set_of_rank);
    smap_fitter_clear(&world->fitter);
}

void smap_supposition_clear(struct smap_supposition *supposition)
{
    for (size_t i = 0; i < supposition->sets; i++) {
        free(supposition->set[i].out);
        smap_fits_clear(&supposition->fits[i]);
    }
    *supposition = (struct smap_supposition){.sets = 0};
}

int smap_world_links(struct smap_links *links, struct smap_world *world,
                     const struct smap_rank_set *set, struct smap_error *err)
{
    uint32_t cells = smap_rank_set_cells(world->cell_of_rank, set, world->record->ranks);
    return smap_links_init(links, world->record, world->symbol, world->cell_of_rank, cells, err);
}

/* What it takes to name the ranks of a set. */
static double naming(const struct smap_rank_set *set, uint32_t ranks)
{
    double one = log2(ranks + 1.0), bits = 1;
    bits += (set->first > 0) * one + (set->last + 1 < ranks) * one + (set->every > 0) * 3 * one;
    for (uint32_t r = 0; set->out && r < ranks; r++)
        bits += set->out[r] ? one : 0;
    return bits;
}

static int judge_set(struct smap_supposition *s, size_t i, struct smap_world *world,
                     struct smap_error *err)
{
    struct smap_links links;
    int rc = smap_world_links(&links, world, &s->set[i], err);
    if (rc == SMAP_OK)
        rc = smap_fits_search(&s->fits[i], &world->fitter, &links, err);
    if (rc == SMAP_OK) {
        double nothing = links.cells > 1 ? smap_fit_nothing(&links) : 0;
        if (s->fits[i].count > 0 && s->fits[i].fit[0].bits < nothing) {
            s->bits += s->fits[i].fit[0].bits;
        } else {
            s->bits += nothing;
            smap_fits_clear(&s->fits[i]);
        }
        s->bits += naming(&s->set[i], world->record->ranks);
        for (uint32_t r = 0; r < world->record->ranks; r++)
            if (world->cell_of_rank[r] != SMAP_NO_CELL)
                world->set_of_rank[r] = (uint32_t)i;
    }
    smap_links_clear(&links);
    return rc;
}

int smap_world_judge(struct smap_supposition *s, struct smap_world *world, struct smap_error *err)
{
    const struct smap_record *record = world->record;
    double pairs = (double)record->ranks * (record->ranks - 1.0);
    size_t loose[SMAP_SYMBOLS] = {0};
    s->bits = 0;
    memset(world->set_of_rank, 0xff, record->ranks * sizeof(*world->set_of_rank));
    for (size_t i = 0; i < s->sets; i++) {
        int rc = judge_set(s, i, world, err);
        if (rc != SMAP_OK)
            return rc;
        double cells = smap_rank_set_cells(world->cell_of_rank, &s->set[i], record->ranks);
        pairs -= cells * (cells - 1);
    }
    for (size_t e = 0; e < record->edges; e++) {
        uint32_t from = world->set_of_rank[record->edge[e].from];
        if (world->symbol[e] == SMAP_IGNORED)
            continue;
        if (from == UINT32_MAX || from != world->set_of_rank[record->edge[e].to])
            loose[world->symbol[e]]++;
    }
    s->bits += smap_fit_loose(pairs, loose);
    return SMAP_OK;
}
