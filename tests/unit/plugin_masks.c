/* SPDX-License-Identifier: BSD-3-Clause */
/* Which tasks get which masks in slurmstepd: exchanged for a mapping, taken from an order, or left
 * as Slurm has given them. */
#include "fake_spank.h"
#include "unit.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "handover.h"

enum { TASKS = 8, CORES = 8, FIRST_PID = 5000 };

/* --- a FAKE of the kernel: processes that do not exist, with masks. Bit c of a mask is CPU c. */
static uint32_t masks[TASKS];

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask);
EXPORTED int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask);

static uint32_t *mask_of(pid_t pid)
{
    if (pid >= FIRST_PID && pid < FIRST_PID + TASKS)
        return &masks[pid - FIRST_PID];
    errno = ESRCH;
    return NULL;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
    uint32_t *own = mask_of(pid);
    if (!own)
        return -1;
    *own = 0;
    for (size_t cpu = 0; cpu < 2 * CORES; cpu++)
        if (CPU_ISSET_S(cpu, size, mask))
            *own |= UINT32_C(1) << cpu;
    return 0;
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
    const uint32_t *own = mask_of(pid);
    CPU_ZERO_S(size, mask);
    for (size_t cpu = 0; own && cpu < 2 * CORES; cpu++)
        if (*own & UINT32_C(1) << cpu)
            CPU_SET_S(cpu, size, mask);
    return own ? 0 : -1;
}

/* --- a node of two sockets of four cores: core c has CPUs c and c + 8, cores 4 to 7 are the second
 * socket's. Slurm has dealt the tasks of a 2x4 grid to the sockets in turn. */

static uint32_t core(uint32_t c)
{
    return UINT32_C(0x101) << c;
}

static const uint32_t given[TASKS] = {0, 4, 1, 5, 2, 6, 3, 7};

static char config[] = "config=/tmp/stencilmap-masks-XXXXXX";

static void use_topology(const char *name)
{
    FILE *file = fopen(strchr(config, '/'), "we");
    assert_non_null(file);
    assert_true(fprintf(file, "[stencilmap]\ntopology = %s/%s\n", STENCILMAP_TEST_DATA "/topology",
                        name) > 0);
    fclose(file);
}

static int group_setup(void **state)
{
    (void)state;
    int file = mkstemp(strchr(config, '/'));
    assert_true(file >= 0);
    close(file);
    use_topology("two-sockets-smt.xml");
    return 0;
}

static int group_teardown(void **state)
{
    (void)state;
    return unlink(strchr(config, '/'));
}

static void hand_over(enum handover variable, const char *value)
{
    fake_setenv(handover_name(variable), value);
}

static void start(void)
{
    char *arguments[] = {config, NULL};
    fake_reset();
    fake.context = S_CTX_REMOTE;
    fake.tasks = fake.local_tasks = TASKS;
    fake.cpus = CORES;
    fake.step_cores = "0-7";
    slurm_spank_init(fake_handle(), 1, arguments);
    hand_over(HANDOVER_VERSION, STENCILMAP_VERSION);
    for (uint32_t i = 0; i < TASKS; i++)
        masks[i] = core(given[i]);
}

static void hand_over_mapping(const char *placement)
{
    hand_over(HANDOVER_MAP, "hyperplane");
    hand_over(HANDOVER_FORM, "blocked");
    hand_over(HANDOVER_PLACEMENT, placement);
    hand_over(HANDOVER_STENCIL, "nn");
    hand_over(HANDOVER_DIMS, "2x4");
    hand_over(HANDOVER_NODE_SIZES, "8");
}

static void run(void)
{
    char *no_arguments[] = {NULL};
    slurm_spank_user_init(fake_handle(), 0, no_arguments);
    for (int i = 0; i < TASKS; i++) {
        fake.task = i;
        fake.pid = FIRST_PID + i;
        slurm_spank_task_post_fork(fake_handle(), 0, no_arguments);
    }
    slurm_spank_exit(fake_handle(), 0, no_arguments);
}

static bool all_kept(void)
{
    for (uint32_t i = 0; i < TASKS; i++)
        if (masks[i] != core(given[i]))
            return false;
    return true;
}

/* Nobody has lost or won a mask. */
static bool are_those_given(void)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < TASKS; i++)
        seen |= masks[i] & 0xff;
    return seen == 0xff;
}

static uint32_t socket_of(uint32_t task)
{
    return (masks[task] & core(4)) || (masks[task] & core(5)) || (masks[task] & core(6)) ||
           (masks[task] & core(7));
}

/* Two of the eight tasks in a row of the grid share a socket, and both rows are divided alike. */
static bool are_by_cells(void)
{
    bool apart = socket_of(0) != socket_of(3);
    for (uint32_t i = 0; i < 4; i++)
        apart = apart && socket_of(i) == socket_of(i + 4);
    return apart && socket_of(0) == socket_of(1);
}

