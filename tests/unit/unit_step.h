/* SPDX-License-Identifier: BSD-3-Clause */
/* A step against a fake Slurm: srun's side, for tests of what it decides and hands over. */
#ifndef STENCILMAP_UNIT_STEP_H
#define STENCILMAP_UNIT_STEP_H

#include "fake_spank.h"
#include "unit.h"

#include <stdlib.h>

enum { NODES = 4, TASKS = 32, PER_NODE = TASKS / NODES };

static char *no_arguments[] = {NULL};

/* srun in a job of 4 nodes with 8 CPUs each, Slurm's options as for -N4 -n32. */
static inline int setup(void **state)
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

static inline int teardown(void **state)
{
    (void)state;
    return slurm_spank_exit(fake_handle(), 0, no_arguments);
}

/* The step exists with rank r on node r % 4 (cyclic), and srun's side is done. */
static inline void launch_cyclic(void)
{
    uint32_t node_of_rank[TASKS];
    for (uint32_t rank = 0; rank < TASKS; rank++)
        node_of_rank[rank] = rank % NODES;
    slurm_spank_init_post_opt(fake_handle(), 0, no_arguments);
    fake_layout("n[0-3]", NODES, node_of_rank, TASKS);
    slurm_spank_local_user_init(fake_handle(), 0, no_arguments);
    slurm_spank_exit(fake_handle(), 0, no_arguments);
}

/* A grid in which no neighbours share a node when ranks are dealt to four nodes one by one: every
 * mapping gains. */
#define GRID "16x2"

#endif
