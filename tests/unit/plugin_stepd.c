/* SPDX-License-Identifier: BSD-3-Clause */
/* slurmstepd's side, from what srun handed over to what the tasks are told. */
#include "unit_stepd.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void a_task_is_told_its_cell(void **state)
{
    static const char *const ranks[TASKS] = {"2", "3", "6", "7"};
    static const char *const coords[TASKS] = {"0,2", "0,3", "1,2", "1,3"};
    (void)state;
    start_node();
    for (int local = 0; local < TASKS; local++) {
        start_task(local);
        size_t at = 0;
        while (at < TASKS && strcmp(told(HINT_RANK), ranks[at]) != 0)
            at++;
        assert_true(at < TASKS); /* the right half of 2x4 */
        assert_string_equal(told(HINT_COORDS), coords[at]);
    }
}

static void nothing_gained_leaves_ranks_as_cells(void **state)
{
    (void)state;
    hand_over(HANDOVER_PLACEMENT, "none");
    start_node();
    start_task(2);
    assert_string_equal(told(HINT_RANK), "6");
    assert_string_equal(told(HINT_COORDS), "1,2");
    assert_string_equal(told(HINT_PLACEMENT), "none");
}

static void ranks_of_an_order_are_told(void **state)
{
    (void)state;
    for (enum handover h = HANDOVER_VERSION + 1; h < HANDOVER_COUNT; h++)
        hand_over(h, NULL);
    hand_over(HANDOVER_ORDER, "node,core");
    hand_over(HANDOVER_BLOCK, "1");
    hand_over(HANDOVER_NODE_SIZES, "4(x2)");
    start_node();
    start_task(2);
    assert_string_equal(told(HINT_RANK), "5");
    assert_string_equal(told(HINT_PLACEMENT), "comm");
    assert_string_equal(told(HINT_NODE_SIZES), "4(x2)");
    assert_null(told(HINT_COORDS));
#ifdef STENCILMAP_HAVE_PMIX
    assert_string_equal(key_of(6, HINT_RANK), "5");
    assert_string_equal(key_of(6, HINT_PLACEMENT), "comm");
#endif
}

