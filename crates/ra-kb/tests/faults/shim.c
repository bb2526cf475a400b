/* Stands between ra and the C library, and makes the machine slow, unreliable or late. Settings:
 *
 *   RA_SHIM_CLOCK=SECONDS   the clock of the day is off by so much
 *   RA_SHIM_PATH=TEXT       paths that contain this are on a slow disk
 *   RA_SHIM_DELAY=MICROS    how long each call there takes
 *   RA_SHIM_FAIL=N          every Nth call there fails, as on a network
 *   RA_SHIM_TICK=SECONDS    the times of files are kept in ticks of so many seconds
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DESCRIPTORS 65536
static _Atomic char slow_descriptor[DESCRIPTORS];
static atomic_uint calls;

static long setting(const char *name) {
    const char *value = getenv(name);
    return value ? atol(value) : 0;
}

static int is_slow(const char *path) {
    const char *part = getenv("RA_SHIM_PATH");
    return part && path && strstr(path, part) != NULL;
}

/* Waits as long as the disk takes. Returns -1 with errno when the call is to fail. */
static int suffer(void) {
    long delay = setting("RA_SHIM_DELAY"), fail = setting("RA_SHIM_FAIL");
    if (delay > 0) usleep((useconds_t)delay);
    if (fail > 0 && atomic_fetch_add(&calls, 1) % fail == (unsigned long)fail - 1) {
        static const int errors[] = {EIO, ESTALE, ETIMEDOUT, EACCES};
        errno = errors[atomic_load(&calls) / fail % 4];
        return -1;
    }
    return 0;
}

static int remember(int descriptor, const char *path) {
    if (descriptor >= 0 && descriptor < DESCRIPTORS) slow_descriptor[descriptor] = (char)is_slow(path);
    return descriptor;
}

/* The function of the C library that one of ours stands in front of. */
#define REAL(function)                                                                   \
    static __typeof__(function) *real;                                                   \
    if (!real) real = (__typeof__(function) *)dlsym(RTLD_NEXT, #function)

#define OPEN(function)                                                                   \
    int function(const char *path, int flags, ...) {                                     \
        va_list rest;                                                                    \
        va_start(rest, flags);                                                           \
        mode_t mode = va_arg(rest, mode_t);                                              \
        va_end(rest);                                                                    \
        REAL(function);                                                                  \
        if (is_slow(path) && suffer() < 0) return -1;                                    \
        return remember(real(path, flags, mode), path);                                  \
    }
OPEN(open)
OPEN(open64)

ssize_t read(int descriptor, void *buffer, size_t size) {
    REAL(read);
    int slow = descriptor >= 0 && descriptor < DESCRIPTORS && slow_descriptor[descriptor];
    if (slow && suffer() < 0) return -1;
    return real(descriptor, buffer, size);
}

int statx(int directory, const char *path, int flags, unsigned mask, struct statx *result) {
    REAL(statx);
    if (is_slow(path) && suffer() < 0) return -1;
    int code = real(directory, path, flags, mask, result);
    long tick = setting("RA_SHIM_TICK");
    if (code == 0 && tick > 0) {
        result->stx_mtime.tv_nsec = result->stx_ctime.tv_nsec = 0;
        result->stx_mtime.tv_sec -= result->stx_mtime.tv_sec % tick;
        result->stx_ctime.tv_sec -= result->stx_ctime.tv_sec % tick;
    }
    return code;
}

DIR *opendir(const char *path) {
    REAL(opendir);
    if (is_slow(path) && suffer() < 0) return NULL;
    return real(path);
}

int clock_gettime(clockid_t clock, struct timespec *result) {
    REAL(clock_gettime);
    int code = real(clock, result);
    if (code == 0 && clock == CLOCK_REALTIME) result->tv_sec += setting("RA_SHIM_CLOCK");
    return code;
}
