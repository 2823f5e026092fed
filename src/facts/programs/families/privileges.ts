import type { Family } from '../program.ts'
import { readOptions } from '../../../words/options.ts'
import type { ShellCommand } from '../../../model/shell.ts'
import type { Line } from '../row.ts'
import type { StartedIn, Starts } from '../starts.ts'
import { folderFrom } from '../unwrap.ts'
import { assignmentsBefore, names } from '../words.ts'

const sudoOptions =
  'C D=folder g h p R r t T U u=user a c close-from chdir=folder group host prompt chroot role type command-timeout other-user user=user auth-type login-class +askpass +background +bell +edit +preserve-env +set-home +help +login +remove-timestamp +reset-timestamp +list +no-update +non-interactive +preserve-groups +stdin +shell +validate +version'
const suOptions =
  'c command C session-command g group G supp-group s shell T whitelist-environment w u user +fast +login +preserve-environment +pty +help +version'

/** Programs that run a command as another user, or with other privileges. */
export const privileges: Family = {
  programs: {
    'sudo sudo-rs dzdo': { options: sudoOptions, operandsLast: true, operands: 'none', starts: sudo },
    su: { options: suOptions, operands: 'none', starts: su },
    runuser: {
      options: suOptions,
      operands: 'none',
      // Like `su`, except that with `-u USER` it starts a program directly, without a shell.
      starts(line, starts, command) {
        const { has, value, operands } = readOptions(command.args, {
          valued: names('u user g group G supp-group'),
          operandsLast: true,
        })
        if (!has('u', 'user')) su(line, starts, command)
        else if (operands.length > 0) {
          starts.wrapper()
          starts.words(operands, { user: value('u', 'user')?.value ?? 'root' })
        }
      },
    },
    doas: { options: 'a C u=user', starts: { user: 'root' }, idle: 'C L' },
    pkexec: { options: 'user=user', starts: { user: 'root', strayed: true } },
    run0: {
      options:
        'u=user g D=folder unit property description slice user=user group nice chdir=folder setenv background machine area lightweight shell-prompt-prefix',
      starts: { user: 'root' },
      idle: 'h V',
    },
    'gosu su-exec s6-setuidgid': { starts: { own: 1 } },
    please: {
      options: 'a d D g r t=user u=user user=user dir group target=user reason allowenv',
      starts: { user: 'root' },
    },
    setpriv: {
      options:
        'ambient-caps bounding-set inh-caps euid ruid reuid egid rgid regid groups pdeathsig ptracer securebits selinux-label apparmor-profile landlock-access landlock-rule seccomp-filter',
      starts: {},
      idle: 'h V d dump list-caps',
    },
    chpst: { options: 'u U e b n l L m d o p f c r t / C', starts: {} },
    // `sg GROUP [-c] SCRIPT` runs a shell script with another group.
    sg: {
      starts(_, starts, { args }) {
        const [, ...rest] = args
        const script = rest[0]?.value === '-c' ? rest[1] : rest[0]
        if (script === undefined) return
        starts.wrapper()
        starts.script(script)
      },
    },
    // Starts a shell in another group, which reads its script from stdin.
    newgrp: {
      options: 'c=script command=script',
      operands: 'none',
      starts(line, starts, { stdin }) {
        if (stdin !== undefined && !line.has('c', 'command')) starts.script(stdin, { stdin: 'none' })
      },
    },
    sudoedit: { operands: 'none', variables: 'SUDO_EDITOR VISUAL EDITOR' },
  },
}

function sudo(line: Line, starts: Starts, { args, cwd, stdin }: ShellCommand): void {
  // `-h` alone prints help; with a value it names a host.
  if (line.has('help', 'V', 'version') || (args.length === 1 && args[0]?.value === '-h')) return starts.wrapper()
  if (line.has('e', 'edit', 'l', 'list', 'v', 'validate', 'K', 'remove-timestamp')) return
  const { assignments, rest } = assignmentsBefore(line.operands)
  const user = line.value('u', 'user')?.value ?? 'root'
  if (rest.length === 0) {
    if (stdin !== undefined && line.has('i', 's', 'login', 'shell'))
      starts.script(stdin, { user, cwd: undefined, stdin: 'none' })
    return
  }
  const folder = line.value('D', 'chdir')
  starts.wrapper()
  starts.words(rest, {
    user,
    ...(line.has('i', 'login') && { cwd: undefined }),
    ...(folder !== undefined && { cwd: folderFrom(cwd, folder) }),
    ...(assignments.length > 0 && { assignments }),
  })
}

/** Starts the shell of `su [-] [USER [ARGUMENT…]]`. Options may follow the user; other arguments are the shell's. */
function su(line: Line, starts: Starts, { stdin }: ShellCommand): void {
  if (line.has('help', 'h', 'version', 'V')) return starts.wrapper()
  const operands = line.operands.filter((word) => word.value !== '-')
  const login = line.has('l', 'login') || operands.length < line.operands.length
  const where: StartedIn = {
    user: operands[0]?.value ?? 'root',
    ...(login && { cwd: undefined }),
    parameters: operands.slice(1),
  }
  const script = line.value('c', 'command', 'C', 'session-command')
  if (script !== undefined) {
    starts.wrapper()
    starts.script(script, where)
  } else if (stdin !== undefined) starts.script(stdin, { ...where, stdin: 'none' })
}
