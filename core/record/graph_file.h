/* SPDX-License-Identifier: BSD-3-Clause */
/* --stencil=@FILE: who talks to whom as a file says it, a record (record.h; weights are bytes) or a
 * METIS graph (metis.h). Which of the two is known by how it begins. */
#ifndef SMAP_GRAPH_FILE_H
#define SMAP_GRAPH_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "record/edges.h"

/* Is a stencil such a file? *path, unless NULL, gets its name. */
bool smap_graph_is_file(const char **path, const char *stencil);

/* Reads the part of a file that is wanted. Only regular files are, so that nobody waits for a pipe.
 * Where only edges of a few ranks are wanted, so much memory is enough, and only their lines are
 * looked at. Refusals do not name the option. */
int smap_graph_load(struct smap_graph **graph, const char *path,
                    const struct smap_edges_wanted *wanted, struct smap_error *err);

/* The same from an open file. */
int smap_graph_read(struct smap_graph **graph, FILE *file, const struct smap_edges_wanted *wanted,
                    struct smap_error *err);

#endif
