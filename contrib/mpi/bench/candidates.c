/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/candidates.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "cart.h"

__attribute__((format(printf, 2, 3))) static void note(struct bench_candidates *all,
                                                       const char *format, ...)
{
    va_list args;
    size_t used = strlen(all->notes);
    va_start(args, format);
    vsnprintf(all->notes + used, sizeof(all->notes) - used, format, args);
    va_end(args);
}

/* In a step that srun has mapped, how MPI_COMM_WORLD and its hints came to that mapping. */
static const char *origin_text(const struct smap_cart_outcome *outcome)
{
    switch (outcome->origin) {
    case SMAP_CART_HINTS:
        return "reordered as the hints of the step say";
    case SMAP_CART_KEPT_LAUNCH:
        return "MPI_COMM_WORLD as srun has placed it";
    case SMAP_CART_COMPUTED:
        return "computed again: the hints are no permutation";
    case SMAP_CART_KEPT_NO_GAIN:
        return "MPI_COMM_WORLD: nothing would be gained";
    case SMAP_CART_KEPT_ONE:
        return "MPI_COMM_WORLD: all on one node";
    case SMAP_CART_KEPT_OFF:
        return "MPI_COMM_WORLD: STENCILMAP_MPI=off";
    default:
        return "MPI_COMM_WORLD: no mapping could be computed";
    }
}

/* All cells by an algorithm, in the order of plain, on plain's rank 0; dealt out to *cell. */
static int compute(uint32_t *cell, const struct bench_machine *m, const struct bench_case *c,
                   const char *algorithm, struct smap_error *err)
{
    const struct smap_instance instance = {&c->grid, c->stencil, m->split.sizes, NULL};
    struct smap_mapping *mapping = NULL;
    uint32_t *cells = NULL;
    int rc = SMAP_OK;
    if (m->plain_rank == 0) {
        cells = bench_alloc(c->grid.cells, sizeof(*cells));
        rc = smap_mapping_from_text(&mapping, algorithm, &instance, NULL, err);
    }
    MPI_Bcast(&rc, 1, MPI_INT, 0, m->plain);
    if (rc != SMAP_OK)
        MPI_Bcast(err->text, sizeof(err->text), MPI_CHAR, 0, m->plain);
    if (mapping)
        smap_mapping_cells(cells, mapping);
    if (rc == SMAP_OK)
        MPI_Scatter(cells, 1, MPI_UINT32_T, cell, 1, MPI_UINT32_T, 0, m->plain);
    smap_mapping_destroy(mapping);
    free(cells);
    return rc;
}

/* One more with this cell for this process. */
static struct bench_candidate *add(struct bench_candidates *all, const struct bench_machine *m,
                                   const struct bench_case *c, const char *name, MPI_Comm comm)
{
    struct bench_candidate *candidate = &all->item[all->count++];
    int cell;
    snprintf(candidate->name, sizeof(candidate->name), "%s", name);
    candidate->comm = comm;
    MPI_Comm_rank(comm, &cell);
    candidate->score = bench_machine_score(m, &c->grid, c->stencil, (uint32_t)cell);
    return candidate;
}

/* What cannot serve the instance is left out, with a note; what is wrong by itself is refused. */
static int add_algorithm(struct bench_candidates *all, const struct bench_machine *m,
                         const struct bench_case *c, const char *algorithm, struct smap_error *err)
{
    uint32_t cell;
    MPI_Comm comm;
    if (all->count > BENCH_LIST_MAX)
        return smap_fail(err, SMAP_EINVAL, "--map: more than %d", BENCH_LIST_MAX);
    int rc = compute(&cell, m, c, algorithm, err);
    if (rc == SMAP_ENOTSUP) {
        note(all, "left out: %s\n", err->text);
        return SMAP_OK;
    }
    if (rc != SMAP_OK) {
        struct smap_error why = *err;
        return smap_fail(err, rc, "--map=%.60s: %.400s", algorithm, why.text);
    }
    MPI_Comm_split(m->plain, 0, (int)cell, &comm);
    add(all, m, c, algorithm, comm)->algorithm = algorithm;
    return SMAP_OK;
}

static void add_step(struct bench_candidates *all, const struct bench_machine *m,
                     const struct bench_case *c, const struct smap_hints *hints)
{
    const struct smap_cart_request request = {.grid = c->grid, .stencil = c->stencil};
    struct smap_cart_outcome outcome;
    MPI_Comm comm;
    smap_cart_build(MPI_COMM_WORLD, &request, &comm, &outcome);
    const struct bench_candidate *step = add(all, m, c, "step", comm);
    note(all, "step: %s, %s: J_sum %" PRIu64 " -> %" PRIu64, hints->map ? hints->map : "?",
         origin_text(&outcome), all->item[0].score.jsum, step->score.jsum);
    if (hints->jsum_known)
        note(all, ", predicted %" PRIu64, hints->jsum);
    note(all, "\n");
}

static bool there(const struct bench_candidates *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->item[i].name, name) == 0)
            return true;
    return false;
}

static int add_all(struct bench_candidates *all, const struct bench_machine *m,
                   const struct bench_case *c, struct smap_error *err)
{
    const char *name, *summary;
    int rc = SMAP_OK;
    for (size_t i = 0; rc == SMAP_OK && smap_algorithm_name(&name, &summary, i); i++)
        if (!there(all, name))
            rc = add_algorithm(all, m, c, name, err);
    return rc;
}

static int add_default(struct bench_candidates *all, const struct bench_machine *m,
                       const struct bench_case *c, const struct smap_hints *hints,
                       struct smap_error *err)
{
    static const char *const names[] = {"hyperplane", "kdtree", "strips", "nodecart", "best"};
    int rc = SMAP_OK;
    if (c->hints_fit)
        add_step(all, m, c, hints);
    for (size_t i = 0; rc == SMAP_OK && !c->hints_fit && i < sizeof(names) / sizeof(names[0]); i++)
        rc = add_algorithm(all, m, c, names[i], err);
    return rc;
}

int bench_candidates_create(struct bench_candidates *all, const struct bench_machine *m,
                            const struct bench_case *c, const struct bench_list *maps,
                            const struct smap_hints *hints, struct smap_error *err)
{
    memset(all, 0, sizeof(*all));
    int rc = add_algorithm(all, m, c, "blocked", err);
    if (rc == SMAP_OK && maps->count == 0)
        rc = add_default(all, m, c, hints, err);
    for (size_t i = 0; rc == SMAP_OK && i < maps->count; i++) {
        const char *map = maps->item[i];
        if (strcmp(map, "all") == 0)
            rc = add_all(all, m, c, err);
        else if (there(all, map))
            continue;
        else if (strcmp(map, "step") == 0)
            add_step(all, m, c, hints);
        else
            rc = add_algorithm(all, m, c, map, err);
    }
    return rc;
}

void bench_candidates_destroy(struct bench_candidates *all)
{
    for (size_t i = 0; i < all->count; i++)
        MPI_Comm_free(&all->item[i].comm);
}
