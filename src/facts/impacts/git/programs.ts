import type { Impact } from '../../../model/impact.ts'
import { setOf } from '../../../model/look-ups.ts'
import { type ShellCommand, type ShellFacts, unknownPart } from '../../../model/shell.ts'
import { type GitCall, gitCallsIn, gitImpact, optionsOf, type Setting, settingOf, shown } from './git-calls.ts'
import { quotedName } from '../../../words/names.ts'
import { readOptions } from '../../../words/options.ts'
import { assignmentsOf } from '../../../words/variables.ts'

/** Finds programs that git is made to run: by a setting, a variable, an option, or a remote that is one. */
export const programsOf = (calls: readonly GitCall[], shell: ShellFacts): readonly Impact[] => [
  ...calls.flatMap(remotePrograms),
  ...settingImpacts(shell),
  ...variables(shell),
  ...calls.flatMap(named),
]

const remotePrograms = (call: GitCall): readonly Impact[] =>
  call.args.some(({ value }) => value.startsWith('ext::'))
    ? [
        gitImpact(call, {
          kind: 'run',
          object: 'remote that is a shell command',
          undo: 'never',
          instead: 'name a server',
        }),
      ]
    : []

const settingImpacts = (shell: ShellFacts): readonly Impact[] =>
  settingsIn(shell).flatMap(({ at, ...setting }) => {
    const risk = riskOf(setting)
    const command = shell.commands[at]
    if (risk === undefined || command === undefined) return []
    const call: GitCall = { subcommand: 'config', line: undefined, args: command.args, settings: [], command, at }
    return [
      gitImpact(call, {
        kind: 'change',
        thing: 'setting',
        object: 'setting',
        names: [typedSetting(setting.name, command)],
        undo: 'work',
        consequence: `which makes git ${risk.does}`,
        words: wordsOf(setting, command),
        instead: 'leave it out',
      }),
    ]
  })

/** The words by which a call gives a setting: those of `git config`, or an option. */
const wordsOf = ({ name }: Setting, { args }: ShellCommand): string => {
  if (args.some(({ value }) => value === 'config')) return 'config'
  return name === 'init.templatedir' ? 'init --template' : `… ${name}`
}

/** A setting's name with its large letters, which git takes for small ones. */
const typedSetting = (name: string, { args }: ShellCommand): string =>
  args.map(({ value }) => value.split('=', 1)[0] ?? '').find((word) => word.toLowerCase() === name) ?? name

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
            {
              ...gitImpact(call, {
                kind: 'change',
                thing: 'variable',
                object: 'variable',
                names: [name],
                instead: 'leave it out',
                ...found,
              }),
              words: `${name}=…`,
            },
          ]
    }),
  )

function variableRisk(name: string, value: string): Pick<Impact, 'undo' | 'consequence'> | undefined {
  const first = /^\S*/.exec(value)?.[0] ?? ''
  const program = first.slice(first.lastIndexOf('/') + 1)
  const isUsual = harmless.test(program) && (first === program || first.startsWith('/usr/')) && !harmful.test(value)
  if (running.has(name) && !isUsual) {
    const isScript = /^(?:\.|\/tmp|\/var\/tmp|\/dev)|[;&|`(]/.test(value)
    const consequence = `which makes git run ${quotedName(first)}`
    return { undo: isScript ? 'never' : 'work', consequence }
  }
  if (!folders.has(name) || value === '' || value === '/dev/null') return undefined
  return {
    undo: 'work',
    consequence: `which makes git take programs or settings from ${quotedName(value)}`,
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
  const option = names.split(' ').find((name) => {
    const word = read?.value(name)
    return word !== undefined && !usual.test(word.value) && read?.given.some((one) => one.name === name)
  })
  const program = option === undefined ? undefined : read?.value(option)
  if (option === undefined || program === undefined) return []
  return [
    gitImpact(call, {
      kind: 'run',
      thing: 'code',
      object: 'program',
      names: [shown(program)],
      undo: /^[./]|[\s;&|`$(]/.test(program.value) ? 'never' : 'work',
      instead: `leave out \`${option.length === 1 ? '-' : '--'}${option}\``,
    }),
  ]
}

