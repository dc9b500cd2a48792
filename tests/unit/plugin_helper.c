/* SPDX-License-Identifier: BSD-3-Clause */
/* The libraries that tasks start with: which, when, and who finds them in LD_PRELOAD. */
#include "fake_spank.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "handover.h"
#include "options.h"
#include "preload.h"

enum { NODES = 4, TASKS = 32 };

static char directory[] = "/tmp/stencilmap-test-XXXXXX";
static char helper[64], watch[64], config[64];

static void touch(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(helper, sizeof(helper), "%s/helper.so", directory);
    snprintf(watch, sizeof(watch), "%s/libstencilmap_watch.so", directory);
    snprintf(config, sizeof(config), "%s/stencilmap.conf", directory);
    touch(helper, "");
    touch(watch, "");
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(helper);
    unlink(watch);
    unlink(config);
    return rmdir(directory);
}

static void leave(void)
{
    char *no_arguments[] = {NULL};
    slurm_spank_exit(fake_handle(), 0, no_arguments);
}

/* srun on a site whose settings are these, in a job of 4 nodes in partition "big". */
static void begin(const char *settings)
{
    char argument[80], *arguments[] = {argument, NULL};
    touch(config, settings);
    fake_reset();
    setenv("SLURM_JOB_ID", "1", 1);
    setenv("SLURM_JOB_PARTITION", "big", 1);
    setenv("SLURM_JOB_NODELIST", "n[0-3]", 1);
    setenv("SLURM_JOB_CPUS_PER_NODE", "8(x4)", 1);
    fake_srun_option("ntasks", "32");
    fake_srun_option("nodes", "4");
    snprintf(argument, sizeof(argument), "config=%s", config);
    slurm_spank_init(fake_handle(), 1, arguments);
}

/* What srun does with these options, up to the hand-over. */
static void run_srun(const char *const options[][2])
{
    uint32_t node_of_rank[TASKS];
    char *no_arguments[] = {NULL};
    for (size_t i = 0; options[i][0]; i++)
        assert_int_equal(fake_type_option(options[i][0], options[i][1]), 0);
    slurm_spank_init_post_opt(fake_handle(), 0, no_arguments);
    for (uint32_t rank = 0; rank < TASKS; rank++)
        node_of_rank[rank] = rank % NODES;
    fake_layout("n[0-3]", NODES, node_of_rank, TASKS);
    slurm_spank_local_user_init(fake_handle(), 0, no_arguments);
}

#define PRELOAD getenv("SLURM_STENCILMAP_PRELOAD")

/* By the site's word, the partition's, the user's placement. %s is the helper. */
static void who_gets_the_helper(void **state)
{
    static const struct {
        const char *settings, *placement;
        bool mapped, wanted;
    } cases[] = {
        {"[stencilmap]\nmpi-helper = %s\n", "comm", true, true},
        {"[stencilmap]\nmpi-helper = %s\n", NULL, false, false},
        {"[stencilmap]\nmpi-helper = no\n", "comm", true, false},
        {"[stencilmap]\nmpi-helper = yes\n", "comm", true, false}, /* is not installed here */
        {"[partition big]\nmpi-helper = %s\n", "comm", true, true},
        {"[partition other]\nmpi-helper = %s\n", "comm", true, false},
        {"[stencilmap]\nmpi-helper = no\n[partition big]\nmpi-helper = %s\n", "comm", true, true},
        {"[partition big]\nmpi-helper = no\n[stencilmap]\nmpi-helper = %s\n", "comm", true, false},
        {"", "comm", true, false}, /* nor here */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char settings[256];
        const char *placement = cases[i].placement;
        const char *const options[][2] = {{cases[i].mapped ? "stencil-map" : "rank-order",
                                           cases[i].mapped ? "hyperplane" : "core"},
                                          {placement ? "stencil-placement" : NULL, placement},
                                          {NULL, NULL}};
        snprintf(settings, sizeof(settings), cases[i].settings, helper);
        begin(settings);
        run_srun(options);
        if (cases[i].wanted)
            assert_string_equal(PRELOAD, helper);
        else
            assert_null(PRELOAD);
        assert_int_equal(fake_has_said("programs whose MPI_Cart_create may reorder gain"),
                         cases[i].wanted);
        leave();
    }
}

static void watching_needs_no_mapping(void **state)
{
    char settings[256], wanted[512], here[256];
    (void)state;
    assert_non_null(getcwd(here, sizeof(here)));
    snprintf(settings, sizeof(settings), "[stencilmap]\nmpi-helper = %s\n", helper);
    begin(settings);
    run_srun((const char *const[][2]){{"stencil-watch", NULL}, {NULL, NULL}});
    assert_string_equal(PRELOAD, watch);
    snprintf(wanted, sizeof(wanted), "%s/stencilmap-comm.1.0", here);
    assert_string_equal(getenv("SLURM_STENCILMAP_WATCH"), wanted);
    assert_string_equal(fake_said(), "");
    leave();
    begin(settings);
    run_srun((const char *const[][2]){{"stencil-watch", "/Tmp/X.comm"},
                                      {"stencil-map", "hyperplane"},
                                      {"stencil-placement", "comm"},
                                      {NULL, NULL}});
    snprintf(wanted, sizeof(wanted), "%s:%s", watch, helper);
    assert_string_equal(PRELOAD, wanted);
    assert_string_equal(getenv("SLURM_STENCILMAP_WATCH"), "/Tmp/X.comm");
    leave();
    begin(settings);
    run_srun((const char *const[][2]){{"stencil-watch", "off"}, {NULL, NULL}});
    assert_null(PRELOAD);
    leave();
}

