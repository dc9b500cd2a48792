/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a topology. Files are somebody's work, and hwloc (2.9) crashes on some of them, where
 * objects lack a cpuset for instance: they are read once, loaded in a child process first, and in
 * this one only if that went well. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/topology_private.h"
#include "machine/trial_private.h"
#include "machine/words_private.h"

/* Far more than the largest machines take. */
#define FILE_MAX (64L << 20)

#define RIGHT "lstopo --of xml of hwloc " HWLOC_VERSION " writes such files"

/* The whole of an XML file. */
struct file {
    const char *path;
    char *text; /* with a terminating zero */
    int size;   /* with it, as hwloc wants it */
};

hwloc_obj_t smap_hw_core(const struct smap_topology *t, hwloc_obj_t pu)
{
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(t->hw, HWLOC_OBJ_CORE, pu);
    return core ? core : pu;
}

static int collect_cores(struct smap_topology *t, struct smap_error *err)
{
    int pus = hwloc_get_nbobjs_by_type(t->hw, HWLOC_OBJ_PU);
    if (pus <= 0)
        return smap_fail(err, SMAP_EINVAL, "no cpus in the topology");
    t->core = calloc((size_t)pus, sizeof(*t->core));
    if (!t->core)
        return smap_nomem(err);
    for (int i = 0; i < pus; i++) {
        hwloc_obj_t core = smap_hw_core(t, hwloc_get_obj_by_type(t->hw, HWLOC_OBJ_PU, (unsigned)i));
        if (t->cores == 0 || t->core[t->cores - 1] != core)
            t->core[t->cores++] = core;
    }
    return SMAP_OK;
}

/* hwloc looks through all objects for each such question: it is asked once for all. GPU memory that
 * the kernel shows as a NUMA node is nobody's main memory. */
static int collect_cpus(struct smap_topology *t, struct smap_error *err)
{
    hwloc_obj_t pu = NULL;
    hwloc_obj_t node = NULL;
    int last = hwloc_bitmap_last(hwloc_topology_get_topology_cpuset(t->hw));
    t->cpus = last < 0 ? 0 : (size_t)last + 1;
    t->cpu = calloc(t->cpus + 1, sizeof(*t->cpu));
    if (!t->cpu)
        return smap_nomem(err);
    while ((pu = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_PU, pu)))
        if (pu->os_index < t->cpus)
            t->cpu[pu->os_index].pu = pu;
    while ((node = hwloc_get_next_obj_by_type(t->hw, HWLOC_OBJ_NUMANODE, node))) {
        int size = hwloc_bitmap_weight(node->cpuset);
        unsigned id;
        if (node->subtype && strcmp(node->subtype, "GPUMemory") == 0)
            continue;
        hwloc_bitmap_foreach_begin(id, node->cpuset)
        {
            struct smap_hw_cpu *cpu = id < t->cpus ? &t->cpu[id] : NULL;
            if (cpu && (!cpu->numa || size < cpu->numa_size)) {
                cpu->numa = node;
                cpu->numa_size = size;
            }
        }
        hwloc_bitmap_foreach_end();
    }
    return SMAP_OK;
}

/* What hwloc takes from: the text of a file, a description, or this machine. */
struct input {
    const struct file *file; /* NULL: none */
    const char *synthetic;
    bool gpus;
};

static int set_input(hwloc_topology_t hw, const struct input *input, struct smap_error *err)
{
    if (input->file && hwloc_topology_set_xmlbuffer(hw, input->file->text, input->file->size) != 0)
        return smap_fail(err, SMAP_EINVAL, "nothing that hwloc can read");
    if (input->synthetic && hwloc_topology_set_synthetic(hw, input->synthetic) != 0)
        return smap_fail(err, SMAP_EINVAL, "not a synthetic description");
    return SMAP_OK;
}

