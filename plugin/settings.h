/* SPDX-License-Identifier: BSD-3-Clause */
/* The site's settings: arguments of the plugstack line, and stencilmap.conf. */
#ifndef STENCILMAP_SETTINGS_H
#define STENCILMAP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct settings {
    char *config;        /* the file; NULL: built without inih */
    char *topology;      /* XML of this node for hwloc, or NULL: look at the machine */
    bool pmix;           /* publish hints as PMIx keys */
    bool strict;         /* an order on a ragged node is refused, not generalized */
    uint32_t launch_max; /* steps of more tasks are not laid out by launch */
    int verbose;         /* 1: say where values come from, and what defaults do */
    /* The library that tasks are to be started with for placement comm: "yes" the one that was
     * installed, a full path another one, "no" none; NULL: "yes" where a user typed comm. The
     * partition's word counts more. */
    char *mpi_helper;
    char *partition_mpi_helper;
};

/* Takes "config=FILE" from the plugstack line. Other words are said once and ignored. */
void settings_arguments(int ac, char **av);

/* Reads the file, if it is there: settings, and default values of options for all steps and for
 * those in the given partition (NULL: not known), which go to options_default. Lines that are wrong
 * are said and left out. */
void settings_read(const char *partition);

const struct settings *settings(void);

/* mpi-helper as it counts for this step; NULL: nobody says. */
const char *settings_mpi_helper(void);

/* Back to the values of a site without settings; frees. */
void settings_clear(void);

#endif
