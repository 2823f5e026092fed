import type { Unwrap } from '../unwrap.ts'
import { prefix, type PrefixRules } from './prefix.ts'
import { names } from './words.ts'

/** Programs that change how the one behind them runs: its priority, its limits, its time, its output. */
const rules: Readonly<Record<string, PrefixRules>> = {
  nohup: {},
  time: { valued: names('f o format output'), idle: ['V'] },
  timeout: {
    valued: names('k s kill-after signal'),
    flags: names('preserve-status foreground verbose'),
    abbreviations: true,
    own: 1,
  },
  nice: { valued: names('n adjustment'), abbreviations: true },
  ionice: {
    valued: names('c n class classdata p pid P pgid u uid'),
    idle: names('p pid P u h'),
  },
  chrt: {
    valued: names('T P D sched-runtime sched-period sched-deadline'),
    own: 1,
    idle: names('p pid m max h'),
  },
  taskset: { idle: names('p pid h V'), own: 1 },
  numactl: {
    valued: names(
      'i N C m p P S f o L M interleave weighted-interleave preferred preferred-many membind cpunodebind physcpubind shm file offset length shmmode',
    ),
    idle: names('H hardware s show h'),
  },
  stdbuf: { valued: names('i o e input output error'), abbreviations: true },
  setsid: { idle: names('h V') },
  unbuffer: {},
  caffeinate: { valued: names('t w') },
  ltrace: {
    valued: names('a A D e F l n o p s u w x output library indent'),
    idle: names('p h V'),
  },
  dtruss: { valued: names('p n t'), idle: ['p'] },
  strace: {
    valued: names(
      'a b e E I o O p P s S u U X output trace attach env user string-limit trace-path signal status inject fault abbrev verbose raw read write kvm columns interruptible summary-sort-by const-print-style detach-on',
    ),
    idle: names('p attach h V'),
  },
  valgrind: { idle: ['h'] },
  heaptrack: { valued: names('o p output pid'), idle: names('p a analyze') },
  rlwrap: {
    valued: names('a A b C D f F g H k l M O p P q s S t w z file'),
    idle: names('h v'),
  },
  faketime: { valued: names('p date-prog'), own: 1 },
  datefudge: { own: 1 },
  fakeroot: { valued: names('l s i b lib faked'), idle: names('h v') },
  fakechroot: { valued: names('l e c d b lib environment config-dir elfloader bindir') },
  'dbus-run-session': { valued: names('config-file dbus-daemon') },
  'dbus-launch': { valued: names('config-file autolaunch') },
  'xvfb-run': {
    valued: names('e f n p s w error-file auth-file server-num xauth-protocol server-args wait'),
    idle: ['h'],
  },
  torsocks: { valued: names('a address P port u user p pass'), idle: ['h'] },
  torify: {},
  tsocks: {},
  proxychains: { valued: ['f'] },
  proxychains4: { valued: ['f'] },
  setarch: { own: 1, valued: names('p pid'), idle: names('list h V') },
  linux32: {},
  linux64: {},
  i386: {},
  prlimit: { valued: names('p pid o output'), idle: names('p pid h V') },
  cpulimit: { valued: names('l p e limit pid exe'), idle: names('p pid h') },
  'systemd-inhibit': { valued: names('what who why mode'), idle: names('list h') },
  'systemd-cat': {
    valued: names('t identifier p priority stderr-priority level-prefix namespace'),
    idle: ['h'],
  },
  cgexec: { valued: names('g b') },
  catchsegv: {},
  chronic: {},
  ifne: {},
  softlimit: { valued: names('a c d f l m n o p r s t') },
  setlock: { own: 1 },
  xcrun: {
    valued: names('sdk toolchain'),
    idle: names(
      'f find show-sdk-path show-sdk-version show-sdk-build-version show-sdk-platform-path show-sdk-platform-version show-toolchain-path h k kill-cache',
    ),
  },
  'dumb-init': { valued: names('r rewrite') },
  tini: { valued: names('p e'), idle: names('h l') },
  catatonit: {},
  gtime: { valued: names('f o format output') },
  retry: { valued: names('t m d times min max delay until while message') },
  trickle: { valued: names('u d w t l n L P') },
  bear: { valued: names('output config') },
  choom: { valued: names('n adjust p pid'), idle: names('p pid h V') },
  rr: { own: 1, valued: names('o n') },
  dtach: { own: 1, valued: names('e r'), flags: names('E z') },
  abduco: { own: 1, valued: names('e') },
  'ld.so': { valued: names('library-path inhibit-rpath audit preload argv0'), idle: names('list verify') },
  ...Object.fromEntries(
    names('ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1').map(
      (loader) => [
        loader,
        { valued: names('library-path inhibit-rpath audit preload argv0'), idle: names('list verify') },
      ],
    ),
  ),
  tsp: { valued: names('L N D W E S e o i k p r s t u w c'), idle: names('h V l C K') },
  daemonize: { valued: names('a c e o p l u E') },
  detach: { valued: names('e o i p') },
  sem: { valued: names('j jobs id semaphorename st semaphoretimeout timeout'), idle: ['wait'] },
}

export const launchers: Readonly<Record<string, Unwrap>> = Object.fromEntries(
  Object.entries(rules).map(([program, one]) => [program, prefix(one)]),
)
