/* SPDX-License-Identifier: BSD-3-Clause */
/* Centralized greedy: the 2019 thesis, section 4.1, algorithm 3. A node takes the cell of highest
 * priority (ties: the smaller rank) from a queue. First all its new neighbours are put into the
 * queue, with what they say to it as priority; then each of these and every cell in the queue
 * that talks to it raise each other. The next node starts with an empty queue at the smallest cell
 * left. That order of steps gives the J_sum of the thesis' tables 6.1; its text alone leaves it
 * open. */
#include <stdlib.h>

#include "map/algorithm.h"

struct entry {
    uint64_t priority;
    uint32_t cell;
};

/* A binary heap; a raised cell is pushed again, and entries out of date are dropped on the way out.
 */
struct search {
    const struct smap_mapping *m;
    struct entry *heap;
    size_t size;
    size_t capacity;
    uint64_t *priority; /* of the cells in the queue */
    uint32_t *queued;   /* the node, counted from 1, whose queue a cell has been in last */
    bool *assigned;
    uint32_t *fresh; /* the cells that one step has put into the queue */
    bool failed;
};

static bool before(const struct entry *a, const struct entry *b)
{
    return a->priority > b->priority || (a->priority == b->priority && a->cell < b->cell);
}

static void push(struct search *s, uint32_t cell)
{
    if (s->size == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 256;
        struct entry *grown = reallocarray(s->heap, capacity, sizeof(*grown));
        if (!grown) {
            s->failed = true;
            return;
        }
        s->heap = grown;
        s->capacity = capacity;
    }
    struct entry entry = {s->priority[cell], cell};
    size_t i = s->size++;
    for (; i > 0 && before(&entry, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = entry;
}

static struct entry pop(struct search *s)
{
    struct entry top = s->heap[0], last = s->heap[--s->size];
    size_t i = 0;
    for (size_t child = 1; child < s->size; child = 2 * i + 1) {
        if (child + 1 < s->size && before(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!before(&s->heap[child], &last))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = last;
    return top;
}

/* A cell that talks to the one at coords (sign -1) or that it talks to (sign 1) by an offset, and
 * that no node has taken yet. */
static bool find_free(const struct search *s, uint32_t *next, const uint32_t coords[], size_t r,
                      int sign)
{
    const struct smap_instance *in = &s->m->in;
    return smap_grid_neighbour(next, in->grid, coords, smap_stencil_offset(in->stencil, r), sign) &&
           !s->assigned[*next];
}

/* A cell has been given to the node: its neighbours enter the queue. */
static void spread(struct search *s, uint32_t cell, uint32_t mark)
{
    const struct smap_stencil *stencil = s->m->in.stencil;
    uint32_t coords[SMAP_DIMS_MAX], next;
    size_t fresh = 0;
    smap_grid_coords(coords, s->m->in.grid, cell);
    for (size_t r = 0; r < stencil->count; r++) {
        if (!find_free(s, &next, coords, r, 1) || s->queued[next] == mark)
            continue;
        s->queued[next] = mark;
        s->priority[next] = stencil->weights[r];
        s->fresh[fresh++] = next;
    }
    for (size_t k = 0; k < fresh; k++) {
        smap_grid_coords(coords, s->m->in.grid, s->fresh[k]);
        for (size_t r = 0; r < stencil->count; r++) {
            if (!find_free(s, &next, coords, r, -1) || next == s->fresh[k] ||
                s->queued[next] != mark)
                continue;
            s->priority[s->fresh[k]] += stencil->weights[r];
            s->priority[next] += stencil->weights[r];
            push(s, next);
        }
    }
    for (size_t k = 0; k < fresh; k++)
        push(s, s->fresh[k]);
}

static void give_cells(struct search *s, uint32_t cell_at[])
{
    uint32_t nodes = smap_nodesizes_nodes(s->m->in.sizes), q = 0, smallest = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        s->size = 0;
        for (uint32_t left = smap_nodesizes_size(s->m->in.sizes, node); left > 0 && !s->failed;) {
            struct entry best = {0, 0};
            if (s->size > 0) {
                best = pop(s);
                if (s->assigned[best.cell] || best.priority != s->priority[best.cell])
                    continue;
            } else {
                while (s->assigned[smallest])
                    smallest++;
                best.cell = smallest;
            }
            s->assigned[best.cell] = true;
            cell_at[q++] = best.cell;
            left--;
            spread(s, best.cell, node + 1);
        }
    }
}

static int fill(uint32_t cell_at[], const struct smap_mapping *m, struct smap_error *err)
{
    struct search s = {.m = m};
    s.priority = calloc(m->in.grid->cells, sizeof(*s.priority));
    s.queued = calloc(m->in.grid->cells, sizeof(*s.queued));
    s.assigned = calloc(m->in.grid->cells, sizeof(*s.assigned));
    s.fresh = calloc(m->in.stencil->count, sizeof(*s.fresh));
    if (s.priority && s.queued && s.assigned && s.fresh)
        give_cells(&s, cell_at);
    else
        s.failed = true;
    free(s.heap);
    free(s.priority);
    free(s.queued);
    free(s.assigned);
    free(s.fresh);
    return s.failed ? smap_nomem(err) : SMAP_OK;
}

const struct smap_algorithm smap_algorithm_greedy = {
    .name = "greedy",
    .summary = "node by node, always the cell with the most neighbours there (2019 thesis)",
    .whole_grid = true,
    .cells_max = 1u << 17, /* k^2 steps a cell, and far behind on large grids */
    .fill = fill,
};
