/* SPDX-License-Identifier: BSD-3-Clause */
/* From option values to a decision: column-major numbering, refusals word by word, summaries and
 * reports, and scores at their limits. */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "best/algorithms.h"
#include "plan/plan.h"

static struct smap_plan *plan_of(const struct smap_request *request,
                                 const struct smap_nodesizes *sizes, const uint32_t node_of_rank[])
{
    struct smap_error err = {""};
    struct smap_plan *plan = NULL;
    if (smap_plan_create(&plan, request, sizes, node_of_rank, &err) != SMAP_OK)
        fail_msg("%s %s: %s", request->map, request->dims ? request->dims : "", err.text);
    return plan;
}

static struct smap_nodesizes *sizes_of(const char *text)
{
    struct smap_nodesizes *sizes = NULL;
    assert_int_equal(smap_nodesizes_parse(&sizes, text, NULL), SMAP_OK);
    return sizes;
}

/* The error is the wanted text; '@' in it stands for the list of words for --stencil-map. */
static void assert_error(const struct smap_error *err, const char *want)
{
    struct smap_text text = {0};
    const char *name, *summary;
    smap_text_add(&text, "%.*s", (int)strcspn(want, "@"), want);
    for (size_t i = 0; strchr(want, '@') && smap_algorithm_name(&name, &summary, i); i++)
        smap_text_add(&text, "%s, ", name);
    if (strchr(want, '@'))
        smap_text_add(&text, "off, help");
    char *whole = smap_text_take(&text);
    assert_string_equal(err->text, whole);
    free(whole);
}

/* A request in the user's own words, and the same as numbers. */
struct wish {
    size_t d;
    uint32_t dims[4], periodic[4], offsets;
    int32_t offset[6][4];
    uint32_t weight[6];
    uint32_t p;
    char dims_text[64], periodic_text[16], stencil_text[256];
};

/* reversed: dimensions, flags and components the other way round; suffix: behind the dims. */
static void write_texts(struct wish *w, bool reversed, const char *suffix)
{
    struct smap_text dims = {0}, periodic = {0}, stencil = {0};
    for (size_t k = 0; k < w->d; k++) {
        size_t i = reversed ? w->d - 1 - k : k;
        smap_text_add(&dims, "%s%" PRIu32, k ? "x" : "", w->dims[i]);
        smap_text_add(&periodic, "%s%" PRIu32, k ? "," : "", w->periodic[i]);
    }
    smap_text_add(&dims, "%s", suffix);
    for (uint32_t r = 0; r < w->offsets; r++) {
        for (size_t k = 0; k < w->d; k++)
            smap_text_add(&stencil, "%s%" PRId32, k ? "," : (r ? ";" : ""),
                          w->offset[r][reversed ? w->d - 1 - k : k]);
        smap_text_add(&stencil, "*%" PRIu32, w->weight[r]);
    }
    char *texts[] = {smap_text_take(&dims), smap_text_take(&periodic), smap_text_take(&stencil)};
    snprintf(w->dims_text, sizeof(w->dims_text), "%s", texts[0]);
    snprintf(w->periodic_text, sizeof(w->periodic_text), "%s", texts[1]);
    snprintf(w->stencil_text, sizeof(w->stencil_text), "%s", texts[2]);
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
}

static void random_wish(struct wish *w, uint64_t *seed)
{
    *w = (struct wish){.d = unit_between(seed, 1, 4), .p = 1};
    for (size_t i = 0; i < w->d; i++) {
        w->dims[i] = unit_between(seed, 1, w->d < 3 ? 9 : 4);
        w->periodic[i] = unit_between(seed, 0, 1);
        w->p *= w->dims[i];
    }
    w->offsets = unit_between(seed, 1, 6);
    for (uint32_t r = 0; r < w->offsets; r++) {
        for (size_t i = 0; i < w->d; i++)
            w->offset[r][i] = (int32_t)unit_between(seed, 0, 4) - 2;
        w->offset[r][r % w->d] += w->offset[r][r % w->d] == 0; /* not the cell itself */
        w->weight[r] = unit_between(seed, 1, 9);
    }
}

