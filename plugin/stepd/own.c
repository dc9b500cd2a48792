/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/own.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stepd/cpumask.h"

int own_memory(const struct smap_topology *topology, struct smap_error *err)
{
    enum { NODES_MAX = 1024, WORD = 8 * sizeof(unsigned long) };
    unsigned long wanted[NODES_MAX / WORD] = {0};
    struct cpumask mask;
    size_t cpu_count, nodes = 0;
    if (cpumask_get(&mask, 0) != 0)
        return smap_fail(err, SMAP_ESYS, "sched_getaffinity: %s", strerror(errno));
    unsigned *cpus = cpumask_cpus(&mask, &cpu_count);
    unsigned *node = calloc(cpu_count ? cpu_count : 1, sizeof(*node));
    if (cpus && node)
        nodes = smap_topology_numa_nodes(node, cpu_count, topology, cpus, cpu_count);
    for (size_t i = 0; i < nodes; i++)
        if (node[i] < NODES_MAX)
            wanted[node[i] / WORD] |= 1UL << node[i] % WORD;
    free(cpus);
    free(node);
    /* The kernel takes one bit less than it is told. */
    if (nodes > 0 && syscall(SYS_set_mempolicy, MPOL_BIND, wanted, NODES_MAX + 1UL) != 0)
        return smap_fail(err, SMAP_ESYS, "set_mempolicy: %s", strerror(errno));
    return SMAP_OK;
}

char *own_cpus(pid_t pid)
{
    struct cpumask mask;
    return cpumask_get(&mask, pid) == 0 ? cpumask_list(&mask) : NULL;
}
