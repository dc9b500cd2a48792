/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/bind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/slots_tasks.h"
#include "stepd/confine.h"
#include "stepd/seats.h"

/* A binding in progress: of all processes, or of those on the grid. */
struct binding {
    struct smap_topology *topology;
    const struct bind_request *request;
    const pid_t *pids;
    size_t count;
    uint32_t *cell;       /* of each; where a mapping seats them */
    uint32_t *process;    /* which of all processes each is; with cell */
    struct seat *given;   /* by Slurm, in order of the processes */
    struct seat *offered; /* those to be taken: the order's slots, or the given ones again */
    struct bind_outcome *outcome;
};

/* What the user limits by --ntasks-per-core and --ntasks-per-socket. */
static int check_limits(const struct binding *b, struct smap_error *err)
{
    const struct {
        const char *level;
        uint32_t limit;
    } limits[] = {{"core", b->request->tasks_per_core}, {"socket", b->request->tasks_per_socket}};
    struct smap_shape shape = {0};
    int rc = SMAP_OK;
    if (b->request->tasks_per_core || b->request->tasks_per_socket)
        rc = smap_topology_shape(&shape, b->topology, SMAP_LEAF_PU, 0, err);
    for (size_t i = 0; rc == SMAP_OK && i < sizeof(limits) / sizeof(limits[0]); i++) {
        const char *level = limits[i].level;
        uint32_t limit = limits[i].limit, most = 0;
        if (limit)
            rc = seats_fullest(&most, &shape, level, b->offered, (uint32_t)b->count, err);
        if (rc == SMAP_OK && most > limit)
            rc = smap_fail(err, SMAP_ENOTSUP,
                           "--rank-order=%s puts %" PRIu32
                           " tasks on one %s, --ntasks-per-%s=%" PRIu32,
                           b->request->order, most, level, level, limit);
    }
    smap_shape_clear(&shape);
    return rc;
}

/* Offers the first slots of the order. */
static int offer_slots(struct binding *b, struct smap_error *err)
{
    const struct bind_request *request = b->request;
    const struct smap_slot_request wanted = {
        .order = request->order,
        .hierarchy = request->hierarchy,
        .nodes = request->nodes,
        .count = b->count,
        .threads_per_core = request->threads_per_core,
        .cpus_per_task = request->cpus_per_task,
        .cpus_per_core = request->cpus_per_core,
        .strict = request->strict,
    };
    struct cpumask bound = {0};
    for (size_t i = 0; i < b->count; i++)
        cpumask_add_all(&bound, &b->given[i].mask);
    int rc = confine(b->topology, request->cores, request->core_count, &bound, b->pids[0], err);
    if (rc == SMAP_OK)
        rc = smap_topology_task_slots(&b->outcome->slots, b->topology, &wanted, err);
    if (rc == SMAP_OK)
        rc = seats_from_slots(b->offered, b->topology, &b->outcome->slots, b->count, err);
    return rc == SMAP_OK ? check_limits(b, err) : rc;
}

/* Says which process gets which of the seats on offer: the mapping's word. */
static int assign(uint32_t seat_of[], const struct binding *b, struct smap_error *err)
{
    struct smap_inside inside = {0};
    int rc = seats_inside(&inside, b->topology, b->outcome->slot ? &b->outcome->slots : NULL,
                          b->offered, b->count, err);
    if (rc == SMAP_OK) {
        const struct smap_instance instance = smap_problem_on(b->request->problem, NULL);
        smap_inside_settle(&inside);
        rc = smap_inside_assign(seat_of, &inside, &instance, b->cell, false, err);
    }
    smap_inside_clear(&inside);
    return rc;
}

/* What crosses the machine's levels where process i has seat seat_of[i] of these, which are in
 * machine order. */
static int count_crossings(uint64_t crossing[], const struct binding *b, const struct seat seats[],
                           const uint32_t seat_of[], struct smap_error *err)
{
    struct bind_crossings *crossings = &b->outcome->crossings;
    struct smap_inside inside = {0};
    int rc = seats_inside(&inside, b->topology, NULL, seats, b->count, err);
    const struct smap_instance instance = smap_problem_on(b->request->problem, NULL);
    if (rc == SMAP_OK)
        rc = smap_inside_crossings(crossing, &inside, &instance, b->cell, seat_of, err);
    crossings->levels = rc == SMAP_OK ? inside.levels : 0;
    memcpy(crossings->name, inside.name, sizeof(crossings->name));
    smap_inside_clear(&inside);
    return rc;
}

/* The crossings as Slurm has bound the processes. */
static int count_given(const struct binding *b, struct smap_error *err)
{
    struct seat *sorted = calloc(b->count, sizeof(*sorted));
    uint32_t *seat_of = calloc(b->count, sizeof(*seat_of));
    int rc = sorted && seat_of ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK) {
        memcpy(sorted, b->given, b->count * sizeof(*sorted));
        seats_sort(sorted, b->count);
        for (uint32_t k = 0; k < b->count; k++)
            seat_of[sorted[k].owner] = k;
        b->outcome->crossings.before_known = !seats_are_equal(b->given, b->count);
        rc = count_crossings(b->outcome->crossings.before, b, sorted, seat_of, err);
    }
    free(sorted);
    free(seat_of);
    return rc;
}

/* Is there less across the outermost level at which there is a difference? */
static bool lowers(const struct bind_crossings *crossings)
{
    for (size_t l = 0; l < crossings->levels; l++)
        if (crossings->after[l] != crossings->before[l])
            return crossings->after[l] < crossings->before[l];
    return false;
}

