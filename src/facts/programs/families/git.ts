import { makesVersions, liveByVerbs, machineStage } from '../deeds/deeds.ts'
import { gitPassword } from './secret-stores.ts'
import type { Family } from '../program.ts'
import { type ShellCommand, unknownPart, type ShellWord, unknownWord } from '../../../model/shell.ts'
import { gitSubcommands } from './git-subcommands.ts'
import { inFolder, splitWords, changed, known, names } from '../words.ts'
import { handsOver, type Line } from '../row.ts'
import type { Starts } from '../starts.ts'
import { folderFrom, startVariables } from '../unwrap.ts'
import { type Judge, readLook, matchesTable, type ProgramCall, type Table } from '../looks/look.ts'
import { unwrapLimits } from '../../../model/limits.ts'
import type { OptionsRead } from '../../../words/options.ts'

const versioned = () => ({ change: 'versioned' }) as const

/** Returns a pattern for substitutions that print only commit ids, and so no option. */
const ids = () =>
  /\$\(\s*git (?:merge-base|rev-parse|rev-list (?:-1|-n ?1|--max-count=1))(?: (?!-)[\w./@{}~^-]+)+\s*\)/g

/**
 * Replaces unknown words that are certainly commit ids: `git diff $(git merge-base main HEAD)`. They are, if the
 * command's text has no other expansion, and nothing outside of the text, such as `xargs`, adds words.
 */
