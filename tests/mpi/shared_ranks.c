/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the ranks that MPI takes for sharing memory share a host? Rank 0 prints how many ranks such
 * communicators have, "8 ranks: 4 times", a line for each size, and a line "wrong" where one of
 * them is not all the ranks of one host. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *allocate(int count, size_t size)
{
    void *memory = calloc((size_t)count, size);
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return memory;
}

/* By host name, whatever MPI thinks. */
static MPI_Comm same_host(int rank, int ranks)
{
    char name[64] = "", *names = allocate(ranks, sizeof(name));
    int color = 0;
    MPI_Comm comm;
    gethostname(name, sizeof(name) - 1);
    MPI_Allgather(name, sizeof(name), MPI_CHAR, names, sizeof(name), MPI_CHAR, MPI_COMM_WORLD);
    while (strcmp(names + (size_t)color * sizeof(name), name) != 0)
        color++;
    free(names);
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &comm);
    return comm;
}

static void print_sizes(const int sizes[], int ranks)
{
    for (int size = 1; size <= ranks; size++) {
        int found = 0;
        for (int i = 0; i < ranks; i++)
            found += sizes[i] == size;
        if (found > 0)
            printf("%d ranks: %d times\n", size, found / size);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks, size, relation, wrong, any_wrong;
    MPI_Comm shared, host;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
    MPI_Comm_size(shared, &size);
    host = same_host(rank, ranks);
    MPI_Comm_compare(shared, host, &relation);
    wrong = relation != MPI_CONGRUENT;
    MPI_Reduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    int *sizes = allocate(ranks, sizeof(*sizes));
    MPI_Gather(&size, 1, MPI_INT, sizes, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        print_sizes(sizes, ranks);
        if (any_wrong)
            puts("wrong");
    }
    free(sizes);
    MPI_Comm_free(&host);
    MPI_Comm_free(&shared);
    MPI_Finalize();
    return 0;
}
