/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "order/order_text.h"

enum option_code {
    DIMS,
    STENCIL,
    PERIODIC,
    MAP,
    INSTANTIATION,
    ORDERS,
    HIERARCHY,
    COMM_SIZE,
    COLLECTIVES,
    MIN,
    MAX,
    STEP,
    REPEATS,
    SECONDS,
    FORMAT,
    PLOT,
    QUIET,
    HELP,
    VERSION,
    OPTIONS
};

static const struct option long_options[] = {
    {"dims", required_argument, NULL, DIMS},
    {"stencil", required_argument, NULL, STENCIL},
    {"periodic", required_argument, NULL, PERIODIC},
    {"map", required_argument, NULL, MAP},
    {"instantiation", optional_argument, NULL, INSTANTIATION},
    {"orders", required_argument, NULL, ORDERS},
    {"hierarchy", required_argument, NULL, HIERARCHY},
    {"comm-size", required_argument, NULL, COMM_SIZE},
    {"collectives", required_argument, NULL, COLLECTIVES},
    {"min", required_argument, NULL, MIN},
    {"max", required_argument, NULL, MAX},
    {"step", required_argument, NULL, STEP},
    {"repeats", required_argument, NULL, REPEATS},
    {"seconds", required_argument, NULL, SECONDS},
    {"format", required_argument, NULL, FORMAT},
    {"plot", required_argument, NULL, PLOT},
    {"quiet", no_argument, NULL, QUIET},
    {"help", no_argument, NULL, HELP},
    {"version", no_argument, NULL, VERSION},
    {NULL, 0, NULL, 0},
};

const char *bench_collective_name(enum bench_collective collective)
{
    static const char *const names[] = {"alltoall", "allreduce", "allgather"};
    return names[collective];
}

/* "64", "16k", "1M", "1G" */
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
    else if (good && smap_scan_char(&cursor, 'G'))
        unit = UINT64_C(1024) * 1024 * 1024;
    if (!good || *cursor || *value == 0 || *value > max / unit)
        return smap_fail(err, SMAP_EINVAL, "--%s=%.40s: not a number from 1 to %" PRIu64, name,
                         text, max);
    *value *= unit;
    return SMAP_OK;
}

static int parse_uint(const char *name, const char *text, uint32_t max, uint32_t *value,
                      struct smap_error *err)
{
    uint64_t number = 0;
    int rc = parse_number(name, text, max, &number, err);
    *value = (uint32_t)number;
    return rc;
}

/* "10", "0.5" */
static int parse_seconds(const char *text, double *seconds, struct smap_error *err)
{
    const char *cursor = text;
    uint64_t whole, fraction = 0;
    double unit = 1;
    bool good = smap_scan_uint(&cursor, 86400, &whole);
    if (good && smap_scan_char(&cursor, '.')) {
        const char *start = cursor;
        good = smap_scan_uint(&cursor, 999999, &fraction);
        for (; start < cursor; start++)
            unit *= 10;
    }
    if (!good || *cursor)
        return smap_fail(err, SMAP_EINVAL, "--seconds=%.40s: not a number from 0 to 86400", text);
    *seconds = (double)whole + (double)fraction / unit;
    return SMAP_OK;
}

static int parse_format(const char *text, enum bench_format *format, struct smap_error *err)
{
    static const char *const words[] = {"table", "csv", "json", "svg"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(text, words[i]) == 0) {
            *format = (enum bench_format)i;
            return SMAP_OK;
        }
    }
    return smap_fail(err, SMAP_EINVAL, "--format=%.40s: table, csv, json or svg", text);
}

/* Adds the words between the separators to the list. */
static int add_words(struct bench_list *list, const char *option, const char *text,
                     const char *separators, struct smap_error *err)
{
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, separators);
        if (list->count == BENCH_LIST_MAX)
            return smap_fail(err, SMAP_EINVAL, "--%s: more than %d", option, BENCH_LIST_MAX);
        if (length == 0)
            return smap_fail(err, SMAP_EINVAL, "--%s=%.100s: an empty word", option, text);
        list->item[list->count] = strndup(word, length);
        if (!list->item[list->count++])
            return smap_nomem(err);
        word += length;
        if (!*word)
            return SMAP_OK;
    }
}

