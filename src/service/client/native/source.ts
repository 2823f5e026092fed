import { endings } from '../endings.ts'
import { ask } from './ask.ts'
import { bytes } from './bytes.ts'
import { proof } from './proof.ts'
import { nodeVariables } from '../../../model/node-environment.ts'
import { exitCodeMax } from '../../frames.ts'

/** C source for a missing gate: it starts one for the next event, and decides this one in a separate process. */
const separate = String.raw`static void exec_hookgate(const char *command) {
${nodeVariables.map((name) => `  unsetenv("${name}");`).join('\n')}
  if (strcmp(command, "up") == 0) execl(node_file, node_file, bin_file, "up", "--for-session", (char *)NULL);
  else execl(node_file, node_file, bin_file, command, "--agent", agent, "--answered=${endings.answered}", (char *)NULL);
  _exit(127);
}

/* Starts the gate for the next event, in the background, at most once per every_s seconds. */
static void start_gate(long long every_s) {
  struct stat last;
  char stamp[4096];
  int fd, length = snprintf(stamp, sizeof stamp, "%s/last-start", state_folder);
  pid_t child;
  if (every_s <= 0 || length < 0 || (size_t)length >= sizeof stamp) return;
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
    if (fork() == 0) exec_hookgate("up");
    _exit(0);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

/* Decides in a separate process, which inherits stderr. Returns 1 if it has answered. */
static int decide_without_gate(struct answer *answer) {
  int in[2], out[2], status = 0, is_terminated = 0;
  size_t sent = 0;
  pid_t child;
  reply.length = 0;
  if (pipe(in) != 0 || pipe(out) != 0 || (child = fork()) < 0) return 0;
  if (child == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    close(in[0]), close(in[1]), close(out[0]), close(out[1]);
    exec_hookgate("run");
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
      kill(child, is_terminated ? SIGKILL : SIGTERM);
      if (is_terminated) break;
      is_terminated = 1;
      deadline = now_ms() + 500;
      continue;
    }
    if (fds[1].fd >= 0 && fds[1].revents != 0) {
      ssize_t put = write(in[1], event.at + sent, event.length - sent);
      if (put > 0) sent += (size_t)put;
      else if (put < 0 && errno != EAGAIN && errno != EINTR) sent = event.length;
    }
    if (fds[0].revents == 0) continue;
    got = read_more(out[0], &reply);
    if (got == 0) break;
    if (got == -1 || (long long)reply.length > bytes_max) {
      kill(child, SIGKILL);
      break;
    }
  }
  /* A process that has closed its stdout but keeps running is killed at the deadline. */
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (now_ms() > deadline) kill(child, SIGKILL);
    poll(NULL, 0, 1);
  }
  answer->out = reply.at;
  answer->out_length = reply.length;
  answer->err = NULL;
  answer->err_length = 0;
  answer->code = WIFEXITED(status) ? WEXITSTATUS(status) - ${endings.answered} : -1;
  return answer->code >= 0 && answer->code <= ${exitCodeMax};
}
`

const main = String.raw`static int print_answer(const struct answer *answer) {
  write_all(1, answer->out, answer->out_length);
  write_all(2, answer->err, answer->err_length);
  return ${endings.answered} + answer->code;
}

int main(int argc, char **argv) {
  struct answer answer;
  if (argc != 11) {
    print_error("the client was called with the wrong arguments");
    return ${endings.noAnswer};
  }
  socket_path = argv[1], agent = argv[2], version = argv[3];
  alive_ms = atoll(argv[4]);
  deadline = now_ms() + atoll(argv[5]);
  bytes_max = atoll(argv[6]);
  state_folder = argv[8], node_file = argv[9], bin_file = argv[10];
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  read_event();
  /* A hook of the gate that calls the gate again would never end. Only separate processes count nested gates. */
  if (getenv("HOOKGATE_DEPTH") == NULL) {
    if (ask_gate(&answer)) return print_answer(&answer);
    if (now_ms() >= deadline) exit_no_answer("the gate did not answer in time");
    start_gate(atoll(argv[7]));
  }
  /* The hook's file says which is gone, and how to mend it. */
  if (access(node_file, F_OK) != 0 || access(bin_file, F_OK) != 0) exit_no_answer(NULL);
  if (!decide_without_gate(&answer)) exit_no_answer("neither the gate nor a separate process could be asked");
  return print_answer(&answer);
}
`

/**
 * The thin client in C, compiled on the machine where it is installed, if there is a compiler. It takes the arguments of
 * `callWords` and exits with one of `endings`.
 *
 * INVARIANT: one answer or none. Nothing is written before the whole answer has arrived.
 */
export const nativeSource = [bytes, proof, ask, separate, main].join('\n')
