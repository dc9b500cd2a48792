/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_dims [MOST [NDIMS...]]: how often the largest and the smallest size of MPI_Dims_create
 * and of stencilmap_dims_create differ more than they have to, for all numbers of processes up to
 * MOST (10000) in 2 to 6 dimensions: Traeff and Luebbe, "Specification Guideline Violations by
 * MPI_Dims_create" (EuroMPI 2015). The optimum comes from a list of all factorizations, without
 * either of them. One process; a line of CSV per number of dimensions:
 *
 *     library,dims,most,mpi_violations,mpi_wrong,stencilmap_violations
 *
 * "wrong" are results whose product is not the number of processes or which are not in order; they
 * are no violations. Exits non-zero if stencilmap_dims_create has one. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "stencilmap_mpi.h"

enum { MOST = 10000, DIMS_MAX = 6 };

/* The least difference for every product up to most. */
struct optimum {
    int most;
    int ndims;
    int *spread;
};

/* All lists of ndims factors in ascending order whose product is at most `most`. */
static void list_all(struct optimum *o, int count, int product, int smallest, int last)
{
    if (count == o->ndims) {
        if (last - smallest < o->spread[product])
            o->spread[product] = last - smallest;
        return;
    }
    for (int f = last; product <= o->most / f; f++) {
        /* all that follow are at least f */
        int64_t least = product;
        for (int i = count; i < o->ndims && least <= o->most; i++)
            least *= f;
        if (least > o->most)
            break;
        list_all(o, count + 1, product * f, count ? smallest : f, f);
    }
}

static bool init(struct optimum *o, int most, int ndims)
{
    o->most = most;
    o->ndims = ndims;
    o->spread = malloc(((size_t)most + 1) * sizeof(*o->spread));
    for (int p = 0; o->spread && p <= most; p++)
        o->spread[p] = INT32_MAX;
    if (o->spread)
        list_all(o, 0, 1, 1, 1);
    return o->spread != NULL;
}

struct count {
    int violations, wrong;
};

static void judge(struct count *count, const struct optimum *o, int p, const int dims[])
{
    int64_t product = 1;
    bool good = true;
    for (int i = 0; i < o->ndims; i++) {
        product *= dims[i];
        good = good && dims[i] > 0 && (i == 0 || dims[i] <= dims[i - 1]);
    }
    if (!good || product != p)
        count->wrong++;
    else if (dims[0] - dims[o->ndims - 1] > o->spread[p])
        count->violations++;
}

static int compare(const char *library, int most, int ndims)
{
    struct count mpi = {0, 0}, own = {0, 0};
    struct optimum o;
    if (!init(&o, most, ndims))
        return 1;
    for (int p = 1; p <= most; p++) {
        int theirs[DIMS_MAX] = {0}, ours[DIMS_MAX] = {0};
        MPI_Dims_create(p, ndims, theirs);
        stencilmap_dims_create(p, ndims, ours);
        judge(&mpi, &o, p, theirs);
        judge(&own, &o, p, ours);
    }
    free(o.spread);
    printf("%s,%d,%d,%d,%d,%d\n", library, ndims, most, mpi.violations, mpi.wrong,
           own.violations + own.wrong);
    fflush(stdout);
    return own.violations + own.wrong > 0;
}

int main(int argc, char *argv[])
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, bad = 0, most = argc > 1 ? atoi(argv[1]) : MOST;
    MPI_Init(&argc, &argv);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0';
    for (char *c = library; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    puts("library,dims,most,mpi_violations,mpi_wrong,stencilmap_violations");
    for (int ndims = 2; ndims <= DIMS_MAX && argc < 3; ndims++)
        bad += compare(library, most, ndims);
    for (int i = 2; i < argc; i++)
        if (atoi(argv[i]) >= 1 && atoi(argv[i]) <= DIMS_MAX)
            bad += compare(library, most, atoi(argv[i]));
    MPI_Finalize();
    return bad > 0;
}
