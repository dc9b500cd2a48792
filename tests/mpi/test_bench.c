/* SPDX-License-Identifier: BSD-3-Clause */
/* What stencilmap-bench does without MPI: statistics, options, tables, pictures. */
#include "../unit/unit.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/axis.h"
#include "bench/options.h"
#include "bench/panel.h"
#include "bench/plot.h"
#include "bench/progress.h"
#include "bench/report.h"
#include "bench/seats.h"
#include "bench/stats.h"

static void assert_near(double got, double wanted, double within)
{
    if (!(fabs(got - wanted) <= within))
        fail_msg("%.9f is not %.9f", got, wanted);
}

/* Quantiles and Student's quantiles as tables have them. */
static void test_quantiles(void **state)
{
    static const double five[] = {1, 2, 3, 4, 10};
    static const struct {
        uint32_t freedom;
        double quantile;
    } student[] = {{1, 12.706},  {2, 4.303},   {5, 2.571},   {9, 2.262},     {10, 2.228},
                   {11, 2.201},  {12, 2.179},  {15, 2.131},  {20, 2.086},    {29, 2.045},
                   {60, 2.0003}, {120, 1.980}, {199, 1.972}, {1000000, 1.96}};
    (void)state;
    assert_near(bench_quantile(five, 5, 0), 1, 0);
    assert_near(bench_quantile(five, 5, 0.25), 2, 0);
    assert_near(bench_quantile(five, 5, 0.1), 1.4, 1e-12);
    assert_near(bench_quantile(five, 5, 0.9), 7.6, 1e-12);
    assert_near(bench_quantile(five, 5, 1), 10, 0);
    assert_near(bench_quantile(five, 1, 0.7), 1, 0);
    for (size_t i = 0; i < sizeof(student) / sizeof(student[0]); i++)
        assert_near(bench_student(student[i].freedom), student[i].quantile, 0.001);
}

static void test_stat(void **state)
{
    /* Every second value: 4, 2, 100, 1, 3. The quartiles are 2 and 4, so 100 is beyond 4 + 3. */
    static const double values[] = {4, 0, 2, 0, 100, 0, 1, 0, 3, 0};
    double scratch[10];
    (void)state;
    struct bench_stat stat = bench_stat(values, 5, 2, scratch);
    assert_int_equal(stat.count, 5);
    assert_int_equal(stat.outliers, 1);
    assert_near(stat.mean, 2.5, 1e-12);
    assert_near(stat.median, 3, 1e-12);
    assert_near(stat.half_width, 3.1824 * sqrt(5.0 / 3 / 4), 1e-4);  /* t(3) s / sqrt(4) */
    assert_int_equal(bench_stat(values, 4, 2, scratch).outliers, 1); /* 1, 2, 4, 100 */
    /* A value at the very border stays: the quartiles of 1, 2, 3, 4, 7 are 2 and 4. */
    static const double border[] = {1, 2, 3, 4, 7};
    assert_int_equal(bench_stat(border, 5, 1, scratch).outliers, 0);
    static const double low[] = {-2, 2, 3, 4, 4};
    assert_int_equal(bench_stat(low, 5, 1, scratch).outliers, 1);
    /* Few values. */
    stat = bench_stat(values, 1, 1, scratch);
    assert_near(stat.mean, 4, 0);
    assert_true(isnan(stat.half_width));
    stat = bench_stat(values, 0, 1, scratch);
    assert_near(stat.mean, 0, 0);
}

/* The interval holds the true mean of normal values about 95 times in 100. */
static void test_coverage(void **state)
{
    uint64_t random = smap_random_state(7);
    double values[20], scratch[20];
    int held = 0;
    (void)state;
    for (int i = 0; i < 4000; i++) {
        for (int j = 0; j < 20; j++) {
            double sum = -6; /* of twelve uniform numbers: nearly normal, mean 0, variance 1 */
            for (int k = 0; k < 12; k++)
                sum += (double)(smap_random(&random) >> 11) / 9007199254740992.0;
            values[j] = 5 + sum;
        }
        struct bench_stat stat = bench_stat(values, 20, 1, scratch);
        held += fabs(stat.mean - 5) <= stat.half_width;
    }
    assert_in_range(held, 3650, 3900); /* somewhat less than 3800: what is cut off narrows it */
}

