/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid whose best mapping costs least: what is known, and against all grids there are. */
#include "unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "best/best_search.h"
#include "best/dims_search.h"
#include "grid/grid.h"
#include "grid/score.h"

static const uint32_t no_dims[SMAP_DIMS_MAX];

struct instance {
    struct smap_dims_request request;
    struct smap_stencil *stencil;
    struct smap_nodesizes *sizes;
};

static void setup(struct instance *in, const char *stencil, const char *sizes,
                  struct smap_dims_rules rules)
{
    *in = (struct instance){.stencil = NULL};
    assert_int_equal(smap_stencil_parse(&in->stencil, stencil, rules.d, NULL), SMAP_OK);
    assert_int_equal(smap_nodesizes_parse(&in->sizes, sizes, NULL), SMAP_OK);
    in->request = (struct smap_dims_request){rules, NULL, in->stencil, in->sizes};
    in->request.rules.p = smap_nodesizes_tasks(in->sizes);
}

static void teardown(struct instance *in)
{
    smap_stencil_destroy(in->stencil);
    smap_nodesizes_destroy(in->sizes);
}

static void test_known(void **state)
{
    static const struct {
        const char *stencil, *sizes;
        size_t d;
        uint32_t fixed[SMAP_DIMS_MAX], lattice[SMAP_DIMS_MAX], want[SMAP_DIMS_MAX];
    } known[] = {
        {"nn", "8(x4)", 2, {0}, {0}, {8, 4}},
        {"nn", "8(x4)", 3, {0}, {0}, {4, 4, 2}},
        {"27pt", "8(x4)", 3, {0}, {0}, {4, 4, 2}}, /* not 8x4x1, whose messages are few and large */
        {"nn", "32", 2, {0}, {0}, {8, 4}},         /* one node: the most compact one */
        {"nn", "1(x36)", 2, {0}, {0}, {6, 6}},
        {"1,0*4;-1,0*4;0,1;0,-1", "1(x36)", 2, {0}, {0}, {3, 12}}, /* cut less across what is heavy
                                                                    */
        {"1,0;-1,0", "1(x36)", 2, {0}, {0}, {1, 36}},
        {"nn", "8(x4)", 2, {2, 0}, {0}, {2, 16}},
        {"nn", "8(x4)", 2, {2, 16}, {0}, {2, 16}},
        {"7pt", "4(x4)", 3, {0}, {32, 32, 128}, {2, 2, 4}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct instance in;
        uint32_t dims[SMAP_DIMS_MAX];
        setup(&in, known[i].stencil, known[i].sizes,
              (struct smap_dims_rules){.d = known[i].d,
                                       .fixed = known[i].fixed,
                                       .lattice = known[i].lattice[0] ? known[i].lattice : NULL});
        assert_int_equal(smap_dims_search(dims, NULL, &in.request, NULL), SMAP_OK);
        for (size_t k = 0; k < known[i].d; k++)
            if (dims[k] != known[i].want[k])
                fail_msg("case %zu: size %zu is %" PRIu32 ", not %" PRIu32, i, k, dims[k],
                         known[i].want[k]);
        teardown(&in);
    }
}

/* All grids by their own count: the definition in the header once more. */
struct brute {
    const struct instance *in;
    uint32_t dims[SMAP_DIMS_MAX];
    double least_surface, least; /* of J_sum, in points */
    uint32_t grids;
};

/* What a message along offset r has, in points times weight. */
static double points(const struct brute *b, const uint32_t dims[], const int32_t offset[])
{
    const struct smap_dims_rules *rules = &b->in->request.rules;
    double size = 1;
    for (size_t i = 0; i < rules->d; i++) {
        double side =
            rules->lattice ? rules->lattice[i] : 32 * pow(rules->p, 1.0 / (double)rules->d);
        size *= offset[i] ? 1 : side / dims[i];
    }
    return size;
}

/* J_sum of the best mapping, in points. */
static double between_nodes(const struct brute *b, const uint32_t dims[])
{
    const struct smap_mapping_options options = {.effort = SMAP_EFFORT_FAST};
    const struct smap_stencil *s = b->in->stencil;
    struct smap_stencil *weighed;
    struct smap_best_result best;
    struct smap_grid grid;
    uint32_t weights[64];
    double scale = 20;
    assert_int_equal(smap_grid_init(&grid, b->in->request.rules.d, dims, NULL, NULL), SMAP_OK);
    for (size_t r = 0; r < s->count; r++)
        weights[r] =
            (uint32_t)lround(points(b, dims, smap_stencil_offset(s, r)) * s->weights[r] * scale);
    assert_int_equal(smap_stencil_create(&weighed, grid.ndims, s->count, s->offsets, weights, NULL),
                     SMAP_OK);
    const struct smap_instance instance = {
        .grid = &grid, .stencil = weighed, .sizes = b->in->sizes};
    assert_int_equal(smap_best_search(&best, &instance, &options, NULL), SMAP_OK);
    free(best.node_of_cell);
    smap_stencil_destroy(weighed);
    return (double)best.score.jsum / scale;
}

/* Of the faces alone: nn in all tests. */
static double surface(const struct brute *b, const uint32_t dims[])
{
    const struct smap_dims_rules *rules = &b->in->request.rules;
    double sum = 0;
    for (size_t i = 0; i < rules->d; i++)
        sum += dims[i] / (rules->lattice ? (double)rules->lattice[i] : 1);
    return sum;
}

static void enumerate(struct brute *b, size_t i, uint32_t rest, bool count_only)
{
    const struct smap_dims_rules *rules = &b->in->request.rules;
    if (i < rules->d) {
        for (uint32_t f = 1; f <= rest; f++) {
            b->dims[i] = f;
            if (rest % f == 0 && (!rules->lattice || rules->lattice[i] % f == 0) &&
                (!rules->fixed[i] || rules->fixed[i] == f))
                enumerate(b, i + 1, rest / f, count_only);
        }
        return;
    }
    double sum = surface(b, b->dims);
    if (rest != 1)
        return;
    if (count_only) {
        b->grids++;
        b->least_surface = b->grids == 1 || sum < b->least_surface ? sum : b->least_surface;
    } else if (sum <= b->least_surface * 1.25) {
        double cost = between_nodes(b, b->dims);
        b->least = b->least < 0 || cost < b->least ? cost : b->least;
    }
}

static void test_all_grids(void **state)
{
    static const char *const sizes[] = {"8(x4)",   "12(x4)", "7,5,4,8", "6(x10)", "16(x3),12",
                                        "10(x12)", "1(x24)", "24",      "5(x7)",  "9(x16)"};
    static const uint32_t lattice[] = {48, 96, 240};
    uint64_t seed = 77;
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct instance in;
        uint32_t fixed[3] = {0}, dims[SMAP_DIMS_MAX];
        bool with_lattice = round % 4 == 3;
        setup(&in, "nn", sizes[unit_between(&seed, 0, 9)],
              (struct smap_dims_rules){.d = 2 + (size_t)round % 2,
                                       .fixed = fixed,
                                       .lattice = with_lattice ? lattice : NULL});
        if (round % 5 == 4 && in.request.rules.p % 2 == 0)
            fixed[1] = 2;
        struct brute b = {.in = &in, .least = -1};
        enumerate(&b, 0, in.request.rules.p, true);
        enumerate(&b, 0, in.request.rules.p, false);
        int rc = smap_dims_search(dims, NULL, &in.request, NULL);
        assert_int_equal(rc, b.grids ? SMAP_OK : SMAP_EINVAL);
        if (rc == SMAP_OK) {
            assert_true(surface(&b, dims) <= b.least_surface * 1.25 + 1e-9);
            assert_true(between_nodes(&b, dims) <= b.least * 1.021 + 1);
        }
        teardown(&in);
    }
}

