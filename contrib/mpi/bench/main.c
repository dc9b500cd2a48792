/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap-bench: what mappings and orders bring on this machine. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "bench/collectives.h"
#include "bench/exchange.h"
#include "bench/instantiate.h"
#include "bench/rows.h"

enum { EXIT_DONE, EXIT_REFUSED, EXIT_USAGE, EXIT_SYSTEM };

/* Sum of the messages of a sub-communicator where nobody said how large they may be. */
#define AMOUNT_MAX (UINT64_C(16) << 20)
#define BYTES_MAX  (UINT64_C(512) << 10)

/* "Open MPI v4.1.4", the first words of what the library says of itself. */
static void library_name(char name[80])
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    MPI_Get_library_version(text, &length);
    snprintf(name, 80, "%.*s", (int)strcspn(text, ",\n"), text);
    for (char *c = name; *c; c++)
        *c = strchr("\t\"\\", *c) ? ' ' : *c;
}

/* The machine and the protocol, as a line and for JSON. */
static void describe_setup(struct bench_report *report, const struct bench_machine *m,
                           const struct bench_options *o)
{
    char library[80], limit[40] = "";
    char *format = smap_nodesizes_format(m->split.sizes);
    const char *sizes = format ? format : "?";
    library_name(library);
    if (o->seconds > 0)
        snprintf(limit, sizeof(limit), " or %g s", o->seconds);
    snprintf(report->heading, sizeof(report->heading),
             "%d processes on %" PRIu32 " node%s (%.100s), %s", m->size, m->hosts,
             m->hosts == 1 ? "" : "s", sizes, library);
    snprintf(report->caption, sizeof(report->caption), "%s; means of up to %" PRIu32 " rounds%s\n",
             report->heading, o->repeats, limit);
    snprintf(report->setup, sizeof(report->setup),
             "{\"program\": \"stencilmap-bench " STENCILMAP_VERSION "\", \"mpi\": \"%s\", "
             "\"processes\": %d, \"nodes\": %" PRIu32 ", \"node_sizes\": \"%.400s\", "
             "\"repeats\": %" PRIu32 ", \"seconds\": %g}",
             library, m->size, m->hosts, sizes, o->repeats, o->seconds);
    free(format);
}

/* What all measurements need. */
struct run {
    struct bench_options *options;
    struct bench_machine machine;
    struct bench_progress progress;
    struct bench_report report;
};

/* The picture's file is opened before anything is measured. */
static int start_report(struct run *run, const char *const columns[], struct smap_error *err)
{
    const struct bench_options *o = run->options;
    FILE *plot = NULL;
    int rc = SMAP_OK;
    if (run->machine.rank == 0 && o->plot) {
        plot = fopen(o->plot, "w");
        if (!plot)
            rc = smap_fail(err, SMAP_ESYS, "--plot=%.200s: %s", o->plot, strerror(errno));
    }
    rc = bench_agree(rc);
    if (rc == SMAP_OK && run->machine.rank == 0) {
        bench_report_init(&run->report, o->format, stdout, plot, columns);
        describe_setup(&run->report, &run->machine, o);
    }
    return rc;
}

static int finish_report(struct run *run, int rc, struct smap_error *err)
{
    if (run->report.out) {
        bench_progress_clear(&run->progress);
        if (!bench_report_finish(&run->report) && rc == SMAP_OK)
            rc = smap_fail(err, SMAP_ESYS, "the results could not be written");
    }
    return bench_agree(rc);
}

static int run_case(struct run *run, const struct smap_hints *hints, const struct bench_case *c,
                    struct smap_error *err)
{
    const struct bench_options *o = run->options;
    struct bench_candidates *candidates = bench_alloc(1, sizeof(*candidates));
    const struct bench_measure measure = {o,          &run->machine,  c,
                                          candidates, &run->progress, &run->report};
    int rc = bench_candidates_create(candidates, &run->machine, c, &o->maps, hints, err);
    if (rc == SMAP_OK && o->instantiation != BENCH_ONLY_INSTANTIATION)
        rc = bench_exchange(&measure, err);
    if (rc == SMAP_OK && o->instantiation != BENCH_NO_INSTANTIATION)
        bench_instantiate(&measure);
    bench_candidates_destroy(candidates);
    free(candidates);
    return rc;
}

