import { nodeVariables } from '../../model/node-environment.ts'
import { endings, exitCodeMax } from '../reply.ts'

/** C source for a missing gate: it starts one for the next event, and decides this one in a separate process. */
export const alone = String.raw`static void become(const char *command) {
${nodeVariables.map((name) => `  unsetenv("${name}");`).join('\n')}
  if (strcmp(command, "up") == 0) execl(node_file, node_file, bin_file, "up", "--for-session", (char *)NULL);
  else execl(node_file, node_file, bin_file, command, "--agent", agent, "--answered=${endings.answered}", (char *)NULL);
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
static int decide_without_gate(struct answer *said) {
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
  said->code = WIFEXITED(status) ? WEXITSTATUS(status) - ${endings.answered} : -1;
  return said->code >= 0 && said->code <= ${exitCodeMax};
}
`