/* Names with commas between them; a parameter ("bands:1,2") may have commas of its own. */
static int parse_map(const char *text, struct bench_list *maps, struct smap_error *err)
{
    size_t first = maps->count;
    int rc = add_words(maps, "map", text, strchr(text, ':') ? "" : ",", err);
    for (size_t i = first; rc == SMAP_OK && i < maps->count; i++) {
        const char *map = maps->item[i];
        if (strcmp(map, "all") != 0 && strcmp(map, "step") != 0 && !smap_algorithm_find(NULL, map))
            rc = smap_fail(err, SMAP_EINVAL,
                           "--map=%.40s: not a mapping algorithm, nor 'all' or 'step'", map);
    }
    return rc;
}

/* Orders with semicolons or blanks between them; commas part those that are written with dashes. */
static int parse_orders(const char *text, struct bench_list *orders, struct smap_error *err)
{
    size_t first = orders->count;
    int rc = add_words(orders, "orders", text, strchr(text, '-') ? ",; " : "; ", err);
    for (size_t i = first; rc == SMAP_OK && i < orders->count; i++)
        if (strcmp(orders->item[i], "all") != 0 &&
            smap_order_check(NULL, orders->item[i], err) != SMAP_OK)
            rc = smap_fail(err, SMAP_EINVAL,
                           "--orders=%.60s: not an order such as 2-1-0 or core,node, nor 'all'",
                           orders->item[i]);
    return rc;
}

static int parse_collectives(const char *text, bool wanted[], struct smap_error *err)
{
    struct bench_list words = {0};
    int rc = add_words(&words, "collectives", text, ",", err);
    for (size_t i = 0; i < words.count; i++) {
        size_t c = 0;
        while (c < BENCH_COLLECTIVES &&
               strcmp(words.item[i], bench_collective_name((enum bench_collective)c)) != 0)
            c++;
        if (c < BENCH_COLLECTIVES)
            wanted[c] = true;
        else if (rc == SMAP_OK)
            rc = smap_fail(err, SMAP_EINVAL,
                           "--collectives=%.40s: alltoall, allreduce or allgather", words.item[i]);
        free(words.item[i]);
    }
    return rc;
}

static int parse_instantiation(const char *text, enum bench_instantiation *value,
                               struct smap_error *err)
{
    *value = text ? BENCH_ONLY_INSTANTIATION : BENCH_WITH_INSTANTIATION;
    if (text && strcmp(text, "only") != 0)
        return smap_fail(err, SMAP_EINVAL, "--instantiation=%.40s: only, or no value", text);
    return SMAP_OK;
}

/* Options whose value is a number or a word. */
static int parse_how(struct bench_options *o, int option, const char *value, struct smap_error *err)
{
    switch (option) {
    case MIN:
        return parse_number("min", value, BENCH_BYTES_MAX, &o->min, err);
    case MAX:
        return parse_number("max", value, BENCH_BYTES_MAX, &o->max, err);
    case STEP:
        return parse_number("step", value, 1024, &o->step, err);
    case REPEATS:
        return parse_uint("repeats", value, 100000, &o->repeats, err);
    case SECONDS:
        return parse_seconds(value, &o->seconds, err);
    case FORMAT:
        return parse_format(value, &o->format, err);
    case COMM_SIZE:
        return parse_uint("comm-size", value, INT32_MAX, &o->comm_size, err);
    case COLLECTIVES:
        return parse_collectives(value, o->collective, err);
    default:
        return parse_instantiation(value, &o->instantiation, err);
    }
}

