/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "partition/bisect_private.h"

/* A pass ends after so many moves without a new best cut, and one in PATIENCE_PART of the cells
 * more. */
#define PATIENCE      64
#define PATIENCE_PART 16

/* Passes gain less and less. */
#define PASSES_MAX 8

enum { LOCKED = UINT32_MAX };

/* The cells of a side that may still move, those that gain most first; ties: the smaller cell, so
 * that a result does not depend on the history of the heap. */
struct heap {
    uint32_t *cell;
    uint32_t count;
};

struct pass {
    const struct smap_coarse *g;
    uint8_t *side;
    int64_t *gain;   /* what moving a cell takes off the cut */
    uint32_t *place; /* of each cell in the heap of its side, or LOCKED */
    struct heap heap[2];
    uint32_t *moved;
    int64_t off; /* side 0 has so much more than it should */
    int64_t slack, reach;
};

static bool before(const struct pass *p, uint32_t a, uint32_t b)
{
    return p->gain[a] > p->gain[b] || (p->gain[a] == p->gain[b] && a < b);
}

static void put(struct pass *p, struct heap *h, uint32_t at, uint32_t cell)
{
    h->cell[at] = cell;
    p->place[cell] = at;
}

static void sift_up(struct pass *p, struct heap *h, uint32_t at, uint32_t cell)
{
    for (; at > 0 && before(p, cell, h->cell[(at - 1) / 2]); at = (at - 1) / 2)
        put(p, h, at, h->cell[(at - 1) / 2]);
    put(p, h, at, cell);
}

static void sift_down(struct pass *p, struct heap *h, uint32_t at, uint32_t cell)
{
    for (uint32_t child; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count && before(p, h->cell[child + 1], h->cell[child]))
            child++;
        if (!before(p, h->cell[child], cell))
            break;
        put(p, h, at, h->cell[child]);
    }
    put(p, h, at, cell);
}

static void take_out(struct pass *p, uint32_t cell)
{
    struct heap *h = &p->heap[p->side[cell]];
    uint32_t at = p->place[cell], last = h->cell[--h->count];
    p->place[cell] = LOCKED;
    if (last == cell)
        return;
    if (at > 0 && before(p, last, h->cell[(at - 1) / 2]))
        sift_up(p, h, at, last);
    else
        sift_down(p, h, at, last);
}

static int64_t gain_of(const struct pass *p, uint32_t cell)
{
    int64_t gain = 0;
    for (uint64_t e = p->g->first[cell]; e < p->g->first[cell + 1]; e++)
        gain += p->side[p->g->to[e]] != p->side[cell] ? (int64_t)p->g->weight[e]
                                                      : -(int64_t)p->g->weight[e];
    return gain;
}

static void fill_heaps(struct pass *p)
{
    p->heap[0].count = p->heap[1].count = 0;
    for (uint32_t c = 0; c < p->g->cells; c++) {
        struct heap *h = &p->heap[p->side[c]];
        p->gain[c] = gain_of(p, c);
        h->cell[h->count] = c;
        p->place[c] = h->count++;
    }
    for (int s = 0; s < 2; s++)
        for (uint32_t at = p->heap[s].count / 2; at-- > 0;)
            sift_down(p, &p->heap[s], at, p->heap[s].cell[at]);
}

/* The other way round for the neighbours; the cell itself is locked. */
static void move(struct pass *p, uint32_t cell)
{
    const struct smap_coarse *g = p->g;
    take_out(p, cell);
    p->off += p->side[cell] ? g->size[cell] : -(int64_t)g->size[cell];
    p->side[cell] ^= 1;
    for (uint64_t e = g->first[cell]; e < g->first[cell + 1]; e++) {
        uint32_t to = g->to[e];
        if (p->place[to] == LOCKED)
            continue;
        struct heap *h = &p->heap[p->side[to]];
        if (p->side[to] == p->side[cell]) {
            p->gain[to] -= 2 * (int64_t)g->weight[e];
            sift_down(p, h, p->place[to], to);
        } else {
            p->gain[to] += 2 * (int64_t)g->weight[e];
            sift_up(p, h, p->place[to], to);
        }
    }
}

static int64_t away(int64_t off)
{
    return off < 0 ? -off : off;
}

/* From which side the next cell moves; -1: from none. What is too large gives; else the better
 * move, if it does not lead too far from the sizes. */
static int choose_side(const struct pass *p)
{
    bool can[2];
    for (int s = 0; s < 2; s++) {
        uint32_t top = p->heap[s].count ? p->heap[s].cell[0] : 0;
        int64_t then = p->off + (s ? p->g->size[top] : -(int64_t)p->g->size[top]);
        can[s] = p->heap[s].count && (away(then) <= p->reach || away(then) < away(p->off));
    }
    if (!can[0] || !can[1])
        return can[0] ? 0 : can[1] ? 1 : -1;
    if (away(p->off) > p->slack)
        return p->off > 0 ? 0 : 1;
    return before(p, p->heap[1].cell[0], p->heap[0].cell[0]);
}

/* Moves cells as long as there is hope and goes back to the best cut among those whose sizes are
 * right, or nearest to it. True if that is better than before. */
static bool run_pass(struct pass *p)
{
    uint32_t count = 0, best_count = 0, idle = 0;
    uint32_t patience = PATIENCE + p->g->cells / PATIENCE_PART;
    int64_t gained = 0, best = 0, best_off = away(p->off);
    fill_heaps(p);
    for (int s; idle < patience && (s = choose_side(p)) >= 0; idle++) {
        uint32_t cell = p->heap[s].cell[0];
        gained += p->gain[cell];
        move(p, cell);
        p->moved[count++] = cell;
        int64_t off = away(p->off) > p->slack ? away(p->off) : p->slack;
        int64_t known = best_off > p->slack ? best_off : p->slack;
        if (off < known || (off == known && gained > best)) {
            best = gained;
            best_off = away(p->off);
            best_count = count;
            idle = 0;
        }
    }
    while (count > best_count) {
        uint32_t cell = p->moved[--count];
        p->off += p->side[cell] ? p->g->size[cell] : -(int64_t)p->g->size[cell];
        p->side[cell] ^= 1;
    }
    return best_count > 0;
}

int smap_bisect_refine(uint8_t side[], const struct smap_coarse *graph, uint64_t left,
                       uint64_t slack, struct smap_error *err)
{
    size_t cells = graph->cells;
    uint32_t *memory = calloc(4 * cells + 1, sizeof(*memory)), largest = 0;
    struct pass p = {.g = graph, .side = side, .slack = (int64_t)slack, .off = -(int64_t)left};
    p.gain = calloc(cells + 1, sizeof(*p.gain));
    int rc = memory && p.gain ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK) {
        p.place = memory;
        p.moved = memory + cells;
        p.heap[0].cell = memory + 2 * cells;
        p.heap[1].cell = memory + 3 * cells;
        for (uint32_t c = 0; c < graph->cells; c++) {
            p.off += side[c] ? 0 : graph->size[c];
            largest = graph->size[c] > largest ? graph->size[c] : largest;
        }
        p.reach = p.slack + largest;
        for (int pass = 0; pass < PASSES_MAX && run_pass(&p); pass++)
            ;
    }
    free(memory);
    free(p.gain);
    return rc;
}
