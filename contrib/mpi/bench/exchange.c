/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/exchange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rounds.h"
#include "bench/rows.h"

/* All candidates use the same memory. */
struct exchange {
    MPI_Comm graphs[BENCH_LIST_MAX + 1];
    uint32_t count;
    char *send, *recv;
    uint64_t bytes;
};

/* ranks gets the neighbours in the order of the offsets. */
static int neighbours(int ranks[], const struct bench_case *c, uint32_t cell, int sign)
{
    uint32_t coords[SMAP_DIMS_MAX];
    int count = 0;
    smap_grid_coords(coords, &c->grid, cell);
    for (size_t i = 0; i < c->stencil->count; i++) {
        uint32_t rank;
        if (smap_grid_neighbour(&rank, &c->grid, coords, smap_stencil_offset(c->stencil, i), sign))
            ranks[count++] = (int)rank;
    }
    return count;
}

static MPI_Comm create_graph(MPI_Comm comm, const struct bench_case *c)
{
    int rank;
    size_t k = c->stencil->count;
    int *ranks = bench_alloc(3 * k + 3, sizeof(*ranks));
    int *from = ranks, *to = from + k + 1, *ones = to + k + 1;
    MPI_Comm graph;
    MPI_Comm_rank(comm, &rank);
    /* MPI_UNWEIGHTED would say the same, but is no address, which gcc warns about. */
    for (size_t i = 0; i <= k; i++)
        ones[i] = 1;
    int in = neighbours(from, c, (uint32_t)rank, -1);
    int out = neighbours(to, c, (uint32_t)rank, 1);
    MPI_Dist_graph_create_adjacent(comm, in, from, ones, out, to, ones, MPI_INFO_NULL, 0, &graph);
    free(ranks);
    return graph;
}

static void destroy(struct exchange *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        MPI_Comm_free(&e->graphs[i]);
    free(e->send);
    free(e->recv);
}

static int create(struct exchange *e, const struct bench_measure *m, struct smap_error *err)
{
    size_t k = m->c->stencil->count + 1;
    memset(e, 0, sizeof(*e));
    if (m->options->max > BENCH_MEMORY_MAX / k)
        return smap_fail(err, SMAP_EINVAL,
                         "--max=%" PRIu64 ": more than 1 GiB for %zu neighbours; at most %" PRIu64,
                         m->options->max, k - 1, (uint64_t)BENCH_MEMORY_MAX / k);
    e->send = calloc(k, m->options->max);
    e->recv = calloc(k, m->options->max);
    if (bench_agree(e->send && e->recv ? SMAP_OK : SMAP_ENOMEM) != SMAP_OK) {
        destroy(e);
        return smap_fail(err, SMAP_ENOMEM, "--max=%" PRIu64 ": no memory for the messages",
                         m->options->max);
    }
    /* Touched once, so that no timed exchange pays for the pages. */
    memset(e->send, 1, k * m->options->max);
    memset(e->recv, 1, k * m->options->max);
    for (; e->count < m->candidates->count; e->count++)
        e->graphs[e->count] = create_graph(m->candidates->item[e->count].comm, m->c);
    return SMAP_OK;
}

static double once(void *context, uint32_t candidate)
{
    struct exchange *e = context;
    MPI_Comm graph = e->graphs[candidate];
    MPI_Barrier(graph);
    double start = MPI_Wtime();
    MPI_Neighbor_alltoall(e->send, (int)e->bytes, MPI_BYTE, e->recv, (int)e->bytes, MPI_BYTE,
                          graph);
    return MPI_Wtime() - start;
}

static struct bench_panel *create_panel(const struct bench_measure *m)
{
    struct bench_panel *panel =
        bench_rows_panel(m, bench_sizes(m->options), m->candidates->count, "");
    panel->kind = BENCH_LINES;
    panel->axis = "speed-up over blocked";
    panel->x_axis = "bytes per neighbour";
    snprintf(panel->caption, sizeof(panel->caption), "%s", m->candidates->notes);
    for (size_t i = 0; i < panel->series_count; i++)
        bench_rows_name(&panel->series[i], &m->candidates->item[i]);
    return panel;
}

/* The x-th size on rank 0: points for the panel, rows for the table. */
static void report_size(const struct bench_measure *m, struct bench_panel *panel, size_t x,
                        const double times[], uint32_t rounds)
{
    uint32_t count = (uint32_t)m->candidates->count;
    double *scratch = bench_alloc(rounds, sizeof(*scratch));
    for (uint32_t i = 0; i < count; i++) {
        struct bench_point *point = &panel->series[i].points[x];
        point->known = true;
        point->ms = bench_stat(times + i, rounds, count, scratch);
        point->speedup = bench_speedup(&panel->series[0].points[x].ms, &point->ms);
        point->drawn = point->speedup;
        bench_rows_add(m, "exchange", panel->x[x], &m->candidates->item[i], point);
    }
    free(scratch);
}

static void time_sizes(const struct bench_measure *m, struct exchange *e, struct bench_panel *panel)
{
    const struct bench_options *o = m->options;
    double *times = bench_alloc((size_t)o->repeats * e->count, sizeof(*times));
    struct bench_rounds rounds = {e->count, o->repeats, o->seconds, once, e, m->progress};
    size_t x = 0;
    for (e->bytes = o->min; e->bytes; e->bytes = bench_next_size(o, e->bytes), x++) {
        char size[24];
        bench_bytes_text(size, e->bytes);
        bench_progress_case(m->progress, "%.60s, %s", m->c->stencil_text, size);
        uint32_t done = bench_rounds(times, &rounds);
        for (uint32_t i = 0; i < done * e->count; i++)
            times[i] *= 1e3;
        bench_rounds_worst(times, done * e->count);
        if (!panel)
            continue;
        bench_progress_clear(m->progress);
        panel->x[x] = e->bytes;
        report_size(m, panel, x, times, done);
    }
    free(times);
}

int bench_exchange(const struct bench_measure *m, struct smap_error *err)
{
    struct exchange e;
    struct bench_panel *panel = NULL;
    int rc = create(&e, m, err);
    if (rc != SMAP_OK)
        return rc;
    if (m->machine->rank == 0)
        panel = create_panel(m);
    time_sizes(m, &e, panel);
    destroy(&e);
    if (panel)
        bench_report_panel(m->report, panel);
    return SMAP_OK;
}
