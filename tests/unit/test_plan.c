/* SPDX-License-Identifier: BSD-3-Clause */
/* From option values to a decision: defaults, summaries and reports, and scores at their limits. */
#include "unit_plan.h"

#include <inttypes.h>
#include <stdio.h>

static void test_defaults(void **state)
{
    static const struct {
        const char *stencil, *dims;
        uint32_t tasks;
        const char *want, *periodic;
    } cases[] = {
        {NULL, NULL, 2400, "50x48", "0,0"},
        {"5pt", NULL, 72, "9x8", "0,0"},
        {"7pt", NULL, 432, "9x8x6", "0,0,0"},
        {"27pt", NULL, 7, "7x1x1", "0,0,0"},
        {"1;-1", NULL, 12, "12", "0"},
        {"1,0,0,0", NULL, 1800, "9x8x5x5", "0,0,0,0"},
        {NULL, "6x4", 24, "6x4", "0,0"},
        {NULL, "24", 24, "24", "0"},
        {"moore", "2x3x4", 24, "2x3x4", "0,0,0"},
        {"moore", "2x3x4,column", 24, "2x3x4,column", "0,0,0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_request request = {.stencil = cases[i].stencil, .dims = cases[i].dims};
        struct smap_problem problem;
        struct smap_error err = {""};
        assert_int_equal(smap_problem_init(&problem, &request, cases[i].tasks, &err), SMAP_OK);
        char *dims = smap_problem_dims(&problem), *periodic = smap_problem_periodic(&problem);
        assert_string_equal(dims, cases[i].want);
        assert_string_equal(periodic, cases[i].periodic);
        free(dims);
        free(periodic);
        smap_problem_clear(&problem);
        assert_null(problem.stencil);
    }
}

static const struct {
    struct smap_request request;
    const char *sizes;
    bool gains;
    const char *summary;
} summaries[] = {
    {{.map = "hyperplane", .stencil = "5pt", .dims = "4x8"},
     "8(x4)",
     true,
     "hyperplane, 5pt on 4x8 over 4 nodes: J_sum 48 -> 24 (-50 %), J_max 16 -> 6, J_sum is "
     "optimal"},
    {{.map = "hyperplane", .dims = "50x48"},
     "48(x50)",
     true,
     "hyperplane, nn on 50x48 over 50 nodes: J_sum 4704 -> 1328 (-72 %), J_max 96 -> 38, J_sum "
     "at most 10.3 % above the optimum"},
    {{.map = "hyperplane", .dims = "2x4", .periodic = "1,1"},
     "4(x2)",
     true,
     "hyperplane, nn on 2x4 over 2 nodes: J_sum 16 -> 8 (-50 %), J_max 8 -> 4, J_sum is "
     "optimal"},
    {{.map = "kdtree", .stencil = "component", .dims = "50x48"},
     "48(x50)",
     true,
     "kdtree, component on 50x48 over 50 nodes: J_sum 4704 -> 96 (-98 %), J_max 96 -> 2, J_sum "
     "is optimal"},
    /* nothing gained: blocked itself, one node, lines, and what is best already */
    {{.map = "blocked", .stencil = "5pt", .dims = "4x8"},
     "8(x4)",
     false,
     "blocked, 5pt on 4x8 over 4 nodes: J_sum 48 -> 48, J_max 16 -> 16: nothing gained, layout "
     "left alone"},
    {{.map = "hyperplane"},
     "16",
     false,
     "hyperplane, nn on grid 4x4 assumed over 1 node: J_sum 0 -> 0, J_max 0 -> 0, J_sum is "
     "optimal: nothing gained, layout left alone"},
    {{.map = "hyperplane", .dims = "1x13"},
     "5,4,4",
     false,
     "hyperplane, nn on 1x13 over 3 nodes: J_sum 4 -> 4, J_max 2 -> 2, J_sum is optimal: "
     "nothing gained, layout left alone"},
    {{.map = "hyperplane", .dims = "7x1"},
     "4,3",
     false,
     "hyperplane, nn on 7x1 over 2 nodes: J_sum 2 -> 2, J_max 1 -> 1, J_sum is optimal: "
     "nothing gained, layout left alone"},
    {{.map = "strips", .dims = "1x7"},
     "4,3",
     false,
     "strips, nn on 1x7 over 2 nodes: J_sum 2 -> 2, J_max 1 -> 1, J_sum is optimal: nothing "
     "gained, layout left alone"},
    {{.map = "hyperplane", .dims = "1"},
     "1",
     false,
     "hyperplane, nn on 1 over 1 node: J_sum 0 -> 0, J_max 0 -> 0, J_sum is optimal: nothing "
     "gained, layout left alone"},
};

static void test_summary(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(summaries) / sizeof(summaries[0]); i++) {
        struct smap_nodesizes *sizes = sizes_of(summaries[i].sizes);
        struct smap_plan *plan = plan_of(&summaries[i].request, sizes, NULL);
        char *summary = smap_plan_summary(plan, &summaries[i].request);
        assert_string_equal(summary, summaries[i].summary);
        assert_int_equal(plan->gains, summaries[i].gains);
        free(summary);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(sizes);
    }
}

