/* SPDX-License-Identifier: BSD-3-Clause */
/* The check-up of greedy-distributed (2019 thesis, algorithm 5): every cell that nobody has taken,
 * in rising order, takes the place of one that several nodes have taken, where the weight that
 * leaves its node falls most: c_d - c_u, equation 4.5, with the cells that are there at that
 * moment; ties go to the smaller cell, then to the node that comes first. The thesis compares all
 * pairs; here each node knows its best place to give away, a tournament among the nodes knows the
 * best of all, and only the nodes where the cell has neighbours are looked at besides. */
#include <stdlib.h>
#include <string.h>

#include "map/greedy_distributed.h"

#define NO_PLACE UINT32_MAX

struct settle {
    const struct smap_instance *in;
    uint32_t *cell_at;     /* by place: position in the order of nodes */
    uint32_t *node_at;     /* by place */
    uint32_t *places;      /* by cell: its first place; NO_PLACE: none */
    uint32_t *next, *prev; /* by place: another one of the same cell */
    uint64_t *leaves;      /* by place: the weight from its cell to other nodes, c_d */
    uint32_t *best;        /* the tournament: best[nodes + i] is node i's best place, best[1] that
                            * of all; NO_PLACE where no cell can be given away */
    uint64_t *toward;      /* by node: the weight from the cell in question to it, else 0 */
    uint32_t *met;         /* the nodes that have some */
    uint32_t nodes;
};

/* Is the cell at this place also at another one? */
static bool is_double(const struct settle *s, uint32_t place)
{
    return s->next[s->places[s->cell_at[place]]] != NO_PLACE;
}

static bool comes_last(const struct settle *s, uint32_t a, uint32_t b)
{
    uint32_t one = s->cell_at[a], other = s->cell_at[b];
    return one > other || (one == other && a > b);
}

/* The better place of two to give away; either may be NO_PLACE. */
static uint32_t better_of(const struct settle *s, uint32_t a, uint32_t b)
{
    if (a == NO_PLACE || b == NO_PLACE)
        return a == NO_PLACE ? b : a;
    if (s->leaves[a] != s->leaves[b])
        return s->leaves[a] > s->leaves[b] ? a : b;
    return comes_last(s, a, b) ? a : b;
}

static void look_at_node(struct settle *s, uint32_t node)
{
    uint32_t best = NO_PLACE, end = smap_nodesizes_first(s->in->sizes, node + 1);
    for (uint32_t i = smap_nodesizes_first(s->in->sizes, node); i < end; i++)
        if (is_double(s, i))
            best = better_of(s, best, i);
    s->best[s->nodes + node] = best;
}

static void play_node(struct settle *s, uint32_t node)
{
    look_at_node(s, node);
    for (uint32_t i = (s->nodes + node) / 2; i > 0; i /= 2)
        s->best[i] = better_of(s, s->best[2 * i], s->best[2 * i + 1]);
}

static void link_place(struct settle *s, uint32_t place, uint32_t cell)
{
    s->cell_at[place] = cell;
    s->prev[place] = NO_PLACE;
    s->next[place] = s->places[cell];
    if (s->places[cell] != NO_PLACE)
        s->prev[s->places[cell]] = place;
    s->places[cell] = place;
}

static void unlink_place(struct settle *s, uint32_t place)
{
    uint32_t next = s->next[place], prev = s->prev[place];
    if (next != NO_PLACE)
        s->prev[next] = prev;
    if (prev != NO_PLACE)
        s->next[prev] = next;
    else
        s->places[s->cell_at[place]] = next;
}

/* Where the cell is on this node; NO_PLACE if it is not. One that has many places, since all nodes
 * have taken it, is looked for among those of the node. */
static uint32_t find_place(const struct settle *s, uint32_t cell, uint32_t node)
{
    uint32_t first = smap_nodesizes_first(s->in->sizes, node);
    uint32_t end = first + smap_nodesizes_size(s->in->sizes, node), i = s->places[cell];
    for (uint32_t steps = first; steps < end && i != NO_PLACE; steps++, i = s->next[i])
        if (s->node_at[i] == node)
            return i;
    if (i == NO_PLACE)
        return NO_PLACE;
    for (i = first; i < end && s->cell_at[i] != cell; i++)
        ;
    return i < end ? i : NO_PLACE;
}

/* The weight from a cell to all others, but for that to cells on its node. */
static uint64_t count_leaving(const struct settle *s, uint32_t cell, uint32_t node)
{
    const struct smap_stencil *stencil = s->in->stencil;
    uint32_t coords[SMAP_DIMS_MAX], other;
    uint64_t leaving = 0;
    smap_grid_coords(coords, s->in->grid, cell);
    for (size_t r = 0; r < stencil->count; r++)
        if (smap_grid_neighbour(&other, s->in->grid, coords, smap_stencil_offset(stencil, r), 1) &&
            find_place(s, other, node) == NO_PLACE)
            leaving += stencil->weights[r];
    return leaving;
}

