/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/cpumask.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int cpumask_get(struct cpumask *mask, pid_t pid)
{
    memset(mask, 0, sizeof(*mask));
    return sched_getaffinity(pid, sizeof(*mask), mask->part);
}

int cpumask_set(pid_t pid, const struct cpumask *mask)
{
    return sched_setaffinity(pid, sizeof(*mask), mask->part);
}

void cpumask_add(struct cpumask *mask, unsigned cpu)
{
    CPU_SET_S(cpu, sizeof(*mask), mask->part);
}

void cpumask_add_all(struct cpumask *mask, const struct cpumask *other)
{
    CPU_OR_S(sizeof(*mask), mask->part, mask->part, other->part);
}

struct cpumask cpumask_all(void)
{
    struct cpumask mask;
    memset(&mask, 0xff, sizeof(mask));
    return mask;
}

bool cpumask_has(const struct cpumask *mask, unsigned cpu)
{
    return CPU_ISSET_S(cpu, sizeof(*mask), mask->part);
}

bool cpumask_equal(const struct cpumask *a, const struct cpumask *b)
{
    return CPU_EQUAL_S(sizeof(*a), a->part, b->part);
}

bool cpumask_within(const struct cpumask *inner, const struct cpumask *outer)
{
    struct cpumask both = *inner;
    cpumask_add_all(&both, outer);
    return cpumask_equal(&both, outer);
}

unsigned *cpumask_cpus(const struct cpumask *mask, size_t *count)
{
    size_t total = (size_t)CPU_COUNT_S(sizeof(*mask), mask->part);
    unsigned *cpus = calloc(total ? total : 1, sizeof(*cpus));
    *count = 0;
    for (unsigned cpu = 0; cpus && cpu < CPUMASK_MAX; cpu++)
        if (cpumask_has(mask, cpu))
            cpus[(*count)++] = cpu;
    return cpus;
}

char *cpumask_list(const struct cpumask *mask)
{
    struct smap_text text = {0};
    for (unsigned cpu = 0; cpu < CPUMASK_MAX; cpu++) {
        unsigned last = cpu;
        if (!cpumask_has(mask, cpu))
            continue;
        while (last + 1 < CPUMASK_MAX && cpumask_has(mask, last + 1))
            last++;
        smap_text_add(&text, "%s%u", text.length ? "," : "", cpu);
        if (last > cpu)
            smap_text_add(&text, "-%u", last);
        cpu = last;
    }
    return smap_text_take(&text);
}
