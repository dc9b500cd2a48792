/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_options.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"

enum { DIMS, STENCIL, PERIODIC, MAP, MIN, MAX, STEP, REPEATS, SECONDS, FORMAT, HELP, VERSION };

static const struct option long_options[] = {
    {"dims", required_argument, NULL, DIMS},
    {"stencil", required_argument, NULL, STENCIL},
    {"periodic", required_argument, NULL, PERIODIC},
    {"map", required_argument, NULL, MAP},
    {"min", required_argument, NULL, MIN},
    {"max", required_argument, NULL, MAX},
    {"step", required_argument, NULL, STEP},
    {"repeats", required_argument, NULL, REPEATS},
    {"seconds", required_argument, NULL, SECONDS},
    {"format", required_argument, NULL, FORMAT},
    {"help", no_argument, NULL, HELP},
    {"version", no_argument, NULL, VERSION},
    {NULL, 0, NULL, 0},
};

void bench_usage(FILE *out)
{
    fputs(
        "usage: srun ... stencilmap-bench [options]\n"
        "\n"
        "Times MPI_Neighbor_alltoall over a process grid and a stencil, with the cells in blocks\n"
        "per node (plain) and as stencilmap places them (mapped), alternating in one run.\n"
        "The nodes in the first line are those where the processes were found to run.\n"
        "\n"
        "  --dims=4x8        grid; default: that of the step's hints, or balanced\n"
        "  --stencil=SPEC    nn, 5pt, moore, ..., or offsets \"1,0;-1,0\"; default: hints, or nn.\n"
        "                    Weights count in J_sum and J_max, not in the message size\n"
        "  --periodic=1,0    default: hints, or none\n"
        "  --map=ALG         this algorithm instead of that of the hints\n"
        "  --min=64          smallest message per neighbour, in bytes (k and M are known)\n"
        "  --max=512k        largest message\n"
        "  --step=2          factor between message sizes\n"
        "  --repeats=200     exchanges per message size and order\n"
        "  --seconds=10      fewer repeats (not below 10) if a size takes longer; 0: no limit\n"
        "  --format=table    or csv\n"
        "  --help, --version\n"
        "\n"
        "Each time is the maximum over all processes after a barrier; of the repeats, those\n"
        "beyond 1.5 interquartile ranges are dropped and the mean of the others is printed.\n"
        "ratio is plain / mapped: above 1 the mapping is faster.\n"
        "\n"
        "exit status: 0 done, 1 refused, 2 usage\n",
        out);
}

/* "64", "16k", "1M" */
static int parse_number(const char *name, const char *text, uint64_t max, uint64_t *value,
                        struct smap_error *err)
{
    const char *cursor = text;
    uint64_t unit = 1;
    bool good = smap_scan_uint(&cursor, max, value);
    if (good && (smap_scan_char(&cursor, 'k') || smap_scan_char(&cursor, 'K')))
        unit = 1024;
    else if (good && smap_scan_char(&cursor, 'M'))
        unit = UINT64_C(1024) * 1024;
    if (!good || *cursor || *value == 0 || *value > max / unit)
        return smap_fail(err, SMAP_EINVAL, "--%s=%.40s: not a number from 1 to %" PRIu64, name,
                         text, max);
    *value *= unit;
    return SMAP_OK;
}

static int parse_seconds(const char *text, double *seconds, struct smap_error *err)
{
    const char *cursor = text;
    uint64_t whole;
    if (!smap_scan_uint(&cursor, 86400, &whole) || *cursor)
        return smap_fail(err, SMAP_EINVAL, "--seconds=%.40s: not a number from 0 to 86400", text);
    *seconds = (double)whole;
    return SMAP_OK;
}

static int parse_format(const char *text, bool *csv, struct smap_error *err)
{
    *csv = strcmp(text, "csv") == 0;
    if (!*csv && strcmp(text, "table") != 0)
        return smap_fail(err, SMAP_EINVAL, "--format=%.40s: table or csv", text);
    return SMAP_OK;
}

static int parse_map(const char *text, const char **map, struct smap_error *err)
{
    if (!smap_algorithm_find(NULL, text))
        return smap_fail(err, SMAP_EINVAL, "--map=%.40s: not a mapping algorithm", text);
    *map = text;
    return SMAP_OK;
}

static int parse_one(struct bench_options *o, int option, const char *value, struct smap_error *err)
{
    uint64_t number;
    int rc = SMAP_OK;
    switch (option) {
    case DIMS:
        o->dims = value;
        break;
    case STENCIL:
        o->stencil = value;
        break;
    case PERIODIC:
        o->periodic = value;
        break;
    case MAP:
        return parse_map(value, &o->map, err);
    case MIN:
        return parse_number("min", value, SMAP_BENCH_BYTES_MAX, &o->min, err);
    case MAX:
        return parse_number("max", value, SMAP_BENCH_BYTES_MAX, &o->max, err);
    case STEP:
        return parse_number("step", value, 1024, &o->step, err);
    case REPEATS:
        rc = parse_number("repeats", value, 1000000, &number, err);
        o->repeats = rc == SMAP_OK ? (uint32_t)number : 0;
        break;
    case SECONDS:
        return parse_seconds(value, &o->seconds, err);
    case FORMAT:
        return parse_format(value, &o->csv, err);
    case HELP:
        o->help = true;
        break;
    case VERSION:
        o->version = true;
        break;
    }
    return rc;
}

int bench_options_parse(struct bench_options *options, int argc, char *argv[],
                        struct smap_error *err)
{
    int option;
    *options = (struct bench_options){
        .min = 64, .max = 512 * 1024, .step = 2, .repeats = 200, .seconds = 10};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == '?')
            return smap_fail(err, SMAP_ENOTSUP, "%.60s: no such option, or its value is missing",
                             argv[optind - 1]);
        int rc = parse_one(options, option, optarg, err);
        if (rc != SMAP_OK)
            return rc;
    }
    if (optind < argc)
        return smap_fail(err, SMAP_ENOTSUP, "what is %.60s?", argv[optind]);
    if (options->step < 2)
        return smap_fail(err, SMAP_EINVAL, "--step=1: must be 2 or more");
    if (options->min > options->max)
        return smap_fail(err, SMAP_EINVAL, "--min=%" PRIu64 " is above --max=%" PRIu64,
                         options->min, options->max);
    return SMAP_OK;
}

uint64_t bench_next_size(const struct bench_options *options, uint64_t bytes)
{
    if (bytes >= options->max)
        return 0;
    bytes *= options->step;
    return bytes < options->max ? bytes : options->max;
}
