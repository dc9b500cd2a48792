/* SPDX-License-Identifier: BSD-3-Clause */
/* What a task sees, as one line: rank, node, local id, the CPUs that sched_getaffinity gives, and
 * its GPUs ("-": none). With an argument, a file of that name and the rank gets its SLURM_*
 * variables. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : "-";
}

static void write_environment(const char *name)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s.%s", name, variable("SLURM_PROCID"));
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    for (char **at = environ; *at; at++)
        if (strncmp(*at, "SLURM", strlen("SLURM")) == 0)
            fprintf(file, "%s\n", *at);
    fclose(file);
}

int main(int argc, char **argv)
{
    cpu_set_t mask;
    char node[256] = "?", cpus[8192] = "";
    size_t length = 0;
    gethostname(node, sizeof(node) - 1);
    if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
        return 1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &mask))
            length += (size_t)snprintf(cpus + length, sizeof(cpus) - length, "%s%d",
                                       length ? "," : "", cpu);
    if (argc > 1)
        write_environment(argv[1]);
    printf("%s %s %s %s %s\n", variable("SLURM_PROCID"), node, variable("SLURM_LOCALID"), cpus,
           variable("CUDA_VISIBLE_DEVICES"));
    return 0;
}
