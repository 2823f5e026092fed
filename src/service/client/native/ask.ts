import { limits } from '../../../model/limits.ts'
import { challengeBytes } from '../../../files/proof.ts'
import { endBytes, exitCodeMax, frameHeadBytes, frameKinds, opening, requestHeadBytesMax } from '../../frames.ts'

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

/* Returns 1 for a complete answer, 0 for a part of one, 2 for one that is only accepted, and -1 if no gate can have sent it. */
static int parse_reply(struct answer *answer) {
  static const char kinds[] = "${frameKinds.accepted}${frameKinds.stdout}${frameKinds.stderr}${frameKinds.end}";
  char *at = reply.at, *content[4];
  size_t left = reply.length, length[4];
  int i;
  for (i = 0; i < 4; i++) {
    const unsigned char *head = (const unsigned char *)at;
    if (left == 0) return i < 2 ? 2 : 0;
    if (*at != kinds[i]) return -1;
    if (left < ${frameHeadBytes}) return 0;
    length[i] = (size_t)head[1] << 24 | (size_t)head[2] << 16 | (size_t)head[3] << 8 | head[4];
    if (i == 0 ? length[i] != 0 : i == 3 ? length[i] != ${endBytes} : length[i] > (size_t)bytes_max) return -1;
    at += ${frameHeadBytes};
    left -= ${frameHeadBytes};
    if (left < length[i]) return 0;
    content[i] = at;
    at += length[i];
    left -= length[i];
  }
  answer->out = content[1];
  answer->out_length = length[1];
  answer->err = content[2];
  answer->err_length = length[2];
  answer->code = content[3][0] - '0';
  answer->proof = content[3] + 1;
  return answer->code >= 0 && answer->code <= ${exitCodeMax} ? 1 : -1;
}

static void put_length(char *to, size_t length) {
  int i;
  for (i = 0; i < 4; i++) to[i] = (char)(length >> (24 - i * 8));
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
 * INVARIANT: a gate that does not accept the request within alive_ms, or pauses for as long in the middle of an answer, has
 * not answered. Once it has accepted, it may take as long as its hooks do.
 * INVARIANT: an answer without the proof of the gate whose key this is was not given.
 * INVARIANT: it ends with the agent. Else a call would go on waiting for a person whose answer nobody reads.
 */
static int ask_gate(struct answer *answer) {
  struct bytes request = { NULL, 0, 0 }, caller = { NULL, 0, 0 };
  char challenge[${challengeBytes * 2 + 1}], key[64], *at;
  struct sha digest = sha_start;
  size_t sent = 0;
  long long until = now_ms() + alive_ms;
  int fd = append_caller(&caller) && read_random(challenge) ? connect_to_gate() : -1, head, is_digested = 0;
  /* Once connected: what listens after the gate of an older key cannot answer here. */
  if (fd < 0 || !read_key(key) || !make_room(&request, caller.length + event.length + ${requestHeadBytesMax + 64})) return 0;
  at = request.at + ${opening.length + frameHeadBytes};
  head = snprintf(at, ${requestHeadBytesMax},
    "{\"to\":\"hook\",\"agent\":\"%s\",\"version\":\"%s\",\"challenge\":\"%s\",\"callerBytes\":%lu}",
    agent, version, challenge, (unsigned long)caller.length);
  if (head < 0 || head >= ${requestHeadBytesMax}) return 0;
  memcpy(request.at, "${opening.replace('\n', String.raw`\n`)}${frameKinds.head}", ${opening.length + 1});
  put_length(at - 4, (size_t)head);
  at += head;
  *at = '${frameKinds.body}';
  put_length(at + 1, caller.length + event.length);
  at += ${frameHeadBytes};
  memcpy(at, caller.at, caller.length);
  if (event.length > 0) memcpy(at + caller.length, event.at, event.length);
  request.length = (size_t)(at - request.at) + caller.length + event.length;
  int out = 1;
  for (;;) {
    struct pollfd ready[2] = { { fd, POLLIN, 0 }, { out, 0, 0 } };
    long got;
    int state;
    /* While the gate decides. */
    if (sent == request.length && !is_digested) {
      sha_add(&digest, request.at, request.length);
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
    if (state == 1 && is_digested && is_proved(answer, key, digest)) return 1;
    if (state == 1 || state == -1) break;
    until = state == 2 ? deadline : now_ms() + alive_ms;
  }
  close(fd);
  return 0;
}
`
