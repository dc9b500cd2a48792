/* SPDX-License-Identifier: BSD-3-Clause */
/* What a request may not say, word by word. */
#include "unit_plan.h"

#include <inttypes.h>
#include <stdio.h>

static const struct {
    struct smap_request request;
    uint32_t tasks;
    const char *error;
} refusals[] = {
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
    {{.stencil = "7pt", .dims = "4x4"}, 16, "--stencil=7pt: is for 3 dimensions, the grid has 2"},
    {{.stencil = "1,0", .dims = "2x2x4"},
     16,
     "--stencil=1,0: an offset has 2 components, the grid has 3"},
    {{.stencil = "0,0"}, 0, "--stencil=0,0: no offset but the cell itself"},
    {{.stencil = "component", .dims = "8"}, 8, "--stencil=component: has no offset in 1 dimension"},
    {{.periodic = ""}, 0, "--stencil-periodic=: not a 0 or 1 per dimension like 1,0"},
    {{.periodic = "yes"}, 0, "--stencil-periodic=yes: not a 0 or 1 per dimension like 1,0"},
    {{.dims = "4x4", .periodic = "1"}, 16, "--stencil-periodic=1: 1 flags for 2 dimensions"},
    {{.dims = "4x4", .periodic = "1,0,1"}, 0, "--stencil-periodic=1,0,1: 3 flags for 2 dimensions"},
    {{.stencil = "7pt", .periodic = "1,0"}, 0, "--stencil-periodic=1,0: 2 flags for 3 dimensions"},
};

/* The whole line that follows "stencilmap: ". tasks 0: not known yet. */
static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        struct smap_error err = {""};
        struct smap_problem problem = {.stencil = NULL};
        assert_int_equal(smap_problem_init(NULL, &refusals[i].request, refusals[i].tasks, &err),
                         SMAP_EINVAL);
        assert_error(&err, refusals[i].error);
        assert_int_equal(smap_problem_init(NULL, &refusals[i].request, refusals[i].tasks, NULL),
                         SMAP_EINVAL);
        if (refusals[i].tasks) {
            assert_int_equal(
                smap_problem_init(&problem, &refusals[i].request, refusals[i].tasks, &err),
                SMAP_EINVAL);
            assert_error(&err, refusals[i].error);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_checked_alone),
        cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_plan_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
