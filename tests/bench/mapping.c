/* SPDX-License-Identifier: BSD-3-Clause */
/* Every algorithm on every instance: J_sum, J_max, CPU seconds and peak memory, as CSV; and how far
 * the acceptance figures of `best` are met. Each run is a process of its own, so that its memory is
 * its own; seconds are processor time of one thread, so that a busy machine does not change them
 * much. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "best/algorithms.h"
#include "best/best.h"
#include "bound/bound.h"
#include "cases.h"
#include "grid/score.h"
#include "peers.h"

/* Graph partitioners get instances up to this size. */
#define PEER_CELLS_MAX 20000

struct options {
    const char *csv, *kahip, *viem;
    bool chosen[GROUP_COUNT]; /* groups; none: all */
    const char *only;         /* one method */
    unsigned stride;
};

/* What one run came to. */
struct run {
    bool done;
    uint64_t jsum, jmax, bound;
    uint32_t misplaced; /* cells more than fit, over all nodes: 0 for every method of ours */
    double seconds;
    long kilobytes;
};

struct instance {
    struct smap_grid grid;
    struct smap_stencil *stencil;
    struct smap_nodesizes *sizes;
};

/* Of this process and of the programs it ran to their end. */
static double cpu_seconds(void)
{
    struct timespec t;
    struct rusage others;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    getrusage(RUSAGE_CHILDREN, &others);
    return (double)(t.tv_sec + others.ru_utime.tv_sec + others.ru_stime.tv_sec) +
           1e-6 * (double)(others.ru_utime.tv_usec + others.ru_stime.tv_usec) +
           1e-9 * (double)t.tv_nsec;
}

/* Of this process or of the largest program it ran. */
static long peak_kilobytes(void)
{
    struct rusage own, others;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &others);
    return own.ru_maxrss > others.ru_maxrss ? own.ru_maxrss : others.ru_maxrss;
}

static bool instance_init(struct instance *in, const struct bench_case *c)
{
    struct smap_error err = {""};
    uint32_t dims[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX] = {false}, column;
    size_t ndims, flags;
    if (smap_dims_parse(dims, &ndims, &column, c->dims, &err) == SMAP_OK &&
        (!*c->periodic || smap_periodic_parse(periodic, &flags, c->periodic, &err) == SMAP_OK) &&
        smap_grid_init(&in->grid, ndims, dims, periodic, &err) == SMAP_OK &&
        smap_stencil_parse(&in->stencil, c->stencil, ndims, &err) == SMAP_OK &&
        smap_nodesizes_parse(&in->sizes, c->sizes, &err) == SMAP_OK)
        return true;
    fprintf(stderr, "mapping: %s %s: %s\n", c->dims, c->stencil, err.text);
    return false;
}

static struct smap_instance view(const struct instance *in)
{
    return (struct smap_instance){&in->grid, in->stencil, in->sizes, NULL};
}

/* "best-fast" is best with that effort; scotch, kahip, viem are peers; else an algorithm. */
static bool map(const struct instance *in, const char *method, const struct options *o,
                uint32_t node_of_cell[], struct run *run)
{
    struct smap_error err = {""};
    struct smap_mapping *mapping = NULL;
    struct smap_refine_graph *graph = NULL;
    struct smap_mapping_options options = {.parameter = NULL};
    bool good = false;
    if (strcmp(method, "scotch") == 0 || strcmp(method, "kahip") == 0 ||
        strcmp(method, "viem") == 0) {
        if (in->grid.cells > PEER_CELLS_MAX ||
            smap_refine_graph_create(&graph,
                                     &(struct smap_instance){&in->grid, in->stencil, NULL, NULL},
                                     NULL, 0, &err) != SMAP_OK)
            return false;
        good = *method == 's'   ? peer_scotch(graph, in->sizes, node_of_cell)
               : *method == 'k' ? peer_program(o->kahip, false, graph, in->sizes, node_of_cell)
                                : peer_program(o->viem, true, graph, in->sizes, node_of_cell);
        smap_refine_graph_destroy(graph);
        return good;
    }
    if (strncmp(method, "best-", 5) == 0) {
        if (smap_effort_parse(&options.effort, method + 5, &err) != SMAP_OK)
            return false;
        method = "best";
    }
    const struct smap_instance instance = view(in);
    good = smap_mapping_from_text(&mapping, method, &instance, &options, &err) == SMAP_OK &&
           smap_mapping_nodes(node_of_cell, mapping, &err) == SMAP_OK;
    if (good && smap_best_result(mapping))
        run->bound = smap_best_result(mapping)->bound;
    smap_mapping_destroy(mapping);
    return good;
}

