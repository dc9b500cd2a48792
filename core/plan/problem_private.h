/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SMAP_PROBLEM_PRIVATE_H
#define SMAP_PROBLEM_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "plan/problem.h"

/* Puts the option and its value in front of a reason: "--stencil-dims=50x47: ...". Returns code. */
int smap_blame(struct smap_error *err, const char *option, const char *value, int code);

/* The rest of smap_problem_init where the stencil is a file: of so many ranks. load_it: else the
 * values are checked and no file is opened. *problem may hold a graph also after a failure. */
int smap_problem_graph(struct smap_problem *problem, const struct smap_request *request,
                       uint32_t count, bool load_it, struct smap_error *err);

#endif