/* Equal by symmetry is looked at once; what differs is not taken for equal. */
static void test_twins(void **state)
{
    static const struct {
        const char *stencil;
        bool periodic[2];
        size_t count;
    } cases[] = {
        {"nn", {false, false}, 5}, /* 50x48, 60x40, 75x32, 80x30, 96x25 */
        {"nn", {true, true}, 5},
        {"moore", {false, false}, 5},
        {"nn", {true, false}, 10},
        {"1,0*4;-1,0*4;0,1*3;0,-1*3", {false, false}, 10},
        {"1,0;-1,0;0,1;0,-1;0,2;0,-2;1,1", {false, false}, 6},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_dims_search *search;
        struct instance in;
        setup(&in, cases[i].stencil, "48(x50)", (struct smap_dims_rules){.d = 2, .fixed = no_dims});
        in.request.periodic = cases[i].periodic;
        assert_int_equal(smap_dims_search_create(&search, &in.request, NULL), SMAP_OK);
        if (i < 4)
            assert_int_equal(smap_dims_search_count(search), cases[i].count);
        else
            assert_true(smap_dims_search_count(search) > 5);
        for (size_t k = 0; k < smap_dims_search_count(search); k++) {
            const uint32_t *dims = smap_dims_search_dims(search, k);
            assert_int_equal(dims[0] * dims[1], 2400);
            for (size_t j = 0; j < k; j++)
                assert_memory_not_equal(dims, smap_dims_search_dims(search, j), 2 * sizeof(*dims));
        }
        smap_dims_search_destroy(search);
        teardown(&in);
    }
}

