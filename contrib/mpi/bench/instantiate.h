/* SPDX-License-Identifier: BSD-3-Clause */
/* How long mappings and communicators take to make: section VI-E of the 2020 paper. */
#ifndef BENCH_INSTANTIATE_H
#define BENCH_INSTANTIATE_H

#include "bench/exchange.h"

/* "instantiation", as in the paper: who is on which node, and each process's cell by the algorithm;
 * no communicator. "creation": the whole call that makes the Cartesian communicator, beside MPI's
 * own with reorder 0 and 1. Collective over MPI_COMM_WORLD. */
void bench_instantiate(const struct bench_measure *measure);

#endif
