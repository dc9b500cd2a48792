/* SPDX-License-Identifier: BSD-3-Clause */
/* Who tells of a problem on the nodes. A step can have thousands of them, they cannot ask each
 * other, and mostly all have the same to say: so a node tells its user what the others cannot know,
 * and leaves to the first one that can what that one knows as well. Who is silent for that reason
 * leaves the line in slurmd's log. */
#ifndef STENCILMAP_VOICE_H
#define STENCILMAP_VOICE_H

#include <stdint.h>

#include "handover.h"

enum voice { VOICE_USER, VOICE_LOG, VOICE_NONE };

/* Whose problem it is. */
enum voice_of {
    VOICE_OF_STEP, /* every node has it, with the same text: the first tells */
    VOICE_OF_KIND, /* nodes with as many tasks and CPUs have it, as far as can be known: the first
                    * of them tells */
    VOICE_OF_NODE, /* perhaps this one alone */
};

/* handed: QUIET narrows it, where nobody typed the directive on srun's line. env: the job's. */
enum voice voice_for(const struct handover_values *handed, char *const env[], uint32_t node,
                     enum voice_of whose);

/* One line, "stencilmap: ..." */
void voice_say(enum voice voice, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
