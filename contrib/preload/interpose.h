/* SPDX-License-Identifier: BSD-3-Clause */
/* Standing between a program and its MPI without knowing which MPI that is.
 *
 * A library that was built for one MPI cannot be preloaded into a program of another: MPI_Comm is a
 * pointer here and an int there. So the file that is preloaded knows no MPI at all. It has
 * functions of the names of MPI's and passes their arguments on as machine words; at the first call
 * it looks which MPI the program has brought, and loads the part that was built for that one from
 * beside itself:
 *
 *     libstencilmap_preload.so
 *     openmpi/stencilmap_preload.so
 *     mpich/stencilmap_preload.so
 *
 * For each NAME that it takes over the part has a function stencilmap_NAME: in front of the
 * arguments of MPI's it gets the function that would have been called without us, a tool's that is
 * next in line or MPI's own, and its result is the program's. The part is linked with no MPI: what
 * it calls is the program's.
 *
 * MPI_NAME and PMPI_NAME are both taken over. So Fortran needs nothing of its own: whatever an MPI
 * calls its Fortran entry points, they end in one of the two. A call from inside such a function is
 * passed on, or it would be taken over twice.
 *
 * Where there is no part for the program's MPI, everything is passed on. */
#ifndef STENCILMAP_INTERPOSE_H
#define STENCILMAP_INTERPOSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* An argument of an MPI function, or its result. All are integers or pointers, and with every
 * calling convention of Linux on 64 bits such an argument takes one register or one slot of eight
 * bytes, whatever its own width. */
typedef intptr_t word;

struct interposed {
    const char *entry; /* "PMPI_Cart_create" */
    const char *part;  /* "stencilmap_Cart_create" */
    void *next_function;
    void *part_function; /* NULL: none for this MPI */
    atomic_bool found;   /* are they known? */
};

/* Finds both. Ends the program if nobody else has the function, as it would have ended without us.
 */
void interpose_find(struct interposed *function);

/* Is this thread inside a function of ours? This library is in place before the first thread
 * starts, so the variable can lie where access needs no call. */
extern _Thread_local bool interpose_inside
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

#define INTERPOSE_TAKE_1  word a
#define INTERPOSE_PASS_1  a
#define INTERPOSE_TAKE_2  word a, word b
#define INTERPOSE_PASS_2  a, b
#define INTERPOSE_TAKE_3  INTERPOSE_TAKE_2, word c
#define INTERPOSE_PASS_3  INTERPOSE_PASS_2, c
#define INTERPOSE_TAKE_6  INTERPOSE_TAKE_3, word d, word e, word f
#define INTERPOSE_PASS_6  INTERPOSE_PASS_3, d, e, f
#define INTERPOSE_TAKE_7  INTERPOSE_TAKE_6, word g
#define INTERPOSE_PASS_7  INTERPOSE_PASS_6, g
#define INTERPOSE_TAKE_8  INTERPOSE_TAKE_7, word h
#define INTERPOSE_PASS_8  INTERPOSE_PASS_7, h
#define INTERPOSE_TAKE_9  INTERPOSE_TAKE_8, word i
#define INTERPOSE_PASS_9  INTERPOSE_PASS_8, i
#define INTERPOSE_TAKE_10 INTERPOSE_TAKE_9, word j
#define INTERPOSE_PASS_10 INTERPOSE_PASS_9, j
#define INTERPOSE_TAKE_11 INTERPOSE_TAKE_10, word k
#define INTERPOSE_PASS_11 INTERPOSE_PASS_10, k
#define INTERPOSE_TAKE_12 INTERPOSE_TAKE_11, word l
#define INTERPOSE_PASS_12 INTERPOSE_PASS_11, l
#define INTERPOSE_TAKE_13 INTERPOSE_TAKE_12, word m
#define INTERPOSE_PASS_13 INTERPOSE_PASS_12, m

/* Defines PREFIX##NAME, a function of COUNT arguments. */
#define INTERPOSE_ENTRY(PREFIX, NAME, COUNT)                                                       \
    __attribute__((visibility("default"))) word PREFIX##NAME(INTERPOSE_TAKE_##COUNT);              \
    word PREFIX##NAME(INTERPOSE_TAKE_##COUNT)                                                      \
    {                                                                                              \
        static struct interposed self = {.entry = #PREFIX #NAME, .part = "stencilmap_" #NAME};     \
        if (!self.found)                                                                           \
            interpose_find(&self);                                                                 \
        word (*next)(INTERPOSE_TAKE_##COUNT) = self.next_function;                                 \
        word (*part)(void *, INTERPOSE_TAKE_##COUNT) = self.part_function;                         \
        if (!part || interpose_inside)                                                             \
            return next(INTERPOSE_PASS_##COUNT);                                                   \
        interpose_inside = true;                                                                   \
        word result = part(self.next_function, INTERPOSE_PASS_##COUNT);                            \
        interpose_inside = false;                                                                  \
        return result;                                                                             \
    }

#define INTERPOSE(NAME, COUNT)                                                                     \
    INTERPOSE_ENTRY(MPI_, NAME, COUNT)                                                             \
    INTERPOSE_ENTRY(PMPI_, NAME, COUNT)

#endif
