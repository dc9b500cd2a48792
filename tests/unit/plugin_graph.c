/* SPDX-License-Identifier: BSD-3-Clause */
/* A communication graph on a node: what its tasks are told, and a file that cannot be read costs
 * one line and the places inside the node, nothing else. */
#include "unit_stepd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char file[] = "/tmp/stencilmap-graph-XXXXXX";
static char stencil[64];

static int set_up(void **state)
{
    setup(state);
    strcpy(file + strlen(file) - 6, "XXXXXX");
    FILE *stream = fdopen(mkstemp(file), "w");
    assert_non_null(stream);
    fputs("8 4\n3\n4\n1\n2\n7\n8\n5\n6\n", stream);
    fclose(stream);
    snprintf(stencil, sizeof(stencil), "@%s", file);
    hand_over(HANDOVER_STENCIL, stencil);
    hand_over(HANDOVER_FORM, "cells:0,1,0,1,0,1,0,1");
    hand_over(HANDOVER_DIMS, NULL);
    hand_over(HANDOVER_PERIODIC, NULL);
    return 0;
}

static int tear_down(void **state)
{
    remove(file);
    return teardown(state);
}

static void check_tasks(void)
{
    static const char *const ranks[TASKS] = {"1", "3", "5", "7"};
    for (int local = 0; local < TASKS; local++) {
        start_task(local);
        assert_string_equal(told(HINT_RANK), ranks[local]);
        assert_string_equal(told(HINT_STENCIL), stencil);
        assert_string_equal(told(HINT_PLACEMENT), "comm");
        assert_null(told(HINT_DIMS));
        assert_null(told(HINT_PERIODIC));
        assert_null(told(HINT_COORDS));
    }
}

static void tasks_are_told_their_ranks(void **state)
{
    (void)state;
    start_node();
    check_tasks();
    assert_string_equal(fake_said(), "");
}

static void check_unread(const char *reason)
{
    fake.node = 1;
    start_node();
    check_tasks();
    assert_int_equal(fake_lines_said(), 1);
    assert_true(fake_has_said(reason));
    assert_true(fake_has_said(": tasks are not placed inside the nodes"));
    assert_true(fake_has_said(stencil));
}

static void a_file_that_is_gone(void **state)
{
    (void)state;
    remove(file);
    check_unread("No such file or directory");
}

static void a_file_of_other_ranks(void **state)
{
    (void)state;
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs("2 1\n2\n1\n", stream);
    fclose(stream);
    check_unread("a graph of 2 ranks, not of 8");
}

/* Slurm has not given up root: what root may read is nothing for users. */
static void nothing_is_read_as_another_user(void **state)
{
    (void)state;
    fake.user = geteuid() + 1;
    check_unread("this process is not the user's");
}

/* Ranks 1 to 7 are the graph, of all ranks or of these. */
static void part_of_the_ranks(void **state)
{
    static const char *const ranks[TASKS] = {"3", "4", "5", "6"};
    (void)state;
    hand_over(HANDOVER_PLACEMENT, "launch");
    hand_over(HANDOVER_RANKS, "1-7");
    start_node();
    for (int local = 0; local < TASKS; local++) {
        start_task(local);
        assert_string_equal(told(HINT_RANK), ranks[local]);
    }
    assert_string_equal(fake_said(), "");
}

#define GRAPH(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        GRAPH(tasks_are_told_their_ranks), GRAPH(a_file_that_is_gone),
        GRAPH(a_file_of_other_ranks),      GRAPH(nothing_is_read_as_another_user),
        GRAPH(part_of_the_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