/** A setting that can make git run a program, or connect to another server. */
interface Risk {
  readonly name: RegExp
  /** Values that do no harm. */
  readonly harmless?: RegExp
  readonly does: string
}

const plain =
  /^(?:|cat|less(?: -\S+)*|more|vim?|nvim|nano|emacs|true|false|:|code --wait|colordiff|delta|diff-so-fancy.*)$/
const off = /^(?:|0|false|no|off|null)$/i

const risks: readonly Risk[] = [
  { name: /^core\.hookspath$/, harmless: /^(?:|\.?(?:git-?)?hooks\/?|\.husky(?:\/_)?\/?|(?:scripts|tools|\.config)\/(?:git-?)?hooks\/?)$/i, does: 'run hooks of another folder' },
  { name: /^core\.fsmonitor$/, harmless: /^(?:|0|1|true|false|no|yes|on|off)$/i, does: 'run a program whenever git looks at files' },
  { name: /^core\.(?:sshcommand|gitproxy)$/, harmless: /^ssh(?: -(?:[46CqTvx]|i \S+|p \d+|o (?:batchmode|identitiesonly|connecttimeout|stricthostkeychecking)[= ]\S+))*$/i, does: 'run a program to reach a remote' },
  { name: /^core\.(?:pager|editor)$|^sequence\.editor$|^pager\..+$/, harmless: plain, does: 'run a program to show or edit texts' },
  { name: /^core\.askpass$|^credential\.(?:.+\.)?helper$/, harmless: /^(?:|cache(?: --timeout[= ]?\d+)?|osxkeychain|manager(?:-core)?|libsecret|wincred)$/, does: 'run a program that receives passwords' },
  { name: /^alias\..+$/, harmless: /^[^!]/, does: 'run a shell command as a git command' },
  { name: /^alias\..+$/, harmless: /^(?!push\b.*\s(?:--(?:force|mirror|delete|prune)(?!\S)|-[a-z]*[fd]|[+:]\S)|reset\b.*\s--ha|clean\b.*\s-[a-z-]*f|(?:checkout|switch)\b.*\s(?:-f|--force|--discard-changes|\.)(?!\S)|stash (?:drop|clear)|branch\b.*\s-[a-z]*D)/, does: 'throw away or replace work under a harmless name' },
  { name: /^remote\..+\.push$/, harmless: new RegExp(`^(?![+:])[^${unknownPart}]*$`), does: 'replace or delete branches of a remote at each push' },
  { name: /^remote\..+\.mirror$/, harmless: off, does: 'replace all branches of a remote at each push' },
  { name: /^(?:filter\..+\.(?:clean|smudge|process)|diff\.(?:external|.+\.(?:command|textconv))|merge\..+\.driver|(?:diff|merge)tool\..+\.(?:cmd|path)|trailer\..+\.(?:cmd|command))$/, harmless: /^(?:|git-lfs \w+.*|cat)$/, does: 'run a program on the content of files' },
  { name: /^(?:gpg\.(?:.+\.)?program|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs)|web\.browser|browser\..+\.cmd|man\..+\.cmd|interactive\.difffilter|sendemail\..*cmd|submodule\..+\.update|guitool\..+\.cmd|receive\.procreceiverefs)$/, harmless: /^(?:|gpg2?|git-(?:upload|receive)-pack|checkout|rebase|merge|none)$/, does: 'run a program' },
  { name: /^(?:include|includeif\..+)\.path$/, does: 'read settings from another file' },
  { name: /^(?:init\.templatedir|core\.(?:worktree|attributesfile))$/, does: 'use files of another folder' },
  { name: /^url\..+\.(?:push)?insteadof$/, does: 'contact a server other than the one named' },
  { name: /^(?:https?\.(?:.+\.)?(?:proxy|sslcainfo|extraheader|cookiefile))$/, harmless: /^$/, does: 'contact servers through another one' },
  { name: /^https?\.(?:.+\.)?sslverify$/, harmless: /^(?:|1|true|yes|on)$/i, does: 'trust any server' },
  { name: /^protocol\.(?:.+\.)?allow$/, harmless: /^(?:never|user)$/i, does: 'allow remotes that are programs' },
  { name: /^safe\.(?:directory|barerepository)$/, harmless: /^(?!\*$|all$)/, does: "trust repositories of other users" },
  { name: /^(?:receive|transfer|fetch)\.fsckobjects$/, harmless: /^(?:|1|true|yes|on)$/i, does: 'accept damaged data' },
  { name: /^receive\.(?:denynonfastforwards|denydeletes)$/, harmless: /^(?:|1|true|yes|on)$/i, does: 'let others delete history' },
  { name: /^gc\.(?:reflogexpire.*|pruneexpire)$/, harmless: /^(?!now|all|0)/i, does: 'delete lost commits at once' },
] // prettier-ignore

