/* SPDX-License-Identifier: BSD-3-Clause */
#include "agree.h"

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
