/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all algorithms, and mappings as texts: "hyperplane", "random:7". */
#ifndef SMAP_ALGORITHMS_H
#define SMAP_ALGORITHMS_H

#include <stdbool.h>
#include <stddef.h>

#include "map/algorithm.h"

/* The i-th algorithm, in the order of lists; NULL behind the last. */
const struct smap_algorithm *smap_algorithm_at(size_t i);

/* The name of the i-th algorithm and one line about it; false behind the last. */
bool smap_algorithm_name(const char **name, const char **summary, size_t i);

/* The algorithm that a text names, NULL if none; it need not be a listed one (bands). *parameter,
 * unless parameter is NULL, gets what follows the colon, NULL without one: for the options of
 * smap_mapping_create, which says whether it makes sense. */
const struct smap_algorithm *smap_algorithm_find(const char **parameter, const char *text);

/* smap_mapping_create by text; what options say of a parameter does not count. */
int smap_mapping_from_text(struct smap_mapping **mapping, const char *text,
                           const struct smap_instance *instance,
                           const struct smap_mapping_options *options, struct smap_error *err);

/* A text that gives the same nodes the same cells of the same instance again, without looking at
 * the whole grid for them: srun searches once and hands slurmstepd "hyperplane", or
 * "bands:run=0,snake=1,1:3x15+1x3", or, where there is no closed form, "cells:0b3,1b3" with the
 * cells of a node in row-major order. *text is the caller's to free; NULL if it would be longer
 * than max characters, which is no error. */
int smap_mapping_to_text(char **text, const struct smap_mapping *mapping, size_t max,
                         struct smap_error *err);

#endif