/* A cell has come to a node or left it: what leaves the cells that talk to it changes. */
static void tell_neighbours(struct settle *s, uint32_t cell, uint32_t node, bool came)
{
    const struct smap_stencil *stencil = s->in->stencil;
    uint32_t coords[SMAP_DIMS_MAX], other;
    smap_grid_coords(coords, s->in->grid, cell);
    for (size_t r = 0; r < stencil->count; r++) {
        if (!smap_grid_neighbour(&other, s->in->grid, coords, smap_stencil_offset(stencil, r),
                                 -1) ||
            other == cell)
            continue;
        uint32_t place = find_place(s, other, node);
        if (place != NO_PLACE && came)
            s->leaves[place] -= stencil->weights[r];
        else if (place != NO_PLACE)
            s->leaves[place] += stencil->weights[r];
    }
}

/* Fills toward and met; returns how many. */
static uint32_t meet_nodes(struct settle *s, uint32_t cell)
{
    const struct smap_stencil *stencil = s->in->stencil;
    uint32_t coords[SMAP_DIMS_MAX], other, count = 0;
    smap_grid_coords(coords, s->in->grid, cell);
    for (size_t r = 0; r < stencil->count; r++) {
        if (!smap_grid_neighbour(&other, s->in->grid, coords, smap_stencil_offset(stencil, r), 1))
            continue;
        for (uint32_t i = s->places[other]; i != NO_PLACE; i = s->next[i]) {
            uint32_t node = s->node_at[i];
            if (s->toward[node] == 0)
                s->met[count++] = node;
            s->toward[node] += stencil->weights[r];
        }
    }
    return count;
}

/* The place where a cell gains most. The sum of all that it says is the same everywhere. */
static uint32_t find_gain(struct settle *s, uint32_t cell)
{
    uint32_t found = s->best[1], count = meet_nodes(s, cell);
    uint64_t gain = s->leaves[found];
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = s->best[s->nodes + s->met[k]];
        uint64_t here = place == NO_PLACE ? 0 : s->leaves[place] + s->toward[s->met[k]];
        if (here > gain || (here == gain && place != NO_PLACE && comes_last(s, place, found))) {
            found = place;
            gain = here;
        }
        s->toward[s->met[k]] = 0;
    }
    return found;
}

static void replace(struct settle *s, uint32_t place, uint32_t cell)
{
    uint32_t node = s->node_at[place], gone = s->cell_at[place];
    unlink_place(s, place);
    tell_neighbours(s, gone, node, false);
    link_place(s, place, cell);
    tell_neighbours(s, cell, node, true);
    s->leaves[place] = count_leaving(s, cell, node);
    play_node(s, node);
    if (s->next[s->places[gone]] == NO_PLACE)
        play_node(s, s->node_at[s->places[gone]]);
}

static void settle_all(struct settle *s)
{
    const struct smap_nodesizes *sizes = s->in->sizes;
    uint32_t p = s->in->grid->cells;
    memset(s->places, 0xff, p * sizeof(*s->places));
    for (uint32_t node = 0, i = 0; node < s->nodes; node++)
        for (; i < smap_nodesizes_first(sizes, node + 1); i++) {
            s->node_at[i] = node;
            link_place(s, i, s->cell_at[i]);
        }
    for (uint32_t i = 0; i < p; i++)
        s->leaves[i] = count_leaving(s, s->cell_at[i], s->node_at[i]);
    for (uint32_t node = 0; node < s->nodes; node++)
        look_at_node(s, node);
    for (uint32_t i = s->nodes - 1; i > 0; i--)
        s->best[i] = better_of(s, s->best[2 * i], s->best[2 * i + 1]);
    for (uint32_t cell = 0; cell < p; cell++)
        if (s->places[cell] == NO_PLACE)
            replace(s, find_gain(s, cell), cell);
}

int smap_greedy_settle(uint32_t cell_at[], const struct smap_instance *in, struct smap_error *err)
{
    uint32_t p = in->grid->cells;
    struct settle s = {.in = in, .cell_at = cell_at, .nodes = smap_nodesizes_nodes(in->sizes)};
    s.node_at = calloc(p, sizeof(*s.node_at));
    s.places = calloc(p, sizeof(*s.places));
    s.next = calloc(p, sizeof(*s.next));
    s.prev = calloc(p, sizeof(*s.prev));
    s.leaves = calloc(p, sizeof(*s.leaves));
    s.best = calloc(2 * (size_t)s.nodes, sizeof(*s.best));
    s.toward = calloc(s.nodes, sizeof(*s.toward));
    s.met = calloc(s.nodes, sizeof(*s.met));
    bool able =
        s.node_at && s.places && s.next && s.prev && s.leaves && s.best && s.toward && s.met;
    if (able)
        settle_all(&s);
    free(s.node_at);
    free(s.places);
    free(s.next);
    free(s.prev);
    free(s.leaves);
    free(s.best);
    free(s.toward);
    free(s.met);
    return able ? SMAP_OK : smap_nomem(err);
}
