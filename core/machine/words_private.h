/* SPDX-License-Identifier: BSD-3-Clause */
/* What hwloc has against an XML file. It tells under HWLOC_XML_VERBOSE=1, but looks at that
 * variable once in the life of a process, and slurmstepd has read slurmd's topology before. */
#ifndef SMAP_WORDS_PRIVATE_H
#define SMAP_WORDS_PRIVATE_H

/* Sets the variable. For a child process: setenv may wait for a lock of a thread that it has not
 * got. */
void smap_words_ask(void);

/* Has a fresh copy of the library read the text, so that what it has to say appears on standard
 * error. For a child process: nothing of the copy is released. */
void smap_words_again(const char *xml, int size);

#endif
