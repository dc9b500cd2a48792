/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SMAP_PROBLEM_PRIVATE_H
#define SMAP_PROBLEM_PRIVATE_H

#include "base/error.h"

/* Puts the option and its value in front of a reason: "--stencil-dims=50x47: ...". Returns code. */
int smap_blame(struct smap_error *err, const char *option, const char *value, int code);

#endif
