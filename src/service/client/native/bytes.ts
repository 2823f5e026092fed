import { limits } from '../../../model/limits.ts'
import { endings } from '../endings.ts'

/** C source of the basics: time, growing buffers, and reads and writes with time limits. */
export const bytes = String.raw`#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct bytes { char *at; size_t length, room; };
struct answer { char *out, *err; const char *proof; size_t out_length, err_length; int code; };

static const char *socket_path, *agent, *version, *state_folder, *node_file, *bin_file;
static long long alive_ms, deadline, bytes_max;
static struct bytes event, reply;

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void print_error(const char *why) {
  dprintf(2, "hookgate: %s\n", why);
}

/* Says nothing where why is NULL. */
static void exit_without_answer(const char *why, int code) {
  int stopped = event.length > 0 && (strstr(event.at, "\"stop_hook_active\":true") != NULL ||
                                     strstr(event.at, "\"stopHookActive\":true") != NULL);
  if (why != NULL) print_error(why);
  exit(stopped ? ${endings.stoppedBefore} : code);
}

static void exit_no_answer(const char *why) {
  exit_without_answer(why, ${endings.noAnswer});
}

/* Makes room for one byte more, so that the content can be terminated as a string. */
static int make_room(struct bytes *b, size_t more) {
  size_t room = b->room > 0 ? b->room : 65536;
  char *at;
  while (room < b->length + more + 1) room *= 2;
  if (room == b->room) return 1;
  if ((at = realloc(b->at, room)) == NULL) return 0;
  b->at = at;
  b->room = room;
  return 1;
}

/* Returns the number of bytes read; 0 at the end, -1 for an error or no memory, -2 if there is nothing to read now. */
static long read_more(int fd, struct bytes *b) {
  ssize_t got;
  if (!make_room(b, 32768)) return -1;
  got = read(fd, b->at + b->length, b->room - b->length - 1);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? -2 : -1;
  b->length += (size_t)got;
  b->at[b->length] = 0;
  return got;
}

static int wait_for(struct pollfd *fds, int count, long long until) {
  for (;;) {
    long long left = until - now_ms();
    int ready;
    if (left <= 0) return 0;
    ready = poll(fds, (nfds_t)count, left > 60000 ? 60000 : (int)left);
    if (ready > 0) return 1;
    if (ready < 0 && errno != EINTR) return 0;
  }
}

/* Reads stdin to its end: an agent that is still writing when the client exits may treat that as a failed hook. */
static void too_large(void) {
  static char rest[65536];
  long long left = ${limits.httpDiscardedBytesMax};
  while (left > 0) {
    struct pollfd in = { 0, POLLIN, 0 };
    ssize_t got;
    if (!wait_for(&in, 1, now_ms() + alive_ms)) break;
    got = read(0, rest, sizeof rest);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) break;
    if (got > 0) left -= got;
  }
  exit_without_answer("the event is too large", ${endings.tooLarge});
}

static void read_event(void) {
  for (;;) {
    struct pollfd in = { 0, POLLIN, 0 };
    long got;
    if (!wait_for(&in, 1, deadline)) exit_no_answer("the event did not arrive completely in time");
    got = read_more(0, &event);
    if (got == 0) return;
    if (got == -1) exit_no_answer("the event cannot be read");
    if ((long long)event.length > bytes_max) too_large();
  }
}

static void write_all(int fd, const char *at, size_t length) {
  while (length > 0) {
    ssize_t put = write(fd, at, length);
    if (put >= 0) {
      at += put;
      length -= (size_t)put;
    } else if (errno == EAGAIN) {
      struct pollfd out = { fd, POLLOUT, 0 };
      if (!wait_for(&out, 1, deadline)) return;
    } else if (errno != EINTR) return;
  }
}

static void nonblocking(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL, 0) | O_NONBLOCK);
  fcntl(fd, F_SETFD, FD_CLOEXEC);
}
`
