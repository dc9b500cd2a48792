/* SPDX-License-Identifier: BSD-3-Clause */
/* heat2d: heat that spreads on a plane, to see what a mapping of ranks to nodes does to a code, and
 * that it leaves the results alone. README.md has the srun lines.
 *
 * The plane is cut into patches, one per process; a step exchanges the rims of neighbouring patches
 * and computes every cell from itself and its four neighbours. A cell is computed by the same
 * arithmetic wherever it is, so the result must have the same bits as that of one process alone,
 * which computes everything once more. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#include <stencilmap_mpi.h>

struct options {
    char ranks[16]; /* who decides which process has which patch */
    int cells[2];   /* of the whole plane */
    int dims[2];    /* patches; 0: as MPI_Dims_create has it */
    int periods[2];
    int steps;
};

struct plane {
    MPI_Comm comm; /* rank r has the r'th patch, row by row; MPI_COMM_NULL: this process has none */
    int neighbours[4];  /* up, down, left, right, or MPI_PROC_NULL */
    int first[2];       /* the patch's first cell ... */
    int size[2];        /* ... and how many there are */
    double *now, *next; /* (size[0] + 2) x (size[1] + 2): the patch and its rim */
    MPI_Datatype column;
};

static const char usage[] =
    "usage: heat2d [options]\n"
    "  --ranks=stencilmap   stencilmap_cart_create decides which process has which patch "
    "(default)\n"
    "  --ranks=cart         MPI_Cart_create does, with reorder = 1\n"
    "  --ranks=world        nobody: ranks of MPI_COMM_WORLD, row by row\n"
    "  --cells=240x180      size of the plane\n"
    "  --dims=4x8           patches (default: as MPI_Dims_create has it)\n"
    "  --periodic=1,0       which dimensions close to a ring (default: none)\n"
    "  --steps=100\n";

static bool read_option(struct options *o, const char *text)
{
    int end = 0;
    if (sscanf(text, "--ranks=%15[a-z]%n", o->ranks, &end) == 1 && !text[end])
        return strcmp(o->ranks, "stencilmap") == 0 || strcmp(o->ranks, "cart") == 0 ||
               strcmp(o->ranks, "world") == 0;
    if (sscanf(text, "--cells=%dx%d%n", &o->cells[0], &o->cells[1], &end) == 2 && !text[end])
        return o->cells[0] > 0 && o->cells[1] > 0 && o->cells[1] <= 100000000 / o->cells[0];
    if (sscanf(text, "--dims=%dx%d%n", &o->dims[0], &o->dims[1], &end) == 2 && !text[end])
        return o->dims[0] > 0 && o->dims[1] > 0;
    if (sscanf(text, "--periodic=%d,%d%n", &o->periods[0], &o->periods[1], &end) == 2 && !text[end])
        return o->periods[0] >> 1 == 0 && o->periods[1] >> 1 == 0;
    return sscanf(text, "--steps=%d%n", &o->steps, &end) == 1 && !text[end] && o->steps > 0;
}

static void read_options(struct options *o, int argc, char *argv[])
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++) {
        if (read_option(o, argv[i]))
            continue;
        if (rank == 0)
            fprintf(stderr, "heat2d: cannot use '%s'\n%s", argv[i], usage);
        MPI_Finalize();
        exit(2);
    }
    if (!o->dims[0])
        MPI_Dims_create(size, 2, o->dims);
    if (o->dims[0] > o->cells[0] || o->dims[1] > o->cells[1] || o->dims[0] > size / o->dims[1]) {
        if (rank == 0)
            fprintf(stderr,
                    "heat2d: %dx%d patches need as many processes, not %d, and %dx%d cells\n",
                    o->dims[0], o->dims[1], size, o->dims[0], o->dims[1]);
        MPI_Finalize();
        exit(2);
    }
}

/* Without Cartesian communicators: what many codes do. */
static void arrange_by_hand(struct plane *p, int coords[2], const struct options *o)
{
    int rank, count = o->dims[0] * o->dims[1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, 0, &p->comm);
    coords[0] = rank / o->dims[1];
    coords[1] = rank % o->dims[1];
    for (int i = 0; i < 4; i++) {
        int d = i / 2, there[2] = {coords[0], coords[1]};
        there[d] += i % 2 ? 1 : -1;
        if (o->periods[d])
            there[d] = (there[d] + o->dims[d]) % o->dims[d];
        bool outside = there[d] < 0 || there[d] >= o->dims[d];
        p->neighbours[i] = outside ? MPI_PROC_NULL : there[0] * o->dims[1] + there[1];
    }
}

