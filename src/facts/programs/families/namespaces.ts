import { behind, readOptions } from '../../../words/options.ts'
import { pushes } from '../deeds/deeds.ts'
import type { Row, Line, View } from '../row.ts'
import type { Family } from '../program.ts'
import type { ShellWord, ShellCommand } from '../../../model/shell.ts'
import type { Bind, StartedIn, Starts } from '../starts.ts'
import { astGrepOptions, isAstGrep, rewriteFiles } from './bulk-edits.ts'
import { known, assignmentsBefore, names } from '../words.ts'
import { bindsOf, recordBinds, rootBind, sharedHome } from '../mounts.ts'
import { folderFrom } from '../unwrap.ts'

/** Returns the view of a command whose root is a folder, for programs that name that first. */
const firstAsRoot = ({ operands: [root] }: Line): View => ({
  ...(root !== undefined && { binds: [rootBind(root)] }),
  cwd: '/',
})

const wholeDisk = rootBind(known('/'))

/** Returns the view of a command that has a root, by an option, and other folders in it. */
const rooted = (root: ShellWord | undefined, more: readonly Bind[]): View => ({
  binds: [root === undefined ? wholeDisk : rootBind(root), ...more],
})

/** Returns the words behind bwrap's options that bind one folder to another. */
const bound = (args: readonly ShellWord[], options: RegExp) =>
  args.flatMap((word, at) =>
    options.test(word.value) ? [{ here: args[at + 1], there: args[at + 2]?.value ?? '' }] : [],
  )

const libraryPushes = pushes({ push: 'addresses' })

const apptainerTool: Row = {
  operandsLast: true,
  operands: 'none',
  subcommands: {
    'exec, run, shell': {
      options: 'B bind mount H home pwd env env-file=variables overlay S scratch W workdir add-caps drop-caps app',
      starts: {
        own: 1,
        elsewhere: true,
        view(line, command) {
          const { binds = [], cwd } = sharedHome(line, command)
          return { binds: [...binds, ...bindsOf(line.values('B', 'bind'))], cwd }
        },
      },
      effects: (line, recorder) => recordBinds(line.values('B', 'bind'), recorder),
    },
  },
}

/** Programs that start a command in another root folder, namespace or systemd unit. */
export const namespaces: Family = {
  programs: {
    chroot: { options: 'userspec groups', first: 'names', starts: { own: 1, elsewhere: true, view: firstAsRoot } },
    'arch-chroot': { options: 'u', starts: { own: 1, elsewhere: true, view: firstAsRoot } },
    schroot: {
      options: 'c chroot u user d directory s shell o option p',
      starts: { elsewhere: true, view: sharedHome },
    },
    proot: {
      options: 'r rootfs b bind m mount w=folder pwd=folder cwd=folder R S q qemu k kernel-release',
      starts: {
        elsewhere: true,
        view: (line, command) => ({
          ...rooted(line.value('r', 'rootfs', 'R', 'S'), bindsOf(line.values('b', 'bind', 'm', 'mount'))),
          cwd: command.cwd,
        }),
      },
      effects: (line, recorder) => recordBinds(line.values('b', 'bind', 'm', 'mount'), recorder),
    },
    'systemd-nspawn': {
      options: 'D directory i image u user M machine bind bind-ro tmpfs E setenv template overlay',
      starts: {
        elsewhere: true,
        view: (line) => ({
          binds: [...line.values('D', 'directory').map(rootBind), ...bindsOf(line.values('bind', 'bind-ro'))],
        }),
      },
      effects: (line, recorder) => recordBinds(line.values('bind'), recorder),
    },
    unshare: {
      encloses: true,
      options:
        'S setuid G setgid R root w=folder wd=folder map-user map-users map-group map-groups propagation setgroups monotonic boottime +user +pid +mount +net +ipc +uts +cgroup +time +fork +map-root-user',
      starts: {
        view(line) {
          const root = line.value('R', 'root')
          return root === undefined ? {} : { binds: [rootBind(root)], cwd: '/' }
        },
      },
      idle: 'h V',
    },
    'sandbox-exec landrun flatpak-spawn': { encloses: true },
    nsenter: {
      encloses: true,
      options: 't target S setuid G setgid w wdns=folder',
      starts: { leaves: true },
      idle: 'h V',
    },
    'systemd-run': {
      encloses: true,
      options:
        'H host M machine u unit p property description slice uid=user gid nice working-directory=folder E setenv on-active on-boot on-startup on-unit-active on-unit-inactive on-calendar timer-property path-property socket-property service-type expand-environment +user',
      starts: {},
      effects(line, recorder) {
        for (const word of line.values('p', 'property', 'socket-property')) {
          const [listen] = /^Listen\w+=/.exec(word.value) ?? []
          if (listen === undefined) continue
          const address = behind(word, listen.length)
          recorder.touch({ ...address, value: address.value.replace(/^%h(?=\/)/, recorder.place.home ?? '~') }, 'bind')
        }
      },
      idle: 'h',
      does: {
        area: 'schedules',
        work: [
          '--on-active|--on-boot|--on-startup|--on-unit-active|--on-unit-inactive|--on-calendar|--on-timezone-change|--on-clock-change|--timer-property',
        ],
        runsAnything: true,
      },
    },
    firejail: { encloses: true, starts: {}, idle: 'list tree top h' },
    bwrap: {
      options:
        'bind:2 bind-try:2 dev-bind:2 dev-bind-try:2 ro-bind:2 ro-bind-try:2 symlink:2 setenv:2 file:2 bind-data:2 ro-bind-data:2 chmod:2 bind-fd:2 ro-bind-fd:2 tmpfs dev proc mqueue dir chdir=folder hostname uid gid unsetenv lock-file sync-fd remount-ro args argv0 exec-label file-label seccomp add-seccomp-fd block-fd userns-block-fd info-fd json-status-fd perms size cap-add cap-drop overlay-src tmp-overlay ro-overlay userns userns2 pidns',
      wholeNames: true,
      starts: {
        view(_, { args }) {
          const binds = bound(args, /^--(?:ro-|dev-)?bind(?:-try)?$/)
          return {
            binds: [wholeDisk, ...binds.flatMap(({ here, there }) => (here === undefined ? [] : [{ here, there }]))],
          }
        },
      },
      effects(_, recorder, { args }) {
        for (const { here } of bound(args, /^--(?:dev-)?bind(?:-try)?$/))
          if (here !== undefined) recordBinds([here], recorder)
      },
    },
    singularity: {
      ...apptainerTool,
      does: [
        { area: 'containers', kind: 'delete', object: 'the cache of images', work: ['cache clean'] },
        libraryPushes,
      ],
    },
    apptainer: { ...apptainerTool, does: libraryPushes },
  },
}

