/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole steps against a fake Slurm: srun's side decides and hands over, slurmstepd's side takes it
 * and tells the tasks. */
#include "fake_spank.h"
#include "unit.h"

#include <slurm/slurm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "best/algorithms.h"
#include "handover.h"
#include "option_example.h"
#include "options.h"
#include "plan/plan.h"
#include "step/nodesizes.h"

enum { NODES = 4, TASKS = 32, PER_NODE = TASKS / NODES };

static char *no_arguments[] = {NULL};

/* srun in a job of 4 nodes with 8 CPUs each, Slurm's options as for -N4 -n32. */
static int setup(void **state)
{
    (void)state;
    fake_reset();
    unsetenv("STENCILMAP_OPTIONS");
    setenv("SLURM_JOB_ID", "1", 1);
    setenv("SLURM_JOB_NODELIST", "n[0-3]", 1);
    setenv("SLURM_JOB_CPUS_PER_NODE", "8(x4)", 1);
    fake_srun_option("ntasks", "32");
    fake_srun_option("nodes", "4");
    slurm_spank_init(fake_handle(), 0, no_arguments);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    return slurm_spank_exit(fake_handle(), 0, no_arguments);
}

/* The step exists with rank r on node r % 4 (cyclic), and srun's side is done. */
static void launch_cyclic(void)
{
    uint32_t node_of_rank[TASKS];
    for (uint32_t rank = 0; rank < TASKS; rank++)
        node_of_rank[rank] = rank % NODES;
    slurm_spank_init_post_opt(fake_handle(), 0, no_arguments);
    fake_layout("n[0-3]", NODES, node_of_rank, TASKS);
    slurm_spank_local_user_init(fake_handle(), 0, no_arguments);
    slurm_spank_exit(fake_handle(), 0, no_arguments);
}

static char **job_env(void)
{
    char **env = NULL;
    spank_get_item(fake_handle(), S_JOB_ENV, &env);
    return env;
}

/* slurmstepd on one node of that step, up to where the tasks are forked. Each node gets the step's
 * environment anew: tasks clean theirs. */
static void start_node(uint32_t node)
{
    static uint32_t global[PER_NODE];
    for (uint32_t local = 0; local < PER_NODE; local++)
        global[local] = node + local * NODES;
    fake_new_process(S_CTX_REMOTE);
    fake.nodes = NODES;
    fake.node = node;
    fake.tasks = TASKS;
    fake.local_tasks = PER_NODE;
    fake.global = global;
    fake_send_environment("SLURM_STENCILMAP_");
    slurm_spank_init(fake_handle(), 0, no_arguments);
    slurm_spank_user_init(fake_handle(), 0, no_arguments);
}

static uint32_t rank_told(uint32_t local)
{
    fake.task = (int)local;
    slurm_spank_task_init(fake_handle(), 0, no_arguments);
    const char *rank = fake_getenv("STENCILMAP_RANK");
    assert_non_null(rank);
    return (uint32_t)strtoul(rank, NULL, 10);
}

