import { endings } from '../reply.ts'

/** C source of `main`. */
export const main = String.raw`static int say(const struct answer *said) {
  write_all(1, said->out, said->out_length);
  write_all(2, said->err, said->err_length);
  return ${endings.answered} + said->code;
}

int main(int argc, char **argv) {
  struct answer said;
  if (argc != 11) {
    complain("the client was called with the wrong arguments");
    return ${endings.noAnswer};
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
  if (!decide_without_gate(&said)) no_answer("neither the gate nor a separate process could be asked");
  return say(&said);
}
`
