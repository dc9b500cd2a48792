/* SPDX-License-Identifier: BSD-3-Clause */
/* Balanced factorization of the number of tasks: what MPI_Dims_create is meant to give. */
#ifndef SMAP_DIMS_H
#define SMAP_DIMS_H

#include <stddef.h>
#include <stdint.h>

/* Writes d factors of p >= 1, largest first, with the smallest possible difference between the
 * largest and the smallest, and among those the smallest largest factor; further ties go to the
 * lexicographically smallest list. This is the criterion of Träff and Lübbe, "Specification
 * Guideline Violations by MPI_Dims_create" (EuroMPI 2015), section 2. d is at least 1. */
void smap_dims_balanced(uint32_t dims[], uint32_t p, size_t d);

#endif
