/* SPDX-License-Identifier: BSD-3-Clause */
/* A step in slurmstepd: node 1 of two, each with four tasks, as the hand-over says. To be included
 * once. */
#ifndef STENCILMAP_UNIT_STEPD_H
#define STENCILMAP_UNIT_STEPD_H

#include "fake_spank.h"
#include "unit.h"

#include "handover.h"
#include "stepd/hints.h"
#include "unit_pmix.h"

enum { TASKS = 4 };

static inline const char *told(enum hint hint)
{
    return fake_getenv(hints_variable(hint));
}

static inline void hand_over(enum handover variable, const char *value)
{
    fake_setenv(handover_name(variable), value);
}

static inline int setup(void **state)
{
    static const uint32_t ranks[TASKS] = {4, 5, 6, 7};
    char *no_arguments[] = {NULL};
    (void)state;
    pmix_reset();
    fake_reset();
    fake.context = S_CTX_REMOTE;
    fake.nodes = 2;
    fake.node = 1;
    fake.tasks = 2 * TASKS;
    fake.local_tasks = TASKS;
    fake.global = ranks;
    slurm_spank_init(fake_handle(), 0, no_arguments);
    hand_over(HANDOVER_VERSION, STENCILMAP_VERSION);
    hand_over(HANDOVER_MAP, "best");
    hand_over(HANDOVER_FORM, "hyperplane");
    hand_over(HANDOVER_PLACEMENT, "comm");
    hand_over(HANDOVER_STENCIL, "5pt");
    hand_over(HANDOVER_DIMS, "2x4");
    hand_over(HANDOVER_PERIODIC, "0,0");
    hand_over(HANDOVER_NODE_SIZES, "4(x2)");
    hand_over(HANDOVER_JSUM, "4");
    hand_over(HANDOVER_JMAX, "2");
    hand_over(HANDOVER_JSUM_BEFORE, "8");
    hand_over(HANDOVER_JMAX_BEFORE, "4");
    return 0;
}

static inline void start_node(void)
{
    char *no_arguments[] = {NULL};
    slurm_spank_user_init(fake_handle(), 0, no_arguments);
}

static inline void start_task(int local)
{
    char *no_arguments[] = {NULL};
    fake.task = local;
    slurm_spank_task_init(fake_handle(), 0, no_arguments);
}

static inline int teardown(void **state)
{
    char *no_arguments[] = {NULL};
    (void)state;
    return slurm_spank_exit(fake_handle(), 0, no_arguments);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
