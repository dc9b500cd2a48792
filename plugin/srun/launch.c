/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "srun/mpi.h"
#include "srun/srunopts.h"

static struct {
    bool asked;
    uint32_t tasks;
    char *hosts; /* the node name of every rank, comma separated */
    const char *distribution;
} launch;

int launch_ask(const struct allocation *own, const uint32_t node_of_rank[], struct smap_error *err)
{
    struct smap_text text = {0};
    int rc = mpi_fits(own, node_of_rank, err);
    if (rc != SMAP_OK)
        return rc;
    launch.tasks = smap_nodesizes_tasks(own->sizes);
    for (uint32_t rank = 0; rank < launch.tasks; rank++)
        smap_text_add(&text, "%s%s", rank ? "," : "", own->hosts->names[node_of_rank[rank]]);
    launch.hosts = smap_text_take(&text);
    if (!launch.hosts)
        return smap_nomem(err);
    launch.distribution = launch.tasks <= own->hosts->count ? "cyclic" : "block";
    if (!srunopts_set("distribution", "arbitrary") || !srunopts_set("nodelist", launch.hosts))
        return smap_fail(err, SMAP_ENOTSUP, "this srun takes no layout from a plugin");
    launch.asked = true;
    return SMAP_OK;
}

bool launch_asked(void)
{
    return launch.asked;
}

bool launch_is_as_asked(const struct allocation *real)
{
    const char *name = launch.hosts;
    if (smap_nodesizes_tasks(real->sizes) != launch.tasks)
        return false;
    for (uint32_t rank = 0; rank < launch.tasks; rank++) {
        const char *got = real->hosts->names[real->node_of_rank[rank]];
        size_t length = strcspn(name, ",");
        if (strlen(got) != length || strncmp(got, name, length) != 0)
            return false;
        name += length + (name[length] == ',');
    }
    return true;
}

const char *launch_distribution_without(void)
{
    return launch.asked ? launch.distribution : NULL;
}

void launch_release(void)
{
    free(launch.hosts);
    launch.hosts = NULL;
    launch.asked = false;
}