static struct smap_nodesizes *random_sizes(uint32_t p, uint64_t *seed)
{
    struct smap_text text = {0};
    uint32_t largest = unit_between(seed, 1, p);
    bool equal = p % largest == 0 && unit_between(seed, 0, 1);
    for (uint32_t rest = p; rest > 0;) {
        uint32_t n = equal ? largest : unit_between(seed, 1, largest);
        n = n < rest ? n : rest;
        smap_text_add(&text, "%s%" PRIu32, rest == p ? "" : ",", n);
        rest -= n;
    }
    char *list = smap_text_take(&text);
    struct smap_nodesizes *sizes = sizes_of(list);
    free(list);
    return sizes;
}

/* The rank of a cell by the application's numbering, from the user's coordinates. */
static uint32_t rank_of(const struct wish *w, const int64_t x[], bool column)
{
    uint32_t rank = 0;
    for (size_t k = 0; k < w->d; k++) {
        size_t i = column ? w->d - 1 - k : k;
        rank = rank * w->dims[i] + (uint32_t)x[i];
    }
    return rank;
}

/* J_sum and J_max by the definition, walking the user's coordinates; node_of_rank goes by the
 * application's ranks. */
static struct smap_score brute_force(const struct wish *w, bool column, uint32_t nodes,
                                     const uint32_t node_of_rank[])
{
    struct smap_score score = {.jmin = UINT64_MAX};
    uint64_t *out = calloc(nodes, sizeof(*out));
    int64_t x[4] = {0};
    for (uint32_t cell = 0; cell < w->p; cell++) {
        uint32_t from = node_of_rank[rank_of(w, x, column)];
        for (uint32_t r = 0; r < w->offsets; r++) {
            int64_t y[4];
            bool inside = true;
            for (size_t i = 0; i < w->d; i++) {
                y[i] = x[i] + w->offset[r][i];
                if (w->periodic[i])
                    y[i] = ((y[i] % w->dims[i]) + w->dims[i]) % w->dims[i];
                inside = inside && y[i] >= 0 && y[i] < w->dims[i];
            }
            if (inside && node_of_rank[rank_of(w, y, column)] != from)
                out[from] += w->weight[r];
        }
        for (size_t i = 0; i < w->d && ++x[i] == w->dims[i]; i++)
            x[i] = 0;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        score.jsum += out[i];
        score.jmax = out[i] > score.jmax ? out[i] : score.jmax;
        score.jmin = out[i] < score.jmin ? out[i] : score.jmin;
    }
    free(out);
    return score;
}

static void assert_score(struct smap_score got, struct smap_score want)
{
    assert_int_equal(got.jsum, want.jsum);
    assert_int_equal(got.jmax, want.jmax);
    assert_int_equal(got.jmin, want.jmin);
}

static void check_coords(const struct smap_problem *problem, const struct wish *w, bool column)
{
    int64_t x[4] = {0};
    for (uint32_t cell = 0; cell < w->p; cell++) {
        char want[64] = "";
        for (size_t i = 0, used = 0; i < w->d; i++)
            used += (size_t)snprintf(want + used, sizeof(want) - used, "%s%" PRId64, i ? "," : "",
                                     x[i]);
        char *coords = smap_problem_coords(problem, rank_of(w, x, column));
        assert_string_equal(coords, want);
        free(coords);
        for (size_t i = 0; i < w->d && ++x[i] == w->dims[i]; i++)
            x[i] = 0;
    }
}

/* On random instances: scores as by the definition; texts in the user's order; and ",column" is
 * what the reversed request is without it. */
