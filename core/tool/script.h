/* SPDX-License-Identifier: BSD-3-Clause */
/* A batch script: its #SBATCH lines, and its srun lines one after the other. */
#ifndef STENCILMAP_TOOL_SCRIPT_H
#define STENCILMAP_TOOL_SCRIPT_H

#include <stdio.h>

#include "tool/shell.h"

struct script {
    FILE *file;
    unsigned next;         /* the number of the next line */
    unsigned number;       /* that of the line that a command began on */
    char *text;            /* that line, with those that it goes on in */
    const char *rest;      /* what is left of it */
    bool begun;            /* the first command has been seen: no more #SBATCH */
    struct line sbatch;    /* the job's options */
    struct line variables; /* those of the shell, and Slurm's */
};

/* A refusal names the file. */
int script_open(struct script *script, const char *path, struct smap_error *err);
void script_close(struct script *script);

/* The next srun: *words are its words from "srun" on, which the caller clears; none at the end.
 * What the script has assigned until then is in script->variables. */
int script_next(struct words *words, struct script *script, struct smap_error *err);

#endif
