/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Thread_local bool interpose_inside;

/* What there is to know about the program's MPI, once. */
static struct {
    pthread_once_t once;
    void *library; /* NULL: its functions are in the global scope */
    void *part;    /* ours for it; NULL: none */
} mpi = {.once = PTHREAD_ONCE_INIT};

/* One process of a step speaks for all, and MPI cannot be asked. */
static void say(const char *what, const char *detail)
{
    static const char *const ranks[] = {"PMIX_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK",
                                        "SLURM_PROCID"};
    const char *rank = NULL;
    for (size_t i = 0; !rank && i < sizeof(ranks) / sizeof(ranks[0]); i++)
        rank = getenv(ranks[i]);
    if (!rank || strcmp(rank, "0") == 0)
        fprintf(stderr, "stencilmap: %s%s\n", what, detail);
}

/* A program may have loaded its MPI for itself, as Python's modules do: such libraries are in
 * nobody's scope but their own. *found gets the first that has an MPI, which everybody may see
 * from then on, or our part could not. */
static int find_mpi(struct dl_phdr_info *object, size_t size, void *found)
{
    (void)size;
    if (!object->dlpi_name || !object->dlpi_name[0])
        return 0;
    void *library = dlopen(object->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return 0;
    if (dlsym(library, "MPI_Get_library_version")) {
        *(void **)found = dlopen(object->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
        dlclose(library);
        return 1;
    }
    dlclose(library);
    return 0;
}

static void *next_function(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    return function || !mpi.library ? function : dlsym(mpi.library, name);
}

/* The directory of our part for the MPI that says this about itself, NULL: none. Intel's, Cray's
 * and MVAPICH have MPICH's types (www.mpich.org/abi). */
static const char *directory_for(const char *version)
{
    static const char *const known[][2] = {{"Open MPI", "openmpi"},
                                           {"MPICH", "mpich"},
                                           {"Intel(R) MPI", "mpich"},
                                           {"MVAPICH", "mpich"}};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strstr(version, known[i][0]))
            return known[i][1];
    return NULL;
}

static void load_part(const char *directory)
{
    char path[4096];
    Dl_info self;
    if (!dladdr((void *)&mpi, &self) || !self.dli_fname)
        return;
    const char *slash = strrchr(self.dli_fname, '/');
    int length =
        snprintf(path, sizeof(path), "%.*s%s/%s", slash ? (int)(slash + 1 - self.dli_fname) : 0,
                 self.dli_fname, directory, INTERPOSE_PART);
    if (length < 0 || (size_t)length >= sizeof(path))
        return;
    mpi.part = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!mpi.part)
        say(INTERPOSE_ELSE ": ", dlerror());
}

static void look_at_mpi(void)
{
    char version[8192] = ""; /* MPICH's MPI_MAX_LIBRARY_VERSION_STRING, the longest one */
    int length = 0;
    int (*get_version)(char *, int *);
    if (!dlsym(RTLD_NEXT, "MPI_Get_library_version"))
        dl_iterate_phdr(find_mpi, &mpi.library);
    *(void **)&get_version = next_function("MPI_Get_library_version");
    if (get_version)
        get_version(version, &length);
    const char *directory = directory_for(version);
    version[strcspn(version, "\r\n,")] = '\0';
    if (directory)
        load_part(directory);
    else
        say(INTERPOSE_ELSE ": this MPI is neither Open MPI nor of MPICH's kind: ",
            version[0] ? version : "it does not tell its name");
}

void interpose_find(struct interposed *function)
{
    pthread_once(&mpi.once, look_at_mpi);
    void *next = next_function(function->entry);
    if (!next) {
        fprintf(stderr, "stencilmap: nobody has %s\n", function->entry);
        abort();
    }
    /* Threads may meet here; they find the same. */
    function->next_function = next;
    function->part_function = mpi.part ? dlsym(mpi.part, function->part) : NULL;
    function->found = true;
}