static int ascending(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A node has these cells, in whatever order. */
static void assert_same_cells(uint32_t told[], uint32_t cells[], size_t count)
{
    qsort(told, count, sizeof(*told), ascending);
    qsort(cells, count, sizeof(*cells), ascending);
    assert_memory_equal(told, cells, count * sizeof(*told));
}

/* The cells of a mapping, asked of the core itself. The grid is one in which no neighbours share a
 * node when ranks are dealt to four nodes one by one: every mapping gains. */
#define GRID "16x2"

static void cells_of(uint32_t cells[TASKS], const char *map, const char *dims, const char *nodes)
{
    const struct smap_request request = {.map = map, .stencil = "nn", .dims = dims};
    struct smap_error err = {""};
    struct smap_problem problem = {0};
    struct smap_nodesizes *sizes = NULL;
    struct smap_mapping *mapping = NULL;
    assert_int_equal(smap_nodesizes_parse(&sizes, nodes, &err), SMAP_OK);
    uint32_t count = smap_nodesizes_tasks(sizes);
    assert_int_equal(smap_problem_init(&problem, &request, count, &err), SMAP_OK);
    const struct smap_instance instance = smap_problem_on(&problem, sizes);
    assert_int_equal(smap_mapping_from_text(&mapping, map, &instance, NULL, &err), SMAP_OK);
    for (uint32_t i = 0; i < count; i++)
        cells[i] = smap_mapping_cell(mapping, i);
    smap_mapping_destroy(mapping);
    smap_problem_clear(&problem);
    smap_nodesizes_destroy(sizes);
}

/* The seed is part of the name: what srun reported is what the nodes do. */
static void a_name_travels_whole(void **state)
{
    static const char *const maps[] = {"random", "random:7", "random:8", "hyperplane", "best"};
    (void)state;
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        uint32_t cells[TASKS];
        setup(NULL);
        assert_int_equal(fake_type_option("stencil-map", maps[i]), 0);
        assert_int_equal(fake_type_option("stencil-dims", GRID), 0);
        assert_int_equal(fake_type_option("stencil-placement", "comm"), 0);
        launch_cyclic();
        cells_of(cells, maps[i], GRID, "8(x4)");
        fake_forget_said();
        for (uint32_t node = 0; node < NODES; node++) {
            uint32_t told[PER_NODE];
            start_node(node);
            for (uint32_t local = 0; local < PER_NODE; local++)
                told[local] = rank_told(local);
            assert_same_cells(told, cells + (size_t)node * PER_NODE, PER_NODE);
            slurm_spank_exit(fake_handle(), 0, no_arguments);
        }
        assert_string_equal(fake_said(), "");
        assert_int_equal(fake_layouts_asked(), 1);
    }
}

/* Part of the ranks are the grid: dealt one by one, ranks 0 to 5 outside of it leave nodes with
 * six, six, seven and seven cells of 13x2. */
static void a_part_of_the_ranks(void **state)
{
    static const char *const maps[] = {"random:7", "hyperplane", "best"};
    (void)state;
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        uint32_t cells[TASKS], next = 0;
        setup(NULL);
        assert_int_equal(fake_type_option("stencil-map", maps[i]), 0);
        assert_int_equal(fake_type_option("stencil-dims", "13x2"), 0);
        assert_int_equal(fake_type_option("stencil-ranks", "6-31"), 0);
        assert_int_equal(fake_type_option("stencil-placement", "comm"), 0);
        launch_cyclic();
        assert_string_equal(getenv("SLURM_STENCILMAP_NODE_SIZES"), "8(x4)");
        assert_string_equal(getenv("SLURM_STENCILMAP_CELLS"), "6(x2),7(x2)");
        cells_of(cells, maps[i], "13x2", "6(x2),7(x2)");
        fake_forget_said();
        for (uint32_t node = 0; node < NODES; node++) {
            uint32_t told[PER_NODE], count = 0;
            start_node(node);
            for (uint32_t local = 0; local < PER_NODE; local++) {
                if (node + local * NODES >= 6) {
                    told[count++] = rank_told(local);
                    continue;
                }
                fake.task = (int)local;
                slurm_spank_task_init(fake_handle(), 0, no_arguments);
                assert_null(fake_getenv("STENCILMAP_RANK"));
                assert_null(fake_getenv("STENCILMAP_COORDS"));
                assert_string_equal(fake_getenv("STENCILMAP_RANKS"), "6-31");
                assert_non_null(fake_getenv("STENCILMAP_VERSION"));
                assert_non_null(fake_getenv("STENCILMAP_CPUS"));
            }
            assert_same_cells(told, cells + next, count);
            next += count;
            slurm_spank_exit(fake_handle(), 0, no_arguments);
        }
        assert_int_equal(next, 26);
        assert_string_equal(fake_said(), "");
    }
}