/* Every process keeps its seat. */
static int keep_seats(struct binding *b, struct smap_error *err)
{
    struct bind_crossings *crossings = &b->outcome->crossings;
    int rc = count_given(b, err);
    memcpy(crossings->after, crossings->before, sizeof(crossings->after));
    return rc;
}

/* Puts the processes on the seats on offer as the mapping says. Without an order only if that is
 * better than what Slurm did. */
static int seat_by_cells(struct binding *b, struct smap_error *err)
{
    struct bind_outcome *outcome = b->outcome;
    struct bind_crossings *crossings = &outcome->crossings;
    uint32_t *seat_of = calloc(b->count, sizeof(*seat_of));
    int rc = seat_of ? count_given(b, err) : smap_nomem(err);
    seats_sort(b->offered, b->count);
    if (rc == SMAP_OK)
        rc = assign(seat_of, b, err);
    if (rc == SMAP_OK)
        rc = count_crossings(crossings->after, b, b->offered, seat_of, err);
    outcome->kept = rc == SMAP_OK && !outcome->slot && !lowers(crossings);
    if (outcome->kept)
        memcpy(crossings->after, crossings->before, sizeof(crossings->after));
    else if (rc == SMAP_OK)
        rc = seats_take(b->offered, seat_of, b->pids, b->count, err);
    for (size_t i = 0; rc == SMAP_OK && outcome->slot && i < b->count; i++)
        outcome->slot[b->process[i]] = b->offered[seat_of[i]].slot;
    free(seat_of);
    return rc;
}

/* Copies the processes on the grid, with the seats that they were given and are offered. */
static void pick_grid(struct binding *grid, pid_t pids[], const struct binding *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        size_t k = grid->count;
        if (all->request->cell[i] == SMAP_NO_CELL)
            continue;
        grid->cell[k] = all->request->cell[i];
        grid->process[k] = i;
        pids[k] = all->pids[i];
        grid->given[k] = all->given[i];
        grid->given[k].owner = (uint32_t)k;
        grid->offered[k] = all->offered[i];
        grid->count++;
    }
}

/* The seats of the processes on the grid change hands among these. */
static int seat_grid(const struct binding *all, struct smap_error *err)
{
    struct binding grid = *all;
    pid_t *pids = calloc(all->count, sizeof(*pids));
    grid.pids = pids;
    grid.count = 0;
    grid.cell = calloc(all->count, sizeof(*grid.cell));
    grid.process = calloc(all->count, sizeof(*grid.process));
    grid.given = calloc(all->count, sizeof(*grid.given));
    grid.offered = calloc(all->count, sizeof(*grid.offered));
    int rc = SMAP_OK;
    if (!pids || !grid.cell || !grid.process || !grid.given || !grid.offered)
        rc = smap_nomem(err);
    else
        pick_grid(&grid, pids, all);
    /* Equal masks of Slurm's cannot change hands. */
    if (rc == SMAP_OK && grid.count > 0 &&
        (all->outcome->slot || !seats_are_equal(grid.given, grid.count)))
        rc = all->request->seats_by_cells ? seat_by_cells(&grid, err) : keep_seats(&grid, err);
    free(pids);
    free(grid.cell);
    free(grid.process);
    free(grid.given);
    free(grid.offered);
    return rc;
}

static int bind_by_order(struct binding *b, struct smap_error *err)
{
    struct bind_outcome *outcome = b->outcome;
    outcome->slot = calloc(b->count, sizeof(*outcome->slot));
    int rc = outcome->slot ? offer_slots(b, err) : smap_nomem(err);
    for (size_t i = 0; rc == SMAP_OK && i < b->count; i++)
        outcome->slot[i] = b->offered[i].slot;
    if (rc == SMAP_OK)
        rc = seats_take(b->offered, NULL, b->pids, b->count, err);
    return rc == SMAP_OK && b->request->cell && b->request->seats_by_cells ? seat_grid(b, err) : rc;
}

/* Without an order: only who gets which of Slurm's masks changes. */
static int hand_round(struct binding *b, struct smap_error *err)
{
    b->outcome->kept = true;
    if (!b->request->cell)
        return SMAP_OK;
    memcpy(b->offered, b->given, b->count * sizeof(*b->offered));
    return seat_grid(b, err);
}

int bind_tasks(struct bind_outcome *outcome, struct smap_topology *topology,
               const struct bind_request *request, const pid_t pids[], size_t count,
               struct smap_error *err)
{
    struct binding b = {
        .topology = topology,
        .request = request,
        .pids = pids,
        .count = count,
        .given = calloc(count, sizeof(*b.given)),
        .offered = calloc(count, sizeof(*b.offered)),
        .outcome = outcome,
    };
    int rc =
        b.given && b.offered ? seats_read(b.given, topology, pids, count, err) : smap_nomem(err);
    if (rc == SMAP_OK) {
        rc = request->order ? bind_by_order(&b, err) : hand_round(&b, err);
        if (rc != SMAP_OK) {
            seats_take(b.given, NULL, pids, count, NULL);
            bind_outcome_clear(outcome);
        }
    }
    free(b.given);
    free(b.offered);
    return rc;
}

void bind_outcome_clear(struct bind_outcome *outcome)
{
    smap_slots_clear(&outcome->slots);
    free(outcome->slot);
    outcome->slot = NULL;
    outcome->crossings.levels = 0;
}