static int parse_one(struct bench_options *o, int option, const char *value, struct smap_error *err)
{
    switch (option) {
    case DIMS:
        o->dims = value;
        return SMAP_OK;
    case STENCIL:
        return add_words(&o->stencils, "stencil", value, "", err);
    case PERIODIC:
        o->periodic = value;
        return SMAP_OK;
    case MAP:
        return parse_map(value, &o->maps, err);
    case ORDERS:
        return parse_orders(value, &o->orders, err);
    case HIERARCHY:
        o->hierarchy = value;
        return SMAP_OK;
    case PLOT:
        o->plot = value;
        return SMAP_OK;
    case QUIET:
        o->quiet = true;
        return SMAP_OK;
    case HELP:
        o->help = true;
        return SMAP_OK;
    case VERSION:
        o->version = true;
        return SMAP_OK;
    default:
        return parse_how(o, option, value, err);
    }
}

/* Options of the one measurement mean nothing to the other. */
static int check_partners(const struct bench_options *o, const bool given[], struct smap_error *err)
{
    static const enum option_code grid[] = {DIMS, STENCIL, PERIODIC, MAP, INSTANTIATION};
    static const enum option_code orders[] = {HIERARCHY, COMM_SIZE, COLLECTIVES};
    for (size_t i = 0; o->orders.count && i < sizeof(grid) / sizeof(grid[0]); i++)
        if (given[grid[i]])
            return smap_fail(err, SMAP_EINVAL,
                             "--%s and --orders do not go together: one is about "
                             "grids, the other about collectives",
                             long_options[grid[i]].name);
    for (size_t i = 0; !o->orders.count && i < sizeof(orders) / sizeof(orders[0]); i++)
        if (given[orders[i]])
            return smap_fail(err, SMAP_EINVAL, "--%s goes with --orders only",
                             long_options[orders[i]].name);
    if (o->instantiation == BENCH_ONLY_INSTANTIATION && (given[MIN] || given[MAX] || given[STEP]))
        return smap_fail(err, SMAP_EINVAL, "--%s and --instantiation=only: no messages are sent",
                         given[MIN]   ? "min"
                         : given[MAX] ? "max"
                                      : "step");
    return SMAP_OK;
}

static int check_sizes(const struct bench_options *o, struct smap_error *err)
{
    if (o->step < 2)
        return smap_fail(err, SMAP_EINVAL, "--step=1: must be 2 or more");
    if (o->max && o->min > o->max)
        return smap_fail(err, SMAP_EINVAL, "--min=%" PRIu64 " is above --max=%" PRIu64, o->min,
                         o->max);
    return SMAP_OK;
}

int bench_options_parse(struct bench_options *options, int argc, char *argv[],
                        struct smap_error *err)
{
    bool given[OPTIONS] = {false};
    int option, rc = SMAP_OK;
    *options = (struct bench_options){.min = 64, .step = 2, .repeats = 200, .seconds = 10};
    opterr = 0;
    while (rc == SMAP_OK && (option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == '?')
            return smap_fail(err, SMAP_ENOTSUP, "%.60s: no such option, or its value is missing",
                             argv[optind - 1]);
        given[option] = true;
        rc = parse_one(options, option, optarg, err);
    }
    if (rc == SMAP_OK && optind < argc)
        return smap_fail(err, SMAP_ENOTSUP, "what is %.60s?", argv[optind]);
    if (rc == SMAP_OK)
        rc = check_partners(options, given, err);
    for (size_t c = 0; c < BENCH_COLLECTIVES && !given[COLLECTIVES]; c++)
        options->collective[c] = true;
    return rc == SMAP_OK ? check_sizes(options, err) : rc;
}

void bench_list_clear(struct bench_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i]);
    list->count = 0;
}

void bench_options_clear(struct bench_options *options)
{
    bench_list_clear(&options->stencils);
    bench_list_clear(&options->maps);
    bench_list_clear(&options->orders);
}

uint64_t bench_next_size(const struct bench_options *options, uint64_t bytes)
{
    if (bytes >= options->max)
        return 0;
    bytes *= options->step;
    return bytes < options->max ? bytes : options->max;
}

size_t bench_sizes(const struct bench_options *options)
{
    size_t count = 0;
    for (uint64_t bytes = options->min; bytes; bytes = bench_next_size(options, bytes))
        count++;
    return count;
}
