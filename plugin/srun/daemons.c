/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/daemons.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Programs that MPI launchers start through srun, one per node: they are no ranks. */
static const char *daemon_name(const char *path)
{
    static const char *const daemons[] = {
        "orted", "prted", "prte", "hydra_pmi_proxy", "hydra_bstrap_proxy", "mpispawn", "pmi_proxy"};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof(daemons) / sizeof(daemons[0]); i++)
        if (strcmp(name, daemons[i]) == 0)
            return daemons[i];
    return NULL;
}

const char *daemons_find(FILE *line, int program)
{
    const char *any = NULL, *named = NULL;
    char *word = NULL;
    size_t room = 0;
    bool known = false;
    for (int i = 0; !known && getdelim(&word, &room, '\0', line) > 0; i++) {
        const char *name = daemon_name(word);
        known = i == program && i > 0 && word[0] != '-';
        named = known ? name : NULL;
        any = any ? any : name;
    }
    free(word);
    return known ? named : any;
}

const char *daemons_launched(void)
{
    FILE *line = fopen("/proc/self/cmdline", "re");
    /* srun has read its options by getopt_long, which stops at the program. */
    const char *found = line ? daemons_find(line, optind) : NULL;
    if (line)
        fclose(line);
    return found;
}
