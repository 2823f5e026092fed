/**
 * The thin client in C, compiled where it is installed if there is a compiler. It takes what `ClientCall` says, in that
 * order, and exits with the gate's own code, 126 where it has no answer, or 125 where it has none and the event's sender
 * was refused its stop before.
 *
 * INVARIANT: one answer or none. Nothing is written before the whole of it is there.
 */
export const nativeSource = String.raw`
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

struct bytes { char *at; size_t length, room; };
struct answer { char *out, *err; size_t out_length, err_length; int code; };

static const char *socket_path, *agent, *version, *stamp, *node_file, *bin_file;
static long long alive_ms, deadline, bytes_max;
static struct bytes event, reply;

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void complain(const char *why) {
  dprintf(2, "hookgate: %s\n", why);
}

static void no_answer(const char *why) {
  int stopped = event.length > 0 && strstr(event.at, "\"stop_hook_active\":true") != NULL;
  complain(why);
  exit(stopped ? 125 : 126);
}

/* One byte more than asked for, so that what was read can be ended as a string. */
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

/* > 0: so many bytes more; 0: there are no more; -1: an error, or no room; -2: nothing to read just now. */
static long take(int fd, struct bytes *b) {
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

static void read_event(void) {
  for (;;) {
    struct pollfd in = { 0, POLLIN, 0 };
    long got;
    if (!wait_for(&in, 1, deadline)) no_answer("the event did not come to its end in time");
    got = take(0, &event);
    if (got == 0) return;
    if (got == -1) no_answer("the event cannot be read");
    if ((long long)event.length > bytes_max) no_answer("the event is too large");
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

/* INVARIANT: nobody else can have put the socket where it is. A short path is one in a folder that all may write to. */
static int is_ours(void) {
  char folder[4096];
  struct stat is;
  const char *slash = strrchr(socket_path, '/');
  if (slash == NULL || slash == socket_path || (size_t)(slash - socket_path) >= sizeof folder) return 0;
  memcpy(folder, socket_path, (size_t)(slash - socket_path));
  folder[slash - socket_path] = 0;
  return lstat(folder, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid() && (is.st_mode & 077) == 0;
}

static int connected(void) {
  struct sockaddr_un to;
  long long until = now_ms() + alive_ms;
  int fd = is_ours() ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
  memset(&to, 0, sizeof to);
  to.sun_family = AF_UNIX;
  if (fd < 0 || strlen(socket_path) >= sizeof to.sun_path) return -1;
  strcpy(to.sun_path, socket_path);
  nonblocking(fd);
  while (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
    /* So many ask at once that the gate's queue is full. */
    if ((errno != EAGAIN && errno != EINTR) || now_ms() > until) {
      close(fd);
      return -1;
    }
    poll(NULL, 0, 5);
  }
  return fd;
}

/* The value of a header of a head that ends with an empty line, as a number; -1 where there is none. */
static long long number_of(const char *head, const char *end, const char *name) {
  size_t length = strlen(name);
  const char *line = head;
  while ((line = strstr(line, "\r\n")) != NULL && line < end) {
    line += 2;
    if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
      const char *digits = line + length + 1;
      long long number = 0;
      int count = 0;
      while (*digits == ' ') digits++;
      for (; *digits >= '0' && *digits <= '9' && count < 12; digits++, count++) number = number * 10 + (*digits - '0');
      return count > 0 && *digits == '\r' ? number : -1;
    }
  }
  return -1;
}

/* 1: all of it is there; 0: not yet, and it has begun; 2: not yet, and nothing of it; -1: it is no answer of a gate. */
static int understood(struct answer *said) {
  char *head = reply.at;
  for (;;) {
    size_t left = reply.length - (size_t)(head - reply.at);
    char *end;
    long long length, code, err;
    if (left < 12) return left > 0 && strncmp(head, "HTTP/1.1 200", left) != 0 && strncmp(head, "HTTP/1.1 100", left) != 0 ? -1 : left > 0 ? 0 : 2;
    if (strncmp(head, "HTTP/1.1 ", 9) != 0) return -1;
    end = strstr(head, "\r\n\r\n");
    if (end == NULL) return left > 65536 ? -1 : 0;
    if (head[9] == '1') {
      head = end + 4;
      continue;
    }
    if (strncmp(head + 9, "200", 3) != 0) return -1;
    length = number_of(head, end + 2, "content-length");
    code = number_of(head, end + 2, "hookgate-exit-code");
    err = number_of(head, end + 2, "hookgate-stderr-bytes");
    if (length < 0 || length > bytes_max || err < 0 || err > length || code < 0 || code > 124) return -1;
    end += 4;
    if ((long long)(reply.length - (size_t)(end - reply.at)) < length) return 0;
    said->out = end;
    said->out_length = (size_t)(length - err);
    said->err = end + said->out_length;
    said->err_length = (size_t)err;
    said->code = (int)code;
    return 1;
  }
}

/*
 * INVARIANT: a gate that does not say within alive_ms that it hears (100 Continue), or that stops in the middle of an
 * answer for as long, has not answered. One that hears may take as long as its hooks do.
 */
static int asked(struct answer *said) {
  struct bytes request = { NULL, 0, 0 };
  size_t sent = 0;
  long long until = now_ms() + alive_ms;
  int fd = connected(), head;
  if (fd < 0 || !make_room(&request, event.length + 1024)) return 0;
  head = snprintf(request.at, 1024,
    "POST /v1/hook/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
    "Content-Type: application/json\r\nHookgate-Version: %s\r\nContent-Length: %lu\r\n\r\n",
    agent, version, (unsigned long)event.length);
  if (head < 0 || head >= 1024) return 0;
  if (event.length > 0) memcpy(request.at + head, event.at, event.length);
  request.length = (size_t)head + event.length;
  for (;;) {
    struct pollfd ready = { fd, POLLIN, 0 };
    long got;
    int state;
    if (sent < request.length) ready.events |= POLLOUT;
    if (!wait_for(&ready, 1, until < deadline ? until : deadline)) break;
    if (ready.revents & POLLOUT) {
      ssize_t put = write(fd, request.at + sent, request.length - sent);
      if (put > 0) sent += (size_t)put;
      /* It wants no more; what it says is still to be read. */
      else if (put < 0 && errno != EAGAIN && errno != EINTR) sent = request.length;
    }
    if (!(ready.revents & (POLLIN | POLLHUP | POLLERR))) continue;
    got = take(fd, &reply);
    if (got == -2) continue;
    if (got <= 0 || (long long)reply.length > bytes_max) break;
    state = understood(said);
    if (state == 1) return 1;
    if (state == -1) break;
    until = state == 2 ? deadline : now_ms() + alive_ms;
  }
  close(fd);
  return 0;
}

static void become(const char *command) {
  unsetenv("NODE_OPTIONS");
  if (strcmp(command, "up") == 0) execl(node_file, node_file, bin_file, "up", (char *)NULL);
  else execl(node_file, node_file, bin_file, command, "--agent", agent, (char *)NULL);
  _exit(127);
}

/* Has the gate brought up for the next event, in the background, and not more often than every so many seconds. */
static void bring_up(long long every_s) {
  struct stat last;
  int fd;
  pid_t child;
  if (every_s <= 0) return;
  fd = open(stamp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    if (errno != EEXIST || lstat(stamp, &last) != 0 || time(NULL) - last.st_mtime < every_s) return;
    if (utimensat(AT_FDCWD, stamp, NULL, AT_SYMLINK_NOFOLLOW) != 0) return;
  } else close(fd);
  if ((child = fork()) == 0) {
    int nothing = open("/dev/null", O_RDWR);
    setsid();
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0) _exit(1);
    if (nothing > 2) close(nothing);
    if (fork() == 0) become("up");
    _exit(0);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

/* The same decision in a process of its own. Its stderr is ours. */
static int decided(struct answer *said) {
  int in[2], out[2], status = 0, asked_to_end = 0;
  size_t sent = 0;
  pid_t child;
  reply.length = 0;
  if (pipe(in) != 0 || pipe(out) != 0 || (child = fork()) < 0) return 0;
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    close(in[0]), close(in[1]), close(out[0]), close(out[1]);
    become("run");
  }
  close(in[0]);
  close(out[1]);
  nonblocking(in[1]);
  nonblocking(out[0]);
  for (;;) {
    struct pollfd fds[2] = { { out[0], POLLIN, 0 }, { sent < event.length ? in[1] : -1, POLLOUT, 0 } };
    long got;
    if (sent >= event.length && in[1] >= 0) {
      close(in[1]);
      in[1] = -1;
      fds[1].fd = -1;
    }
    if (!wait_for(fds, 2, deadline)) {
      kill(child, asked_to_end ? SIGKILL : SIGTERM);
      if (asked_to_end) break;
      asked_to_end = 1;
      deadline = now_ms() + 500;
      continue;
    }
    if (fds[1].fd >= 0 && fds[1].revents != 0) {
      ssize_t put = write(in[1], event.at + sent, event.length - sent);
      if (put > 0) sent += (size_t)put;
      else if (put < 0 && errno != EAGAIN && errno != EINTR) sent = event.length;
    }
    if (fds[0].revents == 0) continue;
    got = take(out[0], &reply);
    if (got == 0) break;
    if (got == -1 || (long long)reply.length > bytes_max) {
      kill(child, SIGKILL);
      break;
    }
  }
  /* Whoever closes its stdout and stays is not waited for beyond the end. */
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (now_ms() > deadline) kill(child, SIGKILL);
    poll(NULL, 0, 1);
  }
  said->out = reply.at;
  said->out_length = reply.length;
  said->err = NULL;
  said->err_length = 0;
  said->code = WIFEXITED(status) ? WEXITSTATUS(status) : 126;
  return said->code == 0 || (said->code <= 2 && said->out_length > 0);
}

static int say(const struct answer *said) {
  write_all(1, said->out, said->out_length);
  write_all(2, said->err, said->err_length);
  return said->code;
}

int main(int argc, char **argv) {
  struct answer said;
  if (argc != 11) {
    complain("the client was called in another way than it was made for");
    return 126;
  }
  socket_path = argv[1], agent = argv[2], version = argv[3];
  alive_ms = atoll(argv[4]);
  deadline = now_ms() + atoll(argv[5]);
  bytes_max = atoll(argv[6]);
  stamp = argv[8], node_file = argv[9], bin_file = argv[10];
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  read_event();
  /* A hook of the gate that asks the gate again would never end: the count of gates behind gates is kept by processes. */
  if (getenv("HOOKGATE_DEPTH") == NULL) {
    if (asked(&said)) return say(&said);
    if (now_ms() >= deadline) no_answer("the gate did not answer in time");
    bring_up(atoll(argv[7]));
  }
  if (!decided(&said)) no_answer("neither the gate nor a gate of its own could be asked");
  return say(&said);
}
`
