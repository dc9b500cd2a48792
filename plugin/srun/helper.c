/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/helper.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "handover.h"
#include "options.h"
#include "settings.h"
#include "srun/watched.h"

static bool comm_is_typed(void)
{
    const char *placement = options_get(OPTION_PLACEMENT);
    return placement && strcmp(placement, "comm") == 0 &&
           options_origin(OPTION_PLACEMENT) > ORIGIN_PARTITION;
}

/* Where the helper is, wanted or not. */
static const char *helper_path(void)
{
    const char *named = settings_mpi_helper();
    return named && named[0] == '/' ? named : STENCILMAP_HELPER;
}

const char *helper_library(void)
{
    const char *named = settings_mpi_helper();
    bool no = named ? strcmp(named, "no") == 0 : !comm_is_typed();
    return !no && access(helper_path(), R_OK) == 0 ? helper_path() : NULL;
}

/* It lies beside the helper. The caller frees. */
static char *watch_library(void)
{
    struct smap_text path = {0};
    const char *helper = helper_path();
    smap_text_add(&path, "%.*s/libstencilmap_watch.so", (int)(strrchr(helper, '/') - helper),
                  helper);
    return smap_text_take(&path);
}

int helper_check_watch(struct smap_error *err)
{
    if (!options_get(OPTION_WATCH))
        return SMAP_OK;
    char *path = watch_library();
    int rc = path ? SMAP_OK : smap_nomem(err);
    if (path && access(path, R_OK) != 0)
        rc = smap_fail(err, SMAP_ENOTSUP, "--stencil-watch=%.100s: %s is not installed here",
                       options_get(OPTION_WATCH), path);
    free(path);
    return rc;
}

/* Where the record goes to, as a full path: tasks may be elsewhere. */
static char *record_path(spank_t spank)
{
    const char *wanted = options_get(OPTION_WATCH);
    char here[PATH_MAX] = "";
    struct smap_text path = {0};
    uint32_t job = 0, step = 0;
    if (wanted[0] != '/' && getcwd(here, sizeof(here)))
        smap_text_add(&path, "%s/", strcmp(here, "/") == 0 ? "" : here);
    spank_get_item(spank, S_JOB_ID, &job);
    spank_get_item(spank, S_JOB_STEPID, &step);
    if (strcmp(wanted, option_row(OPTION_WATCH)->bare) == 0)
        smap_text_add(&path, "stencilmap-comm.%" PRIu32 ".%" PRIu32, job, step);
    else
        smap_text_add(&path, "%s", wanted);
    return smap_text_take(&path);
}

void helper_hand_over(bool mapped, spank_t spank)
{
    const char *helper = mapped ? helper_library() : NULL;
    char *watch = options_get(OPTION_WATCH) ? watch_library() : NULL;
    struct smap_text libraries = {0};
    if (watch) {
        char *path = record_path(spank);
        smap_text_add(&libraries, "%s", watch);
        handover_set(HANDOVER_WATCH, path);
        if (path)
            watched_expect(path, spank);
        free(path);
    }
    if (helper)
        smap_text_add(&libraries, "%s%s", watch ? ":" : "", helper);
    char *list = smap_text_take(&libraries);
    if (list && list[0])
        handover_set(HANDOVER_PRELOAD, list);
    free(list);
    free(watch);
}
