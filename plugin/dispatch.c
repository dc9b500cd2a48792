/* SPDX-License-Identifier: BSD-3-Clause */
/* The SPANK entry points. Each returns 0: what must stop srun is refused in an option callback or
 * by exit in srun, and an error from slurmstepd could drain a node. */
#include <slurm/spank.h>

#include "contexts.h"
#include "handover.h"
#include "options.h"
#include "preload.h"
#include "settings.h"

SPANK_PLUGIN(stencilmap, 1)

int slurm_spank_init(spank_t spank, int ac, char **av)
{
    switch (spank_context()) {
    case S_CTX_LOCAL:
        settings_arguments(ac, av);
        handover_clear();
        preload_clear();
        options_register(spank);
        break;
    case S_CTX_REMOTE:
        settings_arguments(ac, av);
        options_register(spank);
        break;
    case S_CTX_ALLOCATOR:
        preload_clear();
        options_register(spank);
        break;
    default:
        break;
    }
    return 0;
}

int slurm_spank_init_post_opt(spank_t spank, int ac, char **av)
{
    (void)ac;
    (void)av;
    if (spank_context() == S_CTX_LOCAL)
        srun_init_post_opt();
    else if (spank_context() == S_CTX_REMOTE)
        stepd_init_post_opt(spank);
    return 0;
}

int slurm_spank_local_user_init(spank_t spank, int ac, char **av)
{
    (void)ac;
    (void)av;
    srun_local_user_init(spank);
    return 0;
}

int slurm_spank_user_init(spank_t spank, int ac, char **av)
{
    (void)ac;
    (void)av;
    stepd_user_init(spank);
    return 0;
}

int slurm_spank_task_post_fork(spank_t spank, int ac, char **av)
{
    (void)ac;
    (void)av;
    stepd_task_post_fork(spank);
    return 0;
}

int slurm_spank_task_init(spank_t spank, int ac, char **av)
{
    (void)ac;
    (void)av;
    stepd_task_init(spank);
    return 0;
}

int slurm_spank_exit(spank_t spank, int ac, char **av)
{
    (void)spank;
    (void)ac;
    (void)av;
    if (spank_context() == S_CTX_REMOTE)
        stepd_exit();
    else
        srun_exit();
    options_clear();
    settings_clear();
    return 0;
}