static uint32_t count_misplaced(const struct instance *in, const uint32_t node_of_cell[])
{
    uint32_t nodes = smap_nodesizes_nodes(in->sizes), misplaced = 0;
    uint32_t *count = calloc(nodes, sizeof(*count));
    for (uint32_t c = 0; count && c < in->grid.cells; c++)
        count[node_of_cell[c]]++;
    for (uint32_t i = 0; count && i < nodes; i++) {
        uint32_t n = smap_nodesizes_size(in->sizes, i);
        misplaced += count[i] > n ? count[i] - n : 0;
    }
    free(count);
    return misplaced;
}

static void run_here(const struct bench_case *c, const char *method, const struct options *o,
                     struct run *run)
{
    struct instance in = {.stencil = NULL};
    struct smap_error err;
    struct smap_score score;
    if (!instance_init(&in, c))
        return;
    uint32_t *node_of_cell = malloc((size_t)in.grid.cells * sizeof(*node_of_cell));
    double start = cpu_seconds();
    run->done = node_of_cell && map(&in, method, o, node_of_cell, run);
    run->seconds = cpu_seconds() - start;
    run->kilobytes = peak_kilobytes();
    if (run->done) {
        const struct smap_instance instance = view(&in);
        run->done = smap_score_nodes(&score, NULL, &instance, node_of_cell,
                                     smap_nodesizes_nodes(in.sizes), &err) == SMAP_OK;
        run->jsum = score.jsum;
        run->jmax = score.jmax;
        run->misplaced = count_misplaced(&in, node_of_cell);
        if (run->bound == NONE)
            smap_bound_jsum(&run->bound, &instance, &err);
    }
}

