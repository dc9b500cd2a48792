/* SPDX-License-Identifier: BSD-3-Clause */
/* The local searches: what their headers promise, on random instances. */
#include "unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "grid/score.h"
#include "partition/refine.h"
#include "partition/refine_max.h"

struct instance {
    struct smap_grid grid;
    struct smap_stencil *stencil;
    struct smap_refine_graph *graph;
    uint32_t groups;
    uint32_t *start;
    uint32_t *group_of;
    uint64_t *out;
};

/* Groups in blocks or dealt round, so that starts are good and bad ones; sizes differ by one. */
static void instance_init(struct instance *in, uint64_t *seed)
{
    static const char *const stencils[] = {"nn", "moore", "hops", "1,0*7;0,1;0,-1*2;2,2"};
    const char *stencil = stencils[unit_between(seed, 0, 3)];
    uint32_t dims[2] = {unit_between(seed, 2, 9), unit_between(seed, 2, 9)};
    bool periodic[2] = {unit_between(seed, 0, 1), unit_between(seed, 0, 1)};
    struct smap_error err = {""};
    assert_int_equal(smap_grid_init(&in->grid, 2, dims, periodic, &err), SMAP_OK);
    assert_int_equal(smap_stencil_parse(&in->stencil, stencil, 2, &err), SMAP_OK);
    assert_int_equal(
        smap_refine_graph_create(
            &in->graph, &(struct smap_instance){&in->grid, in->stencil, NULL, NULL}, NULL, 0, &err),
        SMAP_OK);
    uint32_t cells = in->grid.cells;
    in->groups = unit_between(seed, 2, cells / 2 < 8 ? cells / 2 : 8);
    in->start = calloc(cells, sizeof(*in->start));
    in->group_of = calloc(cells, sizeof(*in->group_of));
    in->out = calloc(in->groups, sizeof(*in->out));
    bool blocks = unit_between(seed, 0, 3) > 0;
    for (uint32_t c = 0; c < cells; c++)
        in->start[c] = blocks ? c * in->groups / cells : c % in->groups;
}

static void instance_clear(struct instance *in)
{
    smap_refine_graph_destroy(in->graph);
    smap_stencil_destroy(in->stencil);
    free(in->start);
    free(in->group_of);
    free(in->out);
}

static struct smap_score score_of(const struct instance *in, const uint32_t group_of[])
{
    struct smap_score score;
    smap_refine_graph_score(&score, in->out, in->graph, group_of, in->groups);
    return score;
}

static void assert_same_sizes(const struct instance *in)
{
    int more[8] = {0};
    for (uint32_t c = 0; c < in->grid.cells; c++) {
        more[in->start[c]]++;
        more[in->group_of[c]]--;
    }
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(more[i], 0);
}

/* Lexicographically. */
static void assert_not_worse(uint64_t first, uint64_t second, uint64_t before_first,
                             uint64_t before_second, uint64_t seed)
{
    if (first > before_first || (first == before_first && second > before_second))
        fail_msg("seed %" PRIu64 ": (%" PRIu64 ",%" PRIu64 ") -> (%" PRIu64 ",%" PRIu64 ")", seed,
                 before_first, before_second, first, second);
}

static void test_refine_sum(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 400; round++) {
        uint64_t seed = round;
        struct instance in;
        struct smap_error err = {""};
        instance_init(&in, &seed);
        const struct smap_refine_schedule schedule = {
            .steps = unit_between(&seed, 1, 40) * 256,
            .start = unit_between(&seed, 50, 260),
            .halves = unit_between(&seed, 1, 3),
            .seed = round,
        };
        memcpy(in.group_of, in.start, in.grid.cells * sizeof(*in.start));
        struct smap_score before = score_of(&in, in.start);
        assert_int_equal(smap_refine_sum(in.group_of, in.graph, in.groups, &schedule, &err),
                         SMAP_OK);
        struct smap_score after = score_of(&in, in.group_of);
        assert_same_sizes(&in);
        assert_not_worse(after.jsum, 0, before.jsum, 0, round);
        instance_clear(&in);
    }
}

static void test_refine_max(void **state)
{
    (void)state;
    for (uint64_t round = 1; round <= 400; round++) {
        uint64_t seed = round;
        struct instance in;
        struct smap_error err = {""};
        instance_init(&in, &seed);
        const struct smap_leveling leveling = {
            .steps = unit_between(&seed, 1, 10000), .seed = round, .keep_sum = round % 2};
        memcpy(in.group_of, in.start, in.grid.cells * sizeof(*in.start));
        struct smap_score before = score_of(&in, in.start);
        assert_int_equal(smap_refine_max(in.group_of, in.graph, in.groups, &leveling, &err),
                         SMAP_OK);
        struct smap_score after = score_of(&in, in.group_of);
        assert_same_sizes(&in);
        assert_not_worse(after.jmax, after.jsum, before.jmax, before.jsum, round);
        assert_true(!leveling.keep_sum || after.jsum <= before.jsum);
        instance_clear(&in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refine_sum),
        cmocka_unit_test(test_refine_max),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
