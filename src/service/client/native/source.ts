import { endings } from '../endings.ts'
import { ask } from './ask.ts'
import { bytes } from './bytes.ts'
import { proof } from './proof.ts'
import { separate } from './separate.ts'

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