/* Whoever types it wants the record; a watch that others ask for stops nothing. */
static void init_post_opt(void *argument)
{
    char *no_arguments[] = {NULL};
    (void)argument;
    slurm_spank_init_post_opt(fake_handle(), 0, no_arguments);
}

static void watching_without_its_library(void **state)
{
    (void)state;
    begin("[stencilmap]\nmpi-helper = /nowhere/helper.so\n");
    fake_type_option("stencil-watch", "halo.comm");
    assert_int_equal(fake_exit_code(init_post_opt, NULL), 1);
    assert_true(fake_has_said("error: stencilmap: --stencil-watch=halo.comm: "
                              "/nowhere/libstencilmap_watch.so is not installed here"));
    leave();
    begin("[stencilmap]\nmpi-helper = /nowhere/helper.so\nstencil-watch = on\n");
    assert_int_equal(fake_exit_code(init_post_opt, NULL), 0);
    leave();
}

static void lists(void **state)
{
    static const struct {
        const char *list, *ours, *with, *without;
    } cases[] = {
        {NULL, "/a.so", "/a.so", ""},
        {"", "/a.so", "/a.so", ""},
        {"/user.so", "/a.so", "/user.so:/a.so", "/user.so"},
        {"/a.so", "/a.so", "/a.so", ""},
        {"/a.so /user.so", "/a.so", "/user.so:/a.so", "/user.so"},
        {"/x.so:/a.so:/y.so", "/a.so:/b.so", "/x.so:/y.so:/a.so:/b.so", "/x.so:/y.so"},
        {"/a.so.1::/ /a.so2", "/a.so", "/a.so.1:/:/a.so2:/a.so", "/a.so.1:/:/a.so2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *with = preload_join(cases[i].list, cases[i].ours);
        char *without = preload_without(cases[i].list, cases[i].ours);
        assert_string_equal(with, cases[i].with);
        assert_string_equal(without, cases[i].without);
        free(with);
        free(without);
    }
}

/* What a task starts with; a srun inside of it takes ours out again. */
static void tasks_and_sruns_in_them(void **state)
{
    char settings[256], wanted[256], *no_arguments[] = {NULL};
    (void)state;
    snprintf(settings, sizeof(settings), "[stencilmap]\nmpi-helper = %s\n", helper);
    begin(settings);
    run_srun((const char *const[][2]){{"stencil-watch", NULL},
                                      {"stencil-map", "hyperplane"},
                                      {"stencil-placement", "comm"},
                                      {NULL, NULL}});
    unlink(watch); /* on the nodes it is not there */
    fake_send_environment("SLURM_STENCILMAP_");
    leave();
    fake_new_process(S_CTX_REMOTE);
    fake_setenv("LD_PRELOAD", "/user.so");
    fake.local_tasks = TASKS / NODES;
    fake.tasks = TASKS;
    fake.nodes = NODES;
    slurm_spank_init(fake_handle(), 0, no_arguments);
    slurm_spank_user_init(fake_handle(), 0, no_arguments);
    fake.task = 0;
    slurm_spank_task_init(fake_handle(), 0, no_arguments);
    snprintf(wanted, sizeof(wanted), "/user.so:%s", helper);
    assert_string_equal(fake_getenv("LD_PRELOAD"), wanted);
    assert_string_equal(fake_getenv(PRELOAD_OURS), helper);
    assert_null(fake_getenv("SLURM_STENCILMAP_PRELOAD"));
    snprintf(wanted, sizeof(wanted), "%s is not there for the tasks", watch);
    assert_true(fake_has_said(wanted));
    setenv("LD_PRELOAD", fake_getenv("LD_PRELOAD"), 1);
    setenv(PRELOAD_OURS, fake_getenv(PRELOAD_OURS), 1);
    setenv(PRELOAD_WATCH, "/record", 1);
    leave();
    begin(settings);
    assert_string_equal(getenv("LD_PRELOAD"), "/user.so");
    assert_null(getenv(PRELOAD_OURS));
    assert_null(getenv(PRELOAD_WATCH));
    unsetenv("LD_PRELOAD");
    leave();
    touch(watch, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gets_the_helper),          cmocka_unit_test(watching_needs_no_mapping),
        cmocka_unit_test(watching_without_its_library), cmocka_unit_test(lists),
        cmocka_unit_test(tasks_and_sruns_in_them),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