static void test_speedup(void **state)
{
    struct bench_stat slow = {.mean = 4, .half_width = 0.4}, fast = {.mean = 2, .half_width = 0.2};
    (void)state;
    struct bench_ratio ratio = bench_speedup(&slow, &fast);
    assert_near(ratio.value, 2, 1e-12);
    assert_near(ratio.low, 2 * exp(-sqrt(0.02)), 1e-12);
    assert_near(ratio.high, 2 * exp(sqrt(0.02)), 1e-12);
    assert_true(bench_ratio_sure(&ratio));
    fast.half_width = 2;
    ratio = bench_speedup(&slow, &fast);
    assert_false(bench_ratio_sure(&ratio));
    ratio = bench_speedup(&fast, &slow);
    assert_near(ratio.value, 0.5, 1e-12);
    fast.half_width = NAN;
    ratio = bench_speedup(&slow, &fast);
    assert_near(ratio.value, 2, 1e-12);
    assert_false(bench_ratio_sure(&ratio));
    fast.mean = 0;
    assert_near(bench_speedup(&slow, &fast).value, 1, 0);
}

static int parse(struct bench_options *o, const char *line, struct smap_error *err)
{
    char text[512];
    char *argv[32] = {text};
    int argc = 0;
    snprintf(text, sizeof(text), "bench|%s", line);
    for (char *rest = text, *word; (word = strsep(&rest, "|"));)
        if (*word)
            argv[argc++] = word;
    argv[argc] = NULL;
    optind = 0; /* getopt from the start again */
    return bench_options_parse(o, argc, argv, err);
}

static void test_options(void **state)
{
    struct bench_options o;
    (void)state;
    assert_int_equal(parse(&o,
                           "--stencil=1,0;-1,0|--stencil=nn|--map=kdtree,best|--map=random:7|"
                           "--min=2k|--max=1M|--step=4|--seconds=0.25|--format=json",
                           NULL),
                     0);
    assert_int_equal(o.stencils.count, 2);
    assert_string_equal(o.stencils.item[0], "1,0;-1,0");
    assert_int_equal(o.maps.count, 3);
    assert_string_equal(o.maps.item[2], "random:7");
    assert_int_equal(o.min, 2048);
    assert_int_equal(o.max, 1048576);
    assert_near(o.seconds, 0.25, 0);
    assert_int_equal(o.format, BENCH_JSON);
    assert_int_equal(o.repeats, 200);
    assert_int_equal(bench_sizes(&o), 6); /* 2k 8k 32k 128k 512k 1M */
    assert_int_equal(bench_next_size(&o, 2048), 8192);
    assert_int_equal(bench_next_size(&o, 524288), 1048576);
    assert_int_equal(bench_next_size(&o, 1048576), 0);
    bench_options_clear(&o);
    assert_int_equal(
        parse(&o, "--orders=2-1-0,0-1-2|--orders=core,node;all|--collectives=allgather", NULL), 0);
    assert_int_equal(o.orders.count, 4);
    assert_string_equal(o.orders.item[1], "0-1-2");
    assert_string_equal(o.orders.item[2], "core,node");
    assert_false(o.collective[BENCH_ALLTOALL]);
    assert_true(o.collective[BENCH_ALLGATHER]);
    bench_options_clear(&o);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *line;
        enum smap_status rc;
        const char *text;
    } cases[] = {
        {"--bogus", SMAP_ENOTSUP, "--bogus: no such option, or its value is missing"},
        {"--min", SMAP_ENOTSUP, "--min: no such option, or its value is missing"},
        {"word", SMAP_ENOTSUP, "what is word?"},
        {"--min=0", SMAP_EINVAL, "--min=0: not a number from 1 to 1073741824"},
        {"--max=2G", SMAP_EINVAL, "--max=2G: not a number from 1 to 1073741824"},
        {"--min=1k|--max=512", SMAP_EINVAL, "--min=1024 is above --max=512"},
        {"--step=1", SMAP_EINVAL, "--step=1: must be 2 or more"},
        {"--seconds=1e3", SMAP_EINVAL, "--seconds=1e3: not a number from 0 to 86400"},
        {"--format=xml", SMAP_EINVAL, "--format=xml: table, csv, json or svg"},
        {"--map=kdtree,,best", SMAP_EINVAL, "--map=kdtree,,best: an empty word"},
        {"--map=kd", SMAP_EINVAL, "--map=kd: not a mapping algorithm, nor 'all' or 'step'"},
        {"--orders=2-0", SMAP_EINVAL,
         "--orders=2-0: not an order such as 2-1-0 or core,node, nor 'all'"},
        {"--orders=all|--collectives=bcast", SMAP_EINVAL,
         "--collectives=bcast: alltoall, allreduce or allgather"},
        {"--comm-size=4", SMAP_EINVAL, "--comm-size goes with --orders only"},
        {"--orders=all|--stencil=nn", SMAP_EINVAL,
         "--stencil and --orders do not go together: one is about grids, the other about "
         "collectives"},
        {"--instantiation=yes", SMAP_EINVAL, "--instantiation=yes: only, or no value"},
        {"--instantiation=only|--max=64", SMAP_EINVAL,
         "--max and --instantiation=only: no messages are sent"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bench_options o;
        struct smap_error err = {""};
        assert_int_equal(parse(&o, cases[i].line, &err), cases[i].rc);
        assert_string_equal(err.text, cases[i].text);
        bench_options_clear(&o);
    }
}

