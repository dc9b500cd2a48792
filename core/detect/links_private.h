/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges of a record between some of its ranks, which are numbered anew as cells: what a grid is
 * fitted to. */
#ifndef SMAP_LINKS_PRIVATE_H
#define SMAP_LINKS_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "record/record.h"

/* What an edge carries, coarsely: one of so many symbols, each for about the same bytes and
 * messages. Edges of one offset of a grid carry the same, mostly. */
enum { SMAP_SYMBOLS = 255, SMAP_IGNORED = 255 /* such edges are not looked at */ };

struct smap_link {
    uint32_t from, to;
    uint32_t edge; /* of the record */
    uint8_t symbol;
};

struct smap_links {
    uint32_t cells;
    uint32_t sources; /* all edges of so many cells are here: of all, or of a sample */
    size_t count;
    struct smap_link *link;
    size_t total[SMAP_SYMBOLS]; /* links of each symbol */
    size_t symbols;             /* so many have any */
};

/* The symbol of every edge of the record. */
void smap_links_symbols(uint8_t symbol[], const struct smap_record *record);

/* cell_of_rank: SMAP_NO_CELL for ranks that are no cell. cells of them are. smap_links_clear frees,
 * also after a failure. */
int smap_links_init(struct smap_links *links, const struct smap_record *record,
                    const uint8_t symbol[], const uint32_t cell_of_rank[], uint32_t cells,
                    struct smap_error *err);

/* Those of some cells only, so that there are about `count` links. */
int smap_links_sample(struct smap_links *sample, const struct smap_links *links, size_t count,
                      struct smap_error *err);

void smap_links_clear(struct smap_links *links);

#endif