const sudoOptions =
  'C D=folder g h p R r t T U u=user a c close-from chdir=folder group host prompt chroot role type command-timeout other-user user=user auth-type login-class +askpass +background +bell +edit +preserve-env +set-home +help +login +remove-timestamp +reset-timestamp +list +no-update +non-interactive +preserve-groups +stdin +shell +validate +version'
const suOptions =
  'c command C session-command g group G supp-group s shell T whitelist-environment w u user +fast +login +preserve-environment +pty +help +version'

/** Programs that run a command as another user, or with other privileges. */
export const privileges: Family = {
  programs: {
    'sudo sudo-rs dzdo': {
      options: sudoOptions,
      operandsLast: true,
      operands: 'none',
      starts: sudo,
      noHelp: true,
      elevates: true,
    },
    su: { options: suOptions, operands: 'none', starts: su, noHelp: true, elevates: true },
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
    doas: { options: 'a C u=user', starts: { user: 'root' }, idle: 'C L', noHelp: true, elevates: true },
    pkexec: { options: 'user=user', starts: { user: 'root', strayed: true }, elevates: true },
    run0: {
      encloses: true,
      options:
        'u=user g D=folder unit property description slice user=user group nice chdir=folder setenv background machine area lightweight shell-prompt-prefix',
      starts: { user: 'root' },
      idle: 'h V',
      elevates: true,
    },
    'pfexec gksudo gksu kdesudo kdesu lxsudo beesu': {
      options: 'u=user user=user',
      starts: { user: 'root' },
      elevates: true,
    },
    'gosu su-exec setuidgid s6-setuidgid': { starts: { own: 1 } },
    please: {
      options: 'a d D g r t=user u=user user=user dir group target=user reason allowenv',
      starts: { user: 'root' },
      elevates: true,
    },
    setpriv: {
      options:
        'ambient-caps bounding-set inh-caps euid ruid reuid egid rgid regid groups pdeathsig ptracer securebits selinux-label apparmor-profile landlock-access landlock-rule seccomp-filter',
      starts: {},
      idle: 'h V d dump list-caps',
    },
    chpst: { options: 'u U e b n l L m d o p f c r t / C', starts: {} },
    // `sg GROUP [-c] SCRIPT` runs a shell script with another group. It is also short for `ast-grep`.
    sg: {
      options: astGrepOptions,
      wholeNames: true,
      effects: (line, recorder, { args }) => (isAstGrep(args) ? rewriteFiles(line, recorder) : undefined),
      starts(_, starts, { args }) {
        if (isAstGrep(args)) return
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
    sudoedit: { operands: 'none', variables: 'SUDO_EDITOR VISUAL EDITOR', elevates: true },
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
