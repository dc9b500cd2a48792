/* SPDX-License-Identifier: BSD-3-Clause */
#include "srun/srunopts.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "env.h"

/* The prototypes of Slurm 22.05 to 26.05; the structure stays opaque. */
struct functions {
    void *opt;
    char *(*get)(void *opt, const char *name);
    bool (*isset)(void *opt, const char *name);
    int (*set)(void *opt, const char *name, const char *value, bool early);
    void (*xfree)(void **memory);
};

/* A data pointer is not a function pointer in C, but POSIX gives dlsym's result both ways. */
static void look_up(void **function, const char *name)
{
    *function = dlsym(RTLD_DEFAULT, name);
}

static const struct functions *find(void)
{
    static struct functions f;
    static bool looked_up;
    if (!looked_up) {
        f.opt = dlsym(RTLD_DEFAULT, "opt");
        look_up((void **)&f.get, "slurm_option_get");
        look_up((void **)&f.isset, "slurm_option_isset");
        look_up((void **)&f.set, "slurm_option_set");
        look_up((void **)&f.xfree, "slurm_xfree");
        looked_up = true;
    }
    return f.opt && f.get && f.isset && f.set ? &f : NULL;
}

bool srunopts_available(void)
{
    return find() != NULL;
}

char *srunopts_get(const char *name)
{
    const struct functions *f = find();
    char *value = f ? f->get(f->opt, name) : NULL;
    if (!value)
        return NULL;
    bool unset = strcmp(value, "unset") == 0 || strcmp(value, "invalid-context") == 0;
    char *copy = unset ? NULL : strdup(value);
    if (f->xfree)
        f->xfree((void **)&value);
    return copy;
}

bool srunopts_isset(const char *name)
{
    const struct functions *f = find();
    return f && f->isset(f->opt, name);
}

static char *get(void *context, const char *name)
{
    (void)context;
    return srunopts_get(name);
}

static bool isset(void *context, const char *name)
{
    (void)context;
    return srunopts_isset(name);
}

struct smap_srun srunopts_all(void)
{
    return (struct smap_srun){.get = get, .isset = isset};
}

uint32_t srunopts_number(const char *name)
{
    const struct smap_srun all = srunopts_all();
    return smap_srun_number(&all, name);
}

bool srunopts_binds_cpus(void)
{
    char *value = srunopts_get("cpu-bind");
    /* srun shows no text for none and rank. */
    bool binds = srunopts_isset("cpu-bind") && (!value || env_chooses_binding(value));
    free(value);
    return binds;
}

bool srunopts_set(const char *name, const char *value)
{
    const struct functions *f = find();
    return f && f->set(f->opt, name, value, false) == 0;
}
