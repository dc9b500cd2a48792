/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a fuzz target over files, without a fuzzer: replay_<target> FILE-OR-DIRECTORY... */
#include <dirent.h>
#include <errno.h>

#include "fuzz.h"

static int replay_file(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(data, 1, sizeof(data), file) : 0;
    if (!file || ferror(file)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        if (file)
            fclose(file);
        return -1;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    return 1;
}

/* How many inputs were run, or -1. */
static int replay(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;
    if (!directory)
        return replay_file(path);
    for (struct dirent *entry; count >= 0 && (entry = readdir(directory));) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
        count = replay_file(name) < 0 ? -1 : count + 1;
    }
    closedir(directory);
    return count;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int count = replay(argv[i]);
        if (count <= 0) {
            fprintf(stderr, "%s: nothing to replay\n", argv[i]);
            return 1;
        }
        printf("%s: %d inputs\n", argv[i], count);
    }
    return argc < 2;
}