/* Slurm numbers the cores of the whole machine, so those not allowed must be counted too. The
 * process that looks must not be bound elsewhere while it does: slurmstepd has other things to do.
 */
static void set_flags(hwloc_topology_t hw)
{
    unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
#if HWLOC_API_VERSION >= 0x00020500
    if (hwloc_topology_set_flags(hw, flags | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING) == 0)
        return; /* an older library than the header does not know it */
#endif
    hwloc_topology_set_flags(hw, flags);
}

static int load(struct smap_topology *t, const struct input *input, struct smap_error *err)
{
    if (hwloc_topology_init(&t->hw) != 0)
        return smap_nomem(err);
    set_flags(t->hw);
    hwloc_topology_set_io_types_filter(t->hw, HWLOC_TYPE_FILTER_KEEP_NONE);
    /* Not what the system makes of the devices: for that hwloc would start the GPUs' libraries. */
    if (input->gpus)
        hwloc_topology_set_type_filter(t->hw, HWLOC_OBJ_PCI_DEVICE,
                                       HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    int rc = set_input(t->hw, input, err);
    if (rc != SMAP_OK)
        return rc;
    if (hwloc_topology_load(t->hw) != 0)
        return smap_fail(err, SMAP_EINVAL, "hwloc cannot load it");
    t->allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(t->hw));
    if (!t->allowed)
        return smap_nomem(err);
    hwloc_bitmap_and(t->allowed, t->allowed, hwloc_topology_get_topology_cpuset(t->hw));
    if (hwloc_bitmap_iszero(t->allowed))
        return smap_fail(err, SMAP_EINVAL, "no cpu of it is allowed");
    smap_hw_find_gpus(t);
    rc = collect_cores(t, err);
    return rc == SMAP_OK ? collect_cpus(t, err) : rc;
}

static void clear(struct smap_topology *t)
{
    if (t->hw)
        hwloc_topology_destroy(t->hw);
    hwloc_bitmap_free(t->allowed);
    free(t->core);
    free(t->cpu);
}

/* All that a topology is ever asked for, with hwloc's own check, which aborts. In a child. */
static int attempt(void *context, struct smap_error *err)
{
    const enum smap_leaf leaves[] = {SMAP_LEAF_CORE, SMAP_LEAF_PU};
    const struct input *input = context;
    struct smap_topology t = {0};
    smap_words_ask();
    int rc = load(&t, input, err);
    if (rc == SMAP_OK)
        hwloc_topology_check(t.hw);
    for (size_t i = 0; rc == SMAP_OK && i < 2; i++) {
        struct smap_shape shape = {0};
        rc = smap_topology_shape(&shape, &t, leaves[i], 0, err);
        smap_shape_clear(&shape);
    }
    clear(&t);
    if (rc != SMAP_OK && input->file)
        smap_words_again(input->file->text, input->file->size);
    return rc;
}

/* Is hwloc told to take a file where nobody asked us for one? */
static bool file_in_environment(void)
{
    const char *name = getenv("HWLOC_XMLFILE");
    return name && *name;
}

/* The line that tells most, without what hwloc puts in front of all of them; "" if there is none.
 * What it ignores is no reason. */