/* After this call a process has a new rank, and its patch follows from it, never from the old one.
 */
static void arrange_by_mpi(struct plane *p, int coords[2], const struct options *o)
{
    int rank;
    if (strcmp(o->ranks, "stencilmap") == 0)
        stencilmap_cart_create(MPI_COMM_WORLD, 2, o->dims, o->periods, 1, &p->comm);
    else
        MPI_Cart_create(MPI_COMM_WORLD, 2, o->dims, o->periods, 1, &p->comm);
    if (p->comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(p->comm, &rank);
    MPI_Cart_coords(p->comm, rank, 2, coords);
    MPI_Cart_shift(p->comm, 0, 1, &p->neighbours[0], &p->neighbours[1]);
    MPI_Cart_shift(p->comm, 1, 1, &p->neighbours[2], &p->neighbours[3]);
}

static void *allocate(size_t count)
{
    void *memory = calloc(count, sizeof(double));
    if (!memory) {
        fprintf(stderr, "heat2d: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return memory;
}

/* Some value for the start, from 0 to 1000, that differs from cell to cell. */
static double start(int i, int j)
{
    return (double)(((unsigned)i * 2654435761u ^ (unsigned)j * 2246822519u) % 1001u);
}

/* A patch of that size, filled. */
static void fill(struct plane *p)
{
    size_t width = (size_t)p->size[1] + 2, count = width * ((size_t)p->size[0] + 2);
    p->now = allocate(count);
    p->next = allocate(count);
    for (int i = 0; i < p->size[0]; i++)
        for (int j = 0; j < p->size[1]; j++)
            p->now[((size_t)i + 1) * width + (size_t)j + 1] =
                start(p->first[0] + i, p->first[1] + j);
}

static void cut(struct plane *p, const struct options *o)
{
    int coords[2] = {0, 0};
    if (strcmp(o->ranks, "world") == 0)
        arrange_by_hand(p, coords, o);
    else
        arrange_by_mpi(p, coords, o);
    if (p->comm == MPI_COMM_NULL)
        return;
    for (int d = 0; d < 2; d++) {
        p->first[d] = (int)((int64_t)o->cells[d] * coords[d] / o->dims[d]);
        p->size[d] = (int)((int64_t)o->cells[d] * (coords[d] + 1) / o->dims[d]) - p->first[d];
    }
    fill(p);
    MPI_Type_vector(p->size[0], 1, p->size[1] + 2, MPI_DOUBLE, &p->column);
    MPI_Type_commit(&p->column);
}

/* The four rims; where there is no neighbour they stay 0. */
static void exchange(const struct plane *p)
{
    int w = p->size[1] + 2, last = p->size[0] * w;
    double *u = p->now;
    MPI_Request requests[8];
    MPI_Status statuses[8];
    MPI_Irecv(u + 1, w - 2, MPI_DOUBLE, p->neighbours[0], 1, p->comm, &requests[0]);
    MPI_Irecv(u + last + w + 1, w - 2, MPI_DOUBLE, p->neighbours[1], 0, p->comm, &requests[1]);
    MPI_Irecv(u + w, 1, p->column, p->neighbours[2], 3, p->comm, &requests[2]);
    MPI_Irecv(u + 2 * w - 1, 1, p->column, p->neighbours[3], 2, p->comm, &requests[3]);
    MPI_Isend(u + w + 1, w - 2, MPI_DOUBLE, p->neighbours[0], 0, p->comm, &requests[4]);
    MPI_Isend(u + last + 1, w - 2, MPI_DOUBLE, p->neighbours[1], 1, p->comm, &requests[5]);
    MPI_Isend(u + w + 1, 1, p->column, p->neighbours[2], 2, p->comm, &requests[6]);
    MPI_Isend(u + 2 * w - 2, 1, p->column, p->neighbours[3], 3, p->comm, &requests[7]);
    MPI_Waitall(8, requests, statuses);
}

static void compute(struct plane *p)
{
    size_t w = (size_t)p->size[1] + 2;
    for (size_t i = 1; i <= (size_t)p->size[0]; i++) {
        const double *above = p->now + (i - 1) * w, *u = above + w, *below = u + w;
        for (size_t j = 1; j < w - 1; j++)
            p->next[i * w + j] =
                u[j] + 0.2 * ((above[j] + below[j]) + (u[j - 1] + u[j + 1]) - 4 * u[j]);
    }
    double *swap = p->now;
    p->now = p->next;
    p->next = swap;
}

/* What exchange does, for a patch that is the whole plane. */
static void wrap(struct plane *p, const int periods[2])
{
    size_t h = (size_t)p->size[0], w = (size_t)p->size[1] + 2;
    if (periods[0]) {
        memcpy(p->now, p->now + h * w, w * sizeof(double));
        memcpy(p->now + (h + 1) * w, p->now + w, w * sizeof(double));
    }
    for (size_t i = 1; periods[1] && i <= h; i++) {
        p->now[i * w] = p->now[i * w + w - 2];
        p->now[i * w + w - 1] = p->now[i * w + 1];
    }
}

/* The whole plane, computed by rank 0 alone, and given to all: cells[0] x cells[1], without rim. */
static double *compute_alone(const struct plane *p, const struct options *o)
{
    int rank, count = o->cells[0] * o->cells[1];
    double *all = allocate((size_t)count);
    MPI_Comm_rank(p->comm, &rank);
    if (rank == 0) {
        struct plane whole = {.size = {o->cells[0], o->cells[1]}};
        fill(&whole);
        for (int step = 0; step < o->steps; step++) {
            wrap(&whole, o->periods);
            compute(&whole);
        }
        for (int i = 0; i < o->cells[0]; i++)
            memcpy(all + (size_t)i * (size_t)o->cells[1],
                   whole.now + ((size_t)i + 1) * ((size_t)o->cells[1] + 2) + 1,
                   (size_t)o->cells[1] * sizeof(double));
        free(whole.now);
        free(whole.next);
    }
    MPI_Bcast(all, count, MPI_DOUBLE, 0, p->comm);
    return all;
}

/* result[0]: a checksum of all bits, which does not depend on who has which cell; result[1]: the
 * number of cells that differ from the plane computed alone. */
static void verify(uint64_t result[2], const struct plane *p, const struct options *o)
{
    uint64_t bits, sum = 0, wrong = 0;
    double *alone = compute_alone(p, o);
    for (int i = 0; i < p->size[0]; i++)
        for (int j = 0; j < p->size[1]; j++) {
            size_t cell =
                (size_t)(p->first[0] + i) * (size_t)o->cells[1] + (size_t)(p->first[1] + j);
            const double *u = p->now + ((size_t)i + 1) * ((size_t)p->size[1] + 2) + (size_t)j + 1;
            memcpy(&bits, u, sizeof(bits));
            sum ^= bits << cell % 64 | bits >> (64 - cell % 64) % 64;
            wrong += memcmp(u, alone + cell, sizeof(bits)) != 0;
        }
    MPI_Allreduce(&sum, &result[0], 1, MPI_UINT64_T, MPI_BXOR, p->comm);
    MPI_Allreduce(&wrong, &result[1], 1, MPI_UINT64_T, MPI_SUM, p->comm);
    free(alone);
}

/* Seconds for all exchanges, on the process that took longest. */
static double run(struct plane *p, int steps)
{
    double seconds = 0, longest = 0;
    for (int step = 0; step < steps; step++) {
        double before = MPI_Wtime();
        exchange(p);
        seconds += MPI_Wtime() - before;
        compute(p);
    }
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, p->comm);
    return longest;
}

int main(int argc, char *argv[])
{
    struct options o = {.ranks = "stencilmap", .cells = {240, 180}, .steps = 100};
    struct plane p = {.comm = MPI_COMM_NULL};
    uint64_t result[2] = {0, 0};
    MPI_Init(&argc, &argv);
    read_options(&o, argc, argv);
    cut(&p, &o);
    if (p.comm != MPI_COMM_NULL) {
        int rank;
        double seconds = run(&p, o.steps);
        verify(result, &p, &o);
        MPI_Comm_rank(p.comm, &rank);
        if (rank == 0) {
            printf("heat2d: %dx%d cells on %dx%d processes, %d steps, ranks: %s\n", o.cells[0],
                   o.cells[1], o.dims[0], o.dims[1], o.steps, o.ranks);
            printf("heat2d: halo exchange %.3f ms per step\n", 1e3 * seconds / o.steps);
            printf("heat2d: checksum %016" PRIx64 " %s\n", result[0], result[1] ? "WRONG" : "OK");
        }
        MPI_Type_free(&p.column);
        MPI_Comm_free(&p.comm);
        free(p.now);
        free(p.next);
    }
    MPI_Finalize();
    return result[1] != 0;
}