static void test_axis(void **state)
{
    struct bench_axis axis;
    char text[32];
    (void)state;
    bench_axis_init(&axis, 0.4, 2, false);
    assert_near(axis.low, 0, 0);
    assert_near(axis.high, 2.1, 1e-9);
    assert_near(axis.tick[1], 0.2, 1e-9);
    assert_near(bench_axis_at(&axis, 1.05), 0.5, 1e-9);
    assert_near(bench_axis_at(&axis, 5), 1, 0);
    assert_near(bench_axis_at(&axis, -1), 0, 0);
    bench_axis_init(&axis, 1, 1, false); /* nothing to show is no division by zero */
    assert_true(axis.low < 1 && axis.high > 1 && axis.count >= 2);
    bench_axis_init(&axis, 0.9, 70, true);
    assert_near(bench_axis_at(&axis, sqrt(axis.low * axis.high)), 0.5, 1e-9);
    assert_near(axis.tick[0], 1, 1e-9);
    assert_near(axis.tick[1], 2, 1e-9);
    bench_axis_init(&axis, 1e-3, 1e9, true);
    assert_in_range(axis.count, 4, BENCH_TICKS_MAX);
    bench_axis_text(text, 0.2 * 3);
    assert_string_equal(text, "0.6");
    bench_axis_text(text, 1e6);
    assert_string_equal(text, "1000000");
}

/* Two sizes; the third series has no second point. */
static struct bench_panel *example(enum bench_panel_kind kind)
{
    static const char *const names[] = {"blocked", "hyperplane", "a<b&c"};
    static const double ms[][2] = {{4, 8}, {2, 8.1}, {1, 0}};
    struct bench_panel *panel = bench_panel_create(3, kind == BENCH_DOTS ? 1 : 2);
    panel->kind = kind;
    snprintf(panel->title, sizeof(panel->title), "nn on 4x8 <&>");
    panel->what = "map";
    panel->notes[0] = "J_sum";
    panel->axis = "speed-up";
    panel->x_axis = "bytes";
    for (size_t x = 0; x < panel->x_count; x++)
        panel->x[x] = x ? 1024 : 64;
    for (size_t i = 0; i < 3; i++) {
        snprintf(panel->series[i].name, sizeof(panel->series[i].name), "%s", names[i]);
        snprintf(panel->series[i].note[0], sizeof(panel->series[i].note[0]), "%zu", 48 - i);
        for (size_t x = 0; x < panel->x_count; x++) {
            struct bench_point *point = &panel->series[i].points[x];
            point->known = ms[i][x] > 0;
            point->ms = (struct bench_stat){ms[i][x], ms[i][x] / 20, ms[i][x], 10, 0};
            point->speedup = bench_speedup(&panel->series[0].points[x].ms, &point->ms);
            point->drawn = point->speedup;
        }
    }
    return panel;
}