static void tasks_see_nothing_of_the_hand_over(void **state)
{
    char long_text[100001];
    (void)state;
    memset(long_text, 'x', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = '\0';
    hand_over(HANDOVER_MAP, "hyperplane");
    fake_setenv("SLURM_PMIX_MAPPING_SERV", long_text);
    start_node();
    start_task(0);
    for (enum handover h = HANDOVER_NONE + 1; h < HANDOVER_COUNT; h++)
        assert_null(fake_getenv(handover_name(h)));
    assert_null(fake_getenv("SLURM_PMIX_MAPPING_SERV"));
}

/* Slurm takes out every second of them. */
static void tasks_see_no_option_of_ours(void **state)
{
    (void)state;
    fake_setenv("_SLURM_SPANK_OPTION_stencilmap_stencil", "5pt");
    fake_setenv("_SLURM_SPANK_OPTION_stencilmap_rank_order", "node,core");
    fake_setenv("_SLURM_SPANK_OPTION_other_stencil", "5pt");
    start_node();
    start_task(0);
    assert_null(fake_getenv("_SLURM_SPANK_OPTION_stencilmap_stencil"));
    assert_null(fake_getenv("_SLURM_SPANK_OPTION_stencilmap_rank_order"));
    assert_string_equal(fake_getenv("_SLURM_SPANK_OPTION_other_stencil"), "5pt");
}

static void a_short_mapping_of_pmix_stays(void **state)
{
    (void)state;
    fake_setenv("SLURM_PMIX_MAPPING_SERV", "(vector,(0,2,4))");
    start_node();
    start_task(0);
    assert_string_equal(fake_getenv("SLURM_PMIX_MAPPING_SERV"), "(vector,(0,2,4))");
}

static void other_steps_are_left_alone(void **state)
{
    (void)state;
    fake.step = 0xfffffffb; /* a batch script */
    start_node();
    start_task(0);
    assert_null(told(HINT_VERSION));
    assert_string_equal(fake_said(), "");
}

/* Ranks 5 to 7 of this node are not on a grid of 1x5, which has all of its cells but one on the
 * other node. */
static void hand_over_part(const char *cells)
{
    hand_over(HANDOVER_RANKS, "0-4");
    hand_over(HANDOVER_DIMS, "1x5");
    hand_over(HANDOVER_CELLS, cells);
}

static void tasks_outside_of_the_grid(void **state)
{
    (void)state;
    hand_over_part("4,1");
    fake_setenv("STENCILMAP_RANK", "17"); /* of a step around this one */
    fake_setenv("STENCILMAP_COORDS", "1,7");
    start_node();
    start_task(3);
    assert_null(told(HINT_RANK));
    assert_null(told(HINT_COORDS));
    assert_string_equal(told(HINT_RANKS), "0-4");
    assert_string_equal(told(HINT_NODE_SIZES), "4(x2)");
    start_task(0);
    assert_string_equal(told(HINT_RANK), "4");
    assert_string_equal(fake_said(), "");
#ifdef STENCILMAP_HAVE_PMIX
    assert_string_equal(key_of(4, HINT_RANK), "4");
    assert_null(key_of(7, HINT_RANK));
    assert_string_equal(key_of(7, HINT_RANKS), "0-4");
#endif
}

/* srun's word on the ranks of the grid here is compared with Slurm's. */
static void another_part_costs_one_line(void **state)
{
    static const struct {
        const char *cells, *said;
    } bad[] = {
        {NULL, "half a mapping"},
        {"", "not a number of ranks for each of 2 nodes"},
        {"5", "not a number of ranks for each of 2 nodes"},
        {"4,1,0", "not a number of ranks for each of 2 nodes"},
        {"0(x2)", "no nodes"},
        {"4,1x", "not a number of ranks for each of 2 nodes"},
        {"4,1(x4000000000)", "not a number of ranks for each of 2 nodes"},
        {"5,0", "node 1 runs other ranks than srun said"},
        {"3,2", "node 1 runs other ranks than srun said"},
        {"5,1", "node 1 runs other ranks than srun said"},
        {"4294967295(x2)", "more than 4294967295 tasks"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        setup(state);
        hand_over_part(bad[i].cells);
        start_node();
        start_task(1);
        if (fake_lines_said() != 1 || !fake_has_said(bad[i].said))
            fail_msg("%s: %s", bad[i].cells, fake_said());
        assert_null(told(HINT_MAP));
        teardown(state);
    }
}

/* Of what nobody typed on srun's line, one node tells or none. */
static void a_bad_hand_over_of_a_default(void **state)
{
    static const char *const who[] = {"first", "none"};
    for (size_t i = 0; i < 2; i++) {
        setup(state);
        hand_over(HANDOVER_QUIET, who[i]);
        hand_over(HANDOVER_NODE_SIZES, "3,5");
        start_node();
        start_task(1);
        assert_string_equal(fake_said(), "");
        assert_null(told(HINT_MAP));
        teardown(state);
    }
}

/* Tasks are bound when all are there, and slurmstepd never instead of one. */
static void a_task_that_was_not_announced(void **state)
{
    cpu_set_t before, after;
    char *no_arguments[] = {NULL};
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
    hand_over(HANDOVER_ORDER, "core");
    start_node();
    fake.task = TASKS - 1;
    fake.pid = getpid();
    slurm_spank_task_post_fork(fake_handle(), 0, no_arguments);
    assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_string_equal(fake_said(), "");
}

/* Whatever is wrong with a hand-over: one line, no mapping, nothing leaks. */
static void bad_hand_overs_cost_one_line(void **state)
{
    static const struct {
        enum handover variable;
        const char *value, *said;
    } bad[] = {
        {HANDOVER_FORM, NULL, "nothing that nodes find their cells by"},
        {HANDOVER_FORM, "fastest", "'fastest' is nothing that nodes"},
        {HANDOVER_FORM, "best", "'best' is nothing that nodes"},
        {HANDOVER_FORM, "greedy", "'greedy' is nothing that nodes"},
        {HANDOVER_FORM, "random:7", "'random:7' is nothing that nodes"},
        {HANDOVER_FORM, "cells:0b7", "node 0 8 cells, it has 4 tasks"},
        {HANDOVER_FORM, "cells:0b3,1b4000000000", "not on a grid of 8 cells"},
        {HANDOVER_NODE_SIZES, NULL, "half a decision"},
        {HANDOVER_NODE_SIZES, "4,x", "4,x"},
        {HANDOVER_NODE_SIZES, "3,5", "other tasks"},
        {HANDOVER_NODE_SIZES, "8", "8 tasks on 1 nodes, the step has 8 on 2"},
        {HANDOVER_NODE_SIZES, "4(x3)", "12 tasks on 3 nodes, the step has 8 on 2"},
        {HANDOVER_NODE_SIZES, "4(x1000000000)", "4000000000 tasks on 1000000000 nodes"},
        {HANDOVER_DIMS, "2x5", "2x5"},
        {HANDOVER_DIMS, "0x8", "0x8"},
        {HANDOVER_STENCIL, "1,0,0", "1,0,0"},
        {HANDOVER_PERIODIC, "1,2", "1,2"},
        {HANDOVER_RANKS, "1-8", "--stencil-ranks=1-8: the last of 8 tasks is rank 7"},
        {HANDOVER_RANKS, "1-6", "product 8 is not the number of ranks 6"},
        {HANDOVER_RANKS, "8", "--stencil-ranks=8: not a first and a last rank"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        setup(state);
        hand_over(bad[i].variable, bad[i].value);
        start_node();
        start_task(1);
        /* This is node 1. What node 0 finds as well, that one tells. */
        bool own = strstr(bad[i].said, "other tasks") != NULL;
        if (fake_lines_said() != 1 || !fake_has_said("tasks are left as Slurm made them: ") ||
            !fake_has_said(bad[i].said) || fake_has_said("error: ") != own)
            fail_msg("%s=%s: %s", handover_name(bad[i].variable), bad[i].value, fake_said());
        assert_null(told(HINT_RANK));
        assert_null(told(HINT_MAP));
        assert_null(fake_getenv(handover_name(HANDOVER_MAP)));
        assert_int_equal(published_count, 0);
        teardown(state);
    }
}

/* With launch too, where the ranks are the cells and nothing is computed. */
static void launch_believes_no_other_step(void **state)
{
    (void)state;
    hand_over(HANDOVER_PLACEMENT, "launch");
    hand_over(HANDOVER_NODE_SIZES, "8(x2)");
    hand_over(HANDOVER_DIMS, "4x4");
    start_node();
    start_task(0);
    assert_true(fake_has_said("handed over for 16 tasks on 2 nodes, the step has 8 on 2"));
    assert_null(told(HINT_RANK));
}

/* A stencil that would keep a node busy for long. */
static void work_is_bounded(void **state)
{
    enum { OFFSETS = 60000, TASKS_THEN = 100 };
    static char stencil[OFFSETS * 8];
    char *end = stencil;
    (void)state;
    for (int i = 0; i < OFFSETS; i++)
        end += snprintf(end, sizeof(stencil) - (size_t)(end - stencil), "%s%d,1", i ? ";" : "",
                        i % 1000);
    fake.nodes = 1;
    fake.node = 0;
    fake.tasks = fake.local_tasks = TASKS_THEN;
    fake.global = NULL;
    hand_over(HANDOVER_NODE_SIZES, "100");
    hand_over(HANDOVER_DIMS, "10x10");
    hand_over(HANDOVER_STENCIL, stencil);
    start_node();
    assert_true(
        fake_has_said("60000 offsets for each of a node's 100 tasks are too many to look at"));
    assert_int_equal(fake_lines_said(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_task_is_told_its_cell),       CASE(nothing_gained_leaves_ranks_as_cells),
        CASE(ranks_of_an_order_are_told),    CASE(tasks_see_nothing_of_the_hand_over),
        CASE(tasks_see_no_option_of_ours),   CASE(a_short_mapping_of_pmix_stays),
        CASE(other_steps_are_left_alone),    CASE(tasks_outside_of_the_grid),
        CASE(another_part_costs_one_line),   CASE(a_bad_hand_over_of_a_default),
        CASE(a_task_that_was_not_announced), CASE(bad_hand_overs_cost_one_line),
        CASE(launch_believes_no_other_step), CASE(work_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
