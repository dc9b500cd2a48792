/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/components.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool components_find(FILE *line, int program)
{
    char *word = NULL;
    size_t room = 0;
    bool found = false;
    for (int i = 0; !found && getdelim(&word, &room, '\0', line) > 0; i++)
        found = i > program && strcmp(word, ":") == 0;
    free(word);
    return found;
}

bool components_follow(void)
{
    FILE *line = fopen("/proc/self/cmdline", "re");
    /* srun has read its options by getopt_long, which stops at the program. */
    bool found = line && components_find(line, optind);
    if (line)
        fclose(line);
    return found;
}
