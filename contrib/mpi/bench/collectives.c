/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/collectives.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/case.h"
#include "bench/rounds.h"

/* One timing is at least about this long, in seconds: short collectives are repeated in it, so that
 * the processes come to a steady state. */
#define WINDOW    2e-3
#define LOOPS_MAX 1000

const char *const bench_collectives_columns[] = {
    "collective",   "communicators", "comm_size",    "hierarchy",     "order",   "ring_cost",
    "pair_percent", "processes",     "nodes",        "bytes",         "amount",  "runs",
    "outliers",     "mean_ms",       "ci_ms",        "median_ms",     "speedup", "speedup_low",
    "speedup_high", "mb_per_s",      "mb_per_s_low", "mb_per_s_high", NULL};

/* What is being timed. */
struct timing {
    const struct bench_collectives *what;
    enum bench_collective collective;
    bool alone; /* in the first sub-communicator only */
    uint64_t bytes;
    int loops;
    char *send, *recv;
};

size_t bench_collectives_cases(const struct bench_options *o, const struct bench_orders *orders)
{
    size_t count = 0;
    for (size_t c = 0; c < BENCH_COLLECTIVES; c++)
        count += o->collective[c] ? (orders->comms > 1 ? 2 : 1) : 0;
    return count * bench_sizes(o);
}

static void call(const struct timing *t, MPI_Comm comm)
{
    int bytes = (int)t->bytes;
    switch (t->collective) {
    case BENCH_ALLTOALL:
        MPI_Alltoall(t->send, bytes, MPI_BYTE, t->recv, bytes, MPI_BYTE, comm);
        break;
    case BENCH_ALLREDUCE:
        MPI_Allreduce(t->send, t->recv, bytes, MPI_BYTE, MPI_BOR, comm);
        break;
    default:
        MPI_Allgather(t->send, bytes, MPI_BYTE, t->recv, bytes, MPI_BYTE, comm);
    }
}

/* Milliseconds of one collective; 0 for who is not in it. */
static double once(void *context, uint32_t i)
{
    const struct timing *t = context;
    const struct bench_order *order = &t->what->orders->item[i];
    MPI_Barrier(MPI_COMM_WORLD);
    if (t->alone && order->color != 0)
        return 0;
    double start = MPI_Wtime();
    for (int loop = 0; loop < t->loops; loop++)
        call(t, order->comm);
    return (MPI_Wtime() - start) / t->loops * 1e3;
}

/* The same number of loops for all orders and processes, by the slowest of the first try. */
static void choose_loops(struct timing *t)
{
    double worst = 0;
    t->loops = 1;
    for (uint32_t i = 0; i < t->what->orders->count; i++) {
        once(t, i);
        double ms = once(t, i);
        worst = ms > worst ? ms : worst;
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double loops = worst > 0 ? WINDOW * 1e3 / worst : 1;
    t->loops = loops < 1 ? 1 : loops > LOOPS_MAX ? LOOPS_MAX : (int)loops;
}

/* What a sub-communicator's first process knows of an order: its times, the worst of its members'
 * in each round; on the others, and where it has no part, nothing. */
struct own {
    double *times;
    uint32_t rounds;
    bool leads;
};

static struct own collect_comm(const struct timing *t, const double times[], uint32_t rounds,
                               uint32_t i)
{
    const struct bench_order *order = &t->what->orders->item[i];
    struct own own = {bench_alloc(rounds, sizeof(double)), rounds, false};
    int rank;
    MPI_Comm_rank(order->comm, &rank);
    for (uint32_t round = 0; round < rounds; round++)
        own.times[round] = times[(size_t)round * t->what->orders->count + i];
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : own.times, own.times, (int)rounds, MPI_DOUBLE, MPI_MAX, 0,
               order->comm);
    own.leads = rank == 0 && (!t->alone || order->color == 0);
    if (!own.leads)
        memset(own.times, 0, rounds * sizeof(double));
    return own;
}

/* Bandwidth in MB/s (10^6), on rank 0: the mean of what the sub-communicators had on average, and
 * the first and last deciles among them. */
