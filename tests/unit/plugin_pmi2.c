/* SPDX-License-Identifier: BSD-3-Clause */
/* Who shares a node, as pmi2 is told: what srun makes of a layout, and what slurmstepd takes. */
#include "fake_spank.h"
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handover.h"
#include "options.h"
#include "srun/mpi.h"
#include "step/procmap.h"

#define SLURMS_OWN "SLURM_PMI2_PROC_MAPPING"
#define OURS       "SLURM_STENCILMAP_PROCESS_MAPPING"
/* What Slurm up to 23.11 says of an arbitrary distribution of four ranks. */
#define ALONE "(vector,(0,4,1))"

static int setup(void **state)
{
    char *no_arguments[] = {NULL};
    (void)state;
    fake_reset();
    slurm_spank_init(fake_handle(), 0, no_arguments);
    return 0;
}

static int teardown(void **state)
{
    char *no_arguments[] = {NULL};
    (void)state;
    options_clear();
    return slurm_spank_exit(fake_handle(), 0, no_arguments);
}

/* Ranks 1 and 3 of a step of four are on node 1, which is this one. */
static const char *told(const char *ours, const char *slurms, uint32_t step)
{
    static const uint32_t global[] = {1, 3};
    char *no_arguments[] = {NULL};
    fake.context = S_CTX_REMOTE;
    fake.step = step;
    fake.nodes = 2;
    fake.node = 1;
    fake.tasks = 4;
    fake.local_tasks = 2;
    fake.global = global;
    fake_setenv(OURS, ours);
    fake_setenv(SLURMS_OWN, slurms);
    fake_forget_said();
    slurm_spank_init_post_opt(fake_handle(), 0, no_arguments);
    return fake_getenv(SLURMS_OWN);
}

static void slurmstepd_tells_what_srun_found(void **state)
{
    static const char right[] = "(vector,(0,2,1),(0,2,1))";
    (void)state;
    assert_string_equal(told(right, ALONE, 0), right);
    assert_int_equal(fake_lines_said(), 0);
    assert_string_equal(told("(vector,(5,1,1),(2,1,1),(5,1,1),(2,1,1))", ALONE, 0),
                        "(vector,(5,1,1),(2,1,1),(5,1,1),(2,1,1))");
    /* Without pmi2 there is nothing to tell, and without a text nothing to take. */
    assert_null(told(right, NULL, 0));
    assert_string_equal(told(NULL, ALONE, 0), ALONE);
    /* The batch script is no step of tasks. */
    assert_string_equal(told(right, ALONE, 0xfffffffb), ALONE);
}

static void slurmstepd_takes_no_other_step(void **state)
{
    static const char *const cases[] = {
        "(vector,(0,2,1))",                         /* of two ranks */
        "(vector,(0,2,1),(0,2,1),(0,1,1))",         /* of five */
        "(vector,(0,2,2))",                         /* ranks 1 and 3 apart */
        "(vector,(0,1,4))",                         /* others here, too */
        "(vector,(0,1,1),(1,1,1),(1,1,1),(1,1,1))", /* the same */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(told(cases[i], ALONE, 0), ALONE);
        assert_int_equal(fake_lines_said(), 1);
        assert_true(fake_has_said("info: ")); /* node 0 has told the user */
    }
}

static void slurmstepd_takes_no_other_text(void **state)
{
    char text[2000] = "(vector,(0,2,1),(0,2,1)";
    (void)state;
    assert_string_equal(told("", ALONE, 0), ALONE);
    assert_string_equal(told("x\ny", ALONE, 0), ALONE);
    assert_string_equal(told(text, ALONE, 0), ALONE);
    memset(text, '(', sizeof(text) - 1);
    assert_string_equal(told(text, ALONE, 0), ALONE);
    assert_int_equal(fake_lines_said(), 0);
}

/* Two nodes that take turns: (0,2,1) for two ranks each, 8 bytes. */
static int fits(const char *mpi, const char *sizes, struct smap_error *err)
{
    struct allocation own = {0};
    assert_int_equal(smap_nodesizes_parse(&own.sizes, sizes, err), SMAP_OK);
    assert_int_equal(smap_hostlist_parse(&own.hosts, "n[0-1]", err), SMAP_OK);
    uint32_t ranks = smap_nodesizes_tasks(own.sizes);
    own.node_of_rank = calloc(ranks, sizeof(*own.node_of_rank));
    assert_non_null(own.node_of_rank);
    for (uint32_t rank = 0; rank < ranks; rank++)
        own.node_of_rank[rank] = rank % 2;
    fake_srun_option("mpi", mpi);
    handover_clear();
    int rc = mpi_fits(&own, own.node_of_rank, err);
    if (rc == SMAP_OK)
        mpi_hand_over(&own);
    allocation_release(&own);
    return rc;
}

