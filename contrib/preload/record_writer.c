/* SPDX-License-Identifier: BSD-3-Clause */
#include "record_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "places.h"

#define CARTS_MAX 16
#define NAMES_MAX 1000 /* of files that are there already */

/* The grids that were made, as lines; rank 0's count. */
static struct {
    pthread_mutex_t lock;
    char *line[CARTS_MAX];
    int count;
} carts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool written;

static void keep_cart(char *line)
{
    bool known = line == NULL;
    pthread_mutex_lock(&carts.lock);
    for (int i = 0; i < carts.count && !known; i++)
        known = strcmp(carts.line[i], line) == 0;
    if (!known && carts.count < CARTS_MAX) {
        carts.line[carts.count++] = line;
        line = NULL;
    }
    pthread_mutex_unlock(&carts.lock);
    free(line);
}

void record_cart(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder)
{
    struct smap_text line = {0};
    int size, world, rank, inter;
    if (!places_open() || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter)
        return;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_size(MPI_COMM_WORLD, &world);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 || size != world || ndims < 1)
        return;
    smap_text_add(&line, "cart ");
    for (int i = 0; i < ndims; i++)
        smap_text_add(&line, "%s%d", i ? "x" : "", dims[i]);
    for (int i = 0; i < ndims; i++)
        smap_text_add(&line, "%s%d", i ? "," : " ", periods[i] != 0);
    smap_text_add(&line, " %d\n", reorder != 0);
    keep_cart(smap_text_take(&line));
}

static const char *node_name(char *buffer, size_t size)
{
    const char *name = getenv("SLURMD_NODENAME");
    if (name && name[0])
        return name;
    if (gethostname(buffer, size - 1) != 0)
        snprintf(buffer, size, "?");
    return buffer;
}

/* This process's lines of the record; NULL without memory. */
static char *own_lines(int rank)
{
    struct smap_text lines = {0};
    struct tally sent, got;
    char host[256] = "";
    places_lock();
    places_collect(&sent, &got);
    places_unlock();
    smap_text_add(&lines, "node %d %s\n", rank, node_name(host, sizeof(host)));
    for (int i = 0; i < carts.count; i++)
        smap_text_add(&lines, "%s", carts.line[i]);
    const struct tally_entry *entries = tally_sort(&sent);
    for (size_t i = 0; i < sent.count; i++)
        smap_text_add(&lines, "sent %d %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", rank,
                      entries[i].peer, entries[i].messages, entries[i].bytes);
    entries = tally_sort(&got);
    for (size_t i = 0; i < got.count; i++)
        smap_text_add(&lines, "sent %" PRIu32 " %d %" PRIu64 " %" PRIu64 "\n", entries[i].peer,
                      rank, entries[i].messages, entries[i].bytes);
    if (sent.lost || got.lost)
        fprintf(stderr, "stencilmap: rank %d had no memory to count all that it sent\n", rank);
    tally_clear(&sent);
    tally_clear(&got);
    return smap_text_take(&lines);
}

static char *wanted_name(void)
{
    const char *name = getenv("STENCILMAP_WATCH");
    const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");
    struct smap_text text = {0};
    if (name && name[0])
        smap_text_add(&text, "%s", name);
    else if (job && step)
        smap_text_add(&text, "stencilmap-comm.%s.%s", job, step);
    else
        smap_text_add(&text, "stencilmap-comm.%ld", (long)getpid());
    return smap_text_take(&text);
}

/* Opens a file that was not there. *name gets its name. */
static FILE *open_new(char **name)
{
    char *wanted = wanted_name();
    int file = -1;
    *name = NULL;
    for (int i = 1; wanted && file < 0 && i <= NAMES_MAX; i++) {
        struct smap_text text = {0};
        smap_text_add(&text, i > 1 ? "%s.%d" : "%s", wanted, i);
        free(*name);
        *name = smap_text_take(&text);
        file = *name ? open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
        if (file < 0 && errno != EEXIST)
            break;
    }
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (!stream)
        fprintf(stderr, "stencilmap: the record cannot be written to %s: %s\n",
                *name ? *name : "a file", strerror(errno));
    free(wanted);
    return stream;
}

