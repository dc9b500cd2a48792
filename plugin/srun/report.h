/* SPDX-License-Identifier: BSD-3-Clause */
/* What srun prints about a step that it has placed, if it is to talk at all. */
#ifndef STENCILMAP_SRUN_REPORT_H
#define STENCILMAP_SRUN_REPORT_H

#include "srun/decide.h"

/* The line of a mapping, and the table if --stencil-report asks for it. */
void report_plan(const struct srun_decision *decision, const char *placement);

/* The line of an order whose ranks are only told. */
void report_ranks(const struct srun_decision *decision);

#endif
