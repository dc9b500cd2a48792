/* SPDX-License-Identifier: BSD-3-Clause */
/* A MOCK of an MPI that is neither Open MPI nor MPICH. With PROGRAM defined, a program of it. */
#include <stdio.h>
#include <string.h>

int MPI_Get_library_version(char *version, int *length);
int MPI_Cart_create(long comm, int ndims, const int dims[], const int periods[], int reorder,
                    long *cart);

#ifdef PROGRAM

int main(void)
{
    int dims[] = {2, 2}, periods[] = {0, 0};
    long cart;
    return MPI_Cart_create(42, 2, dims, periods, 1, &cart);
}

#else

__attribute__((visibility("default"))) int MPI_Get_library_version(char *version, int *length)
{
    strcpy(version, "Some other MPI, version 1");
    *length = (int)strlen(version);
    return 0;
}

__attribute__((visibility("default"))) int MPI_Cart_create(long comm, int ndims, const int dims[],
                                                           const int periods[], int reorder,
                                                           long *cart)
{
    printf("MPI_Cart_create called %s\n",
           comm == 42 && ndims == 2 && dims[1] == 2 && periods[1] == 0 && reorder == 1 && cart
               ? "well"
               : "badly");
    return 0;
}

#endif
