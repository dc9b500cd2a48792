/* SPDX-License-Identifier: BSD-3-Clause */
/* What a PMIx client reads: a line "rank node key value" for each key on the command line, "-"
 * where there is none. Keys of the step are asked for with the wildcard; with "peers" in front of
 * the keys, those of all ranks of this node. */
#include <pmix.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_of_rank(const char *key)
{
    return strcmp(key, "stencilmap.rank") == 0 || strcmp(key, "stencilmap.coords") == 0 ||
           strcmp(key, "stencilmap.cpus") == 0;
}

static void print_key(const pmix_proc_t *self, pmix_rank_t of, const char *node, const char *key)
{
    pmix_proc_t proc = *self;
    pmix_value_t *value = NULL;
    bool immediate = true;
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_IMMEDIATE, &immediate, PMIX_BOOL);
    proc.rank = is_of_rank(key) ? of : PMIX_RANK_WILDCARD;
    pmix_status_t rc = PMIx_Get(&proc, key, &info, 1, &value);
    bool text = rc == PMIX_SUCCESS && value->type == PMIX_STRING;
    printf("%u %s %s %s\n", of, node, key, text ? value->data.string : "-");
    if (value)
        PMIX_VALUE_RELEASE(value);
}

/* The ranks on this node, "0,1,2"; NULL: not known. The caller frees. */
static char *find_peers(const pmix_proc_t *self)
{
    pmix_proc_t proc = *self;
    pmix_value_t *value = NULL;
    proc.rank = PMIX_RANK_WILDCARD;
    if (PMIx_Get(&proc, PMIX_LOCAL_PEERS, NULL, 0, &value) != PMIX_SUCCESS)
        return NULL;
    char *peers = strdup(value->data.string);
    PMIX_VALUE_RELEASE(value);
    return peers;
}

int main(int argc, char **argv)
{
    pmix_proc_t self;
    char node[256] = "?";
    gethostname(node, sizeof(node) - 1);
    if (PMIx_Init(&self, NULL, 0) != PMIX_SUCCESS) {
        fprintf(stderr, "no PMIx server\n");
        return 1;
    }
    bool all = argc > 1 && strcmp(argv[1], "peers") == 0;
    char *peers = all ? find_peers(&self) : NULL, *rest = NULL;
    for (int i = 1 + all; i < argc; i++)
        if (!all)
            print_key(&self, self.rank, node, argv[i]);
    for (char *peer = peers ? strtok_r(peers, ",", &rest) : NULL; peer;
         peer = strtok_r(NULL, ",", &rest))
        for (int i = 2; i < argc; i++)
            print_key(&self, (pmix_rank_t)strtoul(peer, NULL, 10), node, argv[i]);
    free(peers);
    PMIx_Finalize(NULL, 0);
    return 0;
}
