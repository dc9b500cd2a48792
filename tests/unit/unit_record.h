/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of codes that there are not: the exchange of a grid, on ranks of choice, and what real
 * runs have besides. */
#ifndef STENCILMAP_UNIT_RECORD_H
#define STENCILMAP_UNIT_RECORD_H

#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "grid/grid.h"
#include "grid/stencil.h"
#include "record/record.h"

static inline void traffic_sent(struct smap_record *record, uint32_t from, uint32_t to,
                                uint64_t messages, uint64_t bytes)
{
    const struct smap_record_edge edge = {from, to, messages, bytes};
    assert_int_equal(smap_record_sent(record, &edge, NULL), SMAP_OK);
}

/* Every cell sends `messages` of weight * unit bytes to each neighbour; two where both neighbours
 * of a periodic dimension are one rank. rank_of_cell NULL: the first ranks. */
static inline void traffic_of_grid(struct smap_record *record, const struct smap_grid *grid,
                                   const struct smap_stencil *stencil,
                                   const uint32_t rank_of_cell[], uint64_t messages, uint64_t unit)
{
    uint32_t coords[SMAP_DIMS_MAX], to;
    for (uint32_t cell = 0; cell < grid->cells; cell++) {
        smap_grid_coords(coords, grid, cell);
        for (size_t i = 0; i < stencil->count; i++)
            if (smap_grid_neighbour(&to, grid, coords, smap_stencil_offset(stencil, i), 1) &&
                to != cell)
                traffic_sent(record, rank_of_cell ? rank_of_cell[cell] : cell,
                             rank_of_cell ? rank_of_cell[to] : to, messages,
                             messages * unit * stencil->weights[i]);
    }
}

/* So many edges more, between any ranks, that carry what some edge carries: a neighbour search,
 * load balancing. */
static inline void traffic_at_random(struct smap_record *record, size_t edges, uint64_t *random)
{
    size_t there = record->edges;
    for (size_t i = 0; i < edges; i++) {
        const struct smap_record_edge like = record->edge[smap_random(random) % there];
        traffic_sent(record, unit_between(random, 0, record->ranks - 1),
                     unit_between(random, 0, record->ranks - 1), like.messages, like.bytes);
    }
}

/* Everybody tells rank 0 something: output, timings, norms by hand. */
static inline void traffic_to_zero(struct smap_record *record, uint64_t bytes)
{
    for (uint32_t r = 1; r < record->ranks; r++) {
        traffic_sent(record, r, 0, 10, bytes);
        traffic_sent(record, 0, r, 10, bytes / 100);
    }
}

/* Ranks that are no cells. */
enum traffic_servers { SERVERS_FIRST, SERVERS_LAST, SERVERS_STRIDED, SERVERS_KINDS };

/* Which ranks are which: rank_of_cell gets the cells', rank_of_server the others'. */
static inline void traffic_place(uint32_t rank_of_cell[], uint32_t rank_of_server[], uint32_t cells,
                                 uint32_t servers, enum traffic_servers kind)
{
    uint32_t ranks = cells + servers, stride = ranks / servers, c = 0, s = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        bool serves = kind == SERVERS_FIRST  ? r < servers
                      : kind == SERVERS_LAST ? r >= cells
                                             : r % stride == 0 && s < servers;
        if (serves)
            rank_of_server[s++] = r;
        else
            rank_of_cell[c++] = r;
    }
}

/* Every cell sends its server something: in turn, or those of a stretch of ranks to the same. */
static inline void traffic_to_servers(struct smap_record *record, const uint32_t rank_of_cell[],
                                      const uint32_t rank_of_server[], uint32_t cells,
                                      uint32_t servers, bool in_turn)
{
    for (uint32_t c = 0; c < cells; c++) {
        uint32_t s = in_turn ? c % servers : (uint32_t)((uint64_t)c * servers / cells);
        traffic_sent(record, rank_of_cell[c], rank_of_server[s], 5, 500000);
    }
}

#endif
