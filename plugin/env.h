/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables in environment arrays such as S_JOB_ENV. Whoever started the job wrote these: what is
 * taken from them is bounded and printable, or it is not taken. */
#ifndef STENCILMAP_ENV_H
#define STENCILMAP_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a variable, or NULL; points into the array, and may hold anything. */
const char *env_get(char *const env[], const char *name);

/* Only printable ASCII, blanks included: nothing that would end a line of a log, or colour it. */
bool env_is_printable(const char *text);

/* A copy that the caller frees. NULL and *refused untouched if the variable is not there; NULL and
 * *refused true if it is longer than max, not printable, or there is no memory for it. */
char *env_copy(char *const env[], const char *name, size_t max, bool *refused);

/* A number from 1 to max; 0 if the variable is not there or anything else. */
uint32_t env_number(char *const env[], const char *name, uint32_t max);

/* Does a value of --cpu-bind or --mem-bind, or of the variable of it, choose a binding? Not if it
 * only says how much to tell about one: "verbose", "quiet". NULL: no. */
bool env_chooses_binding(const char *value);

#endif