static char *read_back(FILE *file)
{
    static char text[65536];
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void test_panel(void **state)
{
    struct bench_panel *panel = example(BENCH_LINES);
    FILE *file = tmpfile();
    (void)state;
    bench_panel_print(panel, file);
    assert_string_equal(read_back(file), "nn on 4x8 <&>\n"
                                         "map         J_sum     64      1k \n"
                                         "blocked ms     48  4.000   8.000 \n"
                                         "hyperplane     47   2.00    0.99~\n"
                                         "a<b&c          46   4.00       - \n"
                                         "~ may be no difference (95 % confidence)\n");
    bench_panel_destroy(panel);
    panel = example(BENCH_DOTS);
    file = tmpfile();
    bench_panel_print(panel, file);
    assert_string_equal(read_back(file),
                        "nn on 4x8 <&>\n"
                        "map         J_sum       mean ms          +-     median ms\n"
                        "blocked        48        4.0000      0.2000        4.0000\n"
                        "hyperplane     47        2.0000      0.1000        2.0000\n"
                        "a<b&c          46        1.0000      0.0500        1.0000\n");
    bench_panel_destroy(panel);
    bench_panel_destroy(NULL);
    char text[24];
    bench_bytes_text(text, 1536);
    assert_string_equal(text, "1536");
    bench_bytes_text(text, 3 << 20);
    assert_string_equal(text, "3M");
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* The reference is the line at 1, so two series of three; all three where values stand alone. That
 * the picture is well-formed is tested with a real parser: bench.py. */
static void test_plot(void **state)
{
    struct bench_panel *panels[] = {example(BENCH_LINES), example(BENCH_DOTS)};
    FILE *file = tmpfile();
    (void)state;
    bench_plot(file, "heading <&>", panels, 2);
    const char *svg = read_back(file);
    assert_int_equal(count(svg, "class='panel'"), 2);
    assert_int_equal(count(svg, "class='series'"), 5);
    assert_int_equal(count(svg, "a&lt;b&amp;c"), 3); /* title, legend, beside the dot */
    assert_int_equal(count(svg, "heading &lt;&amp;>"), 1);
    assert_int_equal(count(svg, "nan"), 0);
    assert_int_equal(count(svg, "inf"), 0);
    assert_int_equal(count(svg, ">blocked<"), 1);
    for (size_t i = 0; i < 2; i++)
        bench_panel_destroy(panels[i]);
}

/* More series than can be told apart, or none: still a picture. */
static void test_plot_many(void **state)
{
    struct bench_panel *panel = bench_panel_create(50, 1);
    FILE *file = tmpfile();
    (void)state;
    panel->logarithmic = true;
    panel->axis = panel->x_axis = "";
    for (size_t i = 0; i < 50; i++) {
        snprintf(panel->series[i].name, sizeof(panel->series[i].name), "s%zu", i);
        panel->series[i].points[0].known = true;
        panel->series[i].points[0].drawn = (struct bench_ratio){(double)i + 1, NAN, NAN};
    }
    bench_plot(file, "", &panel, 1);
    const char *svg = read_back(file);
    assert_int_equal(count(svg, "class='series'"), BENCH_PLOT_SERIES);
    assert_int_equal(count(svg, ">and 20 more<"), 1);
    bench_panel_destroy(panel);
    file = tmpfile();
    bench_plot(file, "nothing", NULL, 0);
    assert_int_equal(count(read_back(file), "</svg>"), 1);
}

static void test_report(void **state)
{
    static const char *const columns[] = {"map",          "runs",      "outliers", "mean_ms",
                                          "ci_ms",        "median_ms", "speedup",  "speedup_low",
                                          "speedup_high", NULL};
    static const struct bench_stat ms = {1.5, NAN, 1.25, 3, 1};
    static const struct bench_ratio ratio = {2, 1.5, NAN};
    static const char *const wanted[] = {
        [BENCH_TABLE] = "setup\n\nnn on 4x8 <&>\n",
        [BENCH_CSV] =
            ("map,runs,outliers,mean_ms,ci_ms,median_ms,speedup,speedup_low,speedup_high\n"
             "best,3,1,1.500000,,1.250000,2.0000,1.5000,\n"),
        [BENCH_JSON] = "{\n\"setup\": {\"x\": 1},\n\"results\": [\n  {\n    \"map\": \"best\",\n",
        [BENCH_SVG] = "<svg xmlns='http://www.w3.org/2000/svg' ",
    };
    (void)state;
    for (int format = BENCH_TABLE; format <= BENCH_SVG; format++) {
        struct bench_report report;
        FILE *out = tmpfile(), *plot = tmpfile();
        bench_report_init(&report, (enum bench_format)format, out, plot, columns);
        snprintf(report.caption, sizeof(report.caption), "setup\n");
        snprintf(report.setup, sizeof(report.setup), "{\"x\": 1}");
        smap_table_add(report.table, "best");
        bench_report_stat(&report, &ms);
        bench_report_ratio(&report, &ratio);
        bench_report_row(&report);
        bench_report_panel(&report, example(BENCH_LINES));
        assert_true(bench_report_finish(&report));
        const char *text = read_back(out);
        assert_memory_equal(text, wanted[format], strlen(wanted[format]));
    }
}

/* A full disk is not passed over. */
static void test_report_full(void **state)
{
    static const char *const columns[] = {"map", NULL};
    struct bench_report report;
    FILE *out = tmpfile(), *plot = fopen("/dev/full", "w");
    (void)state;
    if (!plot)
        skip();
    bench_report_init(&report, BENCH_TABLE, out, plot, columns);
    bench_report_panel(&report, example(BENCH_LINES));
    assert_false(bench_report_finish(&report));
    fclose(out);
}

/* The levels that the processes of two nodes with eight each have, and where they are; both nodes
 * are alike. */
static void assert_seats(const struct bench_seat eight[8], bool bound, const char *levels,
                         const uint32_t wanted[8])
{
    struct bench_seat seats[16];
    struct smap_hierarchy inside;
    uint32_t leaf[16];
    for (size_t i = 0; i < 16; i++)
        seats[i] = eight[i % 8];
    assert_int_equal(bench_seats_sort(leaf, &inside, seats, 16, 8), bound);
    char *text = smap_hierarchy_format(&inside);
    assert_string_equal(text, levels);
    free(text);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(leaf[i], i / 8 * 8 + wanted[i % 8]);
}

static void test_seats(void **state)
{
    static const uint32_t alternating[] = {0, 4, 1, 5, 2, 6, 3, 7},
                          same[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct bench_seat seats[8];
    (void)state;
    /* Two sockets in turn, as Slurm's block:cyclic binds; cpu numbers alternate too. */
    for (int i = 0; i < 8; i++)
        seats[i] = (struct bench_seat){i % 2, i % 2, 0, i};
    assert_seats(seats, true, "socket:2,core:4", alternating);
    /* Each with two domains, and a cache for every pair that is the domain. */
    for (int i = 0; i < 8; i++)
        seats[i] = (struct bench_seat){i % 2, i % 2 * 2 + i / 4, i % 2 * 2 + i / 4, i};
    assert_seats(seats, true, "socket:2,numa:2,core:2", alternating);
    /* One cache for each. */
    for (int i = 0; i < 8; i++)
        seats[i] = (struct bench_seat){0, 0, i, 2 * i};
    assert_seats(seats, true, "l3:8,core:1", same);
    /* Three and five: no level that orders could walk. */
    for (int i = 0; i < 8; i++)
        seats[i] = (struct bench_seat){i >= 3, 0, 0, i};
    assert_seats(seats, true, "core:8", same);
    /* Not bound. */
    seats[5].cpu = 7;
    seats[7].package = seats[5].package;
    assert_seats(seats, false, "core:8", same);
    seats[5].cpu = -1;
    assert_seats(seats, false, "core:8", same);
    assert_true(bench_seat_own().cpu >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantiles),   cmocka_unit_test(test_stat),
        cmocka_unit_test(test_coverage),    cmocka_unit_test(test_speedup),
        cmocka_unit_test(test_options),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_seats),       cmocka_unit_test(test_axis),
        cmocka_unit_test(test_panel),       cmocka_unit_test(test_plot),
        cmocka_unit_test(test_plot_many),   cmocka_unit_test(test_report),
        cmocka_unit_test(test_report_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
