import type { Impact } from '../../../model/impact.ts'
import { setOf } from '../../../model/look-ups.ts'
import { type ShellFacts, unknownPart } from '../../../model/shell.ts'
import { assignmentsOf, type GitCall, optionsOf, shown } from './git-calls.ts'
import { gitImpact } from './git-impact.ts'
import { riskOf, settingsIn } from './settings.ts'

/** Finds programs that git is made to run: by a setting, a variable, an option, or a remote that is one. */
export const programsOf = (calls: readonly GitCall[], shell: ShellFacts): readonly Impact[] => [
  ...calls.flatMap(remotePrograms),
  ...settings(shell),
  ...variables(shell),
  ...calls.flatMap(named),
]

const remotePrograms = (call: GitCall): readonly Impact[] =>
  call.args.some(({ value }) => value.startsWith('ext::'))
    ? [
        gitImpact(call, {
          kind: 'run',
          thing: 'code',
          object: 'a remote that is a shell command',
          undo: 'never',
          instead: 'name a server',
        }),
      ]
    : []

const settings = (shell: ShellFacts): readonly Impact[] =>
  settingsIn(shell).flatMap(({ at, ...setting }) => {
    const risk = riskOf(setting)
    const command = shell.commands[at]
    if (risk === undefined || command === undefined) return []
    const call: GitCall = { subcommand: 'config', line: undefined, args: command.args, settings: [], command, at }
    return [
      gitImpact(call, {
        kind: 'change',
        thing: 'code',
        object: 'setting',
        names: [setting.name],
        undo: 'work',
        consequence: `which makes git ${risk.does}`,
        instead: 'do without it, or have the person set it',
      }),
    ]
  })

/** Variables by which git runs a program, with what it is there for. */
const running = setOf([
  'GIT_SSH_COMMAND',
  'GIT_SSH',
  'GIT_PROXY_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_PAGER',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
])
const folders = setOf(['GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR', 'GIT_CONFIG', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'])

const harmless =
  /^(?:|ssh|plink|cat|less|more|true|false|echo|:|vim?|nvim|nano|emacs|code|sed|ed|perl|touch|cp|delta|ssh-askpass|gnome-ssh-askpass)$/
const harmful = /(?:proxycommand|localcommand|permitlocalcommand|knownhostscommand)|[;&|`$(]/i

const variables = (shell: ShellFacts): readonly Impact[] =>
  shell.commands.flatMap((command, at) =>
    assignmentsOf(command).flatMap(([name, value]) => {
      const found = variableRisk(name, value)
      const call: GitCall = { subcommand: name, line: undefined, args: [], settings: [], command, at }
      return found === undefined
        ? []
        : [
            gitImpact(call, {
              kind: 'change',
              thing: 'code',
              object: 'variable',
              names: [name],
              words: `with ${name}`,
              instead: 'unset it, or have the person set it',
              ...found,
            }),
          ]
    }),
  )

function variableRisk(name: string, value: string): Pick<Impact, 'undo' | 'consequence'> | undefined {
  const first = /^\S*/.exec(value)?.[0] ?? ''
  const program = first.slice(first.lastIndexOf('/') + 1)
  const isUsual = harmless.test(program) && (first === program || first.startsWith('/usr/')) && !harmful.test(value)
  if (running.has(name) && !isUsual) {
    const isScript = /^(?:\.|\/tmp|\/var\/tmp|\/dev)|[;&|`(]/.test(value)
    const consequence = `which makes git run ${first.replaceAll(unknownPart, '…')}`
    return { undo: isScript ? 'never' : 'work', consequence }
  }
  if (!folders.has(name) || value === '' || value === '/dev/null') return undefined
  return {
    undo: 'work',
    consequence: `which makes git take programs or settings from ${value.replaceAll(unknownPart, '…')}`,
  }
}

/** Options of subcommands that name a program to run: here, or at the other end. */
const naming: Readonly<Record<string, string>> = {
  clone: 'upload-pack u',
  fetch: 'upload-pack',
  pull: 'upload-pack',
  'fetch-pack': 'upload-pack exec',
  'ls-remote': 'upload-pack exec',
  push: 'receive-pack exec',
  'send-pack': 'receive-pack exec',
  archive: 'exec',
  grep: 'O open-files-in-pager',
  difftool: 'x extcmd',
  'send-email': 'sendmail-cmd to-cmd cc-cmd smtp-server',
  daemon: 'access-hook',
}
const usual = /^(?:|git-(?:upload|receive)-pack|git-upload-archive|less|vim?|code|meld|diff|kdiff3)$/

function named(call: GitCall): readonly Impact[] {
  const names = Object.hasOwn(naming, call.subcommand) ? naming[call.subcommand] : undefined
  if (names === undefined) return []
  const read = optionsOf(call)
  const program = names
    .split(' ')
    .map((name) => read?.value(name))
    .find((word) => word !== undefined && !usual.test(word.value))
  if (program === undefined) return []
  return [
    gitImpact(call, {
      kind: 'run',
      thing: 'code',
      object: 'program',
      names: [shown(program)],
      undo: /^[./]|[\s;&|`$(]/.test(program.value) ? 'never' : 'work',
      instead: 'leave the option out',
    }),
  ]
}