/* To rank 0, in pieces that it has room for. */
enum { PIECE = 1 << 20 };

static void send_lines(MPI_Comm comm, const char *lines)
{
    uint64_t length = lines ? strlen(lines) : 0;
    PMPI_Send(&length, 1, MPI_UINT64_T, 0, 0, comm);
    for (uint64_t done = 0; done < length; done += PIECE) {
        uint64_t left = length - done;
        PMPI_Send(lines + done, left < PIECE ? (int)left : PIECE, MPI_CHAR, 0, 0, comm);
    }
}

static bool receive_lines(MPI_Comm comm, int from, FILE *file, char *piece)
{
    uint64_t left = 0;
    bool good = true;
    PMPI_Recv(&left, 1, MPI_UINT64_T, from, 0, comm, MPI_STATUS_IGNORE);
    while (left > 0) {
        int size = left < PIECE ? (int)left : PIECE;
        PMPI_Recv(piece, size, MPI_CHAR, from, 0, comm, MPI_STATUS_IGNORE);
        good = good && fwrite(piece, 1, (size_t)size, file) == (size_t)size;
        left -= (uint64_t)size;
    }
    return good;
}

/* All lines, in order of the ranks: rank 0's own, then the others'. */
static void write_all(MPI_Comm comm, int ranks, FILE *file, const char *own, const char *name)
{
    char *piece = malloc(PIECE);
    int able = piece != NULL && file != NULL;
    PMPI_Bcast(&able, 1, MPI_INT, 0, comm);
    if (able) {
        bool good = fprintf(file, "stencilmap-comm 1 %d\n%s", ranks, own ? own : "") > 0;
        for (int rank = 1; rank < ranks; rank++)
            good &= receive_lines(comm, rank, file, piece);
        good &= fclose(file) == 0;
        if (good)
            fprintf(stderr, "stencilmap: watched %d ranks: stencilmap detect %s\n", ranks, name);
        else
            fprintf(stderr, "stencilmap: %s: %s\n", name, strerror(errno));
    } else if (file) {
        fclose(file);
    }
    free(piece);
}

void record_write(void)
{
    MPI_Comm comm;
    int rank, ranks, able = 0;
    if (written || !places_open() || PMPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS)
        return;
    written = true;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    char *own = own_lines(rank), *name = NULL;
    if (rank == 0) {
        FILE *file = open_new(&name);
        write_all(comm, ranks, file, own, name ? name : "");
    } else {
        PMPI_Bcast(&able, 1, MPI_INT, 0, comm);
        if (able)
            send_lines(comm, own);
    }
    free(name);
    free(own);
    PMPI_Comm_free(&comm);
}

void record_write_alone(void)
{
    char host[256] = "";
    struct smap_text name = {0}, text = {0};
    int rank, ranks;
    if (written || !places_open())
        return;
    written = true;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *own = own_lines(rank), *wanted = wanted_name();
    smap_text_add(&name, "%s.%s", wanted ? wanted : "", node_name(host, sizeof(host)));
    smap_text_add(&text, "stencilmap-comm 1 %d\n%s", ranks, own ? own : "");
    char *path = smap_text_take(&name), *lines = smap_text_take(&text);
    int file = wanted && path && lines && own
                   ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
                   : -1;
    /* In one call, or lines of two processes might meet. The first line of the second process on
     * is a word that readers skip. */
    if (file >= 0 && write(file, lines, strlen(lines)) > 0)
        fprintf(stderr, "stencilmap: rank %d's part of the record is in %s\n", rank, path);
    if (file >= 0)
        close(file);
    free(wanted);
    free(path);
    free(lines);
    free(own);
}