static struct bench_ratio bandwidth(const struct timing *t, const struct own *own, double amount)
{
    const struct bench_machine *m = t->what->machine;
    struct bench_ratio result = {0, 0, 0};
    double *all = bench_alloc((size_t)m->size, sizeof(*all));
    double *scratch = bench_alloc(own->rounds, sizeof(*scratch));
    double rate = 0;
    if (own->leads)
        rate = amount / bench_stat(own->times, own->rounds, 1, scratch).mean / 1e3;
    MPI_Gather(&rate, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (m->rank == 0) {
        uint32_t comms = t->alone ? 1 : t->what->orders->comms;
        /* Those who lead none are zeros, and first. */
        bench_sort(all, (uint32_t)m->size);
        const double *rates = all + ((uint32_t)m->size - comms);
        for (uint32_t i = 0; i < comms; i++)
            result.value += rates[i] / comms;
        result.low = bench_quantile(rates, comms, 0.1);
        result.high = bench_quantile(rates, comms, 0.9);
    }
    free(all);
    free(scratch);
    return result;
}

/* On rank 0 one order's point: the times are the means over the sub-communicators in each round. */
static void collect(const struct timing *t, struct bench_point *point, const double times[],
                    uint32_t rounds, uint32_t i)
{
    const struct bench_collectives *what = t->what;
    struct own own = collect_comm(t, times, rounds, i);
    double amount = (double)t->bytes * what->orders->comm_size;
    point->drawn = bandwidth(t, &own, amount);
    MPI_Reduce(what->machine->rank == 0 ? MPI_IN_PLACE : own.times, own.times, (int)rounds,
               MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (uint32_t round = 0; !t->alone && round < rounds; round++)
        own.times[round] /= what->orders->comms;
    double *scratch = bench_alloc(rounds, sizeof(*scratch));
    point->ms = bench_stat(own.times, rounds, 1, scratch);
    point->known = true;
    free(scratch);
    free(own.times);
}

static void add_row(const struct timing *t, const struct bench_order *order,
                    const struct bench_point *point)
{
    const struct bench_collectives *what = t->what;
    struct smap_table *table = what->report->table;
    char *hierarchy = smap_hierarchy_format(&what->orders->hierarchy);
    smap_table_add(table, "%s", bench_collective_name(t->collective));
    smap_table_add(table, "%s", t->alone ? "one" : "all");
    smap_table_add(table, "%" PRIu32, what->orders->comm_size);
    smap_table_add(table, "%s", hierarchy ? hierarchy : "");
    smap_table_add(table, "%s", order->name);
    smap_table_add(table, "%" PRIu64, order->ring_cost);
    smap_table_add(table, "%s", order->percents);
    smap_table_add(table, "%d", what->machine->size);
    smap_table_add(table, "%" PRIu32, what->machine->hosts);
    smap_table_add(table, "%" PRIu64, t->bytes);
    smap_table_add(table, "%" PRIu64, t->bytes * what->orders->comm_size);
    bench_report_stat(what->report, &point->ms);
    bench_report_ratio(what->report, &point->speedup);
    bench_report_ratio(what->report, &point->drawn);
    bench_report_row(what->report);
    free(hierarchy);
}

static void time_size(struct timing *t, struct bench_panel *panel, size_t x, double times[])
{
    const struct bench_collectives *what = t->what;
    const struct bench_options *o = what->options;
    const struct bench_rounds rounds = {
        (uint32_t)what->orders->count, o->repeats, o->seconds, once, t, what->progress};
    char size[24];
    bench_bytes_text(size, t->bytes);
    bench_progress_case(what->progress, "%s in %s, %s", bench_collective_name(t->collective),
                        t->alone ? "one" : "all", size);
    choose_loops(t);
    uint32_t done = bench_rounds(times, &rounds);
    if (panel)
        bench_progress_clear(what->progress);
    for (uint32_t i = 0; i < what->orders->count; i++) {
        struct bench_point elsewhere = {0};
        struct bench_point *point = panel ? &panel->series[i].points[x] : &elsewhere;
        collect(t, point, times, done, i);
        if (!panel)
            continue;
        panel->x[x] = t->bytes * what->orders->comm_size;
        point->speedup = bench_speedup(&panel->series[0].points[x].ms, &point->ms);
        add_row(t, &what->orders->item[i], point);
    }
}

static struct bench_panel *create_panel(const struct timing *t)
{
    const struct bench_collectives *what = t->what;
    const struct bench_orders *orders = what->orders;
    struct bench_panel *panel = bench_panel_create(orders->count, bench_sizes(what->options));
    char *hierarchy = smap_hierarchy_format(&orders->hierarchy);
    if (!panel || !hierarchy)
        bench_no_memory();
    const char *name = bench_collective_name(t->collective);
    if (t->alone)
        snprintf(panel->title, sizeof(panel->title), "%s of %" PRIu32 " processes, one alone", name,
                 orders->comm_size);
    else
        snprintf(panel->title, sizeof(panel->title),
                 "%s of %" PRIu32 " processes, %" PRIu32 " at once", name, orders->comm_size,
                 orders->comms);
    snprintf(panel->caption, sizeof(panel->caption),
             "orders of %s%s; bytes are those of all of a sub-communicator\n", hierarchy,
             orders->bound ? "" : " (nobody knows which cores: processes are not bound)");
    panel->kind = BENCH_LINES;
    panel->logarithmic = true;
    panel->notes_drawn = true;
    panel->what = "order";
    panel->notes[0] = "ring";
    panel->notes[1] = "pairs %";
    panel->axis = "MB/s of a sub-communicator";
    panel->x_axis = "bytes of a sub-communicator";
    for (size_t i = 0; i < panel->series_count; i++) {
        struct bench_series *series = &panel->series[i];
        snprintf(series->name, sizeof(series->name), "%s", orders->item[i].name);
        snprintf(series->note[0], sizeof(series->note[0]), "%" PRIu64, orders->item[i].ring_cost);
        snprintf(series->note[1], sizeof(series->note[1]), "%s", orders->item[i].percents);
    }
    free(hierarchy);
    return panel;
}

static void time_sizes(struct timing *t, double times[])
{
    const struct bench_collectives *what = t->what;
    const struct bench_options *o = what->options;
    struct bench_panel *panel = what->machine->rank == 0 ? create_panel(t) : NULL;
    size_t x = 0;
    for (t->bytes = o->min; t->bytes; t->bytes = bench_next_size(o, t->bytes))
        time_size(t, panel, x++, times);
    if (panel)
        bench_report_panel(what->report, panel);
}

int bench_collectives(const struct bench_collectives *what, struct smap_error *err)
{
    const struct bench_options *o = what->options;
    struct timing t = {.what = what};
    uint64_t size = o->max * what->orders->comm_size;
    int measured = what->orders->comms > 1 ? 2 : 1; /* alone, and all at once */
    if (size > BENCH_MEMORY_MAX)
        return smap_fail(
            err, SMAP_EINVAL,
            "--max=%" PRIu64 ": more than 1 GiB for %" PRIu32 " processes; at most %" PRIu64,
            o->max, what->orders->comm_size, (uint64_t)BENCH_MEMORY_MAX / what->orders->comm_size);
    t.send = calloc(size, 1);
    t.recv = calloc(size, 1);
    if (bench_agree(t.send && t.recv ? SMAP_OK : SMAP_ENOMEM) == SMAP_OK) {
        double *times = bench_alloc((size_t)o->repeats * what->orders->count, sizeof(*times));
        memset(t.send, 1, size);
        memset(t.recv, 1, size);
        for (size_t c = 0; c < BENCH_COLLECTIVES; c++) {
            t.collective = (enum bench_collective)c;
            for (int all = 0; o->collective[c] && all < measured; all++) {
                t.alone = !all;
                time_sizes(&t, times);
            }
        }
        free(times);
    } else {
        smap_fail(err, SMAP_ENOMEM,
                  "--max=%" PRIu64 ": no memory for sub-communicators of %" PRIu32, o->max,
                  what->orders->comm_size);
        what = NULL;
    }
    free(t.send);
    free(t.recv);
    return what ? SMAP_OK : SMAP_ENOMEM;
}
