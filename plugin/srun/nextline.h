/* SPDX-License-Identifier: BSD-3-Clause */
/* The line that a user can type next time: srun's own, with other options of ours. */
#ifndef STENCILMAP_NEXTLINE_H
#define STENCILMAP_NEXTLINE_H

#include <stddef.h>

/* argv: the whole line of count words, the last program_words of which are the program's. options
 * are put behind "srun"; what argv has of ours about who talks to whom, and the watch, is left out.
 * Words are quoted for a shell where they need it; options are taken as they are. The caller's to
 * free; NULL without memory. */
char *nextline(const char *options, char *const argv[], size_t count, size_t program_words);

/* The same of the srun that this is. */
char *nextline_here(const char *options, size_t program_words);

#endif