/* Whatever a row of options.def says travels is there after srun's side, on a line that has it. */
static void all_is_handed_over(void **state)
{
    /* What fits this step; of the others any value does. */
    static const char *const fitting[OPTION_COUNT] = {
        [OPTION_MAP] = "best",   [OPTION_STENCIL] = "5pt",      [OPTION_DIMS] = "4x7",
        [OPTION_RANKS] = "4-31", [OPTION_PERIODIC] = "1,0",     [OPTION_PLACEMENT] = "comm",
        [OPTION_ORDER] = "core", [OPTION_HIERARCHY] = "core:8", [OPTION_REPORT] = "full",
        [OPTION_WATCH] = "off", /* its library must be there: plugin_helper.c */
    };
    (void)state;
    for (enum option i = 0; i < OPTION_COUNT; i++)
        assert_int_equal(
            fake_type_option(option_row(i)->name, fitting[i] ? fitting[i] : option_example(i)), 0);
    launch_cyclic();
    for (enum option i = 0; i < OPTION_COUNT; i++)
        if (option_row(i)->handover != HANDOVER_NONE && i != OPTION_WATCH &&
            !getenv(handover_name(option_row(i)->handover)))
            fail_msg("--%s is not handed over", option_row(i)->name);
    assert_string_equal(getenv("SLURM_STENCILMAP_DIMS"), "4x7");
    assert_string_equal(getenv("SLURM_STENCILMAP_RANKS"), "4-31");
    assert_string_equal(getenv("SLURM_STENCILMAP_CELLS"), "7(x4)");
    assert_string_equal(getenv("SLURM_STENCILMAP_PERIODIC"), "1,0");
    assert_string_equal(getenv("SLURM_STENCILMAP_NODE_SIZES"), "8(x4)");
    assert_string_equal(getenv("SLURM_STENCILMAP_REPORT"), "full");
    /* The next srun begins anew. */
    setup(NULL);
    for (char **v = environ; *v; v++)
        assert_null(strstr(*v, "SLURM_STENCILMAP_"));
}

static bool told_anything(void)
{
    for (char **v = job_env(); *v; v++)
        if (strstr(*v, "STENCILMAP_"))
            return true;
    return false;
}

/* What does not come from an srun of this very version leaves the step alone, with one line, no
 * hints at all, and nothing of the hand-over left. On node 1, which leaves the user what node 0 can
 * tell as well. */
