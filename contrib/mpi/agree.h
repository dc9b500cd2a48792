/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparing notes with the other processes, so that all decide alike. */
#ifndef SMAP_MPI_AGREE_H
#define SMAP_MPI_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#define SMAP_AGREE_MAX 16

/* Least and greatest of each of n values (SMAP_AGREE_MAX at most) over all processes. Collective;
 * returns what MPI returned. */
int smap_agree(MPI_Comm comm, int n, const uint64_t values[], uint64_t least[],
               uint64_t greatest[]);

/* The same, and *sum becomes the sum of all processes' addends, modulo 2^64. */
int smap_agree_sum(MPI_Comm comm, int n, const uint64_t values[], uint64_t least[],
                   uint64_t greatest[], uint64_t *sum);

/* *ok becomes true if it was true everywhere. Collective; false where MPI failed. */
int smap_agree_ok(MPI_Comm comm, bool *ok);

/* Have all numbers below count been added, once each? Add smap_permutation_addend of each and
 * compare with the sum that it is for a permutation: another multiset has it by chance 1 : 2^64.
 * The sum takes O(count) time. */
uint64_t smap_permutation_addend(uint64_t number);
uint64_t smap_permutation_sum(uint64_t count);

/* FNV-1a, to compare texts across processes. Start with seed 0; go on with the result. */
uint64_t smap_fingerprint(const void *data, size_t size, uint64_t seed);

#endif
