/* SPDX-License-Identifier: BSD-3-Clause */
/* `best`: against the best mappings known, and what must hold on any instance. The bench program
 * shows all rows at all efforts; here the slow efforts see a sample. */
#include "unit_instance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "best/algorithms.h"
#include "best/best.h"
#include "grid/score.h"

static struct smap_mapping *create(const struct instance *in, const char *algorithm,
                                   enum smap_effort effort, enum smap_objective objective)
{
    struct smap_error err = {""};
    struct smap_mapping *mapping = NULL;
    const struct smap_mapping_options options = {.effort = effort, .objective = objective};
    int rc = smap_mapping_from_text(&mapping, algorithm, UNIT_INSTANCE(in), &options, &err);
    if (rc != SMAP_OK && rc != SMAP_ENOTSUP)
        fail_msg("%s: %s", algorithm, err.text);
    return mapping;
}

/* The score by the definition, not by what the search says. */
static struct smap_score score_of(const struct instance *in, const struct smap_mapping *mapping)
{
    struct smap_error err = {""};
    struct smap_score score;
    uint32_t *nodes = calloc(in->grid.cells, sizeof(*nodes));
    assert_int_equal(smap_mapping_nodes(nodes, mapping, &err), SMAP_OK);
    assert_int_equal(smap_score_nodes(&score, NULL, UNIT_INSTANCE(in), nodes,
                                      smap_nodesizes_nodes(in->sizes), &err),
                     SMAP_OK);
    free(nodes);
    return score;
}

struct outcome {
    uint64_t jsum;
    uint64_t jmax;
    uint64_t bound;
};

static struct outcome best_of(const struct instance *in, enum smap_effort effort,
                              enum smap_objective objective)
{
    struct smap_mapping *mapping = create(in, "best", effort, objective);
    struct smap_score score = score_of(in, mapping);
    const struct smap_best_result *result = smap_best_result(mapping);
    assert_int_equal(result->score.jsum, score.jsum);
    assert_int_equal(result->score.jmax, score.jmax);
    assert_true(result->bound <= score.jsum);
    struct outcome outcome = {score.jsum, score.jmax, result->bound};
    smap_mapping_destroy(mapping);
    return outcome;
}

/* What a pass over the table of best mappings has shown. */
struct tally {
    unsigned rows, not_above_viem, not_above_known, bounded, certified, with_known;
    double log_ratio; /* over best_known, summed */
};