static void test_column(void **state)
{
    static const char *const maps[] = {"blocked", "hyperplane", "kdtree", "strips"};
    uint64_t seed = 1918;
    (void)state;
    for (int round = 0; round < 1500; round++) {
        struct wish w;
        bool column = round % 2;
        random_wish(&w, &seed);
        write_texts(&w, false, column ? ",column" : "");
        struct smap_nodesizes *sizes = random_sizes(w.p, &seed);
        uint32_t nodes = smap_nodesizes_nodes(sizes), *layout = calloc(w.p, sizeof(*layout));
        for (uint32_t r = 0; r < w.p; r++)
            layout[r] =
                round % 3 ? smap_nodesizes_node_at(sizes, r) : unit_between(&seed, 0, nodes - 1);
        struct smap_request request = {.map = maps[unit_between(&seed, 0, 3)],
                                       .stencil = w.stencil_text,
                                       .dims = w.dims_text,
                                       .periodic = w.periodic_text};
        struct smap_plan *plan = plan_of(&request, sizes, round % 3 ? NULL : layout);
        assert_score(plan->before, brute_force(&w, column, nodes, layout));
        assert_score(plan->after, brute_force(&w, column, nodes, plan->node_of_cell));
        assert_int_equal(plan->gains, plan->after.jsum < plan->before.jsum ||
                                          (plan->after.jsum == plan->before.jsum &&
                                           plan->after.jmax < plan->before.jmax));
        check_coords(&plan->problem, &w, column);
        char *dims = smap_problem_dims(&plan->problem);
        char *periodic = smap_problem_periodic(&plan->problem);
        assert_string_equal(dims, w.dims_text);
        assert_string_equal(periodic, w.periodic_text);
        if (column) {
            write_texts(&w, true, "");
            struct smap_plan *row = plan_of(&request, sizes, round % 3 ? NULL : layout);
            assert_memory_equal(row->node_of_cell, plan->node_of_cell, w.p * sizeof(uint32_t));
            assert_score(row->after, plan->after);
            assert_score(row->before, plan->before);
            smap_plan_destroy(row);
        }
        free(dims);
        free(periodic);
        free(layout);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(sizes);
    }
}

/* The least J_sum over all ways to give the cells from `cell` on to nodes with places left. */
static uint64_t optimum(const struct wish *w, uint32_t cell, uint32_t left[], uint32_t nodes,
                        uint32_t node_of_rank[])
{
    uint64_t best = UINT64_MAX;
    if (cell == w->p)
        return brute_force(w, false, nodes, node_of_rank).jsum;
    for (uint32_t i = 0; i < nodes; i++) {
        if (left[i] == 0)
            continue;
        left[i]--;
        node_of_rank[cell] = i;
        uint64_t found = optimum(w, cell + 1, left, nodes, node_of_rank);
        best = found < best ? found : best;
        left[i]++;
    }
    return best;
}

/* Stencils for the bound: any, nearest neighbours, or steps of one along axes with any weights. */
static void choose_offsets(struct wish *w, int kind, uint64_t *seed)
{
    if (kind == 0)
        return;
    w->offsets = 2 * (uint32_t)w->d;
    memset(w->offset, 0, sizeof(w->offset));
    for (uint32_t r = 0; r < w->offsets; r++) {
        w->offset[r][r / 2] = r % 2 ? -1 : 1;
        w->weight[r] = kind == 1 ? 1 : unit_between(seed, 1, 9);
    }
}

/* What is called a bound is one: no mapping of a small instance is below it, and no algorithm is
 * below the best of all. */
static void test_bound(void **state)
{
    uint64_t seed = 1848;
    (void)state;
    for (int round = 0; round < 900;) {
        struct wish w;
        uint32_t left[8], node_of_rank[8];
        const char *name, *summary;
        random_wish(&w, &seed);
        if (w.p > 8 || w.d > 3)
            continue;
        choose_offsets(&w, round++ % 3, &seed);
        write_texts(&w, false, "");
        struct smap_nodesizes *sizes = random_sizes(w.p, &seed);
        uint32_t nodes = smap_nodesizes_nodes(sizes);
        for (uint32_t i = 0; i < nodes; i++)
            left[i] = smap_nodesizes_size(sizes, i);
        uint64_t least = nodes <= 4 ? optimum(&w, 0, left, nodes, node_of_rank) : UINT64_MAX;
        struct smap_request request = {
            .stencil = w.stencil_text, .dims = w.dims_text, .periodic = w.periodic_text};
        for (size_t i = 0; nodes <= 4 && smap_algorithm_name(&name, &summary, i); i++) {
            struct smap_plan *plan = NULL;
            request.map = name;
            if (smap_plan_create(&plan, &request, sizes, NULL, NULL) != SMAP_OK)
                continue;
            if (plan->bound > least || plan->after.jsum < least)
                fail_msg("%s, %s on %s periodic %s, nodes of %s: bound %" PRIu64 ", J_sum %" PRIu64
                         ", the least is %" PRIu64,
                         name, w.stencil_text, w.dims_text, w.periodic_text,
                         smap_nodesizes_format(sizes), plan->bound, plan->after.jsum, least);
            smap_plan_destroy(plan);
        }
        smap_nodesizes_destroy(sizes);
    }
}

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

