/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends by every function that the watch counts, and keeps books of its own: prints a line
 * "sent FROM TO MESSAGES BYTES" as a record has it, for every peer.
 *
 *     sends [threads | abort | exit] */
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4096 };

static int world_rank, world_size;
static int send_buffer[ROOM], receive_buffer[ROOM];
/* From this process to each, and from each to this one by what fetches. */
static struct {
    long messages, bytes;
} * sent, *got;

static void book(int to, long bytes)
{
    sent[to].messages++;
    sent[to].bytes += bytes;
}

static void book_got(int from, long bytes)
{
    got[from].messages++;
    got[from].bytes += bytes;
}

/* A ring on some communicator, whose neighbours are these ranks of it and of the world. */
struct ring {
    MPI_Comm comm;
    int left, right;
    int left_world, right_world;
};

static struct ring ring_on(MPI_Comm comm)
{
    struct ring ring = {.comm = comm};
    MPI_Group own, world;
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    ring.right = (rank + 1) % size;
    ring.left = (rank + size - 1) % size;
    MPI_Comm_group(comm, &own);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(own, 1, &ring.right, world, &ring.right_world);
    MPI_Group_translate_ranks(own, 1, &ring.left, world, &ring.left_world);
    MPI_Group_free(&own);
    MPI_Group_free(&world);
    return ring;
}

static MPI_Request receive(const struct ring *r)
{
    MPI_Request request;
    MPI_Irecv(receive_buffer, ROOM, MPI_INT, r->left, MPI_ANY_TAG, r->comm, &request);
    return request;
}

static void wait_both(MPI_Request a, MPI_Request b)
{
    MPI_Wait(&a, MPI_STATUS_IGNORE);
    MPI_Wait(&b, MPI_STATUS_IGNORE);
}

/* Each is n ints to the right. */
static void blocking(const struct ring *r)
{
    static int (*const functions[])(const void *, int, MPI_Datatype, int, int,
                                    MPI_Comm) = {MPI_Send, MPI_Ssend, MPI_Rsend, MPI_Bsend};
    for (int i = 0; i < 4; i++) {
        MPI_Request request = receive(r);
        MPI_Barrier(r->comm); /* a ready send needs its receive */
        functions[i](send_buffer, 10 + i, MPI_INT, r->right, i, r->comm);
        book(r->right_world, 4 * (10 + i));
        wait_both(request, MPI_REQUEST_NULL);
    }
    MPI_Send(send_buffer, 5, MPI_INT, MPI_PROC_NULL, 0, r->comm);
}