/* Every stride-th row from first on. */
static struct tally walk_table(enum smap_effort effort, unsigned stride, unsigned first)
{
    struct tally t = {0};
    char line[256];
    unsigned row = 0;
    FILE *file = fopen(STENCILMAP_TEST_DATA "/best-mappings.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof(line), file));
    while (fgets(line, sizeof(line), file)) {
        struct instance in;
        unsigned nodes, n;
        uint64_t viem, known, lower = 0;
        char dims[32], stencil[32], sizes[32];
        if (row++ % stride != first)
            continue;
        int fields = sscanf(line, "%u,%u,%31[^,],%31[^,],%" SCNu64 ",%" SCNu64 ",%" SCNu64, &nodes,
                            &n, dims, stencil, &viem, &known, &lower);
        assert_in_range(fields, 6, 7);
        snprintf(sizes, sizeof(sizes), "%u(x%u)", n, nodes);
        instance_init(&in, dims, stencil, sizes, NULL);
        struct outcome best = best_of(&in, effort, SMAP_OBJECTIVE_SUM);
        instance_release(&in);
        t.rows++;
        t.not_above_viem += best.jsum <= viem;
        t.not_above_known += best.jsum <= known;
        if (known > 0) {
            assert_true(best.jsum > 0);
            t.log_ratio += log((double)best.jsum / (double)known);
            t.with_known++;
        }
        if (fields == 7) {
            assert_true(best.bound >= lower);
            t.bounded++;
            t.certified += best.bound == best.jsum;
        }
    }
    fclose(file);
    return t;
}

static void test_table_fast(void **state)
{
    struct tally t = walk_table(SMAP_EFFORT_FAST, 1, 0);
    (void)state;
    assert_int_equal(t.rows, 432);
    assert_in_range(t.not_above_viem, 415, 432);
    assert_true(exp(t.log_ratio / t.with_known) <= 1.01);
    assert_int_equal(t.bounded, 288);
    assert_in_range(t.certified, 144, 288);
}

static void test_table_normal(void **state)
{
    struct tally t = walk_table(SMAP_EFFORT_NORMAL, 13, 5);
    (void)state;
    assert_int_equal(t.not_above_viem, t.rows);
    assert_true(exp(t.log_ratio / t.with_known) <= 1.003);
}

static void test_table_thorough(void **state)
{
    struct tally t = walk_table(SMAP_EFFORT_THOROUGH, 107, 19);
    (void)state;
    assert_int_equal(t.not_above_known, t.rows);
}

/* Instances named in the literature, and small ones whose optimum is known by branch and bound. */
static void test_named(void **state)
{
    static const struct {
        const char *dims, *sizes, *stencil;
        bool periodic[2];
        enum smap_effort effort;
        uint64_t jsum, jmax; /* at most; jmax 0: any */
    } named[] = {
        {"50x48", "48(x50)", "nn", {0}, SMAP_EFFORT_FAST, 1204, 28},
        {"50x48", "48(x50)", "hops", {0}, SMAP_EFFORT_NORMAL, 2868, 0},
        {"50x48", "48(x50)", "component", {0}, SMAP_EFFORT_FAST, 96, 2},
        {"75x64", "48(x100)", "component", {0}, SMAP_EFFORT_FAST, 192, 2},
        {"12x11x8", "32(x33)", "nn", {0}, SMAP_EFFORT_FAST, 1504, 0},
        {"12x11x8", "32(x33)", "hops-last", {0}, SMAP_EFFORT_FAST, 1792, 0},
        {"12x11x8", "32(x33)", "hops", {0}, SMAP_EFFORT_NORMAL, 2552, 0},
        {"4x4", "4(x4)", "nn", {0}, SMAP_EFFORT_NORMAL, 16, 0},
        {"4x4", "7,5,4", "nn", {0}, SMAP_EFFORT_NORMAL, 14, 0},
        {"3x5", "5(x3)", "nn", {0}, SMAP_EFFORT_NORMAL, 16, 0},
        {"2x8", "4(x4)", "nn", {0}, SMAP_EFFORT_NORMAL, 12, 0},
        {"4x6", "8(x3)", "nn", {0}, SMAP_EFFORT_NORMAL, 16, 0},
        {"4x6", "4(x6)", "nn", {0}, SMAP_EFFORT_NORMAL, 28, 0},
        {"6x6", "12(x3)", "nn", {0}, SMAP_EFFORT_NORMAL, 20, 0},
        {"6x6", "9(x4)", "nn", {0}, SMAP_EFFORT_NORMAL, 24, 0},
        {"5x5", "9,8,8", "nn", {0}, SMAP_EFFORT_NORMAL, 18, 0},
        {"6x4", "8(x3)", "hops", {0}, SMAP_EFFORT_NORMAL, 40, 0},
        {"4x4", "4(x4)", "nn", {1, 1}, SMAP_EFFORT_NORMAL, 32, 0},
        {"2x4", "4(x2)", "nn", {1, 1}, SMAP_EFFORT_NORMAL, 8, 0},
        {"1x13", "5,4,4", "nn", {0}, SMAP_EFFORT_NORMAL, 4, 0},
        {"1000x1000", "125(x8000)", "nn", {0}, SMAP_EFFORT_NORMAL, 364000, 46},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        struct instance in;
        instance_init(&in, named[i].dims, named[i].stencil, named[i].sizes, named[i].periodic);
        struct outcome best = best_of(&in, named[i].effort, SMAP_OBJECTIVE_SUM);
        if (best.jsum > named[i].jsum || (named[i].jmax && best.jmax > named[i].jmax))
            fail_msg("%s %s %s: %" PRIu64 "/%" PRIu64 ", wanted %" PRIu64 "/%" PRIu64,
                     named[i].dims, named[i].sizes, named[i].stencil, best.jsum, best.jmax,
                     named[i].jsum, named[i].jmax);
        instance_release(&in);
    }
}

/* Nodes of 56 and 40 in turn on 50x48: in an order that fits the bands each is a box. */
static void test_unequal(void **state)
{
    char sizes[256] = "";
    struct instance in;
    (void)state;
    for (int i = 0; i < 25; i++)
        unit_append(sizes, sizeof(sizes), i ? ",56,40" : "56,40");
    instance_init(&in, "50x48", "nn", sizes, NULL);
    struct outcome best = best_of(&in, SMAP_EFFORT_FAST, SMAP_OBJECTIVE_SUM);
    assert_int_equal(best.jsum, 1204);
    assert_int_equal(best.bound, 1204);
    instance_release(&in);
}

/* Grids from 1-D to 8-D with dims of 1 and 2, primes, periodic or not; sizes equal or not. */
static void random_instance(struct instance *in, uint64_t *seed)
{
    static const char *const stencils[] = {
        "nn", "moore", "component", "diagonal", "hops", "hops-last", "crank-nicolson",
    };
    char dims[128] = "", sizes[16384] = "";
    bool periodic[SMAP_DIMS_MAX];
    uint32_t ndims = unit_between(seed, 1, 8), p = 1;
    size_t used = 0;
    for (uint32_t i = 0; i < ndims; i++) {
        uint32_t size = unit_between(seed, 1, ndims < 3 ? 23 : ndims < 5 ? 6 : 3);
        used +=
            (size_t)snprintf(dims + used, sizeof(dims) - used, "%s%" PRIu32, i ? "x" : "", size);
        periodic[i] = unit_between(seed, 0, 1);
        p *= size;
    }
    uint32_t largest = unit_between(seed, 1, p), spread = unit_between(seed, 0, largest - 1);
    spread = unit_between(seed, 0, 1) ? spread : 0;
    used = 0;
    for (uint32_t left = p; left > 0;) {
        uint32_t n = unit_between(seed, largest - spread, largest);
        n = n < left ? n : left;
        used +=
            (size_t)snprintf(sizes + used, sizeof(sizes) - used, "%s%" PRIu32, used ? "," : "", n);
        assert_true(used < sizeof(sizes));
        left -= n;
    }
    const char *stencil = stencils[unit_between(seed, 0, 6)];
    if (ndims == 1 && strcmp(stencil, "component") == 0)
        stencil = "nn";
    instance_init(in, dims, stencil, sizes, periodic);
}

static bool before(const struct outcome *a, uint64_t jsum, uint64_t jmax, bool max_first)
{
    uint64_t a1 = max_first ? a->jmax : a->jsum, a2 = max_first ? a->jsum : a->jmax;
    uint64_t b1 = max_first ? jmax : jsum, b2 = max_first ? jsum : jmax;
    return a1 < b1 || (a1 == b1 && a2 <= b2);
}

/* Never worse than any other algorithm, whichever number counts first; a text, if there is one,
 * gives the same mapping again; and blocked itself where nothing is gained. */
static void test_properties(void **state)
{
    uint64_t seed = 31415;
    (void)state;
    for (int round = 0; round < 250; round++) {
        struct instance in;
        random_instance(&in, &seed);
        enum smap_objective objective = round % 3 ? SMAP_OBJECTIVE_SUM : SMAP_OBJECTIVE_MAX;
        struct smap_mapping *best = create(&in, "best", SMAP_EFFORT_FAST, objective);
        struct smap_score found = score_of(&in, best), blocked = {0, 0, 0};
        const struct smap_algorithm *a;
        for (size_t i = 0; (a = smap_algorithm_at(i)); i++) {
            struct smap_mapping *other =
                a->searches ? NULL : create(&in, a->name, SMAP_EFFORT_FAST, objective);
            if (!other)
                continue;
            struct smap_score score = score_of(&in, other);
            if (i == 0)
                blocked = score;
            const struct outcome outcome = {found.jsum, found.jmax, 0};
            if (!a->control) /* random is no candidate, but no accident either */
                assert_true(
                    before(&outcome, score.jsum, score.jmax, objective == SMAP_OBJECTIVE_MAX));
            smap_mapping_destroy(other);
        }
        char *text = NULL;
        assert_int_equal(smap_mapping_to_text(&text, best, 100000, NULL), SMAP_OK);
        struct smap_mapping *again = create(&in, text, SMAP_EFFORT_FAST, objective);
        for (uint32_t cell = 0; cell < in.grid.cells; cell++)
            assert_int_equal(smap_mapping_node(again, cell), smap_mapping_node(best, cell));
        smap_mapping_destroy(again);
        if (found.jsum == blocked.jsum && found.jmax == blocked.jmax)
            for (uint32_t q = 0; q < in.grid.cells; q++)
                assert_int_equal(smap_mapping_cell(best, q), q);
        free(text);
        smap_mapping_destroy(best);
        instance_release(&in);
    }
}

/* A checksum over irregular results: the same on every machine and with every compiler. */
static void test_deterministic(void **state)
{
    static const struct {
        const char *dims, *sizes, *stencil;
    } cases[] = {
        {"13x10", "10(x13)", "hops"},
        {"7x5x4", "14(x10)", "moore"},
        {"11x9", "20,19,31,29", "nn"},
    };
    uint64_t sum = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct instance in;
        instance_init(&in, cases[i].dims, cases[i].stencil, cases[i].sizes, NULL);
        struct smap_mapping *mapping = create(&in, "best", SMAP_EFFORT_NORMAL, SMAP_OBJECTIVE_SUM);
        for (uint32_t q = 0; q < in.grid.cells; q++)
            sum = sum * UINT64_C(6364136223846793005) + smap_mapping_cell(mapping, q) + 1;
        smap_mapping_destroy(mapping);
        instance_release(&in);
    }
    if (sum != UINT64_C(7745623621197487959))
        fail_msg("checksum %" PRIu64, sum);
}