function withIds(look: ProgramCall): ProgramCall {
  const { text = '' } = look
  const isOwn =
    look.command?.reach.every(({ through }) =>
      /^(?:subshell|pipeline|background|condition|loop|case|substitution)$/.test(through),
    ) === true
  if (!isOwn || !text.includes('$(') || /[$`*?[]/.test(text.replace(ids(), ''))) return look
  return {
    ...look,
    args: look.args.map((word) =>
      word.unresolved === true ? { value: word.value.replaceAll(unknownPart, 'HEAD') } : word,
    ),
  }
}

/** Settings that only change git's output: others name programs, or change where git writes. */
const outputSettings =
  /^(?:color|advice|log|column)\.|^core\.(?:quotepath|abbrev|pager=(?:cat)?$)|^diff\.(?:noprefix|renames|algorithm)|^user\./i

const gitTable: Table = {
  options:
    'C git-dir work-tree namespace c +P +no-pager +p +paginate +bare +no-replace-objects +literal-pathspecs +glob-pathspecs +noglob-pathspecs +icase-pathspecs +no-optional-locks',
  valued: 'n max-count sort format',
  lines: `
    log|show|shortlog|whatchanged|diff|diff-tree|diff-index|diff-files|range-diff !--output|--ext-diff
    status|describe|rev-parse|rev-list|ls-files|ls-tree|name-rev|merge-base|count-objects|cherry|for-each-ref|show-ref|show-branch|show-index|verify-commit|verify-tag|verify-pack|check-ignore|check-attr|check-mailmap|check-ref-format|version|get-tar-commit-id|patch-id|stripspace|fmt-merge-msg|column|blame|annotate|diff-pairs|whatchanged
    var !-e
    help !-w|--web
    fsck !--lost-found
    cat-file !--textconv|--filters
    ls-remote|request-pull !--upload-pack|--exec|-o|--server-option
    grep !-O|--open-files-in-pager|--ext-grep|--textconv
    branch [-a|-r|-v|--all|--remotes|--remote|--verbose|--show-current|-i|--ignore-case|-q|--quiet|--color|--no-color|--abbrev|--no-abbrev|--column|--no-column|-l|--list|--sort=|--format=] ..0
    branch -l|--list|--contains|--merged|--no-merged|--points-at|--no-contains !-d|-D|-m|-M|-c|-C|-f|-u|-t|--delete|--move|--copy|--force|--set-upstream-to|--unset-upstream|--track|--edit-description|--create-reflog
    tag [-i|--ignore-case|--color|--column|--no-column|--sort=|--format=] ..0
    tag -l|-n|--list|--contains|--no-contains|--points-at|--merged|--no-merged|-v|--verify !-a|-s|-u|-d|--delete|-f|--force|-m|-F|--message|--file|--sign|--annotate|--local-user|-e|--edit|--create-reflog
    remote [-v|--verbose] ..0
    remote show|get-url
    reflog !--output|--ext-diff ..0
    reflog show !--output|--ext-diff
    reflog list|exists
    stash list|show !--output|--ext-diff
    config -l|--list|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool !--unset|--unset-all|--add|--replace-all|--rename-section|--remove-section|-e|--edit
    config list|get !--unset|--add|--edit|--replace-all
    config [--global|--local|--system|--worktree|--show-origin|--show-scope|--null|-z|--name-only|--type|--int|--bool|--path|--includes|--no-includes|--bool-or-int|--file=|-f=|--blob=|--default=] ..1
    worktree|notes list
    submodule status|summary
    submodule [] ..0
    notes show|get-ref
    bisect log
    bisect view|visualize [] ..0
    merge-tree !--write-tree
    symbolic-ref [--short|-q|--quiet|--recurse|--no-recurse] ..1
    bundle verify|list-heads
    lfs ls-files|status|env|logs|version|pointer
    lfs locks ..0
    sparse-checkout list
    rerere [] ..0
    rerere status|diff|remaining
    apply --check [-v|--verbose|--reverse|-R|--exclude|--include|--recount|--ignore-whitespace|--whitespace|--directory|-q|-p=]
    archive -l|--list !-o|--output|--exec|--add-file
    archive [-v|--verbose|--worktree-attributes|--remote=|--format=|--prefix=]
    fetch !--upload-pack|--exec|-o|-f|--force|--server-option|--update-head-ok|-u|--refmap|--set-upstream
    hash-object !-w
    replace -l|--list !-d|--delete|-e|--edit|-f|-g`,
}

/** Judges git. `fetch` counts as a look: it updates remote-tracking refs, and no branch. */
const gitOnlyLooks: Judge = (given) => {
  const look = withIds(given)
  const { args } = look
  const subcommand = readLook(args, gitTable.options ?? '').operands[0]
  const at = subcommand === undefined ? args.length : args.indexOf(subcommand)
  // Settings in front of the subcommand may start programs.
  const settings = readLook(args.slice(0, at), gitTable.options ?? '').values('c')
  if (!settings.every(({ value }) => value === '' || outputSettings.test(value))) return false
  const operands = args.slice(at + 1).filter(({ value }) => !value.startsWith('-'))
  // `ext::sh -c …` is a remote, and `+main:main` replaces a branch.
  if (operands.some(({ value }) => value.includes('::'))) return false
  if (subcommand?.value === 'fetch' && operands.slice(1).some(({ value }) => /[+:]/.test(value))) return false
  return matchesTable(look, gitTable)
}

/** Version control with git. */
export const git: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    git: {
      git: true,
      text: 'git',
      repeats: true,
      copies: true,
      obeys: {
        when: /(?:^| )(?:apply|am)\b/,
        looks: 'stat numstat summary',
        stdin: (words) => !words.some((word, at) => at > 0 && /^[^-]/.test(word)),
      },
      options:
        'C c git-dir=names work-tree=names namespace exec-path? super-prefix config-env attr-source +no-pager +paginate +bare +no-replace-objects +literal-pathspecs',
      operandsLast: true,
      inside: (line) => line.value('C', 'work-tree'),
      operands: 'none',
      how: versioned,
      message: ({ operands }) => /^(?:commit|tag|notes|merge|revert|commit-tree)$/.test(operands[0]?.value ?? ''),
      starts: startGit,
      subcommands: gitSubcommands,
      does: [
        { area: 'secret-stores', shows: { 'credential fill': gitPassword, 'credential-store get': gitPassword } },
        {
          area: 'version-control',
          kind: 'delete',
          object: 'the content of files',
          names: 'none',
          thing: 'data',
          never: ['annex drop|dropunused|dropkey --force', 'annex uninit'],
          when: (_, { words }) => words[0]?.text === 'annex',
        },
        machineStage,
        liveByVerbs(),
        // The name of a version has a dot.
        { ...makesVersions('tag *.* !-d|--delete|-l|--list'), tagPushes: 'push' },
      ],
      looks: gitOnlyLooks,
      namesSecrets: true,
      saysWhatChanges: true,
    },
    'git-lfs git-crypt git-secret': { operands: 'none' },
    // They hand their words to git, for a repository that is elsewhere.
    'yadm dotbare': handsOver('git', (words) => words),
    vcsh: handsOver('git', (words) => words.slice(1)),
    etckeeper: { subcommands: { vcs: handsOver('git', 'vcs') } },
    // Each subcommand is a program of its own too: `/usr/lib/git-core/git-push`.
    ...Object.fromEntries(
      Object.entries(gitSubcommands).map(([subcommands, row]) => [
        subcommands
          .split(', ')
          .map((name) => `git-${name}`)
          .join(' '),
        { ...row, how: versioned },
      ]),
    ),
  },
}

/** Subcommands that write files of the work tree as the repository has them, with the words that make them do so. */
const rewriting: Readonly<Record<string, RegExp>> = {
  'checkout switch restore pull merge rebase cherry-pick revert am checkout-index': /^/,
  reset: /(?:^| )--(?:hard|merge|keep)(?: |$)/,
  stash: /^(?:$|-|push|save|pop|apply)/,
  'read-tree': /(?:^| )-(?:[^\Wu]*u\w*|-reset)(?: |$)/,
  clean: /(?:^| )-\w*f/,
}
const rewritingWords = new Map(
  Object.entries(rewriting).flatMap(([subcommands, words]) => names(subcommands).map((one) => [one, words] as const)),
)

/** Subcommands whose rows record the paths that they are given, from the folder of `-C` and `--work-tree` on. */
const recordsItself = /^(?:restore|clean)$/

/**
 * Records that files are written in a work tree outside of the workspace, under names that the repository has, or that
 * the command gives. Within the workspace, git's changes are those of the project's own history.
 */
function rewriteTree(line: Line, starts: Starts): void {
  const [sub, ...rest] = line.operands
  const words = rest.map(({ value }) => value).join(' ')
  if (sub === undefined || rewritingWords.get(sub.value)?.test(words) !== true) return
  const set = gitSettings(line, starts).get('core.worktree') ?? starts.variable('GIT_WORK_TREE')
  const named = line.value('work-tree') ?? set
  if (set === undefined && recordsItself.test(sub.value)) return
  const tree = named ?? line.value('C') ?? known('.')
  starts.touchOutside(tree, 'into')
  if (named === undefined) return
  for (const word of rest) if (/[./]/.test(word.value)) starts.touchOutside(inFolder(tree, word), 'edit')
}

/** Variables whose value git runs as a command. */
const variables = names(
  'GIT_SSH_COMMAND GIT_SSH GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF EDITOR VISUAL PAGER',
)

function startGit(line: Line, starts: Starts, { args, cwd }: ShellCommand): void {
  const [sub, ...rest] = line.operands
  if (sub === undefined) return
  rewriteTree(line, starts)
  const settings = gitSettings(line, starts)
  const folder = line.value('C')
  const where = folder === undefined ? {} : { cwd: folderFrom(cwd, folder) }
  const alias = settings.get(`alias.${sub.value.toLowerCase()}`)
  if (alias !== undefined) {
    starts.wrapper()
    if (alias.value.startsWith('!')) {
      const text = changed(alias, alias.value.slice(1))
      starts.script({ ...text, value: `${text.value} "$@"` }, { ...where, parameters: [text, ...rest] })
    } else {
      const globals = args.slice(0, args.length - line.operands.length)
      starts.words([known('git'), ...globals, ...splitWords(alias.value), ...rest])
    }
    return
  }
  for (const script of startingSettings(settings)) starts.script(script, where)
  startVariables(variables, starts)
  for (const { value } of rest) {
    if (value.startsWith('ext::')) starts.words(splitWords(value.slice('ext::'.length).replaceAll('% ', '\\ ')))
  }
}

/** Returns the settings that the command line and environment give one run of git, by normalised name. */
function gitSettings(read: OptionsRead, { variable, leftOut }: Starts): ReadonlyMap<string, ShellWord> {
  const settings = new Map<string, ShellWord>()
  const set = (name: string, value: ShellWord) => settings.set(normalised(name), value)
  for (const one of splitWords(variable('GIT_CONFIG_PARAMETERS')?.value ?? '')) {
    const [name, value] = cut(one)
    set(name, value)
  }
  const count = countOf(variable('GIT_CONFIG_COUNT'))
  if (count > unwrapLimits.gitSettingsMax) leftOut('it gives git more settings than are analyzed')
  for (let at = 0; at < Math.min(count, unwrapLimits.gitSettingsMax); at++) {
    const name = variable(`GIT_CONFIG_KEY_${at}`)
    if (name !== undefined) set(name.value, variable(`GIT_CONFIG_VALUE_${at}`) ?? unknownWord)
  }
  for (const one of read.values('c')) {
    const [name, value] = cut(one)
    set(name, value)
  }
  for (const one of read.values('config-env')) {
    const [name, value] = cut(one)
    set(name, variable(value.value) ?? unknownWord)
  }
  return settings
}

/** Parses `GIT_CONFIG_COUNT`. An unknown count is infinite, so that the limit applies. */
function countOf(word: ShellWord | undefined): number {
  if (word === undefined) return 0
  return word.unresolved === true ? Number.POSITIVE_INFINITY : Number.parseInt(word.value, 10) || 0
}

/** Splits `name=value`; a name alone has the value `true`. */
function cut(word: ShellWord): readonly [string, ShellWord] {
  const equals = word.value.indexOf('=')
  return equals === -1
    ? [word.value, { value: 'true' }]
    : [word.value.slice(0, equals), changed(word, word.value.slice(equals + 1))]
}

/** Lowercases the section and the key of a setting, but not the subsection between them, which is case-sensitive. */
const normalised = (name: string): string => {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
  if (first === -1) return name.toLowerCase()
  return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase()
}

/** Settings whose value git runs as a command. */
const starting: readonly RegExp[] = [
  /^core\.(?:sshcommand|pager|editor|askpass|gitproxy|fsmonitor|alternaterefscommand)$/,
  /^sequence\.editor$/,
  /^pager\..+$/,
  /^diff\.external$/,
  /^diff\..+\.(?:command|textconv)$/,
  /^(?:difftool|mergetool|browser|man)\..+\.cmd$/,
  /^merge\..+\.driver$/,
  /^filter\..+\.(?:clean|smudge|process)$/,
  /^interactive\.difffilter$/,
  /^gpg\.(?:.+\.)?(?:program|defaultkeycommand)$/,
  /^uploadpack\.packobjectshook$/,
  /^remote\..+\.(?:uploadpack|receivepack)$/,
  /^sendemail\..*(?:cmd|smtpserver)$/,
  /^trailer\..+\.(?:command|cmd)$/,
  /^(?:tar|imap)\..*(?:command|tunnel)$/,
]

/** Values that disable a setting, or are no command. */
const noCommand = /^(?:|true|false|yes|no|on|off|0|1)$/i

/**
 * Returns the scripts among the settings. Credential helpers and submodule updates are scripts if they begin with `!`.
 */
function startingSettings(settings: ReadonlyMap<string, ShellWord>): readonly ShellWord[] {
  const scripts: ShellWord[] = []
  for (const [name, value] of settings) {
    if (noCommand.test(value.value)) continue
    if (starting.some((one) => one.test(name))) scripts.push(value)
    else if (/^credential\.(?:.+\.)?helper$/.test(name)) scripts.push(helper(value))
    else if (/^submodule\..+\.update$/.test(name) && value.value.startsWith('!'))
      scripts.push(changed(value, value.value.slice(1)))
  }
  return scripts
}

function helper(value: ShellWord): ShellWord {
  if (value.value.startsWith('!')) return changed(value, value.value.slice(1))
  return value.value.startsWith('/') ? value : changed(value, `git credential-${value.value}`)
}
