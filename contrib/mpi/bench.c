/* SPDX-License-Identifier: BSD-3-Clause */
/* stencilmap-bench: how much faster a mapping makes the exchange of a stencil, on this machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "bench_case.h"
#include "bench_hosts.h"
#include "bench_options.h"
#include "bench_time.h"

enum { EXIT_DONE, EXIT_REFUSED, EXIT_USAGE };

/* On world rank 0, while a terminal waits for more than two seconds. */
struct progress {
    bool wanted;
    bool shown;
    double start;
    double last;
    uint32_t repeats;
};

static void show_progress(void *context, uint64_t bytes, uint32_t run)
{
    struct progress *p = context;
    double now = MPI_Wtime();
    if (!p->wanted || now - p->start < 2 || now - p->last < 0.5)
        return;
    fprintf(stderr, "\r%" PRIu64 " bytes: exchange %" PRIu32 " of %" PRIu32 "\033[K", bytes, run,
            p->repeats);
    p->last = now;
    p->shown = true;
}

static void clear_progress(struct progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = false;
}

static double ratio(double plain, double mapped)
{
    return mapped > 0 ? plain / mapped : 1;
}

/* plain and mapped J, with their ratio. */
static void print_score(const char *name, uint64_t plain, uint64_t mapped)
{
    printf("%s %" PRIu64 " -> %" PRIu64, name, plain, mapped);
    if (mapped > 0)
        printf(" (%.2f)", (double)plain / (double)mapped);
}

static void print_table_header(const struct bench_case *c)
{
    char mapped[256];
    bench_case_describe(c, mapped, sizeof(mapped));
    printf("%s %s%s%s, %" PRIu32 " processes on %" PRIu32 " node%s: ", c->dims, c->stencil_text,
           c->periodic[0] ? ", periodic " : "", c->periodic, c->grid.cells, c->nodes,
           c->nodes == 1 ? "" : "s");
    print_score("J_sum", c->plain_score.jsum, c->mapped_score.jsum);
    print_score(", J_max", c->plain_score.jmax, c->mapped_score.jmax);
    if (c->hints_used && c->hints.jsum_known)
        printf(", predicted %" PRIu64, c->hints.jsum);
    printf("\nplain:  cells in blocks per node\nmapped: %s\n\n", mapped);
    printf("%10s %12s %12s %8s %6s\n", "bytes", "plain ms", "mapped ms", "ratio", "runs");
}

/* A field for CSV: quoted where it needs to be. */
static void print_field(const char *text)
{
    if (strpbrk(text, ",\""))
        printf("\"%s\",", text);
    else
        printf("%s,", text);
}

static void print_header(const struct bench_case *c, bool csv)
{
    if (csv)
        printf("dims,stencil,periodic,nodes,plain_jsum,mapped_jsum,plain_jmax,mapped_jmax,bytes,"
               "plain_ms,mapped_ms,ratio,runs\n");
    else
        print_table_header(c);
    fflush(stdout);
}

static void print_row(const struct bench_case *c, bool csv, uint64_t bytes, double plain,
                      double mapped, uint32_t runs)
{
    if (csv) {
        print_field(c->dims);
        print_field(c->stencil_text);
        print_field(c->periodic);
        printf("%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
               ",%.6f,%.6f,%.4f,%" PRIu32 "\n",
               c->nodes, c->plain_score.jsum, c->mapped_score.jsum, c->plain_score.jmax,
               c->mapped_score.jmax, bytes, plain * 1e3, mapped * 1e3, ratio(plain, mapped), runs);
    } else {
        printf("%10" PRIu64 " %12.3f %12.3f %8.2f %6" PRIu32 "\n", bytes, plain * 1e3, mapped * 1e3,
               ratio(plain, mapped), runs);
    }
    fflush(stdout);
}

/* All message sizes, both orders; rank 0 prints. */
static void time_sizes(const struct bench_case *c, const struct bench_options *o,
                       const struct bench_exchange *plain, const struct bench_exchange *mapped)
{
    double *times = bench_alloc(2 * (size_t)o->repeats, sizeof(*times));
    double *scratch = bench_alloc(o->repeats, sizeof(*scratch));
    struct progress progress = {.wanted = isatty(STDERR_FILENO), .repeats = o->repeats};
    const struct bench_watch watch = {o->repeats, o->seconds, show_progress, &progress};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    progress.start = MPI_Wtime();
    for (uint64_t bytes = o->min; bytes; bytes = bench_next_size(o, bytes)) {
        uint32_t runs = bench_time(times, plain, mapped, bytes, &watch);
        if (rank != 0)
            continue;
        clear_progress(&progress);
        print_row(c, o->csv, bytes, bench_robust_mean(times, runs, 2, scratch),
                  bench_robust_mean(times + 1, runs, 2, scratch), runs);
    }
    free(times);
    free(scratch);
}

static int run_case(const struct bench_case *c, const struct bench_options *o,
                    struct smap_error *err)
{
    struct bench_exchange plain, mapped;
    int able = bench_exchange_create(&plain, c->plain, &c->grid, c->stencil, o->max);
    able &= bench_exchange_create(&mapped, c->mapped, &c->grid, c->stencil, o->max);
    MPI_Allreduce(MPI_IN_PLACE, &able, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (able && rank == 0)
        print_header(c, o->csv);
    if (able)
        time_sizes(c, o, &plain, &mapped);
    bench_exchange_destroy(&plain);
    bench_exchange_destroy(&mapped);
    return able ? SMAP_OK
                : smap_fail(err, SMAP_ENOMEM, "--max=%" PRIu64 ": no memory for the messages",
                            o->max);
}

static int run(const struct bench_options *options)
{
    struct smap_error err = {"refused"};
    struct bench_case c;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int rc = bench_case_create(&c, options, &err);
    if (rc == SMAP_OK)
        rc = run_case(&c, options, &err);
    bench_case_destroy(&c);
    if (rc != SMAP_OK && rank == 0)
        fprintf(stderr, "stencilmap-bench: %s\n", err.text);
    return rc == SMAP_OK ? EXIT_DONE : EXIT_REFUSED;
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

int main(int argc, char *argv[])
{
    struct bench_options options;
    struct smap_error err;
    int rc = bench_options_parse(&options, argc, argv, &err);
    if (rc == SMAP_OK && !options.help && !options.version) {
        MPI_Init(&argc, &argv);
        int code = run(&options);
        MPI_Finalize();
        return code;
    }
    if (first_process() && rc != SMAP_OK)
        fprintf(stderr, "stencilmap-bench: %s\n", err.text);
    else if (first_process() && options.help)
        bench_usage(stdout);
    else if (first_process())
        puts("stencilmap-bench " STENCILMAP_VERSION);
    return rc == SMAP_OK ? EXIT_DONE : rc == SMAP_ENOTSUP ? EXIT_USAGE : EXIT_REFUSED;
}
