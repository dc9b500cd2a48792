/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI that nobody sees but who loaded it, as a module of Python has it: with PROGRAM defined, a
 * program that loads the module argv[1], which is this file without. */
#ifdef PROGRAM

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void (*run)(void);
    if (!module) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    *(void **)&run = dlsym(module, "run");
    run();
    return 0;
}

#else

#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

__attribute__((visibility("default"))) void run(void);

void run(void)
{
    int dims[] = {4, 8}, periods[] = {0, 0}, rank;
    char host[256] = "";
    MPI_Comm cart;
    MPI_Init(NULL, NULL);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
    MPI_Comm_rank(cart, &rank);
    gethostname(host, sizeof(host) - 1);
    printf("cell %d %s\n", rank, host);
    MPI_Comm_free(&cart);
    MPI_Finalize();
}

#endif