static void a_hand_over_that_is_not_ours(void **state)
{
    static const struct {
        const char *name, *value, *said;
    } cases[] = {
        {"SLURM_STENCILMAP_VERSION", "99.2",
         "error: stencilmap: srun's stencilmap is 99.2, this node's " STENCILMAP_VERSION
         ": tasks are left as Slurm made them\n"},
        {"SLURM_STENCILMAP_VERSION", NULL,
         "error: stencilmap: srun's stencilmap is older, this node's " STENCILMAP_VERSION
         ": tasks are left as Slurm made them\n"},
        {"SLURM_STENCILMAP_VERSION", "1\nNov 28 slurmd: fine",
         "info: stencilmap: SLURM_STENCILMAP_VERSION is not what srun wrote: tasks are left as "
         "Slurm made them\n"},
        {"SLURM_STENCILMAP_DIMS", "4x8\033[2J",
         "info: stencilmap: SLURM_STENCILMAP_DIMS is not what srun wrote: tasks are left as Slurm "
         "made them\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setup(NULL);
        fake_type_option("stencil-map", "hyperplane");
        fake_type_option("stencil-dims", "4x8");
        launch_cyclic();
        fake_forget_said();
        if (cases[i].value)
            setenv(cases[i].name, cases[i].value, 1);
        else
            unsetenv(cases[i].name);
        setenv("SLURM_STENCILMAP_OF_ANOTHER_VERSION", "1", 1);
        start_node(1);
        assert_string_equal(fake_said(), cases[i].said);
        fake.task = 0;
        slurm_spank_task_init(fake_handle(), 0, no_arguments);
        assert_false(told_anything());
        assert_string_equal(fake_said(), cases[i].said);
        slurm_spank_exit(fake_handle(), 0, no_arguments);
    }
    /* A default of the site says nothing. */
    setup(NULL);
    setenv("SLURM_STENCILMAP_ORDER", "core", 1);
    setenv("SLURM_STENCILMAP_QUIET", "none", 1);
    start_node(0);
    assert_string_equal(fake_said(), "");
    slurm_spank_exit(fake_handle(), 0, no_arguments);
    setup(NULL);
}

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

/* What nobody typed is handed over too, where slurmstepd and the tasks need it. */
static void defaults_are_handed_over(void **state)
{
    (void)state;
    assert_int_equal(fake_type_option("stencil-map", NULL), 0);
    assert_int_equal(fake_type_option("stencil-report", NULL), 0);
    assert_int_equal(fake_type_option("stencil-placement", "comm"), 0);
    launch_cyclic();
    assert_string_equal(getenv("SLURM_STENCILMAP_MAP"), "best");
    assert_string_equal(getenv("SLURM_STENCILMAP_STENCIL"), "nn");
    assert_string_equal(getenv("SLURM_STENCILMAP_DIMS"), "8x4");
    assert_string_equal(getenv("SLURM_STENCILMAP_PERIODIC"), "0,0");
    assert_string_equal(getenv("SLURM_STENCILMAP_REPORT"), "on");
    assert_null(getenv("SLURM_STENCILMAP_EFFORT"));
    assert_null(getenv("SLURM_STENCILMAP_RANKS"));
}

/* Who may tell of problems on the nodes, and who reads a report: whoever typed something hears of
 * it from any node, whoever said it elsewhere from the first, and of a default of the site nobody.
 */
static void nodes_know_who_listens(void **state)
{
    static const struct {
        enum origin order, report;
        const char *quiet, *handed;
    } cases[] = {
        {ORIGIN_COMMAND_LINE, ORIGIN_COMMAND_LINE, NULL, "full"},
        {ORIGIN_COMMAND_LINE, ORIGIN_SITE, NULL, "full"},
        {ORIGIN_ENVIRONMENT, ORIGIN_SITE, "first", "full"},
        {ORIGIN_SITE, ORIGIN_COMMAND_LINE, "none", "full"},
        {ORIGIN_SITE, ORIGIN_SITE, "none", NULL},
        {ORIGIN_PARTITION, ORIGIN_SITE, "none", NULL},
    };
    struct smap_error err;
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        setup(NULL);
        if (cases[i].order == ORIGIN_COMMAND_LINE)
            fake_type_option("rank-order", "core");
        if (cases[i].report == ORIGIN_COMMAND_LINE)
            fake_type_option("stencil-report", "full");
        options_default("rank-order", "core", cases[i].order, &err);
        options_default("stencil-report", "full", cases[i].report, &err);
        launch_cyclic();
        const char *quiet = getenv("SLURM_STENCILMAP_QUIET");
        const char *report = getenv("SLURM_STENCILMAP_REPORT");
        assert_string_equal(quiet ? quiet : "all", cases[i].quiet ? cases[i].quiet : "all");
        assert_string_equal(report ? report : "none", cases[i].handed ? cases[i].handed : "none");
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

/* Without our options a step is what it is without us. */
static void nothing_asked_nothing_done(void **state)
{
    (void)state;
    launch_cyclic();
    start_node(0);
    fake.task = 0;
    slurm_spank_task_init(fake_handle(), 0, no_arguments);
    assert_false(told_anything());
    assert_int_equal(fake_layouts_asked(), 0);
    assert_string_equal(fake_said(), "");
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
        cmocka_unit_test_setup_teardown(a_name_travels_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(a_part_of_the_ranks, setup, teardown),
        cmocka_unit_test_setup_teardown(all_is_handed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(a_hand_over_that_is_not_ours, setup, teardown),
        cmocka_unit_test_setup_teardown(named_outer_levels_win, setup, teardown),
        cmocka_unit_test_setup_teardown(the_layout_asked_for_is_of_all_ranks, setup, teardown),
        cmocka_unit_test_setup_teardown(sockets_of_an_exact_step, setup, teardown),
        cmocka_unit_test_setup_teardown(bindings_that_are_none, setup, teardown),
        cmocka_unit_test_setup_teardown(defaults_are_handed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(nodes_know_who_listens, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_that_do_not_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_asked_nothing_done, setup, teardown),
        cmocka_unit_test_setup_teardown(masks_follow_options, setup, teardown),
        cmocka_unit_test_setup_teardown(whose_order, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
