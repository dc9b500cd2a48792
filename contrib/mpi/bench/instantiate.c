/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/instantiate.h"

#include <stdlib.h>

#include "bench/rounds.h"
#include "bench/rows.h"
#include "best/algorithms.h"
#include "cart.h"
#include "compute.h"
#include "search.h"

/* What MPI does by itself, to compare with: before the algorithms. */
static const char *const of_mpi[] = {"MPI_Comm_split", "MPI_Cart_create 0", "MPI_Cart_create 1"};
#define OF_MPI (sizeof(of_mpi) / sizeof(of_mpi[0]))

/* The algorithms that served the instance. */
struct making {
    const struct bench_measure *measure;
    const char *algorithms[BENCH_LIST_MAX + 1];
    uint32_t count;
};

/* A closed form: every process for itself. Others: few for all, see search.h. */
static void compute(const struct bench_measure *m, const char *algorithm,
                    const struct smap_nodesplit *split)
{
    const struct smap_instance instance = {&m->c->grid, m->c->stencil, split->sizes, NULL};
    struct smap_mapping *mapping = NULL;
    struct smap_searched searched;
    if (smap_wants_whole_grid(algorithm)) {
        smap_search(&searched, m->machine->plain, algorithm, &instance, split);
        return;
    }
    if (smap_mapping_from_text(&mapping, algorithm, &instance, NULL, NULL) == SMAP_OK)
        (void)smap_mapping_cell(mapping, smap_nodesplit_position(split));
    smap_mapping_destroy(mapping);
}

static double instantiate_once(void *context, uint32_t i)
{
    const struct making *making = context;
    const struct bench_measure *m = making->measure;
    struct smap_nodesplit split;
    bool ok;
    MPI_Barrier(m->machine->plain);
    double start = MPI_Wtime();
    smap_nodesplit_init(m->machine->plain, &split, &ok);
    if (ok)
        compute(m, making->algorithms[i], &split);
    double seconds = MPI_Wtime() - start;
    smap_nodesplit_clear(&split);
    return seconds;
}

static void create_cart(MPI_Comm *comm, const struct bench_measure *m, int reorder)
{
    int dims[SMAP_DIMS_MAX], periods[SMAP_DIMS_MAX];
    for (size_t i = 0; i < m->c->grid.ndims; i++) {
        dims[i] = (int)m->c->grid.dims[i];
        periods[i] = m->c->grid.periodic[i];
    }
    MPI_Cart_create(m->machine->plain, (int)m->c->grid.ndims, dims, periods, reorder, comm);
}

static double create_once(void *context, uint32_t i)
{
    const struct making *making = context;
    const struct bench_measure *m = making->measure;
    struct smap_cart_request request = {
        .grid = m->c->grid, .stencil = m->c->stencil, .ignore_ranks = true};
    struct smap_cart_outcome outcome;
    MPI_Comm comm;
    MPI_Barrier(m->machine->plain);
    double start = MPI_Wtime();
    if (i == 0) {
        MPI_Comm_split(m->machine->plain, 0, m->machine->plain_rank, &comm);
    } else if (i < OF_MPI) {
        create_cart(&comm, m, i == 2);
    } else {
        request.algorithm = making->algorithms[i - OF_MPI];
        smap_cart_build(m->machine->plain, &request, &comm, &outcome);
    }
    double seconds = MPI_Wtime() - start;
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
    return seconds;
}

static void report(const struct bench_measure *m, const char *what, struct bench_panel *panel,
                   const double times[], uint32_t rounds)
{
    uint32_t count = (uint32_t)panel->series_count;
    double *scratch = bench_alloc(rounds, sizeof(*scratch));
    for (uint32_t i = 0; i < count; i++) {
        struct bench_point *point = &panel->series[i].points[0];
        point->known = true;
        point->ms = bench_stat(times + i, rounds, count, scratch);
        point->drawn = (struct bench_ratio){point->ms.mean, point->ms.mean - point->ms.half_width,
                                            point->ms.mean + point->ms.half_width};
        bench_rows_add_name(m, what, panel->series[i].name, point);
    }
    free(scratch);
    bench_report_panel(m->report, panel);
}

/* names: of the series, by the rounds' numbers. */
static void measure_making(const struct bench_measure *m, const char *what,
                           const char *const names[], const struct bench_rounds *rounds)
{
    double *times = bench_alloc((size_t)rounds->repeats * rounds->candidates, sizeof(*times));
    bench_progress_case(m->progress, "%.60s, %s", m->c->stencil_text, what);
    uint32_t done = bench_rounds(times, rounds);
    for (uint32_t i = 0; i < done * rounds->candidates; i++)
        times[i] *= 1e3;
    bench_rounds_worst(times, done * rounds->candidates);
    if (m->machine->rank == 0) {
        char front[32];
        snprintf(front, sizeof(front), "%s: ", what);
        bench_progress_clear(m->progress);
        struct bench_panel *panel = bench_rows_panel(m, 1, rounds->candidates, front);
        panel->kind = BENCH_DOTS;
        panel->logarithmic = true;
        panel->axis = "milliseconds";
        panel->notes[0] = NULL;
        for (uint32_t i = 0; i < rounds->candidates; i++)
            snprintf(panel->series[i].name, sizeof(panel->series[i].name), "%s", names[i]);
        report(m, what, panel, times, done);
    }
    free(times);
}

void bench_instantiate(const struct bench_measure *m)
{
    struct making making = {.measure = m};
    const char *names[OF_MPI + BENCH_LIST_MAX + 1];
    for (size_t i = 0; i < OF_MPI; i++)
        names[i] = of_mpi[i];
    for (size_t i = 0; i < m->candidates->count; i++) {
        if (!m->candidates->item[i].algorithm)
            continue;
        names[OF_MPI + making.count] = m->candidates->item[i].name;
        making.algorithms[making.count++] = m->candidates->item[i].algorithm;
    }
    const struct bench_options *o = m->options;
    struct bench_rounds rounds = {making.count,     o->repeats, o->seconds,
                                  instantiate_once, &making,    m->progress};
    measure_making(m, "instantiation", names + OF_MPI, &rounds);
    rounds.candidates += OF_MPI;
    rounds.once = create_once;
    measure_making(m, "creation", names, &rounds);
}