static void srun_launches_what_pmi2_can_tell(void **state)
{
    struct smap_error err = {""};
    (void)state;
    /* 8 bytes around 83 tuples are 672. */
    assert_int_equal(fits("pmi2", "83,83", &err), SMAP_OK);
    assert_int_equal(strlen(getenv(OURS)), 8 + 83 * 8);
    assert_int_equal(fits("pmi2", "84,84", &err), SMAP_ENOTSUP);
    assert_string_equal(err.text, "--mpi=pmi2 has 673 bytes to tell MPI which ranks share a node, "
                                  "and this layout takes 680");
    assert_int_equal(fits("pmi2", "2,2", &err), SMAP_OK);
    assert_string_equal(getenv(OURS), "(vector,(0,2,1),(0,2,1))");
}

/* What becomes of a request for the best mapping on nodes of these sizes: the algorithm that is
 * launched, "best" or a reason why there is none. */
static const char *launched(const char *mpi, const char *sizes, const char *nodes,
                            struct smap_request request, uint64_t *jsum)
{
    static struct smap_error err;
    struct allocation own = {0};
    struct smap_plan *plan = NULL;
    const char *algorithm = "best";
    request.map = "best";
    assert_int_equal(smap_nodesizes_parse(&own.sizes, sizes, &err), SMAP_OK);
    assert_int_equal(smap_hostlist_parse(&own.hosts, nodes, &err), SMAP_OK);
    uint32_t ranks = smap_nodesizes_tasks(own.sizes);
    own.node_of_rank = calloc(ranks, sizeof(*own.node_of_rank));
    assert_non_null(own.node_of_rank);
    for (uint32_t rank = 0; rank < ranks; rank++)
        own.node_of_rank[rank] = smap_nodesizes_node_at(own.sizes, rank);
    fake_srun_option("mpi", mpi);
    assert_int_equal(smap_plan_create(&plan, &request, own.sizes, own.node_of_rank, &err), SMAP_OK);
    int rc = mpi_best_that_fits(&plan, &algorithm, &request, &own, &err);
    assert_int_equal(rc, mpi_fits(&own, plan->node_of_cell, NULL));
    *jsum = plan->after.jsum;
    smap_plan_destroy(plan);
    allocation_release(&own);
    return rc == SMAP_OK ? algorithm : err.text;
}

static void srun_takes_the_best_that_pmi2_can_tell(void **state)
{
    const struct smap_request cube = {.stencil = "7pt", .dims = "8x8x5"};
    const struct smap_request square = {.stencil = "5pt", .dims = "16x20"};
    const struct smap_request leaps = {.stencil = "2,0;-2,0", .dims = "168x1"};
    const char *sizes = "40,40,40,40,40,40,40,40", *nodes = "n[0-7]";
    uint64_t best, jsum;
    (void)state;
    assert_string_equal(launched("pmix", sizes, nodes, cube, &best), "best");
    /* 1016 bytes; another algorithm cuts as little and needs 53. */
    assert_string_equal(launched("pmi2", sizes, nodes, cube, &jsum), "strips");
    assert_int_equal(jsum, best);
    assert_string_equal(launched("pmi2", sizes, nodes, square, &jsum), "best");
    assert_string_equal(launched("pmi2", "84,84", "n[0-1]", leaps, &jsum),
                        "--mpi=pmi2 has 673 bytes to tell MPI which ranks share a node, and this "
                        "layout takes 680");
}

static void srun_leaves_others_alone(void **state)
{
    static const char *const others[] = {"none", "openmpi", "pmix", "pmix_v4", "cray_shasta", NULL};
    struct smap_error err = {""};
    (void)state;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_int_equal(fits(others[i], "500,500", &err), SMAP_OK);
        assert_null(getenv(OURS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(slurmstepd_tells_what_srun_found, setup, teardown),
        cmocka_unit_test_setup_teardown(slurmstepd_takes_no_other_step, setup, teardown),
        cmocka_unit_test_setup_teardown(slurmstepd_takes_no_other_text, setup, teardown),
        cmocka_unit_test_setup_teardown(srun_launches_what_pmi2_can_tell, setup, teardown),
        cmocka_unit_test_setup_teardown(srun_takes_the_best_that_pmi2_can_tell, setup, teardown),
        cmocka_unit_test_setup_teardown(srun_leaves_others_alone, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
