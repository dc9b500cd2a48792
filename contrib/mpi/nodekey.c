/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodekey.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "agree.h"
#include "base/text.h"

bool smap_world_rank(int *rank)
{
    int initialized = 0, finalized = 0;
    return PMPI_Initialized(&initialized) == MPI_SUCCESS && initialized &&
           PMPI_Finalized(&finalized) == MPI_SUCCESS && !finalized &&
           PMPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS;
}

/* "rank/8", "rank%4" */
static bool by_rank(uint64_t *number, const char *text)
{
    uint64_t n;
    int rank;
    if (strncmp(text, "rank", 4) != 0 || (text[4] != '/' && text[4] != '%') ||
        !smap_world_rank(&rank))
        return false;
    const char *cursor = text + 5;
    if (!smap_scan_uint(&cursor, UINT32_MAX, &n) || *cursor != '\0' || n == 0)
        return false;
    *number = text[4] == '/' ? (uint64_t)rank / n : (uint64_t)rank % n;
    return true;
}

static uint64_t pretended(const char *text)
{
    uint64_t number;
    if (by_rank(&number, text))
        return smap_fingerprint(&number, sizeof(number), 0);
    return smap_fingerprint(text, strlen(text), 0);
}

static uint64_t find(void)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", boot[64] = "";
    int length = 0;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file) {
        if (!fgets(boot, sizeof(boot), file))
            boot[0] = '\0';
        fclose(file);
    }
    PMPI_Get_processor_name(name, &length);
    uint64_t key = smap_fingerprint(name, (size_t)length, 0);
    return smap_fingerprint(boot, strlen(boot), key);
}

uint64_t smap_node_key(void)
{
    /* Found once; 0 is "not yet". Two threads find the same. */
    static atomic_uint_least64_t known;
    const char *text = getenv("STENCILMAP_MPI_NODE");
    if (text && text[0])
        return pretended(text);
    uint64_t key = atomic_load(&known);
    if (key == 0) {
        key = find() | 1;
        atomic_store(&known, key);
    }
    return key;
}