/* A layout of ranks that is no block layout: what is compared is what there is. */
static void test_other_layout(void **state)
{
    struct smap_request request = {.map = "blocked", .dims = "2x4"};
    struct smap_nodesizes *sizes = sizes_of("4(x2)");
    static const uint32_t cyclic[] = {0, 1, 0, 1, 0, 1, 0, 1};
    (void)state;
    struct smap_plan *plan = plan_of(&request, sizes, cyclic);
    char *summary = smap_plan_summary(plan, &request);
    assert_string_equal(summary,
                        "blocked, nn on 2x4 over 2 nodes: J_sum 12 -> 8 (-33 %), J_max 6 -> 4");
    assert_true(plan->gains);
    free(summary);
    smap_plan_destroy(plan);
    smap_nodesizes_destroy(sizes);
}

static void test_neighbours(void **state)
{
    static const struct {
        struct smap_request request;
        const char *text;
    } cases[] = {
        {{.dims = "2x3x4"}, "ranks 0 and 1 differ in the last dimension"},
        {{.dims = "2x3x4,column"}, "ranks 0 and 1 differ in the first dimension"},
        {{.dims = "2x12x1", .stencil = "7pt"}, "ranks 0 and 1 differ in dimension 2 of 3"},
        {{.dims = "24x1"}, "ranks 0 and 1 differ in the first dimension"},
        {{.dims = "1x24,column"}, "ranks 0 and 1 differ in the last dimension"},
        {{.dims = "24"}, "ranks 0 and 1 differ in the only dimension"},
        {{.dims = "2x2", .ranks = "20-23"}, "ranks 20 and 21 differ in the last dimension"},
        {{.dims = "1x1", .ranks = "20-20"}, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_problem problem;
        struct smap_error err = {""};
        if (smap_problem_init(&problem, &cases[i].request, 24, &err) != SMAP_OK)
            fail_msg("%s", err.text);
        char *text = smap_plan_neighbours(&problem);
        if (cases[i].text)
            assert_string_equal(text, cases[i].text);
        else
            assert_null(text);
        free(text);
        smap_problem_clear(&problem);
    }
}

static const struct {
    struct smap_request request;
    const char *sizes, *placement;
    bool full;
    const char *text;
} reports[] = {
    {{.map = "hyperplane", .stencil = "5pt", .dims = "4x8"},
     "8(x4)",
     "launch",
     false,
     "  hyperplane, stencil 5pt, grid 4x8, 32 tasks on nodes of 8(x4)\n"
     "  ranks 0 and 1 differ in the last dimension\n"
     "                   before        after\n"
     "  J_sum                48           24 (-50 %)\n"
     "  J_max                16            6 (-62 %)\n"
     "  J_min                 8            6 (-25 %)\n"
     "  placement  launch\n"},
    {{.map = "hyperplane", .stencil = "5pt", .dims = "4x8"},
     "8(x4)",
     "comm",
     true,
     "  hyperplane, stencil 5pt, grid 4x8, 32 tasks on nodes of 8(x4)\n"
     "  ranks 0 and 1 differ in the last dimension\n"
     "                   before        after\n"
     "  J_sum                48           24 (-50 %)\n"
     "  J_max                16            6 (-62 %)\n"
     "  J_min                 8            6 (-25 %)\n"
     "  placement  comm\n"
     "  node              tasks          out\n"
     "  0                     8            6\n"
     "  1                     8            6\n"
     "  2                     8            6\n"
     "  3                     8            6\n"},
    {{.map = "blocked", .dims = "4x4,column"},
     "7,5,4",
     "launch",
     true,
     "  blocked, stencil nn, grid 4x4,column, 16 tasks on nodes of 7,5,4\n"
     "  ranks 0 and 1 differ in the first dimension\n"
     "                   before        after\n"
     "  J_sum                18           18\n"
     "  J_max                 9            9\n"
     "  J_min                 4            4\n"
     "  placement  none, nothing gained\n"
     "  node              tasks          out\n"
     "  0                     7            5\n"
     "  1                     5            9\n"
     "  2                     4            4\n"},
    /* nothing to take percent of */
    {{.map = "strips"},
     "9",
     "launch",
     false,
     "  strips, stencil nn, grid 3x3 assumed, 9 tasks on nodes of 9\n"
     "  ranks 0 and 1 differ in the last dimension\n"
     "                   before        after\n"
     "  J_sum                 0            0\n"
     "  J_max                 0            0\n"
     "  J_min                 0            0\n"
     "  placement  none, nothing gained\n"},
};

static void test_report(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
        struct smap_nodesizes *sizes = sizes_of(reports[i].sizes);
        struct smap_plan *plan = plan_of(&reports[i].request, sizes, NULL);
        char *report = smap_plan_report(plan, &reports[i].request, reports[i].placement,
                                        reports[i].full, NULL);
        assert_string_equal(report, reports[i].text);
        free(report);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(sizes);
    }
}

