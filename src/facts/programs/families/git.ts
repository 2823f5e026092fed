import { gitPassword } from './secret-stores.ts'
import { machineStage } from '../deeds/stages.ts'
import { git as gitOfGitLooks } from './git-looks.ts'
import type { Family } from '../program.ts'
import type { ShellCommand } from '../../../model/shell.ts'
import { gitSettings, startingSettings } from './git-settings.ts'
import { gitSubcommands } from './git-subcommands.ts'
import { inFolder } from '../looks.ts'
import type { Line } from '../row.ts'
import { splitWords } from '../split.ts'
import type { Starts } from '../starts.ts'
import { folderFrom, startVariables } from '../unwrap.ts'
import { changed, known, names } from '../words.ts'

const versioned = () => ({ change: 'versioned' }) as const

/** Version control with git. */
export const git: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    git: {
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
        machineStage,
      ],
      looks: gitOfGitLooks,
    },
    'git-lfs git-crypt git-secret': { operands: 'none' },
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
