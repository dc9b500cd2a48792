/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "map/greedy_fill_private.h"

struct entry {
    uint64_t priority;
    uint32_t cell;
};

/* A binary heap; a raised cell is pushed again, and entries out of date are dropped on the way out.
 */
struct smap_greedy_fill {
    const struct smap_instance *in;
    struct entry *heap;
    size_t size;
    size_t capacity;
    uint64_t *priority; /* of the cells in the queue */
    uint32_t *queued;   /* the fill, counted from 1, whose queue a cell has been in last */
    uint32_t fills;     /* so far */
    bool *taken;
    uint32_t smallest; /* all cells below are taken */
    uint32_t *fresh;   /* the cells that one step has put into the queue */
    bool failed;
};

static bool before(const struct entry *a, const struct entry *b)
{
    return a->priority > b->priority || (a->priority == b->priority && a->cell < b->cell);
}

static void push(struct smap_greedy_fill *f, uint32_t cell)
{
    if (f->size == f->capacity) {
        size_t capacity = f->capacity ? 2 * f->capacity : 256;
        struct entry *grown = reallocarray(f->heap, capacity, sizeof(*grown));
        if (!grown) {
            f->failed = true;
            return;
        }
        f->heap = grown;
        f->capacity = capacity;
    }
    struct entry entry = {f->priority[cell], cell};
    size_t i = f->size++;
    for (; i > 0 && before(&entry, &f->heap[(i - 1) / 2]); i = (i - 1) / 2)
        f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = entry;
}

static struct entry pop(struct smap_greedy_fill *f)
{
    struct entry top = f->heap[0], last = f->heap[--f->size];
    size_t i = 0;
    for (size_t child = 1; child < f->size; child = 2 * i + 1) {
        if (child + 1 < f->size && before(&f->heap[child + 1], &f->heap[child]))
            child++;
        if (!before(&f->heap[child], &last))
            break;
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = last;
    return top;
}

/* A cell that talks to the one at coords (sign -1) or that it talks to (sign 1) by an offset, and
 * that no node has taken yet. */
static bool find_free(const struct smap_greedy_fill *f, uint32_t *next, const uint32_t coords[],
                      size_t r, int sign)
{
    return smap_grid_neighbour(next, f->in->grid, coords, smap_stencil_offset(f->in->stencil, r),
                               sign) &&
           !f->taken[*next];
}

/* A cell has been given to the node: its neighbours enter the queue. */
static void spread(struct smap_greedy_fill *f, uint32_t cell)
{
    const struct smap_stencil *stencil = f->in->stencil;
    uint32_t coords[SMAP_DIMS_MAX], next;
    size_t fresh = 0;
    smap_grid_coords(coords, f->in->grid, cell);
    for (size_t r = 0; r < stencil->count; r++) {
        if (!find_free(f, &next, coords, r, 1) || f->queued[next] == f->fills)
            continue;
        f->queued[next] = f->fills;
        f->priority[next] = stencil->weights[r];
        f->fresh[fresh++] = next;
    }
    for (size_t k = 0; k < fresh; k++) {
        smap_grid_coords(coords, f->in->grid, f->fresh[k]);
        for (size_t r = 0; r < stencil->count; r++) {
            if (!find_free(f, &next, coords, r, -1) || next == f->fresh[k] ||
                f->queued[next] != f->fills)
                continue;
            f->priority[f->fresh[k]] += stencil->weights[r];
            f->priority[next] += stencil->weights[r];
            push(f, next);
        }
    }
    for (size_t k = 0; k < fresh; k++)
        push(f, f->fresh[k]);
}

int smap_greedy_fill_node(uint32_t cells[], struct smap_greedy_fill *fill, uint32_t start,
                          uint32_t n, struct smap_error *err)
{
    fill->size = 0;
    fill->fills++;
    for (uint32_t q = 0; q < n && !fill->failed;) {
        struct entry best = {0, start};
        if (fill->size > 0) {
            best = pop(fill);
            if (fill->taken[best.cell] || best.priority != fill->priority[best.cell])
                continue;
        } else if (q > 0 || start == SMAP_NO_CELL) {
            while (fill->taken[fill->smallest])
                fill->smallest++;
            best.cell = fill->smallest;
        }
        fill->taken[best.cell] = true;
        cells[q++] = best.cell;
        spread(fill, best.cell);
    }
    return fill->failed ? smap_nomem(err) : SMAP_OK;
}

void smap_greedy_fill_set_taken(struct smap_greedy_fill *fill, uint32_t cell, bool taken)
{
    fill->taken[cell] = taken;
    if (!taken && cell < fill->smallest)
        fill->smallest = cell;
}

int smap_greedy_fill_create(struct smap_greedy_fill **fill, const struct smap_instance *in,
                            struct smap_error *err)
{
    struct smap_greedy_fill *f = calloc(1, sizeof(*f));
    if (!f)
        return smap_nomem(err);
    f->in = in;
    f->priority = calloc(in->grid->cells, sizeof(*f->priority));
    f->queued = calloc(in->grid->cells, sizeof(*f->queued));
    f->taken = calloc(in->grid->cells, sizeof(*f->taken));
    f->fresh = calloc(in->stencil->count + 1, sizeof(*f->fresh));
    if (!f->priority || !f->queued || !f->taken || !f->fresh) {
        smap_greedy_fill_destroy(f);
        return smap_nomem(err);
    }
    *fill = f;
    return SMAP_OK;
}

void smap_greedy_fill_destroy(struct smap_greedy_fill *fill)
{
    if (!fill)
        return;
    free(fill->heap);
    free(fill->priority);
    free(fill->queued);
    free(fill->taken);
    free(fill->fresh);
    free(fill);
}
