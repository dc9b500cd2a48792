/* SPDX-License-Identifier: BSD-3-Clause */
/* Who tells of a problem on the nodes. */
#include "fake_spank.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "stepd/voice.h"

enum { NODES = 6 };

static char **environment(const char *tasks, const char *cpus)
{
    char **env = NULL;
    fake_reset();
    fake_setenv("SLURM_STEP_TASKS_PER_NODE", tasks);
    fake_setenv("SLURM_JOB_CPUS_PER_NODE", cpus);
    fake_setenv("SLURM_JOB_NODELIST", "n[0-6]");
    fake_setenv("SLURM_STEP_NODELIST", "n[1-6]");
    spank_get_item(fake_handle(), S_JOB_ENV, &env);
    return env;
}

/* Nodes n1 to n6 of a job that has n0 too: the first of those with as many tasks and CPUs. */
static void the_first_of_its_kind_tells(void **state)
{
    static const struct {
        const char *tasks, *cpus, *tell; /* which of the nodes */
    } cases[] = {
        {"8(x6)", "8(x7)", "100000"},
        {"8(x6)", NULL, "100000"},
        {"8(x2),7,8,7(x2)", "8(x7)", "101000"},
        {"8,7,6,5,4,3", "8(x7)", "111111"},
        {"8(x6)", "8(x4),16(x3)", "100100"},
        {"8(x6)", "16,8(x6)", "100000"},
        {"8(x5),4", "8(x2),16(x4),8", "110001"},
        /* What is not told, or not by Slurm: every node may be another kind. */
        {NULL, "8(x7)", "111111"},
        {"8(x5)", "8(x7)", "100001"},
        {"junk", "8(x7)", "111111"},
        {"8(x6)", "junk", "100000"},
        {"8(x6)", "8(x4),16(x300000000)", "100000"},
    };
    const struct handover_values typed = {.any = true};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char **env = environment(cases[i].tasks, cases[i].cpus);
        char tell[NODES + 1] = "";
        for (uint32_t node = 0; node < NODES; node++)
            tell[node] = voice_for(&typed, env, node, VOICE_OF_KIND) == VOICE_USER ? '1' : '0';
        assert_string_equal(tell, cases[i].tell);
    }
}

static void whose_problem_it_is(void **state)
{
    char first[] = "first", none[] = "none";
    const struct {
        char *quiet;
        enum voice_of whose;
        enum voice node_0, node_1;
    } cases[] = {
        {NULL, VOICE_OF_STEP, VOICE_USER, VOICE_LOG},
        {NULL, VOICE_OF_KIND, VOICE_USER, VOICE_LOG},
        {NULL, VOICE_OF_NODE, VOICE_USER, VOICE_USER},
        {first, VOICE_OF_STEP, VOICE_USER, VOICE_NONE},
        {first, VOICE_OF_NODE, VOICE_USER, VOICE_NONE},
        {none, VOICE_OF_STEP, VOICE_NONE, VOICE_NONE},
        {none, VOICE_OF_KIND, VOICE_NONE, VOICE_NONE},
        {none, VOICE_OF_NODE, VOICE_NONE, VOICE_NONE},
    };
    char **env = environment("8(x6)", "8(x7)");
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct handover_values handed = {.value = {[HANDOVER_QUIET] = cases[i].quiet}};
        assert_int_equal(voice_for(&handed, env, 0, cases[i].whose), cases[i].node_0);
        assert_int_equal(voice_for(&handed, env, 1, cases[i].whose), cases[i].node_1);
    }
}

static void what_is_said(void **state)
{
    char text[2000];
    (void)state;
    fake_reset();
    voice_say(VOICE_USER, "node %s: no", "n1");
    voice_say(VOICE_LOG, "node %s: no", "n2");
    voice_say(VOICE_NONE, "node %s: no", "n3");
    assert_string_equal(fake_said(), "error: stencilmap: node n1: no\n"
                                     "info: stencilmap: node n2: no\n");
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    fake_forget_said();
    voice_say(VOICE_USER, "%s", text);
    assert_int_equal(fake_lines_said(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_its_kind_tells),
        cmocka_unit_test(whose_problem_it_is),
        cmocka_unit_test(what_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
