/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/masks.h"

#include <slurm/slurm.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "handover.h"
#include "options.h"
#include "srun/srunopts.h"

/* Has somebody typed how sockets are filled? */
static bool names_sockets(void)
{
    char *value = srunopts_get("distribution");
    bool named = value && strchr(value, ':');
    free(value);
    return named;
}

/* Is that word in the value of --gpu-bind, alone or behind "verbose," or "gpu:"? */
static bool has_word(const char *value, const char *word)
{
    const char *found = strstr(value, word);
    return found && (found == value || found[-1] == ',' || found[-1] == ':');
}

/* Does Slurm give each task the GPUs beside its mask, whoever has changed it? Slurm 22.05 asks the
 * kernel for the mask when all tasks have been forked, for closest and single. 24.11 and 26.05 go
 * by the mask that Slurm has chosen itself, or by the local task id; of those between nothing is
 * known.
 */
static bool gpus_follow_masks(void)
{
    const bool asks_kernel = SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 6, 0);
    char *value = asks_kernel ? srunopts_get("gpu-bind") : NULL;
    bool follow = value && (has_word(value, "closest") || has_word(value, "single:"));
    free(value);
    return follow && !srunopts_isset("ntasks-per-gpu");
}

void masks_hand_over(void)
{
    bool ordered = options_get(OPTION_ORDER);
    bool default_order = ordered && options_origin(OPTION_ORDER) <= ORIGIN_PARTITION;
    bool sockets = names_sockets() && (default_order || !ordered); /* else the order says which */
    handover_set(HANDOVER_MASKS, sockets ? "stay" : gpus_follow_masks() ? "lead" : NULL);
    handover_set(HANDOVER_ORDER_BY, default_order ? "site" : NULL);
    if (default_order && sockets)
        handover_set(HANDOVER_ORDER, NULL); /* a default of the site yields to the user */
}
