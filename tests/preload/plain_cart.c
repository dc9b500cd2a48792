/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of stencilmap: makes a Cartesian communicator and prints where its
 * processes are, "cell RANK HOST" each.
 *
 *     plain_cart DIMS [reorder=0|1] [periodic] [part] [threads] [session]
 *
 * Dims of 0 are left to MPI_Dims_create. part: of a sub-communicator of every second process;
 * threads: MPI_THREAD_MULTIPLE, the communicators made by two threads; session: without MPI_Init.
 */
#include <mpi.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    int ndims, dims[8], periods[8], reorder;
    bool part, threads, session;
} wanted = {.reorder = 1};

static void read_arguments(int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] >= '0' && argv[i][0] <= '9')
            for (char *d = strtok(argv[i], "x"); d && wanted.ndims < 8; d = strtok(NULL, "x"))
                wanted.dims[wanted.ndims++] = atoi(d);
        else if (strncmp(argv[i], "reorder=", 8) == 0)
            wanted.reorder = atoi(argv[i] + 8);
        else if (strcmp(argv[i], "periodic") == 0)
            for (int k = 0; k < 8; k++)
                wanted.periods[k] = 1;
        wanted.part |= strcmp(argv[i], "part") == 0;
        wanted.threads |= strcmp(argv[i], "threads") == 0;
        wanted.session |= strcmp(argv[i], "session") == 0;
    }
}

/* Every process once around each dimension of the grid: its neighbours know it as theirs. */
static void check_neighbours(MPI_Comm cart)
{
    int rank, coords[8], again;
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, 8, coords);
    MPI_Cart_rank(cart, coords, &again);
    bool good = again == rank;
    for (int d = 0; d < wanted.ndims; d++) {
        int source, target, got = MPI_PROC_NULL, said = rank;
        MPI_Cart_shift(cart, d, 1, &source, &target);
        MPI_Sendrecv(&said, 1, MPI_INT, target, 0, &got, 1, MPI_INT, source, 0, cart,
                     MPI_STATUS_IGNORE);
        good = good && got == source;
        got = MPI_PROC_NULL;
        MPI_Sendrecv(&said, 1, MPI_INT, source, 0, &got, 1, MPI_INT, target, 0, cart,
                     MPI_STATUS_IGNORE);
        good = good && got == target;
    }
    if (!good)
        printf("wrong neighbours at %d\n", rank);
}

static void *make_cart(void *comm)
{
    char host[256] = "";
    MPI_Comm cart;
    int rank, size;
    MPI_Comm_size(*(MPI_Comm *)comm, &size);
    if (wanted.ndims > 0 && wanted.dims[0] == 0)
        MPI_Dims_create(size, wanted.ndims, wanted.dims);
    MPI_Cart_create(*(MPI_Comm *)comm, wanted.ndims, wanted.dims, wanted.periods, wanted.reorder,
                    &cart);
    if (cart == MPI_COMM_NULL)
        return NULL;
    gethostname(host, sizeof(host) - 1);
    MPI_Comm_rank(cart, &rank);
    check_neighbours(cart);
    printf("cell %d %s\n", rank, host);
    MPI_Comm_free(&cart);
    return NULL;
}

static void run(MPI_Comm world)
{
    MPI_Comm comm;
    int rank;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_split(world, wanted.part ? rank % 2 : 0, 0, &comm);
    if (wanted.threads) {
        MPI_Comm other;
        pthread_t thread;
        MPI_Comm_dup(comm, &other);
        pthread_create(&thread, NULL, make_cart, &other);
        make_cart(&comm);
        pthread_join(thread, NULL);
        MPI_Comm_free(&other);
    } else if (!wanted.part || rank % 2 == 0) {
        make_cart(&comm);
    }
    MPI_Comm_free(&comm);
}

#if MPI_VERSION >= 4
static void run_in_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm world;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "plain_cart", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
    run(world);
    MPI_Comm_free(&world);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}
#endif

int main(int argc, char *argv[])
{
    int provided;
    read_arguments(argc, argv);
    if (wanted.session) {
#if MPI_VERSION >= 4
        run_in_session();
        return 0;
#else
        return 77;
#endif
    }
    MPI_Init_thread(&argc, &argv, wanted.threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    run(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
