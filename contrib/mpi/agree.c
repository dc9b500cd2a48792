/* SPDX-License-Identifier: BSD-3-Clause */
#include "agree.h"

#include "base/numbers.h"

int smap_agree(MPI_Comm comm, int n, const uint64_t values[], uint64_t least[], uint64_t greatest[])
{
    /* The greatest is the complement of the least complement: one reduction serves both. */
    uint64_t both[2 * SMAP_AGREE_MAX];
    for (int i = 0; i < n; i++) {
        both[i] = values[i];
        both[n + i] = ~values[i];
    }
    int rc = PMPI_Allreduce(MPI_IN_PLACE, both, 2 * n, MPI_UINT64_T, MPI_MIN, comm);
    for (int i = 0; rc == MPI_SUCCESS && i < n; i++) {
        least[i] = both[i];
        greatest[i] = ~both[n + i];
    }
    return rc;
}

/* Words that are minimized, and behind them one that is added up. */
static void least_and_sum(void *in, void *inout, int *items, MPI_Datatype *type)
{
    int size;
    PMPI_Type_size(*type, &size);
    size_t words = (size_t)size / sizeof(uint64_t);
    for (int item = 0; item < *items; item++) {
        const uint64_t *a = (const uint64_t *)in + (size_t)item * words;
        uint64_t *b = (uint64_t *)inout + (size_t)item * words;
        for (size_t i = 0; i + 1 < words; i++)
            b[i] = a[i] < b[i] ? a[i] : b[i];
        b[words - 1] += a[words - 1];
    }
}

int smap_agree_sum(MPI_Comm comm, int n, const uint64_t values[], uint64_t least[],
                   uint64_t greatest[], uint64_t *sum)
{
    uint64_t both[2 * SMAP_AGREE_MAX + 1];
    MPI_Datatype type;
    MPI_Op operation;
    for (int i = 0; i < n; i++) {
        both[i] = values[i];
        both[n + i] = ~values[i];
    }
    both[2 * n] = *sum;
    int rc = PMPI_Op_create(least_and_sum, 1, &operation);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Type_contiguous(2 * n + 1, MPI_UINT64_T, &type);
    if (rc == MPI_SUCCESS) {
        PMPI_Type_commit(&type);
        rc = PMPI_Allreduce(MPI_IN_PLACE, both, 1, type, operation, comm);
        PMPI_Type_free(&type);
    }
    PMPI_Op_free(&operation);
    for (int i = 0; rc == MPI_SUCCESS && i < n; i++) {
        least[i] = both[i];
        greatest[i] = ~both[n + i];
    }
    *sum = both[2 * n];
    return rc;
}

/* The finalizer of splitmix64. */
uint64_t smap_permutation_addend(uint64_t number)
{
    uint64_t x = (number + 1) * SMAP_GOLDEN;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t smap_permutation_sum(uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += smap_permutation_addend(i);
    return sum;
}

int smap_agree_ok(MPI_Comm comm, bool *ok)
{
    uint64_t own = *ok, least = 0, greatest;
    int rc = smap_agree(comm, 1, &own, &least, &greatest);
    *ok = rc == MPI_SUCCESS && least;
    return rc;
}

uint64_t smap_fingerprint(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *bytes = data;
    uint64_t hash = seed ? seed : UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}
