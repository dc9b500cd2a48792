/* SPDX-License-Identifier: BSD-3-Clause */
/* The dimensions of a grid for a number of tasks: balanced, what MPI_Dims_create is meant to give,
 * or those that divide a lattice with the least surface. */
#ifndef SMAP_DIMS_H
#define SMAP_DIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Writes d factors of p >= 1, largest first, with the smallest possible difference between the
 * largest and the smallest, and among those the smallest largest factor; further ties go to the
 * lexicographically smallest list. This is the criterion of Träff and Lübbe, "Specification
 * Guideline Violations by MPI_Dims_create" (EuroMPI 2015), section 2. d is at least 1. */
void smap_dims_balanced(uint32_t dims[], uint32_t p, size_t d);

/* The same for those of d <= SMAP_DIMS_MAX dimensions that are 0; the others are given, stay as
 * they are, and do not count for the balance. SMAP_EINVAL where their product does not divide p;
 * less than p is no error where none is 0 (MPI 4.0, section 8.5.2). d may be 0. */
int smap_dims_fill(uint32_t dims[], uint32_t p, size_t d, struct smap_error *err);

/* Which grids there are to choose from. Each pointer has d entries or is NULL. */
struct smap_dims_rules {
    uint32_t p;
    size_t d;                    /* 1 to SMAP_DIMS_MAX */
    const uint32_t *fixed;       /* what dims must be; 0: any */
    const uint32_t *lattice;     /* dims must divide it; every entry at least 1 */
    const uint32_t *least_patch; /* each task's part of the lattice has at least so many points */
};

/* Lattices of more points are refused: sums of their surfaces fit 64 bits. */
#define SMAP_LATTICE_MAX (UINT64_C(1) << 59)

/* Do the rules make sense by themselves? SMAP_EINVAL and the reason where not. */
int smap_dims_check(const struct smap_dims_rules *rules, struct smap_error *err);

/* The dims with the least sum of dims_i price_i; among equals the lexicographically largest list.
 * The sum must fit 64 bits for all that the rules allow: prices up to INT32_MAX do, and the
 * lattice's points over its size in i, which make the sum half the surface of a patch, times p.
 * SMAP_EINVAL where no grid follows the rules: the text names numbers of tasks near p that have
 * one. Exact: a table of what is left (a divisor of p) by dimension. O(d n^2) for n divisors of p,
 * at most 1536. */
int smap_dims_least(uint32_t dims[], const struct smap_dims_rules *rules, const uint64_t price[],
                    struct smap_error *err);

/* smap_dims_check, and smap_dims_least by the surface of the patches; there must be a lattice. */
int smap_dims_lattice(uint32_t dims[], const struct smap_dims_rules *rules, struct smap_error *err);

/* Writes the divisors of p, ascending, and returns how many there are. */
#define SMAP_DIVISORS_MAX 1920 /* of 3491888400; no number below 2^32 has more */
size_t smap_divisors(uint32_t divisors[SMAP_DIVISORS_MAX], uint32_t p);

/* May dimension i be so many by the rules? */
bool smap_dims_allowed(const struct smap_dims_rules *rules, size_t i, uint32_t size);

#endif
