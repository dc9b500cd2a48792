/* SPDX-License-Identifier: BSD-3-Clause */
/* A srun that has just begun, with a configuration file of the test's. */
#ifndef STENCILMAP_UNIT_SRUN_H
#define STENCILMAP_UNIT_SRUN_H

#include "fake_spank.h"
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#define INHERITED "SLURM_SPANK__SLURM_SPANK_OPTION_stencilmap_"

static char config[] = "/tmp/stencilmap-test-XXXXXX";

static inline void write_config(const char *text)
{
    FILE *file = fopen(config, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A new srun, with the test's configuration file. */
static inline int setup(void **state)
{
    char argument[64];
    char *arguments[] = {argument, NULL};
    (void)state;
    unsetenv("STENCILMAP_OPTIONS");
    unsetenv(INHERITED "stencil_map");
    fake_reset();
    snprintf(argument, sizeof(argument), "config=%s", config);
    write_config("");
    slurm_spank_init(fake_handle(), 1, arguments);
    return 0;
}

static inline int teardown(void **state)
{
    char *no_arguments[] = {NULL};
    (void)state;
    return slurm_spank_exit(fake_handle(), 0, no_arguments);
}

static inline int make_config(void **state)
{
    int file = mkstemp(config);
    (void)state;
    return file < 0 ? -1 : close(file);
}

static inline int remove_config(void **state)
{
    (void)state;
    return unlink(config);
}

#endif
