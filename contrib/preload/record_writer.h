/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what was counted as a record (stencilmap-comm 1, see stencilmap(1), "detect"). The file is
 * the one that STENCILMAP_WATCH names, or stencilmap-comm.JOB.STEP in the directory where the
 * program was started. A file that is there already is never touched: then ".2", ".3", ... is
 * added. */
#ifndef STENCILMAP_RECORD_WRITER_H
#define STENCILMAP_RECORD_WRITER_H

#include <mpi.h>

/* A grid that the program makes of all its processes, for the record. */
void record_cart(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder);

/* Collective over MPI_COMM_WORLD, at its end: one file, written by rank 0, to which the others send
 * their lines one after the other. */
void record_write(void);

/* This process's lines alone, for a program that does not come to its end together: to a file for
 * each node, whose name has the node's added. Put one behind the other such files are a record. */
void record_write_alone(void);

#endif