static void test_pick(void **state)
{
    const struct smap_dims_cost sum[] = {{1000, 10, 50}, {900, 10, 90}, {910, 10, 80}};
    const struct smap_dims_cost max[] = {{1000, 100, 50}, {1010, 90, 90}, {1030, 80, 40}};
    const struct smap_dims_cost equal[] = {{0, 0, 7}, {0, 0, 7}};
    (void)state;
    assert_int_equal(smap_dims_search_pick(sum, 3), 2); /* within two percent: less in all */
    assert_int_equal(smap_dims_search_pick(max, 3), 1);
    assert_int_equal(smap_dims_search_pick(equal, 2), 0);
}

/* No message at all, one task, the most divisors, more cells than are mapped. */
static void test_edges(void **state)
{
    static const struct {
        const char *stencil, *sizes;
        size_t d, count;
    } cases[] = {
        {"nn", "1", 3, 1},
        {"nn", "7(x1)", 1, 1},
        {"nn", "2095133040,2095133040", 10, 1},
        {"nn", "48(x100000)", 3, 1},
        {"moore", "10(x10)", 5, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_dims_search *search;
        struct instance in;
        uint64_t product = 1;
        setup(&in, cases[i].stencil, cases[i].sizes, (struct smap_dims_rules){.d = cases[i].d});
        assert_int_equal(smap_dims_search_create(&search, &in.request, NULL), SMAP_OK);
        if (cases[i].count)
            assert_int_equal(smap_dims_search_count(search), cases[i].count);
        for (size_t k = 0; k < cases[i].d; k++)
            product *= smap_dims_search_dims(search, 0)[k];
        assert_int_equal(product, in.request.rules.p);
        smap_dims_search_destroy(search);
        teardown(&in);
    }
    struct instance in;
    uint32_t dims[SMAP_DIMS_MAX];
    size_t looked_at;
    setup(&in, "nn", "4(x9)", (struct smap_dims_rules){.d = 2});
    in.stencil->count = 0;
    assert_int_equal(smap_dims_search(dims, &looked_at, &in.request, NULL), SMAP_OK);
    assert_true(dims[0] == 6 && dims[1] == 6 && looked_at == 1);
    teardown(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known), cmocka_unit_test(test_all_grids),
        cmocka_unit_test(test_twins), cmocka_unit_test(test_pick),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