/* Sums beyond 32 bits: the heaviest stencil there is between any two cells of a ring. */
static void test_score_limits(void **state)
{
    static int32_t ones[2148];
    static uint32_t weights[2148], nodes[1000];
    struct smap_grid grid;
    struct smap_stencil *stencil = NULL;
    struct smap_score score;
    uint64_t out[2];
    (void)state;
    for (size_t i = 0; i < 2148; i++) {
        ones[i] = 1;
        weights[i] = i ? SMAP_WEIGHT_MAX : 483647;
    }
    for (size_t i = 0; i < 1000; i++)
        nodes[i] = i % 2;
    assert_int_equal(smap_stencil_create(&stencil, 1, 2148, ones, weights, NULL), SMAP_OK);
    assert_int_equal(smap_grid_init(&grid, 1, (const uint32_t[]){1000}, (const bool[]){true}, NULL),
                     SMAP_OK);
    assert_int_equal(smap_score_nodes(&score, out,
                                      &(struct smap_instance){&grid, stencil, NULL, NULL}, nodes, 2,
                                      NULL),
                     SMAP_OK);
    assert_true(score.jsum == UINT64_C(2147483647000));
    assert_true(score.jmax == UINT64_C(1073741823500));
    assert_true(score.jmin == UINT64_C(1073741823500));
    assert_true(out[0] == score.jmin && out[1] == score.jmin);
    smap_stencil_destroy(stencil);
    /* Offsets far beyond the grid: none without a wrap, all modulo the size with it. */
    for (int periodic = 0; periodic < 2; periodic++) {
        const bool flag[] = {periodic == 1};
        stencil = NULL;
        assert_int_equal(smap_stencil_parse(&stencil, "1000000;-1000000;-999999", 1, NULL),
                         SMAP_OK);
        assert_int_equal(smap_grid_init(&grid, 1, (const uint32_t[]){10}, flag, NULL), SMAP_OK);
        assert_int_equal(smap_score_nodes(&score, NULL,
                                          &(struct smap_instance){&grid, stencil, NULL, NULL},
                                          nodes, 3, NULL),
                         SMAP_OK);
        assert_int_equal(score.jsum, periodic ? 10 : 0); /* +-10^6 come back to the cell itself */
        assert_int_equal(score.jmin, 0);                 /* node 2 has no cell */
        smap_stencil_destroy(stencil);
    }
}

/* What nodes find their cells by, and what happens where there is no room for it. */
static void test_text(void **state)
{
    static const struct {
        const char *map, *dims, *sizes;
        size_t max;
        const char *begins; /* of the text; NULL: refused */
    } cases[] = {
        {"strips", "12x12", "9(x16)", 100, "strips"},
        {"greedy", "12x12", "9(x16)", 1000, "cells:0b3,"},
        {"random:7", "12x12", "9(x16)", 1000, "cells:"},
        {"greedy", "12x12", "9(x16)", 100, NULL},
        {"random:7", "12x12", "9(x16)", 100, NULL},
        {"best", "4x8", "11,10,11", 100, "cells:"},
        {"best", "4x8", "11,10,11", 20, "hyperplane"}, /* J_max 10, not 8 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct smap_request request = {
            .map = cases[i].map, .dims = cases[i].dims, .text_max = cases[i].max};
        struct smap_nodesizes *sizes = sizes_of(cases[i].sizes);
        struct smap_mapping *again = NULL;
        struct smap_plan *plan = NULL;
        struct smap_error err = {""};
        int rc = smap_plan_create(&plan, &request, sizes, NULL, &err);
        assert_int_equal(rc, cases[i].begins ? SMAP_OK : SMAP_ENOTSUP);
        if (rc != SMAP_OK) {
            assert_non_null(strstr(err.text, " characters would tell"));
            smap_nodesizes_destroy(sizes);
            continue;
        }
        if (strncmp(plan->text, cases[i].begins, strlen(cases[i].begins)) != 0)
            fail_msg("%s with %zu: %s", request.map, request.text_max, plan->text);
        assert_true(strlen(plan->text) <= request.text_max);
        assert_int_equal(smap_mapping_from_text(&again, plan->text, &plan->instance, NULL, NULL),
                         SMAP_OK);
        for (uint32_t cell = 0; cell < plan->problem.grid.cells; cell++)
            assert_int_equal(smap_mapping_node(again, cell), plan->node_of_cell[cell]);
        smap_mapping_destroy(again);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(sizes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),     cmocka_unit_test(test_summary),
        cmocka_unit_test(test_other_layout), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_report),       cmocka_unit_test(test_score_limits),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