/** The risk of a setting; `undefined` for one that does no harm. */
function riskOf({ name, value }: Setting): Risk | undefined {
  return risks.find((risk) => risk.name.test(name) && !(risk.harmless ?? off).test(value))
}

/** Returns all settings that commands give git: before a subcommand, in variables, and permanently. */
function settingsIn(shell: ShellFacts): readonly GivenSetting[] {
  const calls = gitCallsIn(shell)
  const given = (at: number, settings: readonly Setting[]) =>
    settings.map(({ name, value }): GivenSetting => ({ name, value, at }))
  return [
    ...calls.flatMap(({ settings, at }) => given(at, settings)),
    ...calls.flatMap((call) => given(call.at, lasting(call))),
    ...shell.commands.flatMap((command, at) => given(at, inVariables(command))),
  ]
}

/** A setting, and the index of the command that it is given to. */
interface GivenSetting extends Setting {
  readonly at: number
}

function lasting(call: GitCall): readonly Setting[] {
  if (call.subcommand === 'clone' || call.subcommand === 'init') {
    const read = optionsOf(call)
    if (read === undefined) return []
    const given = read.values('c', 'config')
    const template = read.value('template')
    const own = template === undefined ? [] : [{ name: 'init.templatedir', value: template.value }]
    return [...given.map(({ value }) => settingOf(value)), ...own]
  }
  if (call.subcommand === 'remote' && call.args[0]?.value === 'add') {
    const read = readOptions(call.args, { valued: ['t', 'm'], joined: ['mirror'] })
    const isMirror = read.has('mirror') && read.value('mirror')?.value !== 'fetch'
    return isMirror ? [{ name: `remote.${read.operands[1]?.value ?? ''}.mirror`, value: 'true' }] : []
  }
  if (call.subcommand !== 'config') return []
  const read = optionsOf(call)
  if (
    read === undefined ||
    read.has('get', 'get-all', 'get-regexp', 'get-urlmatch', 'list', 'l', 'unset', 'unset-all', 'e', 'edit')
  )
    return []
  const words = read.operands.map(({ value }) => value)
  const [name, value] = words[0] === 'set' ? words.slice(1) : words
  return name === undefined || value === undefined ? [] : [{ name: name.toLowerCase(), value }]
}

/** `GIT_CONFIG_KEY_0` and its value, and the one variable that holds them all. */
function inVariables(command: ShellCommand): readonly Setting[] {
  const assignments = assignmentsOf(command)
  const valueOf = (name: string) => assignments.find(([one]) => one === name)?.[1]
  return assignments.flatMap(([name, value]) => {
    const at = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1]
    if (at !== undefined)
      return [{ name: value.toLowerCase(), value: valueOf(`GIT_CONFIG_VALUE_${at}`) ?? unknownPart }]
    if (name !== 'GIT_CONFIG_PARAMETERS') return []
    return [...value.matchAll(/'([^'=]+)'?='?([^']*)'/g)].map(([, key = '', text = '']) => ({
      name: key.toLowerCase(),
      value: text,
    }))
  })
}