static size_t count_cases(const struct bench_options *o, size_t stencils)
{
    size_t sizes = o->instantiation == BENCH_ONLY_INSTANTIATION ? 0 : bench_sizes(o);
    return stencils * (sizes + (o->instantiation == BENCH_NO_INSTANTIATION ? 0 : 2));
}

static int run_stencils(struct run *run, struct smap_error *err)
{
    struct bench_cases cases;
    struct bench_options *o = run->options;
    struct smap_hints hints;
    o->max = o->max ? o->max : o->min > BYTES_MAX ? o->min : BYTES_MAX;
    smap_hints_read(&hints);
    int rc = bench_cases_create(&cases, o, &hints, err);
    bench_progress_init(&run->progress, run->machine.rank == 0 && !o->quiet,
                        count_cases(o, cases.count));
    if (rc == SMAP_OK)
        rc = start_report(run, bench_rows_columns, err);
    for (size_t i = 0; rc == SMAP_OK && i < cases.count; i++)
        rc = run_case(run, &hints, &cases.item[i], err);
    rc = finish_report(run, rc, err);
    bench_cases_destroy(&cases);
    smap_hints_clear(&hints);
    return rc;
}

/* The largest power of two that keeps the sum of a sub-communicator's messages within AMOUNT_MAX.
 */
static uint64_t default_max(const struct bench_options *o, uint32_t comm_size)
{
    uint64_t max = o->min;
    while (2 * max * comm_size <= AMOUNT_MAX)
        max *= 2;
    return max;
}

static int run_orders(struct run *run, struct smap_error *err)
{
    struct bench_options *o = run->options;
    struct bench_orders *orders = bench_alloc(1, sizeof(*orders));
    int rc = bench_orders_create(orders, &run->machine, o, err);
    if (rc == SMAP_OK) {
        o->max = o->max ? o->max : default_max(o, orders->comm_size);
        bench_progress_init(&run->progress, run->machine.rank == 0 && !o->quiet,
                            bench_collectives_cases(o, orders));
        rc = start_report(run, bench_collectives_columns, err);
    }
    const struct bench_collectives what = {o, &run->machine, orders, &run->progress, &run->report};
    if (rc == SMAP_OK)
        rc = bench_collectives(&what, err);
    rc = finish_report(run, rc, err);
    bench_orders_destroy(orders);
    free(orders);
    return rc;
}

static int exit_code(int rc)
{
    return rc == SMAP_OK                             ? EXIT_DONE
           : rc == SMAP_EINVAL || rc == SMAP_ENOTSUP ? EXIT_REFUSED
                                                     : EXIT_SYSTEM;
}

static int measure(struct bench_options *options)
{
    struct smap_error err = {"refused"};
    struct run run = {.options = options};
    int rc = SMAP_ENOMEM;
    if (bench_machine_init(&run.machine))
        rc = options->orders.count ? run_orders(&run, &err) : run_stencils(&run, &err);
    else
        smap_nomem(&err);
    if (rc != SMAP_OK && run.machine.rank == 0)
        fprintf(stderr, "stencilmap-bench: %s\n", err.text);
    bench_machine_clear(&run.machine);
    return exit_code(rc);
}

/* Is this the first or only process? Known without MPI, so that --help needs none. */
static bool first_process(void)
{
    static const char *const names[] = {"PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *rank = getenv(names[i]);
        if (rank && strcmp(rank, "0") != 0)
            return false;
    }
    return true;
}

/* What needs no MPI. */
static int answer(const struct bench_options *options, int rc, const struct smap_error *err)
{
    if (first_process() && rc != SMAP_OK)
        fprintf(stderr, "stencilmap-bench: %s\n", err->text);
    else if (first_process() && options->help)
        bench_usage(stdout);
    else if (first_process())
        puts("stencilmap-bench " STENCILMAP_VERSION);
    return rc == SMAP_ENOTSUP ? EXIT_USAGE : exit_code(rc);
}

int main(int argc, char *argv[])
{
    struct bench_options options;
    struct smap_error err;
    int code, rc = bench_options_parse(&options, argc, argv, &err);
    if (rc != SMAP_OK || options.help || options.version) {
        code = answer(&options, rc, &err);
    } else {
        MPI_Init(&argc, &argv);
        code = measure(&options);
        MPI_Finalize();
    }
    bench_options_clear(&options);
    return code;
}
