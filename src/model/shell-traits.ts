/** What is known of a program whatever its words are. An entry of the table of programs says it, and the facts hand it on. */

/** What holds of a program whatever its words are, where rules ask for it. */
export const shellTraits = [
  /** It belongs to the system and prints: it runs none of its words, and writes no file but by an option. */
  'prints',
  /** Whatever its options are, it prints what it reads or a part of it, and nothing else: `cat`, `head`, `grep`. */
  'onlyPrints',
  /** Its row says all paths that it changes: another path among its words, or in them, stays as it is. */
  'saysWhatChanges',
  /** It prints where a program or a file is, or a part of its path: `which`, `readlink`. */
  'locatesPrograms',
  /** It searches for lines by a pattern: `grep`, `rg`. */
  'greps',
  /** Its words may have a script that it applies to each line: `sed`, `awk`, `perl -ne`. */
  'scripted',
  /** It is git, or takes the words of git: `hub`. */
  'git',
  /** It goes to another folder: `cd`. */
  'changesFolder',
  /** It gives a program, or itself, variables by words such as `NAME=value`: `env`. */
  'givesVariables',
  /** It gives a program the variables of a file: `dotenv`. */
  'loadsVariables',
  /** It shows the commands of a shell's past: `history`. */
  'showsPast',
  /** It prints what was copied, whatever that is: `pbpaste`. */
  'pastes',
  /** It runs programs in jars, or in modules that `-m` names. */
  'runsJars',
  'runsModules',
  /** A builtin that sets variables by words such as `NAME=value`: `export`. */
  'declares',
  /** It sets a variable by two words, in one shell or all: `setenv X y`, `setx X y`, and `set` of fish. */
  'setsByWords',
  /** A builtin after which the same words may mean something else: `export`, `alias`, `source`. */
  'changesShell',
  /** It runs files of JavaScript. */
  'runsJavascript',
  /** Where the word behind it is no subcommand of its own, it starts the program of that name: `yarn prisma`. */
  'startsTools',
  /** It can try a publication without publishing anything: `npm publish --dry-run`. */
  'triesPublishing',
  /** It connects to a socket that a word names, or runs code that may. */
  'opensSockets',
  /** It decides what goes through the network: `iptables`. */
  'filtersPackets',
  /** It ends processes: `kill`, `taskkill`. */
  'endsProcesses',
  /** It slows a running process down, limits, stops or changes it: `renice`, `gdb`. */
  'hindersProcesses',
  /** It prints a row of numbers: `seq`. */
  'counts',
  /** It stops and starts services: `systemctl`. */
  'managesServices',
] as const
export type ShellTrait = (typeof shellTraits)[number]

/**
 * How a program's words say what it asks for over HTTP: those of curl, of wget, of HTTPie or of `Invoke-WebRequest`; of
 * `method`, `-m` names the method, as of lwp-request and of most programs that put a server under load; of `procedure`, the
 * last word is the procedure of a server; of `lines`, a text has requests, each with its method at the beginning of a line;
 * of `forge`, the client of a site that hosts code, `api` stands in front of the path, as for `gh`.
 */
export type RequestForm = 'curl' | 'wget' | 'httpie' | 'powershell' | 'method' | 'procedure' | 'lines' | 'forge'

/** Tells whether something holds of a command's program. */
export const hasShellTrait = ({ traits }: { readonly traits?: readonly ShellTrait[] }, trait: ShellTrait): boolean =>
  traits?.includes(trait) === true
