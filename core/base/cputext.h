/* SPDX-License-Identifier: BSD-3-Clause */
/* Cpus as texts: lists, masks, and the lists of srun's --cpu-bind. The cpus are the kernel's
 * numbers, below SMAP_CPUS_MAX; whether a machine has them is not looked at. */
#ifndef SMAP_CPUTEXT_H
#define SMAP_CPUTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define SMAP_CPUS_MAX 65536

/* "0-3,8,12-15": cpus ascending, each once; the caller frees. */
int smap_cpus_from_list(unsigned **cpus, size_t *count, const char *text, struct smap_error *err);

/* "ff", "0x0F", or in words of 32 bits as the kernel writes it, "ff,ffffffff". */
int smap_cpus_from_mask(unsigned **cpus, size_t *count, const char *text, struct smap_error *err);

/* The cpus of each entry of a --cpu-bind: entry i has cpus[first[i]] .. cpus[first[i+1]-1],
 * ascending. An entry is for one task; where there are more tasks they come again from the first
 * on.
 */
struct smap_cpubind {
    bool masks; /* mask_cpu, not map_cpu */
    size_t count;
    size_t *first;
    unsigned *cpus;
};

/* "map_cpu:0,4,0x8" or "mask_cpu:f,0xf0", an entry perhaps repeated ("0*4"), in front of it perhaps
 * "quiet," or "verbose,": at most SMAP_CPUS_MAX entries. smap_cpubind_clear frees, also after a
 * failure. */
int smap_cpubind_parse(struct smap_cpubind *bind, const char *text, struct smap_error *err);
void smap_cpubind_clear(struct smap_cpubind *bind);

#endif
