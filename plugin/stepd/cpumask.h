/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of cpus of a fixed size, large enough for any kernel: plain values. */
#ifndef STENCILMAP_CPUMASK_H
#define STENCILMAP_CPUMASK_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CPUMASK_MAX = 8192 };

struct cpumask {
    cpu_set_t part[CPUMASK_MAX / CPU_SETSIZE];
};

/* Of a process, 0 for this one. 0, or -1 and errno. */
int cpumask_get(struct cpumask *mask, pid_t pid);
int cpumask_set(pid_t pid, const struct cpumask *mask);

void cpumask_add(struct cpumask *mask, unsigned cpu);
void cpumask_add_all(struct cpumask *mask, const struct cpumask *other);
struct cpumask cpumask_all(void);
bool cpumask_has(const struct cpumask *mask, unsigned cpu);
bool cpumask_equal(const struct cpumask *a, const struct cpumask *b);
bool cpumask_within(const struct cpumask *inner, const struct cpumask *outer);

/* The cpus, ascending; the caller frees. NULL without memory. */
unsigned *cpumask_cpus(const struct cpumask *mask, size_t *count);

/* "0-3,8"; the caller frees. NULL without memory. */
char *cpumask_list(const struct cpumask *mask);

#endif