static const char *find_reason(char *said)
{
    static const char name[] = "xmlbuffer: ";
    char *rest = said;
    for (char *line = strtok_r(said, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *behind = strstr(line, name);
        line = behind ? behind + strlen(name) : line;
        line += strspn(line, "*: ");
        if (*line == '\0' || strncmp(line, "ignoring", strlen("ignoring")) == 0)
            continue;
        for (char *c = line; *c; c++)
            *c = *c < ' ' || *c > '~' ? '?' : *c;
        size_t length = strlen(line);
        if (line[length - 1] == '.')
            line[length - 1] = '\0';
        return line;
    }
    return "";
}

/* Would loading go well? The reason is hwloc's where it has given one. A file that hwloc takes with
 * a complaint about its contents is none to bind tasks by. */
static int try_first(const struct input *input, struct smap_error *err)
{
    static const char complaint[] = "hwloc has encountered";
    char said[4096];
    struct smap_error why = {""};
    struct input copy = *input;
    const struct smap_trial trial = {.attempt = attempt, .context = &copy, .seconds = 30};
    int rc = smap_trial_run(said, sizeof(said), &trial, &why);
    const char *reason = find_reason(said);
    if (rc == SMAP_OK && strncmp(reason, complaint, strlen(complaint)) != 0)
        return SMAP_OK;
    if (rc == SMAP_ESYS)
        return smap_fail(err, rc, "hwloc %s%s%.200s; " RIGHT, why.text, reason[0] ? ": " : "",
                         reason);
    bool number = *reason >= '0' && *reason <= '9'; /* of the line that the XML parser is at */
    return smap_fail(err, SMAP_EINVAL, "%s%.200s; " RIGHT, number ? "line " : "",
                     reason[0] ? reason : why.text);
}

/* Devices and pipes have no end. */
static int open_file(const char *path, struct stat *status, struct smap_error *err)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, status) != 0) {
        smap_fail(err, SMAP_ESYS, "%s", strerror(errno));
    } else if (!S_ISREG(status->st_mode)) {
        smap_fail(err, SMAP_EINVAL, "not a file");
    } else if (status->st_size > FILE_MAX) {
        smap_fail(err, SMAP_EINVAL, "larger than %ld MiB", FILE_MAX >> 20);
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static int read_file(struct file *file, struct smap_error *err)
{
    struct stat status;
    size_t length = 0;
    ssize_t got = 1;
    int fd = open_file(file->path, &status, err);
    if (fd < 0)
        return SMAP_ESYS;
    file->text = malloc((size_t)status.st_size + 1);
    int rc = file->text ? SMAP_OK : smap_nomem(err);
    while (rc == SMAP_OK && got > 0 && length < (size_t)status.st_size) {
        got = read(fd, file->text + length, (size_t)status.st_size - length);
        if (got < 0)
            rc = smap_fail(err, SMAP_ESYS, "%s", strerror(errno));
        else
            length += (size_t)got;
    }
    close(fd);
    if (rc == SMAP_OK) {
        file->text[length] = '\0';
        file->size = (int)length + 1;
    }
    return rc;
}

/* Puts what was to be loaded in front of the reason. */
static int blame(struct smap_error *err, const struct smap_topology_source *source, int rc)
{
    struct smap_error why = err ? *err : (struct smap_error){""};
    if (source->xml)
        return smap_fail(err, rc, "topology=%.200s: %s", source->xml, why.text);
    if (source->synthetic)
        return smap_fail(err, rc, "topology '%.200s': %s", source->synthetic, why.text);
    return smap_fail(err, rc, "the topology of this machine: %s", why.text);
}

int smap_topology_load(struct smap_topology **topology, const struct smap_topology_source *source,
                       struct smap_error *err)
{
    struct file file = {.path = source->xml};
    struct input input = {.synthetic = source->synthetic, .gpus = source->gpus};
    struct smap_topology *t = calloc(1, sizeof(*t));
    int rc = t ? SMAP_OK : smap_nomem(err);
    if (rc == SMAP_OK && source->xml) {
        input.file = &file;
        rc = read_file(&file, err);
    }
    if (rc == SMAP_OK && (input.file || (!input.synthetic && file_in_environment())))
        rc = try_first(&input, err);
    if (rc == SMAP_OK)
        rc = load(t, &input, err);
    free(file.text);
    if (rc != SMAP_OK) {
        smap_topology_destroy(t);
        return rc == SMAP_ENOMEM ? rc : blame(err, source, rc);
    }
    *topology = t;
    return SMAP_OK;
}

void smap_topology_destroy(struct smap_topology *topology)
{
    if (!topology)
        return;
    clear(topology);
    free(topology);
}