static struct run run_apart(const struct bench_case *c, const char *method, const struct options *o)
{
    struct run run = {.bound = NONE};
    int pipes[2];
    if (pipe(pipes) != 0)
        return run;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        run_here(c, method, o, &run);
        _exit(write(pipes[1], &run, sizeof(run)) == sizeof(run) ? 0 : 1);
    }
    close(pipes[1]);
    if (child < 0 || read(pipes[0], &run, sizeof(run)) != sizeof(run))
        run.done = false;
    close(pipes[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return run;
}

/* The acceptance figures of one effort of best. */
struct tally {
    unsigned rows, not_above_viem, with_viem, not_above_known, below_known, with_known, optimal;
    unsigned ratios;
    double log_ratio, slowest;
};

static void count(struct tally *t, const struct bench_case *c, const struct run *run)
{
    t->rows++;
    t->optimal += run->misplaced == 0 && run->bound == run->jsum;
    t->slowest = run->seconds > t->slowest ? run->seconds : t->slowest;
    if (c->viem != NONE) {
        t->with_viem++;
        t->not_above_viem += run->jsum <= c->viem;
    }
    if (c->known == NONE)
        return;
    t->with_known++;
    t->not_above_known += run->jsum <= c->known;
    t->below_known += run->jsum < c->known;
    if (c->known > 0 && run->jsum > 0) {
        t->ratios++;
        t->log_ratio += log((double)run->jsum / (double)c->known);
    }
}

static void print_tally(const char *method, enum group group, const struct tally *t)
{
    if (t->rows == 0)
        return;
    printf("%-5s %-18s %u rows: <= VieM %u/%u, <= best known %u/%u (below: %u), geometric mean "
           "%.5f, optimal %u, slowest %.3f s\n",
           bench_group(group), method, t->rows, t->not_above_viem, t->with_viem, t->not_above_known,
           t->with_known, t->below_known, t->ratios ? exp(t->log_ratio / t->ratios) : 1.0,
           t->optimal, t->slowest);
}

/* best is three methods, one per effort. */
static size_t list_methods(const struct options *o, const char *methods[])
{
    const struct smap_algorithm *algorithm;
    size_t count = 0;
    for (size_t i = 0; (algorithm = smap_algorithm_at(i)); i++)
        if (!algorithm->searches)
            methods[count++] = algorithm->name;
    methods[count++] = "best-fast";
    methods[count++] = "best-normal";
    methods[count++] = "best-thorough";
    if (peer_scotch_present())
        methods[count++] = "scotch";
    if (o->kahip)
        methods[count++] = "kahip";
    if (o->viem)
        methods[count++] = "viem";
    return count;
}

static void write_row(FILE *csv, const struct bench_case *c, const char *method,
                      const struct run *run)
{
    fprintf(csv, "%s,%s,\"%s\",%s,\"%s\",%s,", bench_group(c->group), c->dims, c->sizes, c->stencil,
            c->periodic, method);
    if (run->done)
        fprintf(csv, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%.6f,%ld\n", run->jsum,
                run->jmax, run->bound, run->misplaced, run->seconds, run->kilobytes);
    else
        fputs(",,,,,\n", csv);
}

static int run_all(const struct options *o)
{
    const char *methods[32];
    struct tally tallies[GROUP_COUNT][32] = {{{0}}};
    size_t cases_count, methods_count = list_methods(o, methods);
    struct bench_case *cases = bench_cases(&cases_count);
    FILE *csv = cases ? fopen(o->csv, "w") : NULL;
    time_t begun = time(NULL), told = begun;
    if (!csv) {
        perror(o->csv);
        free(cases);
        return 3;
    }
    fputs("group,dims,sizes,stencil,periodic,method,jsum,jmax,bound,misplaced,seconds,kilobytes\n",
          csv);
    for (size_t i = 0; i < cases_count; i++) {
        if (cases[i].group == GROUP_TABLE && i % o->stride != 0)
            continue;
        for (size_t m = 0; m < methods_count && o->chosen[cases[i].group]; m++) {
            if (o->only && strcmp(o->only, methods[m]) != 0)
                continue;
            struct run run = run_apart(&cases[i], methods[m], o);
            write_row(csv, &cases[i], methods[m], &run);
            if (run.done)
                count(&tallies[cases[i].group][m], &cases[i], &run);
            if (time(NULL) - told >= 2) {
                told = time(NULL);
                fprintf(stderr, "\r%zu of %zu instances, %ld s ", i, cases_count,
                        (long)(told - begun));
            }
        }
    }
    if (told != begun)
        fputc('\n', stderr);
    for (int group = 0; group < GROUP_COUNT; group++)
        for (size_t m = 0; m < methods_count; m++)
            print_tally(methods[m], (enum group)group, &tallies[group][m]);
    free(cases);
    return fclose(csv) == 0 ? 0 : 3;
}

static const char usage[] =
    "mapping [--csv=FILE] [--group=table|named|other|scale] [--only=METHOD] [--stride=N]\n"
    "        [--kahip=PROGRAM] [--viem=PROGRAM]\n"
    "Runs every algorithm on every instance; writes FILE (mapping.csv) and prints a summary.\n"
    "--only: one method, such as hyperplane, best-fast, best-normal, best-thorough, scotch\n"
    "--stride: every N-th row of the table only\n"
    "--kahip: kaffpa of KaHIP (3.25 was tried); --viem: viem of VieM (1.0 was tried); equal node\n"
    "sizes only; seconds and memory are those of the program\n";

int main(int argc, char **argv)
{
    static const struct option known[] = {
        {"csv", 1, NULL, 'c'},    {"group", 1, NULL, 'g'}, {"only", 1, NULL, 'o'},
        {"stride", 1, NULL, 's'}, {"kahip", 1, NULL, 'k'}, {"viem", 1, NULL, 'v'},
        {"help", 0, NULL, 'h'},   {NULL, 0, NULL, 0},
    };
    struct options o = {.csv = "mapping.csv", .stride = 1};
    bool some = false;
    for (int letter; (letter = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        if (letter == '?' || letter == 'h') {
            fputs(usage, letter == 'h' ? stdout : stderr);
            return letter == 'h' ? 0 : 2;
        }
        for (int group = 0; letter == 'g' && group < GROUP_COUNT; group++)
            if (strcmp(optarg, bench_group((enum group)group)) == 0)
                some = o.chosen[group] = true;
        o.csv = letter == 'c' ? optarg : o.csv;
        o.only = letter == 'o' ? optarg : o.only;
        o.kahip = letter == 'k' ? optarg : o.kahip;
        o.viem = letter == 'v' ? optarg : o.viem;
        if (letter == 's')
            o.stride = (unsigned)strtoul(optarg, NULL, 10);
    }
    o.stride = o.stride ? o.stride : 1;
    for (int group = 0; !some && group < GROUP_COUNT; group++)
        o.chosen[group] = true;
    return run_all(&o);
}
