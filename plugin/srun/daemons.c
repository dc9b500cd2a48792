/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/daemons.h"

#include <stdio.h>
#include <string.h>

/* Programs that MPI launchers start through srun, one per node: they are no ranks. */
static bool is_launcher_daemon(const char *path)
{
    static const char *const daemons[] = {
        "orted", "prted", "prte", "hydra_pmi_proxy", "hydra_bstrap_proxy", "mpispawn", "pmi_proxy"};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof(daemons) / sizeof(daemons[0]); i++)
        if (strcmp(name, daemons[i]) == 0)
            return true;
    return false;
}

bool daemons_launched(void)
{
    char line[65536];
    bool found = false;
    FILE *file = fopen("/proc/self/cmdline", "re");
    if (!file)
        return false;
    size_t length = fread(line, 1, sizeof(line) - 1, file);
    fclose(file);
    line[length] = '\0';
    for (size_t at = 0; at < length && !found; at += strlen(line + at) + 1)
        found = is_launcher_daemon(line + at);
    return found;
}