/* The whole line that follows "stencilmap: ". tasks 0: not known yet. */
static void test_refusals(void **state)
{
    static const struct {
        struct smap_request request;
        uint32_t tasks;
        const char *error;
    } cases[] = {
        {{.map = "hyperplane", .dims = "50x47"},
         2400,
         "--stencil-dims=50x47: product 2350 is not the number of tasks 2400; if the grid is part "
         "of "
         "the ranks, say which: --stencil-ranks=0-2349"},
        {{.map = "hyperplane", .dims = "50x47,column"},
         2400,
         "--stencil-dims=50x47,column: product 2350 is not the number of tasks 2400; if the grid "
         "is "
         "part of the ranks, say which: --stencil-ranks=0-2349"},
        {{.map = "hyperplane", .dims = "50x49"},
         2400,
         "--stencil-dims=50x49: product 2450 is not the number of tasks 2400"},
        {{.ranks = "2-33", .dims = "4x7"},
         34,
         "--stencil-dims=4x7: product 28 is not the number of ranks 32 in --stencil-ranks=2-33"},
        {{.ranks = "2-33", .dims = "5x7"},
         0,
         "--stencil-dims=5x7: product 35 is not the number of ranks 32 in --stencil-ranks=2-33"},
        {{.ranks = "2-34"}, 34, "--stencil-ranks=2-34: the last of 34 tasks is rank 33"},
        {{.ranks = "33-2"}, 0, "--stencil-ranks=33-2: the first rank comes after the last one"},
        {{.ranks = ""}, 0, "--stencil-ranks=: not a first and a last rank like 2-33"},
        {{.ranks = "7"}, 0, "--stencil-ranks=7: not a first and a last rank like 2-33"},
        {{.ranks = "2-"}, 0, "--stencil-ranks=2-: not a first and a last rank like 2-33"},
        {{.ranks = "2-4-6"}, 0, "--stencil-ranks=2-4-6: not a first and a last rank like 2-33"},
        {{.ranks = "-2-4"}, 0, "--stencil-ranks=-2-4: not a first and a last rank like 2-33"},
        {{.ranks = "0-4294967295"},
         0,
         "--stencil-ranks=0-4294967295: not a first and a last rank like 2-33"},
        {{.dims = ""}, 0, "--stencil-dims=: not sizes like 50x48 or 50x48,column"},
        {{.dims = "50*48"}, 0, "--stencil-dims=50*48: not sizes like 50x48 or 50x48,column"},
        {{.dims = "0x5"}, 0, "--stencil-dims=0x5: not sizes like 50x48 or 50x48,column"},
        {{.dims = "65536x65536"}, 0, "--stencil-dims=65536x65536: more than 4294967295 cells"},
        {{.dims = "1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"},
         0,
         "--stencil-dims=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1: more than 16 dimensions"},
        {{.map = "magic"}, 0, "--stencil-map=magic: not one of @"},
        {{.map = ""}, 0, "--stencil-map=: not one of @"},
        {{.stencil = "magic"},
         0,
         "--stencil=magic: neither a stencil name (see --stencil=help) nor offsets like "
         "1,0;-1,0;0,1*4;0,-1*4"},
        {{.stencil = "7pt", .dims = "4x4"},
         16,
         "--stencil=7pt: is for 3 dimensions, the grid has 2"},
        {{.stencil = "1,0", .dims = "2x2x4"},
         16,
         "--stencil=1,0: an offset has 2 components, the grid has 3"},
        {{.stencil = "0,0"}, 0, "--stencil=0,0: no offset but the cell itself"},
        {{.stencil = "component", .dims = "8"},
         8,
         "--stencil=component: has no offset in 1 dimension"},
        {{.periodic = ""}, 0, "--stencil-periodic=: not a 0 or 1 per dimension like 1,0"},
        {{.periodic = "yes"}, 0, "--stencil-periodic=yes: not a 0 or 1 per dimension like 1,0"},
        {{.dims = "4x4", .periodic = "1"}, 16, "--stencil-periodic=1: 1 flags for 2 dimensions"},
        {{.dims = "4x4", .periodic = "1,0,1"},
         0,
         "--stencil-periodic=1,0,1: 3 flags for 2 dimensions"},
        {{.stencil = "7pt", .periodic = "1,0"},
         0,
         "--stencil-periodic=1,0: 2 flags for 3 dimensions"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_problem problem = {.stencil = NULL};
        assert_int_equal(smap_problem_init(NULL, &cases[i].request, cases[i].tasks, &err),
                         SMAP_EINVAL);
        assert_error(&err, cases[i].error);
        assert_int_equal(smap_problem_init(NULL, &cases[i].request, cases[i].tasks, NULL),
                         SMAP_EINVAL);
        if (cases[i].tasks) {
            assert_int_equal(smap_problem_init(&problem, &cases[i].request, cases[i].tasks, &err),
                             SMAP_EINVAL);
            assert_error(&err, cases[i].error);
            assert_null(problem.stencil);
        }
    }
}

/* One value is checked before the others are known: nothing is missing then. */
static void test_checked_alone(void **state)
{
    static const struct smap_request good[] = {
        {0},
        {.map = "nodecart"},
        {.stencil = "7pt"},
        {.dims = "50x48"},
        {.dims = "4294967295"},
        {.periodic = "1,0,1"}, /* dims or stencil may still come */
        {.dims = "2x2x2", .periodic = "1,0,1"},
        {.ranks = "2-33"},
        {.ranks = "5-5"},
        {.ranks = "0-4294967294"},
        {.dims = "4x8", .ranks = "2-33"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_int_equal(smap_problem_init(NULL, &good[i], 0, NULL), SMAP_OK);
}

/* A value of any length is cut; the line still ends in the reason. */
static void test_long_values(void **state)
{
    char text[2001], want[512];
    struct smap_error err = {""};
    (void)state;
    memset(text, 'x', sizeof(text));
    text[2000] = '\0';
    const struct {
        struct smap_request request;
        const char *option, *reason;
    } cases[] = {
        {{.map = text}, "stencil-map", "not one of @"},
        {{.dims = text}, "stencil-dims", "not sizes like 50x48 or 50x48,column"},
        {{.periodic = text}, "stencil-periodic", "not a 0 or 1 per dimension like 1,0"},
        {{.stencil = text},
         "stencil",
         "neither a stencil name (see --stencil=help) nor offsets like 1,0;-1,0;0,1*4;0,-1*4"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(want, sizeof(want), "--%s=%.120s: %s", cases[i].option, text, cases[i].reason);
        assert_int_equal(smap_problem_init(NULL, &cases[i].request, 0, &err), SMAP_EINVAL);
        assert_error(&err, want);
    }
}

static void test_plan_refusals(void **state)
{
    static const struct {
        struct smap_request request;
        const char *sizes;
        int code;
        const char *error;
    } cases[] = {
        {{.map = "nodecart", .dims = "4x4"},
         "7,5,4",
         SMAP_ENOTSUP,
         "--stencil-map=nodecart: nodecart needs the same number of tasks on every node"},
        {{.map = "nodecart", .dims = "2x18"}, "4(x9)", SMAP_OK, ""},
        {{.map = "hyperplane", .dims = "4x5"},
         "4(x4)",
         SMAP_EINVAL,
         "--stencil-dims=4x5: product 20 is not the number of tasks 16"},
        {{.map = "magic"}, "4", SMAP_EINVAL, "--stencil-map=magic: not one of @"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        struct smap_plan *plan = NULL;
        struct smap_nodesizes *sizes = sizes_of(cases[i].sizes);
        assert_int_equal(smap_plan_create(&plan, &cases[i].request, sizes, NULL, &err),
                         cases[i].code);
        assert_error(&err, cases[i].error);
        assert_int_equal(plan != NULL, cases[i].code == SMAP_OK);
        smap_plan_destroy(plan);
        smap_nodesizes_destroy(sizes);
    }
}

static void test_summary(void **state)
{
    static const struct {
        struct smap_request request;
        const char *sizes;
        bool gains;
        const char *summary;
    } cases[] = {
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
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_nodesizes *sizes = sizes_of(cases[i].sizes);
        struct smap_plan *plan = plan_of(&cases[i].request, sizes, NULL);
        char *summary = smap_plan_summary(plan, &cases[i].request);
        assert_string_equal(summary, cases[i].summary);
        assert_int_equal(plan->gains, cases[i].gains);
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

static void test_report(void **state)
{
    struct smap_request request = {.map = "hyperplane", .stencil = "5pt", .dims = "4x8"};
    struct smap_request blocked = {.map = "blocked", .dims = "4x4,column"};
    struct smap_request alone = {.map = "strips"};
    struct smap_nodesizes *sizes = sizes_of("8(x4)"), *uneven = sizes_of("7,5,4");
    struct smap_nodesizes *one = sizes_of("9");
    struct smap_plan *plan = plan_of(&request, sizes, NULL);
    (void)state;
    char *report = smap_plan_report(plan, &request, "launch", false, NULL);
    assert_string_equal(report, "  hyperplane, stencil 5pt, grid 4x8, 32 tasks on nodes of 8(x4)\n"
                                "  ranks 0 and 1 differ in the last dimension\n"
                                "                   before        after\n"
                                "  J_sum                48           24 (-50 %)\n"
                                "  J_max                16            6 (-62 %)\n"
                                "  J_min                 8            6 (-25 %)\n"
                                "  placement  launch\n");
    free(report);
    report = smap_plan_report(plan, &request, "comm", true, NULL);
    assert_string_equal(report, "  hyperplane, stencil 5pt, grid 4x8, 32 tasks on nodes of 8(x4)\n"
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
                                "  3                     8            6\n");
    free(report);
    smap_plan_destroy(plan);
    plan = plan_of(&blocked, uneven, NULL);
    report = smap_plan_report(plan, &blocked, "launch", true, NULL);
    assert_string_equal(report,
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
                        "  2                     4            4\n");
    free(report);
    smap_plan_destroy(plan);
    /* nothing to take percent of */
    plan = plan_of(&alone, one, NULL);
    report = smap_plan_report(plan, &alone, "launch", false, NULL);
    assert_string_equal(report, "  strips, stencil nn, grid 3x3 assumed, 9 tasks on nodes of 9\n"
                                "  ranks 0 and 1 differ in the last dimension\n"
                                "                   before        after\n"
                                "  J_sum                 0            0\n"
                                "  J_max                 0            0\n"
                                "  J_min                 0            0\n"
                                "  placement  none, nothing gained\n");
    free(report);
    smap_plan_destroy(plan);
    smap_nodesizes_destroy(sizes);
    smap_nodesizes_destroy(uneven);
    smap_nodesizes_destroy(one);
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
    assert_int_equal(smap_score_nodes(&score, out, &(struct smap_instance){&grid, stencil, NULL},
                                      nodes, 2, NULL),
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
                                          &(struct smap_instance){&grid, stencil, NULL}, nodes, 3,
                                          NULL),
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
        cmocka_unit_test(test_column),        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_bound),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_checked_alone), cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_plan_refusals), cmocka_unit_test(test_summary),
        cmocka_unit_test(test_other_layout),  cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_report),        cmocka_unit_test(test_score_limits),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