static void not_blocking(const struct ring *r)
{
    static int (*const functions[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                                    MPI_Request *) = {MPI_Isend, MPI_Issend, MPI_Irsend,
                                                      MPI_Ibsend};
    for (int i = 0; i < 4; i++) {
        MPI_Request in = receive(r), out;
        MPI_Barrier(r->comm);
        functions[i](send_buffer, 20 + i, MPI_INT, r->right, i, r->comm, &out);
        book(r->right_world, 4 * (20 + i));
        wait_both(in, out);
    }
}

static void exchange(const struct ring *r)
{
    MPI_Sendrecv(send_buffer, 30, MPI_INT, r->right, 0, receive_buffer, ROOM, MPI_INT, r->left, 0,
                 r->comm, MPI_STATUS_IGNORE);
    book(r->right_world, 120);
    MPI_Sendrecv_replace(send_buffer, 31, MPI_INT, r->right, 0, r->left, 0, r->comm,
                         MPI_STATUS_IGNORE);
    book(r->right_world, 124);
}

static void persistent(const struct ring *r)
{
    static int (*const functions[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                                    MPI_Request *) = {MPI_Send_init, MPI_Ssend_init, MPI_Rsend_init,
                                                      MPI_Bsend_init};
    for (int i = 0; i < 4; i++) {
        MPI_Request both[2];
        MPI_Status statuses[2];
        functions[i](send_buffer, 40 + i, MPI_INT, r->right, i, r->comm, &both[0]);
        MPI_Recv_init(receive_buffer, ROOM, MPI_INT, r->left, i, r->comm, &both[1]);
        for (int k = 0; k < 3; k++) {
            MPI_Start(&both[1]);
            MPI_Barrier(r->comm);
            MPI_Start(&both[0]);
            MPI_Waitall(2, both, statuses);
            book(r->right_world, 4 * (40 + i));
        }
        if (i != 2) { /* a ready send's receive must be there first */
            MPI_Startall(2, both);
            MPI_Waitall(2, both, statuses);
            book(r->right_world, 4 * (40 + i));
        }
        MPI_Request_free(&both[0]);
        MPI_Request_free(&both[1]);
    }
}

/* left and right are two neighbours, even where they are the same process. */
static void neighbours(const struct ring *r, MPI_Comm comm)
{
    /* Where left and right are one process, its two messages are of one size. */
    int same = r->left == r->right, counts[] = {same ? 4 : 3, 4}, displs[] = {0, 8};
    MPI_Aint bytes[] = {0, 32};
    MPI_Datatype types[] = {same ? MPI_DOUBLE : MPI_INT, MPI_DOUBLE};
    MPI_Request request;
    MPI_Neighbor_allgather(send_buffer, 50, MPI_INT, receive_buffer, 50, MPI_INT, comm);
    MPI_Neighbor_alltoall(send_buffer, 51, MPI_INT, receive_buffer, 51, MPI_INT, comm);
    MPI_Ineighbor_allgather(send_buffer, 52, MPI_INT, receive_buffer, 52, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ineighbor_alltoall(send_buffer, 53, MPI_INT, receive_buffer, 53, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 50; i < 54; i++) {
        book(r->left_world, 4 * i);
        book(r->right_world, 4 * i);
    }
    /* What goes left comes from the right: the counts of both sides fit. */
    int back[] = {4, counts[0]};
    MPI_Datatype back_types[] = {MPI_DOUBLE, types[0]};
    MPI_Neighbor_allgatherv(send_buffer, 6, MPI_INT, receive_buffer, (int[]){6, 6}, displs, MPI_INT,
                            comm);
    MPI_Ineighbor_allgatherv(send_buffer, 6, MPI_INT, receive_buffer, (int[]){6, 6}, displs,
                             MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++) {
        book(r->left_world, 24);
        book(r->right_world, 24);
    }
    MPI_Neighbor_alltoallv(send_buffer, counts, displs, MPI_INT, receive_buffer, back, displs,
                           MPI_INT, comm);
    MPI_Ineighbor_alltoallv(send_buffer, counts, displs, MPI_INT, receive_buffer, back, displs,
                            MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Neighbor_alltoallw(send_buffer, counts, bytes, types, receive_buffer, back, bytes,
                           back_types, comm);
    MPI_Ineighbor_alltoallw(send_buffer, counts, bytes, types, receive_buffer, back, bytes,
                            back_types, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) {
        book(r->left_world, (i < 2 || !same ? 4 : 8) * counts[0]);
        book(r->right_world, i < 2 ? 4 * 4 : 8 * 4);
    }
}

static void neighbourhoods(const struct ring *r)
{
    MPI_Comm cart, graph, dist;
    int size, rank, period = 1;
    int both[] = {r->left, r->right}, weights[] = {1, 1}, *index, *edges;
    MPI_Comm_size(r->comm, &size);
    MPI_Comm_rank(r->comm, &rank);
    MPI_Cart_create(r->comm, 1, &size, &period, 0, &cart);
    neighbours(r, cart);
    MPI_Comm_free(&cart);
    MPI_Dist_graph_create_adjacent(r->comm, 2, both, weights, 2, both, weights, MPI_INFO_NULL, 0,
                                   &dist);
    neighbours(r, dist);
    MPI_Comm_free(&dist);
    index = malloc(3 * (size_t)size * sizeof(*index));
    edges = index + size;
    for (int i = 0; i < size; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    MPI_Graph_create(r->comm, size, index, edges, 0, &graph);
    neighbours(r, graph);
    MPI_Comm_free(&graph);
    free(index);
    (void)rank;
}

static void one_sided(const struct ring *r)
{
    static int memory[ROOM];
    MPI_Win window;
    MPI_Request request;
    int to = r->right, world = r->right_world, one = 1, zero = 0, result;
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, r->comm, &window);
    MPI_Win_fence(0, window);
    MPI_Put(send_buffer, 60, MPI_INT, to, 0, 60, MPI_INT, window);
    book(world, 240);
    MPI_Win_fence(0, window);
    MPI_Get(receive_buffer, 61, MPI_INT, to, 0, 61, MPI_INT, window);
    book_got(world, 244);
    MPI_Win_fence(0, window);
    MPI_Accumulate(send_buffer, 62, MPI_INT, to, 0, 62, MPI_INT, MPI_SUM, window);
    book(world, 248);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, window);
    MPI_Get_accumulate(send_buffer, 63, MPI_INT, receive_buffer, 63, MPI_INT, to, 0, 63, MPI_INT,
                       MPI_SUM, window);
    MPI_Fetch_and_op(&one, &result, MPI_INT, to, 0, MPI_SUM, window);
    MPI_Compare_and_swap(&one, &zero, &result, MPI_INT, to, 0, window);
    MPI_Rput(send_buffer, 64, MPI_INT, to, 100, 64, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rget(receive_buffer, 65, MPI_INT, to, 200, 65, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Raccumulate(send_buffer, 66, MPI_INT, to, 300, 66, MPI_INT, MPI_SUM, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(to, window);
    const long put[] = {252, 4, 4, 256, 264}, gets[] = {252, 4, 4, 260};
    for (size_t i = 0; i < sizeof(put) / sizeof(put[0]); i++)
        book(world, put[i]);
    for (size_t i = 0; i < sizeof(gets) / sizeof(gets[0]); i++)
        book_got(world, gets[i]);
    MPI_Win_free(&window);
}

#if MPI_VERSION >= 4

static void of_mpi_4(const struct ring *r)
{
    MPI_Request both[2], request;
    MPI_Status statuses[2];
    MPI_Comm cart;
    int size, period = 1;
    MPI_Sendrecv_c(send_buffer, 70, MPI_INT, r->right, 0, receive_buffer, ROOM, MPI_INT, r->left, 0,
                   r->comm, MPI_STATUS_IGNORE);
    MPI_Isendrecv(send_buffer, 71, MPI_INT, r->right, 0, receive_buffer, ROOM, MPI_INT, r->left, 0,
                  r->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(send_buffer, 72, MPI_INT, r->right, 0, r->left, 0, r->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 70; i < 73; i++)
        book(r->right_world, 4 * i);
    MPI_Psend_init(send_buffer, 4, 5, MPI_INT, r->right, 9, r->comm, MPI_INFO_NULL, &both[0]);
    MPI_Precv_init(receive_buffer, 4, 5, MPI_INT, r->left, 9, r->comm, MPI_INFO_NULL, &both[1]);
    for (int k = 0; k < 2; k++) {
        MPI_Startall(2, both);
        MPI_Pready_range(0, 3, both[0]);
        MPI_Waitall(2, both, statuses);
        book(r->right_world, 80);
    }
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
    MPI_Comm_size(r->comm, &size);
    MPI_Cart_create(r->comm, 1, &size, &period, 0, &cart);
    MPI_Neighbor_alltoall_c(send_buffer, 73, MPI_INT, receive_buffer, 73, MPI_INT, cart);
    MPI_Neighbor_alltoall_init(send_buffer, 73, MPI_INT, receive_buffer, 73, MPI_INT, cart,
                               MPI_INFO_NULL, &request);
    for (int k = 0; k < 2; k++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < 3; k++) {
        book(r->left_world, 4 * 73);
        book(r->right_world, 4 * 73);
    }
    MPI_Request_free(&request);
    MPI_Comm_free(&cart);
}

#else
static void of_mpi_4(const struct ring *r)
{
    (void)r;
}
#endif

/* Between the processes of even and of odd ranks: rank i there is not rank i here. */
static void between_communicators(void)
{
    MPI_Comm half, inter;
    MPI_Request request;
    int rank, peers, odd = world_rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - odd, 7, &inter);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &peers);
    if (rank < peers) {
        MPI_Irecv(receive_buffer, ROOM, MPI_INT, rank, 0, inter, &request);
        MPI_Send(send_buffer, 80, MPI_INT, rank, 0, inter);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        book(2 * rank + 1 - odd, 320);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void *thread_sends(void *comm)
{
    int right = (world_rank + 1) % world_size, left = (world_rank + world_size - 1) % world_size;
    for (int i = 0; i < 1000; i++)
        MPI_Sendrecv(send_buffer, 1, MPI_INT, right, 0, receive_buffer, 1, MPI_INT, left, 0,
                     *(MPI_Comm *)comm, MPI_STATUS_IGNORE);
    return NULL;
}

static void with_threads(void)
{
    pthread_t threads[3];
    MPI_Comm comms[3];
    for (int i = 0; i < 3; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread_sends, &comms[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3000; i++)
        book((world_rank + 1) % world_size, 4);
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&comms[i]);
}

static void print_books(void)
{
    for (int i = 0; i < world_size; i++) {
        if (sent[i].messages)
            printf("sent %d %d %ld %ld\n", world_rank, i, sent[i].messages, sent[i].bytes);
        if (got[i].messages)
            printf("sent %d %d %ld %ld\n", i, world_rank, got[i].messages, got[i].bytes);
    }
    fflush(stdout);
}

static void everything(int with_one_sided)
{
    static char attached[1 << 20];
    MPI_Comm reversed;
    MPI_Buffer_attach(attached, sizeof(attached));
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &reversed);
    const struct ring rings[] = {ring_on(MPI_COMM_WORLD), ring_on(reversed)};
    for (int i = 0; i < 2; i++) {
        blocking(&rings[i]);
        not_blocking(&rings[i]);
        exchange(&rings[i]);
        persistent(&rings[i]);
        neighbourhoods(&rings[i]);
        if (with_one_sided)
            one_sided(&rings[i]);
        of_mpi_4(&rings[i]);
    }
    MPI_Comm_free(&reversed);
    between_communicators();
}

int main(int argc, char *argv[])
{
    const char *mode = argc > 1 ? argv[1] : "";
    int provided, threads = strcmp(mode, "threads") == 0;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    sent = calloc((size_t)world_size, sizeof(*sent));
    got = calloc((size_t)world_size, sizeof(*got));
    if (threads)
        with_threads();
    else
        everything(strcmp(mode, "abort") != 0);
    print_books();
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(mode, "abort") == 0 && world_rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(mode, "abort") == 0)
        sleep(30);
    MPI_Finalize();
    free(sent);
    free(got);
    return 0;
}
