import { readOptions } from '../../../model/options.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { gitSettings, startingSettings } from './git-settings.ts'
import { folderFrom } from './prefix.ts'
import { splitWords } from './split.ts'
import { behind, known, names } from './words.ts'

const globalOptions = {
  valued: names('c C config-env git-dir work-tree namespace super-prefix attr-source'),
  operandsLast: true,
}

export const git: Unwrap = (command, starts) => {
  const { args, cwd } = command
  const read = readOptions(args, globalOptions)
  const [sub, ...rest] = read.operands
  if (sub === undefined) return
  const globals = args.slice(0, args.length - read.operands.length)
  const settings = gitSettings(read, starts)
  const alias = settings.get(`alias.${sub.value.toLowerCase()}`)
  const folder = read.value('C')
  const where = folder === undefined ? {} : { cwd: folderFrom(cwd, folder) }
  if (alias !== undefined) {
    starts.wrapper()
    if (alias.value.startsWith('!')) {
      const text = behind(alias, 1)
      starts.script({ ...text, value: `${text.value} "$@"` }, { ...where, parameters: [text, ...rest] })
    } else starts.words([known('git'), ...globals, ...splitWords(alias.value), ...rest])
    return
  }
  for (const script of startingSettings(settings)) starts.script(script, where)
  for (const name of variables) {
    const value = starts.variable(name)
    if (value !== undefined && value.value !== '') starts.script(value, where)
  }
  subcommands[sub.value]?.(rest, starts)
  for (const { value } of rest) {
    if (value.startsWith('ext::')) starts.words(splitWords(value.slice('ext::'.length).replaceAll('% ', '\\ ')))
  }
}

/** Variables whose value git runs. */
const variables =
  names(`GIT_SSH_COMMAND GIT_SSH GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR
  GIT_PAGER GIT_EXTERNAL_DIFF EDITOR VISUAL PAGER`)

type Subcommand = (args: readonly ShellWord[], starts: Starts) => void

/** Options whose values are scripts. */
const scripts =
  (options: string, valued = ''): Subcommand =>
  (args, starts) => {
    const read = readOptions(args, { valued: names(`${options} ${valued}`) })
    for (const text of names(options).flatMap((name) => read.given.get(name) ?? [])) {
      if (text.value !== '') starts.script(text)
    }
  }

const subcommands: Readonly<Record<string, Subcommand>> = {
  rebase: scripts('x exec', 'onto s strategy X strategy-option C whitespace S'),
  'filter-branch': scripts(
    'setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter',
    'subdirectory-filter original d state-branch',
  ),
  difftool: scripts('x extcmd', 't tool'),
  clone: scripts('u upload-pack', 'b branch o origin c config depth reference template separate-git-dir j jobs filter'),
  fetch: scripts('upload-pack', 'depth deepen shallow-since o server-option j jobs refmap'),
  pull: scripts('upload-pack', 's strategy X strategy-option depth'),
  'ls-remote': scripts('upload-pack exec', 'o server-option sort'),
  push: scripts('receive-pack exec', 'o push-option repo'),
  'send-pack': scripts('receive-pack exec'),
  'fetch-pack': scripts('upload-pack exec'),
  archive: scripts('exec', 'format o output prefix remote'),
  'send-email': scripts('to-cmd cc-cmd header-cmd sendmail-cmd smtp-server-option'),
  grep: (args, starts) => {
    for (const { value } of args) {
      const pager = /^(?:-O|--open-files-in-pager=)(.+)/s.exec(value)?.[1]
      if (pager !== undefined) starts.script(known(pager))
    }
  },
  bisect: ([first, ...rest], starts) => {
    if (first?.value === 'run' && rest.length > 0) starts.words(rest)
  },
  submodule: (args, starts) => {
    const at = args.findIndex(({ value }) => value === 'foreach')
    if (at === -1) return
    const { operands } = readOptions(args.slice(at + 1), { operandsLast: true })
    if (operands.length === 1 && operands[0] !== undefined) starts.script(operands[0], { cwd: undefined })
    else if (operands.length > 1) starts.words(operands, { cwd: undefined })
  },
  'for-each-repo': (args, starts) => {
    const { operands } = readOptions(args, { valued: ['config'], operandsLast: true })
    if (operands.length > 0) starts.words([known('git'), ...operands], { cwd: undefined })
  },
}
