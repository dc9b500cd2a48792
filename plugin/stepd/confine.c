/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/confine.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* All cpus that a process could have: asked for more than its cpuset holds, the kernel gives what
 * it holds. This works for every version of cgroups, wherever they are mounted. */
static int reachable(pid_t pid, struct cpumask *cpus, struct smap_error *err)
{
    const struct cpumask all = cpumask_all();
    if (cpumask_set(pid, &all) != 0 || cpumask_get(cpus, pid) != 0)
        return smap_fail(err, SMAP_ESYS, "asking for the cpuset of a task: %s", strerror(errno));
    return SMAP_OK;
}

static bool topology_has(const struct smap_topology *topology, const struct cpumask *cpus,
                         struct smap_error *err)
{
    struct smap_shape shape = {0};
    struct cpumask known = {0};
    if (smap_topology_shape(&shape, topology, SMAP_LEAF_PU, 0, err) == SMAP_OK)
        for (size_t i = 0; i < shape.leaves; i++)
            cpumask_add(&known, shape.cpus[shape.leaf[i].first] % CPUMASK_MAX);
    smap_shape_clear(&shape);
    return cpumask_within(cpus, &known);
}

/* The first line of a file of the kernel's, without its end; "" if there is none. */
static void read_line(const char *path, char line[512])
{
    FILE *file = fopen(path, "re");
    line[0] = '\0';
    if (!file)
        return;
    if (!fgets(line, 512, file))
        line[0] = '\0';
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

/* Has a cpu that is plugged in been taken offline? If it took a core with it, that is one less to
 * hwloc, while Slurm counts as when slurmd started. Where the kernel has switched off all second
 * threads, every core is still there. */
static bool cpus_are_missing(void)
{
    char present[512], online[512], smt[512];
    read_line("/sys/devices/system/cpu/present", present);
    read_line("/sys/devices/system/cpu/online", online);
    read_line("/sys/devices/system/cpu/smt/control", smt);
    if (strcmp(present, online) == 0)
        return false;
    size_t all = smap_list_length(present), left = smap_list_length(online);
    bool smt_off = strcmp(smt, "off") == 0 || strcmp(smt, "forceoff") == 0;
    return !smt_off || left == 0 || (all != 2 * left && all != 4 * left && all != 8 * left);
}

/* Which cpus are the step's, where Slurm's numbers of cores may mean others than hwloc's: those of
 * the cpuset or those of the masks that Slurm chose, if there are such. */
static int limit_by_masks(const struct smap_topology *topology, size_t core_count,
                          const struct cpumask *bound, struct cpumask *within,
                          struct smap_error *err)
{
    size_t reach;
    if (!cpumask_equal(bound, within)) {
        *within = *bound;
        return SMAP_OK;
    }
    unsigned *cpus = cpumask_cpus(within, &reach);
    free(cpus);
    if (!cpus)
        return smap_nomem(err);
    if (reach < smap_topology_cpu_count(topology) ||
        core_count >= smap_topology_core_count(topology))
        return SMAP_OK;
    return smap_fail(err, SMAP_ENOTSUP,
                     "some cpus are offline, and which are the step's cannot be told");
}

int confine(struct smap_topology *topology, const char *cores, size_t core_count,
            const struct cpumask *bound, pid_t pid, struct smap_error *err)
{
    struct cpumask within;
    size_t cpu_count;
    int rc = reachable(pid, &within, err);
    if (rc == SMAP_OK && cores && cpus_are_missing()) {
        cores = NULL;
        rc = limit_by_masks(topology, core_count, bound, &within, err);
    }
    if (rc != SMAP_OK)
        return rc;
    unsigned *cpus = cpumask_cpus(&within, &cpu_count);
    rc = cpus ? smap_topology_restrict(topology, cores, cpus, cpu_count, err) : smap_nomem(err);
    free(cpus);
    if (rc == SMAP_OK && !cpumask_equal(bound, &within) && !topology_has(topology, bound, err))
        rc = smap_fail(err, SMAP_ENOTSUP,
                       "Slurm binds tasks to other cores than %s as hwloc numbers them",
                       cores ? cores : "the step's");
    return rc;
}
