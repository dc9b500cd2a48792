/* SPDX-License-Identifier: BSD-3-Clause */
/* srun's own options. srun exports its option structure and the functions that read and set it by
 * name; they are no documented interface, so each is looked up and may be missing. */
#ifndef STENCILMAP_SRUNOPTS_H
#define STENCILMAP_SRUNOPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "step/predict.h"

/* Are all the functions there? Without them no layout can be asked for. */
bool srunopts_available(void);

/* The value of an option by its long name, or NULL if it is not set. The caller frees it. */
char *srunopts_get(const char *name);

/* All of them, for core. */
struct smap_srun srunopts_all(void);

/* The same as a number; 0 if it is not set or no single number. */
uint32_t srunopts_number(const char *name);

/* True if somebody set it: on the command line or in the environment. */
bool srunopts_isset(const char *name);

/* Has somebody chosen a binding by --cpu-bind? Not who only said how much to tell of it. */
bool srunopts_binds_cpus(void);

/* False if srun refuses. */
bool srunopts_set(const char *name, const char *value);

#endif
