/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "srun/mpi.h"
#include "srun/srunopts.h"

/* The user's --distribution, or what srun makes of none. A site's flag may stand without a word for
 * the nodes. */
static char *own_distribution(uint32_t tasks, size_t nodes)
{
    struct smap_text text = {0};
    char *value = srunopts_get("distribution");
    bool flag_only = value && (strcmp(value, "pack") == 0 || strcmp(value, "nopack") == 0);
    if (!value || flag_only)
        smap_text_add(&text, "%s%s", tasks <= nodes ? "cyclic" : "block", value ? "," : "");
    smap_text_add(&text, "%s", value ? value : "");
    free(value);
    return smap_text_take(&text);
}

int launch_ask(struct launch *launch, const struct allocation *own, const uint32_t node_of_rank[],
               struct smap_error *err)
{
    struct smap_text text = {0};
    int rc = mpi_fits(own, node_of_rank, err);
    if (rc != SMAP_OK)
        return rc;
    launch->tasks = smap_nodesizes_tasks(own->sizes);
    for (uint32_t rank = 0; rank < launch->tasks; rank++)
        smap_text_add(&text, "%s%s", rank ? "," : "", own->hosts->names[node_of_rank[rank]]);
    launch->hosts = smap_text_take(&text);
    launch->distribution = own_distribution(launch->tasks, own->hosts->count);
    if (!launch->hosts || !launch->distribution)
        return smap_nomem(err);
    bool taken = srunopts_set("distribution", "arbitrary");
    if (taken && !srunopts_set("nodelist", launch->hosts)) {
        srunopts_set("distribution", launch->distribution); /* without nodes it would be fatal */
        taken = false;
    }
    if (!taken)
        return smap_fail(err, SMAP_ENOTSUP, "this srun takes no layout from a plugin");
    launch->asked = true;
    return SMAP_OK;
}

bool launch_is_as_asked(const struct launch *launch, const struct allocation *real)
{
    const char *name = launch->hosts;
    if (smap_nodesizes_tasks(real->sizes) != launch->tasks)
        return false;
    for (uint32_t rank = 0; rank < launch->tasks; rank++) {
        const char *got = real->hosts->names[real->node_of_rank[rank]];
        size_t length = strcspn(name, ",");
        if (strlen(got) != length || strncmp(got, name, length) != 0)
            return false;
        name += length + (name[length] == ',');
    }
    return true;
}

void launch_put_back(const struct launch *launch)
{
    const char *plane = launch->distribution ? strstr(launch->distribution, "plane=") : NULL;
    if (!launch->asked)
        return;
    srunopts_set("distribution", launch->distribution);
    setenv("SLURM_DISTRIBUTION", plane ? "plane" : launch->distribution, 1);
    if (plane)
        setenv("SLURM_DIST_PLANESIZE", plane + strlen("plane="), 1);
}

void launch_clear(struct launch *launch)
{
    free(launch->hosts);
    free(launch->distribution);
    *launch = (struct launch){.asked = false};
}
