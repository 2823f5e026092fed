import { limits } from '../../../model/limits.ts'
import { challengeBytes, challengeHeader, proofHeader } from '../../../files/proof.ts'
import { exitCodeMax } from '../reply.ts'

/** C source that sends the event to the gate. */
export const ask = String.raw`/* INVARIANT: no other user can have created the socket. A short socket path lies below a world-writable folder. */
static int is_ours(void) {
  char folder[4096];
  struct stat is;
  const char *slash = strrchr(socket_path, '/');
  if (slash == NULL || slash == socket_path || (size_t)(slash - socket_path) >= sizeof folder) return 0;
  memcpy(folder, socket_path, (size_t)(slash - socket_path));
  folder[slash - socket_path] = 0;
  return lstat(folder, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid() && (is.st_mode & 077) == 0;
}

static int connect_to_gate(void) {
  struct sockaddr_un to;
  long long until = now_ms() + alive_ms;
  int fd = is_ours() ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
  memset(&to, 0, sizeof to);
  to.sun_family = AF_UNIX;
  if (fd < 0 || strlen(socket_path) >= sizeof to.sun_path) return -1;
  strcpy(to.sun_path, socket_path);
  nonblocking(fd);
  while (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
    /* The gate's queue is full: many clients connect at once. */
    if ((errno != EAGAIN && errno != EINTR) || now_ms() > until) {
      close(fd);
      return -1;
    }
    poll(NULL, 0, 5);
  }
  return fd;
}

/* Returns a header's value; NULL if the header is missing. The head ends with an empty line. */
static const char *value_of(const char *head, const char *end, const char *name) {
  size_t length = strlen(name);
  const char *line = head;
  while ((line = strstr(line, "\r\n")) != NULL && line < end) {
    line += 2;
    if (strncasecmp(line, name, length) == 0 && line[length] == ':') return line + length + 1 + strspn(line + length + 1, " ");
  }
  return NULL;
}

/* Returns a header's number; -1 if the header is missing or malformed. */
static long long number_of(const char *head, const char *end, const char *name) {
  const char *digits = value_of(head, end, name);
  long long number = 0;
  int count = 0;
  if (digits == NULL) return -1;
  for (; *digits >= '0' && *digits <= '9' && count < 12; digits++, count++) number = number * 10 + (*digits - '0');
  return count > 0 && *digits == '\r' ? number : -1;
}

/* Returns 1 for a complete answer, 0 for a part of one, 2 for no part yet, and -1 if a gate cannot have sent it. */
static int parse_reply(struct answer *answer) {
  char *head = reply.at;
  for (;;) {
    size_t left = reply.length - (size_t)(head - reply.at);
    char *end;
    long long length, code, err;
    if (left < 12) return left > 0 && strncmp(head, "HTTP/1.1 200", left) != 0 && strncmp(head, "HTTP/1.1 100", left) != 0 ? -1 : left > 0 ? 0 : 2;
    if (strncmp(head, "HTTP/1.1 ", 9) != 0) return -1;
    /* No gate sends that many interim responses. */
    if (head - reply.at > 65536) return -1;
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
    if (length < 0 || length > bytes_max || err < 0 || err > length || code < 0 || code > ${exitCodeMax}) return -1;
    end += 4;
    if ((long long)(reply.length - (size_t)(end - reply.at)) < length) return 0;
    answer->proof = value_of(head, end - 2, "${proofHeader}");
    answer->out = end;
    answer->out_length = (size_t)(length - err);
    answer->err = end + answer->out_length;
    answer->err_length = (size_t)err;
    answer->code = (int)code;
    return 1;
  }
}

static int append_text(struct bytes *to, const char *text) {
  size_t length = strlen(text) + 1;
  if (to->length + length > ${limits.callerBytesMax} || !make_room(to, length)) return 0;
  memcpy(to->at + to->length, text, length);
  to->length += length;
  return 1;
}

/* Adds the working folder and all variables, in which the gate decides as a separate process would. */
static int append_caller(struct bytes *to) {
  char folder[8192], **variable;
  /* A removed folder has no path. */
  if (getcwd(folder, sizeof folder) == NULL || folder[0] != '/') strcpy(folder, "/");
  if (!append_text(to, folder)) return 0;
  for (variable = environ; *variable != NULL; variable++)
    if (strchr(*variable, '=') > *variable && !append_text(to, *variable)) return 0;
  return 1;
}

/*
 * Sends the event to the gate. Returns 1 if it has answered.
 *
 * INVARIANT: a gate that does not send 100 Continue within alive_ms, or pauses for as long in the middle of an answer,
 * has not answered. After 100 Continue it may take as long as its hooks do.
 * INVARIANT: an answer without the proof of the gate whose key this is was not given.
 * INVARIANT: it ends with the agent. Else a call would go on waiting for a person whose answer nobody reads.
 */
static int ask_gate(struct answer *answer) {
  struct bytes request = { NULL, 0, 0 }, caller = { NULL, 0, 0 };
  char challenge[${challengeBytes * 2 + 1}], key[64], proved[1024];
  struct sha body = sha_start;
  size_t sent = 0, ahead;
  long long until = now_ms() + alive_ms;
  int fd = append_caller(&caller) && read_random(challenge) ? connect_to_gate() : -1, head, is_digested = 0;
  /* Once connected: what listens after the gate of an older key cannot answer here. */
  if (fd < 0 || !read_key(key) || !make_room(&request, caller.length + event.length + 1024)) return 0;
  head = snprintf(request.at, 1024,
    "POST /v1/hook/%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
    "Content-Type: application/json\r\nHookgate-Version: %s\r\nHookgate-Caller-Bytes: %lu\r\n"
    "${challengeHeader}: %s\r\nContent-Length: %lu\r\n\r\n",
    agent, version, (unsigned long)caller.length, challenge, (unsigned long)(caller.length + event.length));
  if (head < 0 || head >= 1024) return 0;
  /* The same fields as in the head, so there is room. */
  snprintf(proved, sizeof proved, "%s\nPOST /v1/hook/%s\n%s\n%lu", challenge, agent, version, (unsigned long)caller.length);
  ahead = (size_t)head;
  memcpy(request.at + ahead, caller.at, caller.length);
  if (event.length > 0) memcpy(request.at + ahead + caller.length, event.at, event.length);
  request.length = ahead + caller.length + event.length;
  int out = 1;
  for (;;) {
    struct pollfd ready[2] = { { fd, POLLIN, 0 }, { out, 0, 0 } };
    long got;
    int state;
    /* While the gate decides. */
    if (sent == request.length && !is_digested) {
      sha_add(&body, request.at + ahead, request.length - ahead);
      is_digested = 1;
    }
    if (sent < request.length) ready[0].events |= POLLOUT;
    if (!wait_for(ready, 2, until < deadline ? until : deadline)) break;
    /* Nobody can have closed what was not open: it is looked at no more. */
    if (ready[1].revents & POLLNVAL) out = -1;
    if (ready[1].revents & (POLLERR | POLLHUP)) exit_no_answer("the agent has ended");
    if (ready[0].revents & POLLOUT) {
      ssize_t put = write(fd, request.at + sent, request.length - sent);
      if (put > 0) sent += (size_t)put;
      /* The gate reads no further, so its answer is to another request. */
      else if (put < 0 && errno != EAGAIN && errno != EINTR) break;
    }
    if (!(ready[0].revents & (POLLIN | POLLHUP | POLLERR))) continue;
    got = read_more(fd, &reply);
    if (got == -2) continue;
    if (got <= 0 || (long long)reply.length > bytes_max) break;
    state = parse_reply(answer);
    if (state == 1 && is_digested && is_proved(answer, key, proved, body)) return 1;
    if (state == 1 || state == -1) break;
    until = state == 2 ? deadline : now_ms() + alive_ms;
  }
  close(fd);
  return 0;
}
`
