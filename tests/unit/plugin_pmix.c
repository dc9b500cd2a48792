/* SPDX-License-Identifier: BSD-3-Clause */
/* The hints as PMIx keys, with a fake of PMIx's library. That programs can read them is a claim
 * about the real one: tests/cluster/22-pmix.t. */
#include "unit_stepd.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef STENCILMAP_HAVE_PMIX
static void fork_task(int local)
{
    char *no_arguments[] = {NULL};
    fake.task = local;
    fake.pid = getpid();
    slurm_spank_task_post_fork(fake_handle(), 0, no_arguments);
}

/* The variables set and the keys published are one list (man.t: and the manual's). */
static void hints_are_one_list(void **state)
{
    (void)state;
    hand_over(HANDOVER_RANKS, "1-6");
    hand_over(HANDOVER_CELLS, "3(x2)");
    hand_over(HANDOVER_DIMS, "2x3");
    start_node();
    for (int local = 0; local < TASKS; local++)
        fork_task(local);
    start_task(2);
    for (int h = 0; h < HINT_COUNT; h++) {
        enum hint hint = (enum hint)h;
        assert_non_null(told(hint));
        assert_string_equal(told(hint), key_of(6, hint));
    }
    size_t variables = 0;
    char **env = NULL;
    spank_get_item(fake_handle(), S_JOB_ENV, &env);
    for (; *env; env++)
        variables += strncmp(*env, "STENCILMAP_", 11) == 0;
    assert_int_equal(variables, HINT_COUNT);
}

/* Before all are bound, cpus are not what they will be. */
static void cpus_come_last(void **state)
{
    (void)state;
    start_node();
    for (int local = 0; local < TASKS; local++) {
        assert_non_null(key_of(4, HINT_RANK));
        assert_null(key_of(4, HINT_CPUS));
        fork_task(local);
    }
    for (uint32_t rank = 4; rank < 4 + TASKS; rank++)
        assert_non_null(key_of(rank, HINT_CPUS));
}

static void no_keys_in_the_library_of_another_version(void **state)
{
    static const struct {
        const char *version;
        bool known;
    } cases[] = {
        {"OpenPMIx 2.2.5", true},
        {"PMIx 3.1.5, repo rev: ...", true},
        {"OpenPMIx 4.2.2rc2 (PMIx Standard: 4.2, Stable ABI: 0.0)", true},
        {"OpenPMIx 5.0.1 (PMIx Standard: 5.1)", true},
        {"6.0.0", true},
        {"1.2.5", false},
        {"OpenPMIx 7.0.0a1", false},
        {"OpenPMIx 42", false},
        {"unknown", false},
        {"", false},
    };
    static const uint32_t ranks[TASKS] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setup(state);
        fake.node = 0;
        fake.global = ranks;
        pmix_version = cases[i].version;
        start_node();
        for (int local = 0; local < TASKS; local++)
            fork_task(local);
        start_task(2);
        assert_non_null(told(HINT_RANK));
        assert_int_equal(published_count > 0, cases[i].known);
        assert_int_equal(fake_lines_said(), cases[i].known ? 0 : 1);
        if (!cases[i].known) /* in slurmd's log */
            assert_true(strncmp(fake_said(), "info: stencilmap: hints are not published", 41) == 0);
        teardown(state);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(hints_are_one_list),
        CASE(cpus_come_last),
        CASE(no_keys_in_the_library_of_another_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 0;
}
#endif
