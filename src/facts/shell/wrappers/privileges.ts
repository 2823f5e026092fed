import { readOptions } from '../../../model/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { StartedIn, Unwrap } from '../unwrap.ts'
import { folderFrom, prefix } from './prefix.ts'
import { assignmentsBefore, known, names } from './words.ts'

const sudoOptions = {
  valued: names(
    'C D g h p R r t T U u a c close-from chdir group host prompt chroot role type command-timeout other-user user auth-type login-class',
  ),
  flags: names(
    'askpass background bell edit preserve-env set-home help login remove-timestamp reset-timestamp list no-update non-interactive preserve-groups stdin shell validate version',
  ),
  abbreviations: true,
  operandsLast: true,
}

const sudo: Unwrap = ({ args, cwd, stdin }, starts) => {
  const read = readOptions(args, sudoOptions)
  // `-h` alone is help; with a value it is the host of a list.
  if (read.has('help', 'V', 'version') || (args.length === 1 && args[0]?.value === '-h')) {
    starts.wrapper()
    return
  }
  if (read.has('e', 'edit', 'l', 'list', 'v', 'validate', 'K', 'remove-timestamp')) return
  const { assignments, rest } = assignmentsBefore(read.operands)
  if (rest.length === 0) {
    if (stdin !== undefined && read.has('i', 's', 'login', 'shell'))
      starts.script(stdin, { user: read.value('u', 'user')?.value ?? 'root', cwd: undefined, stdin: 'none' })
    return
  }
  const folder = read.value('D', 'chdir')
  starts.wrapper()
  starts.words(rest, {
    user: read.value('u', 'user')?.value ?? 'root',
    ...(read.has('i', 'login') && { cwd: undefined }),
    ...(folder !== undefined && { cwd: folderFrom(cwd, folder) }),
    ...(assignments.length > 0 && { assignments }),
  })
}

const suOptions = {
  valued: names('c command C session-command g group G supp-group s shell T whitelist-environment w u user'),
  flags: names('fast login preserve-environment pty help version'),
  abbreviations: true,
}

/** `su [-] [USER [ARGUMENT…]]`: options may stand behind the user, and what is no option is the shell's. */
const su: Unwrap = ({ args, stdin }, starts) => {
  const read = readOptions(args, suOptions)
  if (read.has('help', 'h', 'version', 'V')) {
    starts.wrapper()
    return
  }
  const operands = read.operands.filter((word) => word.value !== '-')
  const login = read.has('l', 'login') || operands.length < read.operands.length
  const where = (user: ShellWord | undefined): StartedIn => ({
    user: user?.value ?? 'root',
    ...(login && { cwd: undefined }),
    parameters: operands.slice(1),
  })
  const script = read.value('c', 'command', 'C', 'session-command')
  if (script === undefined) {
    if (stdin !== undefined) starts.script(stdin, { ...where(operands[0]), stdin: 'none' })
    return
  }
  starts.wrapper()
  starts.script(script, where(operands[0]))
}

/** As `su`, but with `-u USER` it starts a program and no shell. */
const runuser: Unwrap = (command, starts) => {
  const read = readOptions(command.args, { ...suOptions, operandsLast: true })
  const user = read.value('u', 'user')
  if (user === undefined) {
    su(command, starts)
    return
  }
  if (read.operands.length === 0) return
  starts.wrapper()
  starts.words(read.operands, { user: user.value })
}

/** A command as another group, as one text for a shell. */
const sg: Unwrap = ({ args }, starts) => {
  const [, ...rest] = args
  const script = rest[0]?.value === '-c' ? rest[1] : rest[0]
  if (script === undefined) return
  starts.wrapper()
  starts.script(script)
}

/** What stands behind `--` or `-+` is for the shell that it starts. */
const capsh: Unwrap = ({ args }, starts) => {
  const at = args.findIndex((word) => word.value === '--' || word.value === '-+' || word.value === '==')
  if (at === -1) return
  starts.wrapper()
  const user = args.find((word) => word.value.startsWith('--user='))?.value.slice('--user='.length)
  starts.words([known('bash'), ...args.slice(at + 1)], user === undefined ? {} : { user })
}

export const privileges: Readonly<Record<string, Unwrap>> = {
  sudo,
  su,
  runuser,
  sg,
  capsh,
  'sudo-rs': sudo,
  doas: prefix({ valued: names('a C u'), users: ['u'], user: 'root', idle: names('C L') }),
  dzdo: sudo,
  pkexec: prefix({ valued: ['user'], users: ['user'], user: 'root', strayed: true }),
  run0: prefix({
    valued: names(
      'u g D unit property description slice user group nice chdir setenv background machine area lightweight shell-prompt-prefix',
    ),
    users: names('u user'),
    user: 'root',
    folders: names('D chdir'),
    idle: names('h V'),
  }),
  gosu: prefix({ own: 1 }),
  'su-exec': prefix({ own: 1 }),
  please: prefix({
    valued: names('a d D g r t u user dir group target reason allowenv'),
    users: names('u user t target'),
    user: 'root',
  }),
  setpriv: prefix({
    valued: names(
      'ambient-caps bounding-set inh-caps euid ruid reuid egid rgid regid groups pdeathsig ptracer securebits selinux-label apparmor-profile landlock-access landlock-rule seccomp-filter',
    ),
    abbreviations: true,
    idle: names('h V d dump list-caps'),
  }),
  's6-setuidgid': prefix({ own: 1 }),
  chpst: prefix({ valued: names('u U e b n l L m d o p f c r t / C') }),
}