static void where_masks_change_hands(void **state)
{
    static const struct {
        const char *what, *placement, *masks, *variable;
        bool exchanged;
    } cases[] = {
        {"launch", "launch", NULL, NULL, true},
        {"nothing gained between nodes", "none", NULL, NULL, true},
        {"comm: ranks are no cells", "comm", NULL, NULL, false},
        {"sockets were typed", "launch", "stay", NULL, false},
        {"GPUs of the step", "launch", NULL, "SLURM_STEP_GPUS", false},
        {"GPUs of a batch job", "launch", NULL, "SLURM_JOB_GPUS", false},
        {"GPUs of a wrapper", "launch", NULL, "CUDA_VISIBLE_DEVICES", false},
        {"GPUs, nothing gained", "none", NULL, "SLURM_STEP_GPUS", false},
        {"GPUs that follow", "launch", "lead", "SLURM_STEP_GPUS", true},
        {"sockets were typed, with GPUs", "launch", "stay", "SLURM_STEP_GPUS", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start();
        hand_over_mapping(cases[i].placement);
        hand_over(HANDOVER_MASKS, cases[i].masks);
        if (cases[i].variable)
            fake_setenv(cases[i].variable, "0,1");
        run();
        if (!are_those_given() || are_by_cells() != cases[i].exchanged ||
            all_kept() == cases[i].exchanged)
            fail_msg("%s: %s", cases[i].what, fake_said());
        assert_string_equal(fake_said(), "");
    }
}

static void orders_and_gpus(void **state)
{
    static const struct {
        const char *what, *order_by, *gpus;
        bool mapped, bound;
    } cases[] = {
        {"typed", NULL, NULL, false, true},
        {"typed, and GPUs", NULL, "0", false, true},
        {"typed, and GPUs, mapped", NULL, "0", true, true},
        {"a default", "site", NULL, false, true},
        {"a default, and GPUs", "site", "0", false, false},
        {"a default, and GPUs, mapped", "site", "0", true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start();
        if (cases[i].mapped)
            hand_over_mapping("launch");
        hand_over(HANDOVER_ORDER, "core,socket");
        hand_over(HANDOVER_ORDER_BY, cases[i].order_by);
        if (cases[i].gpus)
            fake_setenv("SLURM_STEP_GPUS", cases[i].gpus);
        run();
        for (uint32_t task = 0; task < TASKS; task++)
            if (masks[task] != core(cases[i].bound ? task : given[task]))
                fail_msg("%s: task %u has mask %x: %s", cases[i].what, task, masks[task],
                         fake_said());
        assert_string_equal(fake_said(), "");
    }
}

/* With a report the levels are counted although nobody moves. */
static void reports_say_why(void **state)
{
    static const struct {
        const char *placement, *masks, *gpus, *said;
    } cases[] = {
        {"launch", NULL, NULL, "Slurm's masks, tasks by --stencil-map"},
        {"comm", NULL, NULL, "bound by Slurm (ranks become cells in MPI only)"},
        {"launch", "stay", NULL, "bound by Slurm (--distribution names the sockets)"},
        {"launch", NULL, "0", "bound by Slurm (GPUs are bound by local task ids)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start();
        hand_over_mapping(cases[i].placement);
        hand_over(HANDOVER_MASKS, cases[i].masks);
        hand_over(HANDOVER_REPORT, "full");
        if (cases[i].gpus)
            fake_setenv("SLURM_STEP_GPUS", cases[i].gpus);
        run();
        if (!fake_has_said(cases[i].said))
            fail_msg("no \"%s\" in: %s", cases[i].said, fake_said());
        assert_true(fake_has_said(i == 0 ? "socket 12 -> 4" : "socket 12 -> 12"));
        assert_true(all_kept() == (i > 0));
    }
}

/* Task i beside GPU i, with a mapping too; GPUs 0 and 1 are beside cores 4 to 7. */
static void an_order_along_gpus(void **state)
{
    static const struct {
        const char *step;
        bool mapped;
        uint32_t cores[4];
    } cases[] = {
        {"0-3", false, {4, 6, 0, 2}},
        {"0-3", true, {4, 6, 0, 2}},
        {"1,3", false, {4, 0, 5, 1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        use_topology("gpus.xml");
        start();
        if (cases[i].mapped)
            hand_over_mapping("launch");
        hand_over(HANDOVER_ORDER, "gpu,core");
        hand_over(HANDOVER_REPORT, "full");
        fake_setenv("SLURM_STEP_GPUS", cases[i].step);
        run();
        for (uint32_t task = 0; task < 4; task++)
            if (masks[task] != core(cases[i].cores[task]))
                fail_msg("%s: task %u has mask %x: %s", cases[i].step, task, masks[task],
                         fake_said());
        assert_true(fake_has_said(" gpu\n"));
    }
    use_topology("two-sockets-smt.xml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_masks_change_hands),
        cmocka_unit_test(orders_and_gpus),
        cmocka_unit_test(reports_say_why),
        cmocka_unit_test(an_order_along_gpus),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
