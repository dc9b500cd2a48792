/* SPDX-License-Identifier: BSD-3-Clause */
#include "stepd/inject.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "env.h"
#include "preload.h"
#include "stepd/items.h"
#include "stepd/voice.h"

/* Those of the list that are here. The first task of a node tells of the others. */
static char *readable(const char *list, enum voice voice)
{
    struct smap_text here = {0};
    for (const char *next = list; *next; next += strspn(next, ":")) {
        size_t length = strcspn(next, ":");
        char *path = strndup(next, length);
        if (path && preload_is_name(path) && access(path, R_OK) == 0)
            smap_text_add(&here, "%s%s", here.length ? ":" : "", path);
        else if (path)
            voice_say(voice, "%s is not there for the tasks, they start without it", path);
        free(path);
        next += length;
    }
    return smap_text_take(&here);
}

static enum voice voice_of_task(spank_t spank, const struct handover_values *handed)
{
    int task = -1;
    if (spank_get_item(spank, S_TASK_ID, &task) != ESPANK_SUCCESS || task != 0)
        return VOICE_NONE;
    return voice_for(handed, items_env(spank), items_number(spank, S_JOB_NODEID), VOICE_OF_STEP);
}

void inject(spank_t spank, const struct handover_values *handed)
{
    const char *wanted = handed->value[HANDOVER_PRELOAD];
    const char *watch = handed->value[HANDOVER_WATCH];
    char *ours = wanted ? readable(wanted, voice_of_task(spank, handed)) : NULL;
    char *list = NULL;
    if (ours && ours[0])
        list = preload_join(env_get(items_env(spank), "LD_PRELOAD"), ours);
    if (list) {
        spank_setenv(spank, "LD_PRELOAD", list, 1);
        spank_setenv(spank, PRELOAD_OURS, ours, 1);
    }
    if (list && watch)
        spank_setenv(spank, PRELOAD_WATCH, watch, 1);
    free(list);
    free(ours);
}
