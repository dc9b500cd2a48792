/* SPDX-License-Identifier: BSD-3-Clause */
/* --cpuset and --allowed: part of a machine, such as what a job has of a node. */
#include <stdlib.h>

#include "base/cputext.h"
#include "base/text.h"
#include "tool/tool.h"

bool args_restricts(const struct args *args)
{
    return args->cpuset || args->allowed;
}

int args_refuse_restriction(const struct args *args, struct smap_error *err)
{
    if (!args_restricts(args))
        return SMAP_OK;
    return smap_fail(err, SMAP_EINVAL,
                     "--%s=%.100s: cpus of a machine; of --rank-hierarchy alone all cores are used "
                     "(name the machine by --topology)",
                     args->cpuset ? "cpuset" : "allowed",
                     args->cpuset ? args->cpuset : args->allowed);
}

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

char *args_cpus_text(unsigned cpus[], size_t count)
{
    struct smap_text text = {0};
    qsort(cpus, count, sizeof(*cpus), by_number);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && cpus[end] == cpus[end - 1] + 1;)
            end++;
        smap_text_add(&text, "%s%u", i ? "," : "", cpus[i]);
        if (end - i > 1)
            smap_text_add(&text, "-%u", cpus[end - 1]);
    }
    return smap_text_take(&text);
}

int args_no_such_cpu(unsigned cpu, const struct smap_shape *shape, struct smap_error *err)
{
    unsigned *cpus = calloc(shape->leaves + 1, sizeof(*cpus));
    for (size_t i = 0; cpus && i < shape->leaves; i++)
        cpus[i] = shape->cpus[shape->leaf[i].first];
    char *there = cpus ? args_cpus_text(cpus, shape->leaves) : NULL;
    smap_fail(err, SMAP_EINVAL, "cpu %u is not here; there are %.100s", cpu,
              there ? there : "others");
    free(there);
    free(cpus);
    return SMAP_EINVAL;
}

/* All of them are the machine's, and allowed. */
static int check_cpus(const unsigned cpus[], size_t count, const struct smap_topology *topology,
                      struct smap_error *err)
{
    struct smap_shape shape = {0};
    int rc = smap_topology_shape(&shape, topology, SMAP_LEAF_PU, 0, err);
    for (size_t i = 0; rc == SMAP_OK && i < count; i++) {
        size_t leaf = 0;
        while (leaf < shape.leaves && shape.cpus[shape.leaf[leaf].first] != cpus[i])
            leaf++;
        if (leaf == shape.leaves)
            rc = args_no_such_cpu(cpus[i], &shape, err);
    }
    smap_shape_clear(&shape);
    return rc;
}

typedef int reader(unsigned **cpus, size_t *count, const char *text, struct smap_error *err);

static int restrict_by(struct smap_topology *topology, const char *option, const char *text,
                       reader *read, struct smap_error *err)
{
    unsigned *cpus = NULL;
    size_t count = 0;
    if (!text)
        return SMAP_OK;
    int rc = read(&cpus, &count, text, err);
    if (rc == SMAP_OK)
        rc = check_cpus(cpus, count, topology, err);
    if (rc == SMAP_OK)
        rc = smap_topology_restrict(topology, NULL, cpus, count, err);
    free(cpus);
    return rc == SMAP_OK ? rc : args_blame(option, text, rc, err);
}

int args_restrict(struct smap_topology *topology, const struct args *args, struct smap_error *err)
{
    int rc = restrict_by(topology, "--cpuset", args->cpuset, smap_cpus_from_list, err);
    if (rc == SMAP_OK)
        rc = restrict_by(topology, "--allowed", args->allowed, smap_cpus_from_mask, err);
    return rc;
}
