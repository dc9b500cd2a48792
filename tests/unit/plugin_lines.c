/* SPDX-License-Identifier: BSD-3-Clause */
/* What srun's side makes of lines: what stops srun or leaves the step alone, and how srun's own
 * options change what is done. */
#include "unit_step.h"

#include <slurm/slurm.h>
#include <string.h>

#include "handover.h"
#include "options.h"

/* srun's side as far as init_post_opt: the nodes that are asked for, one for each rank. */
static const char *nodes_asked(const char *hierarchy, const char *cpus_per_task,
                               const char *const switches[])
{
    setup(NULL);
    fake_switches(switches);
    fake_srun_option("cpus-per-task", cpus_per_task);
    if (hierarchy)
        fake_type_option("rank-hierarchy", hierarchy);
    fake_type_option("stencil-map", "kdtree");
    fake_type_option("stencil-dims", "2x16");
    fake_type_option("stencil-objective", "levels");
    slurm_spank_init_post_opt(fake_handle(), 0, no_arguments);
    slurm_spank_exit(fake_handle(), 0, no_arguments);
    return fake_srun_option_value("nodelist");
}

/* Levels in front of "node" are the user's word on what is above the nodes: slurmctld is not asked
 * for switches, whether a task is a core or several. */
static void named_outer_levels_win(void **state)
{
    static const char *const crossed[] = {"n[0,3]", "n[1-2]", NULL};
    static const char *const hierarchies[] = {"rack:2,node:2,core:8", "2,2,8"};
    (void)state;
    char *by_switches = strdup(nodes_asked(NULL, NULL, crossed));
    assert_int_equal(fake_switches_asked(), 1);
    for (size_t i = 0; i < 2; i++) {
        char *alone = strdup(nodes_asked(hierarchies[i], NULL, NULL));
        assert_string_equal(nodes_asked(hierarchies[i], NULL, crossed), alone);
        assert_string_not_equal(alone, by_switches);
        assert_int_equal(fake_switches_asked(), 0);
        free(alone);
    }
    free(by_switches);
    /* A level "node" alone says nothing of what is above it. */
    nodes_asked("node:4,core:8", NULL, crossed);
    assert_int_equal(fake_switches_asked(), 1);
}

/* Where slurmctld was asked for the switches it is not asked for the layout: that is the one of all
 * ranks that was asked for, also if only some of them are the grid. */
static void the_layout_asked_for_is_of_all_ranks(void **state)
{
    static const char *const crossed[] = {"n[0,3]", "n[1-2]", NULL};
    (void)state;
    fake_switches(crossed);
    fake_srun_option("mpi", "pmi2");
    fake_type_option("stencil-map", "kdtree");
    fake_type_option("stencil-dims", "2x6");
    fake_type_option("stencil-ranks", "17-28");
    fake_type_option("stencil-objective", "levels");
    launch_cyclic();
    assert_false(fake_has_said("error"));
    assert_int_equal(fake_switches_asked(), 1);
    assert_int_equal(fake_layouts_asked(), 0);
    assert_string_equal(getenv("SLURM_STENCILMAP_PLACEMENT"), "launch");
}

/* A step that takes only part of its nodes' CPUs stays where it is if the user typed sockets, since
 * slurmctld would choose other cores: also where the number of CPUs is set by another option. Here
 * the job's CPUs are not known, so that no part of a node is known to be all of it. */
