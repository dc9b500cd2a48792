/* SPDX-License-Identifier: BSD-3-Clause */
/* The hooks of srun's side. */
#include <stdlib.h>

#include "contexts.h"
#include "options.h"
#include "settings.h"
#include "srun/carryout.h"
#include "srun/decide.h"
#include "srun/srunopts.h"
#include "srun/watched.h"

/* From the first hook to the last: SPANK gives a plugin no place of its own. */
static struct srun_decision current;

/* The defaults of the site for the partition that this step runs in. */
static void read_defaults(void)
{
    char *wanted = srunopts_get("partition");
    const char *job = getenv("SLURM_JOB_PARTITION");
    settings_read(job ? job : wanted);
    free(wanted);
}

void srun_init_post_opt(void)
{
    if (current.components++ == 0) {
        options_read_environment();
        read_defaults();
    }
    srun_decide(&current);
    options_next_component();
}

void srun_local_user_init(spank_t spank)
{
    srun_carry_out(&current, spank);
    srun_decision_clear(&current);
}

void srun_exit(void)
{
    watched_tell();
    srun_decision_clear(&current);
    current = (struct srun_decision){.components = 0};
}
