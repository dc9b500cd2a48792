/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/words_private.h"

#include <dlfcn.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void smap_words_ask(void)
{
    static char word[] = "HWLOC_XML_VERBOSE=1";
    size_t count = 0;
    while (environ[count])
        count++;
    char **longer = calloc(count + 2, sizeof(*longer));
    if (!longer)
        return;
    longer[0] = word;
    memcpy(longer + 1, environ, count * sizeof(*longer));
    environ = longer;
}

/* The functions of the copy. */
struct library {
    int (*init)(hwloc_topology_t *topology);
    int (*set)(hwloc_topology_t topology, const char *xml, int size);
    int (*load)(hwloc_topology_t topology);
};

/* A function pointer out of an object pointer, which C does not convert. */
static void find(void *function, void *handle, const char *name)
{
    void *symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof(symbol));
}

void smap_words_again(const char *xml, int size)
{
    int (*known)(hwloc_topology_t *) = hwloc_topology_init;
    struct library copy = {.init = NULL};
    hwloc_topology_t topology;
    Dl_info info;
    void *address;
    memcpy(&address, &known, sizeof(address));
    if (!dladdr(address, &info) || !strstr(info.dli_fname, "hwloc")) /* linked in statically */
        return;
    void *handle = dlmopen(LM_ID_NEWLM, info.dli_fname, RTLD_NOW);
    if (!handle)
        return;
    find(&copy.init, handle, "hwloc_topology_init");
    find(&copy.set, handle, "hwloc_topology_set_xmlbuffer");
    find(&copy.load, handle, "hwloc_topology_load");
    if (copy.init && copy.set && copy.load && copy.init(&topology) == 0 &&
        copy.set(topology, xml, size) == 0)
        copy.load(topology);
}
