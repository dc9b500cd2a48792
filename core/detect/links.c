/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "detect/links_private.h"
#include "grid/grid.h"

/* Steps of a fifth: 4 per power of two. */
static uint32_t coarse(uint64_t amount)
{
    return (uint32_t)(4 * log2((double)amount + 1) + 0.5);
}

enum { LEVELS = 4 * 64 + 1 };

struct kind {
    uint32_t id;
    size_t count;
};

static int most_first(const void *a, const void *b)
{
    const struct kind *k = a, *l = b;
    if (k->count != l->count)
        return k->count > l->count ? -1 : 1;
    return (k->id > l->id) - (k->id < l->id);
}

/* The most frequent kinds get symbols of their own, all others share the last. */
void smap_links_symbols(uint8_t symbol[], const struct smap_record *record)
{
    static const uint8_t last = SMAP_SYMBOLS - 1;
    struct kind *kind = calloc((size_t)LEVELS * LEVELS, sizeof(*kind));
    uint8_t *of = malloc((size_t)LEVELS * LEVELS);
    if (!kind || !of) {
        memset(symbol, 0, record->edges); /* then edges tell nothing by what they carry */
        free(kind);
        free(of);
        return;
    }
    for (uint32_t i = 0; i < (uint32_t)LEVELS * LEVELS; i++)
        kind[i].id = i;
    for (size_t i = 0; i < record->edges; i++)
        kind[coarse(record->edge[i].bytes) * LEVELS + coarse(record->edge[i].messages)].count++;
    qsort(kind, (size_t)LEVELS * LEVELS, sizeof(*kind), most_first);
    memset(of, last, (size_t)LEVELS * LEVELS);
    for (uint32_t i = 0; i < last; i++)
        of[kind[i].id] = (uint8_t)i;
    for (size_t i = 0; i < record->edges; i++)
        symbol[i] = of[coarse(record->edge[i].bytes) * LEVELS + coarse(record->edge[i].messages)];
    free(kind);
    free(of);
}

static void count_symbols(struct smap_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        links->symbols += links->total[links->link[i].symbol]++ == 0;
}

int smap_links_init(struct smap_links *links, const struct smap_record *record,
                    const uint8_t symbol[], const uint32_t cell_of_rank[], uint32_t cells,
                    struct smap_error *err)
{
    *links = (struct smap_links){.cells = cells, .sources = cells};
    links->link = malloc((record->edges + 1) * sizeof(*links->link));
    if (!links->link)
        return smap_nomem(err);
    for (size_t i = 0; i < record->edges; i++) {
        uint32_t from = cell_of_rank[record->edge[i].from], to = cell_of_rank[record->edge[i].to];
        if (from != SMAP_NO_CELL && to != SMAP_NO_CELL && symbol[i] != SMAP_IGNORED)
            links->link[links->count++] = (struct smap_link){from, to, (uint32_t)i, symbol[i]};
    }
    count_symbols(links);
    return SMAP_OK;
}

int smap_links_sample(struct smap_links *sample, const struct smap_links *links, size_t count,
                      struct smap_error *err)
{
    uint64_t share = links->count > count ? (count << 32) / links->count : UINT64_C(1) << 32;
    *sample = (struct smap_links){.cells = links->cells};
    sample->link = malloc((links->count + 1) * sizeof(*sample->link));
    if (!sample->link)
        return smap_nomem(err);
    for (uint32_t cell = 0; cell < links->cells; cell++)
        sample->sources += ((cell + 1) * SMAP_GOLDEN) >> 32 < share;
    for (size_t i = 0; i < links->count; i++)
        if (((links->link[i].from + 1) * SMAP_GOLDEN) >> 32 < share)
            sample->link[sample->count++] = links->link[i];
    count_symbols(sample);
    return SMAP_OK;
}

void smap_links_clear(struct smap_links *links)
{
    free(links->link);
    *links = (struct smap_links){.cells = 0};
}
