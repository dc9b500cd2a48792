/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole steps against a fake Slurm: srun's side decides and hands over, slurmstepd's side takes it
 * and tells the tasks. */
#include "unit_step.h"

#include <string.h>
#include <unistd.h>

#include "best/algorithms.h"
#include "handover.h"
#include "option_example.h"
#include "options.h"
#include "plan/plan.h"
#include "step/nodesizes.h"

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

/* The cells of a mapping, asked of the core itself. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_name_travels_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(a_part_of_the_ranks, setup, teardown),
        cmocka_unit_test_setup_teardown(all_is_handed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(a_hand_over_that_is_not_ours, setup, teardown),
        cmocka_unit_test_setup_teardown(defaults_are_handed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(nodes_know_who_listens, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_asked_nothing_done, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