/* Texts that are no layout of the grid are refused, not believed. */
static void test_texts(void **state)
{
    static const char *const bad[] = {
        "bands:",
        "bands:run=0",
        "bands:run=0,snake=0",
        "bands:run=2,snake=0,1:2x4",
        "bands:run=0,snake=0,0:2x4",
        "bands:run=0,snake=0,1:2x3",
        "bands:run=0,snake=0,1:2x4+1x1",
        "bands:run=0,snake=0,1:0x4+2x4",
        "bands:run=0,snake=0,1:4294967295x4294967295",
        "bands:run=0,snake=0,1:1x0+1x8",
        "bands:run=0,snake=0,1:2x4,",
        "bands:run=0,snake=0,1:2x4 ",
        "random:",
        "random:x",
        "cells",
        "cells:",
        "cells:0b47",                /* all on one node */
        "cells:0b11,1b11,2b11,3b10", /* too few */
        "cells:0b12,1b11,2b11,3b10", /* 13 on node 0 */
        "cells:0b11,1b11,2b11,4b11", /* no such node */
        "cells:0b11,1b11,2b11,3b11 ",
    };
    struct instance in;
    struct smap_error err = {""};
    (void)state;
    instance_init(&in, "6x8", "nn", "12(x4)", NULL);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct smap_mapping *mapping = NULL;
        if (smap_mapping_from_text(&mapping, bad[i], UNIT_INSTANCE(&in), NULL, &err) != SMAP_EINVAL)
            fail_msg("%s was taken", bad[i]);
        assert_null(mapping);
    }
    struct smap_mapping *good =
        create(&in, "bands:run=0,snake=1,1:1x5+1x3", SMAP_EFFORT_FAST, SMAP_OBJECTIVE_SUM);
    char *text = NULL;
    assert_int_equal(smap_mapping_to_text(&text, good, 100000, NULL), SMAP_OK);
    assert_string_equal(text, "bands:run=0,snake=1,1:1x5+1x3");
    free(text);
    smap_mapping_destroy(good);
    instance_release(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_fast),     cmocka_unit_test(test_table_normal),
        cmocka_unit_test(test_table_thorough), cmocka_unit_test(test_named),
        cmocka_unit_test(test_unequal),        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_deterministic),  cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