static void sockets_of_an_exact_step(void **state)
{
    static const struct {
        const char *option, *value;
        bool exact;
    } cases[] = {
        {"cpus-per-task", "1", true},           {"exact", "set", true},
        {"tres-per-task", "cpu=1", true},       {"tres-per-task", "gres/gpu=1,CPU:2", true},
        {"tres-per-task", "gres/gpu=1", false}, {"wait", "5", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setup(NULL);
        unsetenv("SLURM_JOB_CPUS_PER_NODE");
        fake_srun_option("distribution", "block:block");
        fake_srun_option(cases[i].option, cases[i].value);
        fake_type_option("stencil-map", "hyperplane");
        fake_type_option("stencil-dims", GRID);
        launch_cyclic();
        if (fake_has_said("(comm: --distribution names the sockets") != cases[i].exact)
            fail_msg("--%s=%s: %s", cases[i].option, cases[i].value, fake_said());
    }
}

/* What --cpu-bind says of how much to tell is no binding: an order is applied, and the nodes hear
 * that nobody chose one. NULL: srun shows no text, as for none and rank. */
static void bindings_that_are_none(void **state)
{
    static const struct {
        const char *set, *value; /* of --cpu-bind, as srun shows it */
        bool binds;
    } cases[] = {
        {NULL, NULL, false},         {"yes", "verbose", false},
        {"yes", "quiet", false},     {"yes", "v", false},
        {"yes", "q", false},         {"yes", "quiet,verbose", false},
        {"yes", "none", true},       {"yes", "verbose,cores", true},
        {"yes", "0", true},          {"yes", "map_cpu:0,1", true},
        {"yes", "mask_cpu:f", true}, {"yes", NULL, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setup(NULL);
        fake_type_option("rank-order", "core");
        fake_srun_option("cpu-bind",
                         cases[i].set ? cases[i].value ? cases[i].value : "unset" : NULL);
        launch_cyclic();
        assert_int_equal(fake_has_said("--cpu-bind is set and stays in force"), cases[i].binds);
        assert_string_equal(getenv("SLURM_STENCILMAP_CPU_BIND"), cases[i].binds ? "user" : "slurm");
    }
}

struct typed_line {
    const char *option[3], *value[3];
    const char *inherited; /* STENCILMAP_OPTIONS */
    int exit_code;
    const char *said;
};

static void type_line(void *argument)
{
    const struct typed_line *line = argument;
    setup(NULL);
    if (line->inherited)
        setenv("STENCILMAP_OPTIONS", line->inherited, 1);
    for (size_t i = 0; i < 3 && line->option[i]; i++)
        fake_type_option(line->option[i], line->value[i]);
    slurm_spank_init_post_opt(fake_handle(), 0, no_arguments);
}

/* What stops srun, and what leaves the step alone. */
static void lines_that_do_not_fit(void **state)
{
    static struct typed_line lines[] = {
        {{"stencil"}, {"5pt"}, NULL, 1, "--stencil=5pt: there is no --stencil-map for it"},
        {{"stencil-dims"}, {"4x8"}, NULL, 1, "--stencil-dims=4x8: there is no --stencil-map"},
        {{"stencil-periodic"}, {"1,0"}, NULL, 1, "=1,0: there is no --stencil-map for it"},
        {{"stencil-ranks"}, {"2-31"}, NULL, 1, "=2-31: there is no --stencil-map for it"},
        {{"stencil-effort"}, {"fast"}, NULL, 1, "=fast: there is no --stencil-map for it"},
        {{"stencil-objective"}, {"max"}, NULL, 1, "=max: there is no --stencil-map for it"},
        {{"stencil-placement"},
         {"comm"},
         NULL,
         1,
         "=comm: there is no --rank-order or --stencil-map for it"},
        {{"rank-hierarchy"},
         {"2,4"},
         NULL,
         1,
         "=2,4: there is no --rank-order or --stencil-map for it"},
        {{"stencil", "rank-order"}, {"5pt", "core"}, NULL, 1, "there is no --stencil-map for it"},
        {{"stencil-placement", "rank-order"}, {"comm", "core"}, NULL, 0, ""},
        {{"stencil-report"}, {NULL}, NULL, 0, ""},
        {{"rank-order", "stencil-placement"}, {"off", "comm"}, NULL, 0, ""},
        {{"stencil", "stencil-map"}, {"5pt", "off"}, NULL, 0, ""},
        {{"stencil-map", "stencil-dims"}, {"best", "4x7"}, NULL, 1, "product 28 is not"},
        {{"stencil-map"}, {"best"}, "--stencil-dims=4x7", 1, "product 28 is not"},
        /* A report changes nothing: who typed it alone has typed no directive. */
        {{"stencil-report"},
         {"full"},
         "--stencil-map --stencil-dims=4x7",
         0,
         "info: stencilmap: step left alone: --stencil-dims=4x7: product 28 is not"},
        {{NULL},
         {NULL},
         "--stencil-map=best --stencil-dims=4x7",
         0,
         "info: stencilmap: step left alone: --stencil-dims=4x7: product 28 is not"},
        /* The last word of the same name counts. */
        {{NULL},
         {NULL},
         "--stencil-map=best --stencil-dims=8x4 --stencil-dims=4x7",
         0,
         "step left alone: --stencil-dims=4x7: product 28 is not"},
        {{NULL}, {NULL}, "--stencil=5pt", 0, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        int code = fake_exit_code(type_line, &lines[i]);
        bool silent = lines[i].said[0] == '\0';
        if (code != lines[i].exit_code || !fake_has_said(lines[i].said) ||
            fake_lines_said() != (silent ? 0 : 1))
            fail_msg("line %zu, --%s: exit %d, '%s'", i, lines[i].option[0], code, fake_said());
    }
}

/* What srun's own options say of masks. */
static void masks_follow_options(void **state)
{
    const char *lead = SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 6, 0) ? "lead" : NULL;
    const struct {
        const char *option, *value, *second, *masks;
    } cases[] = {
        {"distribution", NULL, NULL, NULL},
        {"distribution", "block", NULL, NULL},
        {"distribution", "plane=4", NULL, NULL},
        {"distribution", "block:cyclic", NULL, "stay"},
        {"distribution", "block:block,Pack", NULL, "stay"},
        {"gpu-bind", "closest", NULL, lead},
        {"gpu-bind", "verbose,closest", NULL, lead},
        {"gpu-bind", "gpu:closest", NULL, lead},
        {"gpu-bind", "closest", "ntasks-per-gpu", NULL},
        {"gpu-bind", "map_gpu:0,1", NULL, NULL},
        {"gpu-bind", "per_task:1", NULL, NULL},
        {"gpu-bind", "none", NULL, NULL},
        {"gpu-bind", "single:2", NULL, lead},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setup(NULL);
        fake_type_option("stencil-map", "hyperplane");
        fake_type_option("stencil-dims", GRID);
        fake_type_option("stencil-placement", "comm");
        fake_srun_option(cases[i].option, cases[i].value);
        if (cases[i].second)
            fake_srun_option(cases[i].second, "1");
        launch_cyclic();
        const char *masks = getenv(handover_name(HANDOVER_MASKS));
        if (strcmp(masks ? masks : "", cases[i].masks ? cases[i].masks : "") != 0)
            fail_msg("--%s=%s: %s", cases[i].option, cases[i].value, masks);
    }
}

/* An order of the site's yields to sockets that were typed, and on the nodes to GPUs; a user's does
 * neither. */
static void whose_order(void **state)
{
    static const struct {
        const char *distribution;
        bool site;
        const char *order, *by, *masks;
    } cases[] = {
        {NULL, true, "core", "site", NULL},
        {"block:cyclic", true, NULL, "site", "stay"},
        {NULL, false, "core", NULL, NULL},
        {"block:cyclic", false, "core", NULL, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct smap_error err = {""};
        setup(NULL);
        if (cases[i].site)
            options_default("rank-order", "core", ORIGIN_SITE, &err);
        else
            fake_type_option("rank-order", "core");
        fake_srun_option("distribution", cases[i].distribution);
        launch_cyclic();
        const struct {
            enum handover variable;
            const char *value;
        } wanted[] = {{HANDOVER_ORDER, cases[i].order},
                      {HANDOVER_ORDER_BY, cases[i].by},
                      {HANDOVER_MASKS, cases[i].masks}};
        for (size_t k = 0; k < sizeof(wanted) / sizeof(wanted[0]); k++) {
            const char *value = getenv(handover_name(wanted[k].variable));
            if (strcmp(value ? value : "", wanted[k].value ? wanted[k].value : "") != 0)
                fail_msg("case %zu: %s=%s", i, handover_name(wanted[k].variable), value);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(named_outer_levels_win, setup, teardown),
        cmocka_unit_test_setup_teardown(the_layout_asked_for_is_of_all_ranks, setup, teardown),
        cmocka_unit_test_setup_teardown(sockets_of_an_exact_step, setup, teardown),
        cmocka_unit_test_setup_teardown(bindings_that_are_none, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_that_do_not_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(masks_follow_options, setup, teardown),
        cmocka_unit_test_setup_teardown(whose_order, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
