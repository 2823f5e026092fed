import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type PolicyAnswer,
  quoted,
  type ShellCommand,
  type ShellFacts,
  type TouchedPath,
  unknownPart,
} from 'hookgate/policy'

/** Names directly below git's folder that hold history, or what git needs to find it. */
const vital = /^(?:objects|refs|logs|worktrees|modules|packed-refs|HEAD|index|config|shallow|lfs|\{.*)$/i
/** Files that git runs, or that name programs which it runs. */
const running =
  /^(?:hooks(?:\/|$)|config(?:\.worktree)?$|info\/attributes$|modules\/.*\/(?:hooks(?:\/|$)|config$)|worktrees\/.*\/config\.worktree$)/i

/**
 * Returns the path below a folder of git's: below `.git`, or below `x.git` of a bare repository if its parts are named.
 * `''` for the folder itself.
 */
const inGitFolder = ({ absolute = '', pattern = absolute, written, real = '' }: TouchedPath): string | undefined =>
  pathBelowGit(pattern === '' ? written : pattern) ?? pathBelowGit(real)

function pathBelowGit(path: string): string | undefined {
  const names = path.split('/')
  const at = names.findLastIndex(
    (name, index) =>
      /^\.git$/i.test(name) ||
      (/.\.git$/i.test(name) && /^(?:objects|refs|hooks|config|HEAD|packed-refs)$/.test(names[index + 1] ?? '')),
  )
  return at === -1 ? undefined : names.slice(at + 1).join('/')
}

/** True for a search that finds git's folders. */
const isSought = ({ search }: ShellCommand) => search?.names.some((name) => /^\*?\.git$/.test(name)) === true

interface Touch {
  readonly path: TouchedPath
  /** The path below git's folder. */
  readonly inside: string
  /** Set if it is elsewhere in the workspace afterwards. */
  readonly moved?: boolean
  readonly details?: { readonly at: number }
}

const touchedAlone = (paths: readonly TouchedPath[]): readonly Touch[] =>
  paths.flatMap((path) => {
    const inside = path.access === 'write' || path.access === 'delete' ? inGitFolder(path) : undefined
    // `info/exclude` has only names of files that git leaves out, in this clone alone.
    if (inside === undefined || (inside === 'info/exclude' && path.access === 'write')) return []
    return [{ path, inside }]
  })

/** Returns what a command line touches in git's folders. What git itself does there is left to the other rules. */
function touchedBy({ commands }: ShellFacts): readonly Touch[] {
  // One search may start hundreds of commands.
  const searches = new Set(commands.flatMap((command, at) => (isSought(command) ? [at] : [])))
  return commands.flatMap(({ paths, startedBy = -1 }, at): readonly Touch[] => {
    const details = { at }
    const stays = paths.some(({ access, inRoot }) => access === 'write' && inRoot !== undefined)
    const isFound = ({ access, from = [] }: TouchedPath) =>
      access === 'delete' && [startedBy, ...from].some((one) => searches.has(one))
    return paths.flatMap((path): readonly Touch[] => {
      if (path.change === 'versioned') return []
      if (isFound(path)) return [{ path, inside: '', details }]
      const moved = stays && path.change === 'moved'
      return touchedAlone([path]).map(({ inside }) => ({ path, inside, moved, details }))
    })
  })
}

export default definePolicy({
  id: 'git-folder',
  severity: 'critical',
  description: "Refuses to delete or rewrite git's own files, and to plant hooks among them",
  on: 'PreToolUse',
  tool: ['shell', 'write', 'edit'],
  interest: { access: ['write', 'delete'] },
  params: {
    hooks: {
      type: 'string',
      oneOf: ['deny', 'ask'],
      default: 'deny',
      description: "what happens on writes to a repository's hooks and settings",
    },
  },
  decide({ tool, shell, paths, params }) {
    let question: PolicyAnswer | undefined
    for (const { path, inside, moved, details } of tool.kind === 'shell' ? touchedBy(shell) : touchedAlone(paths)) {
      const written = path.written === '' ? (path.absolute ?? '') : path.written
      const isFound = written.endsWith(unknownPart)
      const name =
        isFound && path.access !== 'delete'
          ? quoted(path.absolute ?? written)
          : isFound
            ? `each \`.git\` below ${quoted(written.replace(/\/?[^/]*$/, '') || '.')}`
            : quoted(written)
      if (path.access === 'delete') {
        if (inside.endsWith('.lock')) continue
        const isVital = inside === '' || inside === '*' || vital.test(inside.split('/')[0] ?? '')
        if (isVital && moved !== true) {
          return deny(
            path.change === 'moved'
              ? `this would move ${name} away, with the history of the repository: have the person do it`
              : `this would delete ${name}, with the history of the repository, for good: have the person do it`,
            details,
          )
        }
        question ??= ask(
          `this would ${moved === true ? 'move' : 'delete'} ${name}, which only git should change: have the person do it`,
          details,
        )
      } else if (running.test(inside) && path.metadata !== true) {
        const message = `git later runs what is written to ${name}, for everyone who uses the repository`
        if (params.hooks === 'deny') return deny(`${message}: let the person install it`, details)
        question ??= ask(`${message}: let the person install it`, details)
      } else if (inside !== '' || path.recursive === true || isFound)
        question ??= ask(`this would write ${name}, which only git should change: let git write it`, details)
    }
    return question
  },
  examples: [
    denies('all of it', 'rm -rf .git'),
    asks('an edit of all that is in it', "find .git -type f -exec sed -i 's/a/b/' {} +"),
    abstains('a file that only begins so', 'rm .gitignore'),
    denies('its objects', 'rm -rf sub/.git/objects'),
    denies('each that is found', 'find . -name .git -exec rm -rf {} +'),
    abstains('a lock that was left', 'rm .git/index.lock'),
    denies('a bare repository', 'rm -rf backup.git/refs'),
    asks('one that is moved within the workspace', 'mv template/.git .'),
    denies('one that is moved out of it', 'mv .git /tmp/a'),
    asks('a hook that goes', 'rm .git/hooks/pre-commit'),
    denies('a hook', 'cp evil .git/hooks/pre-commit'),
    abstains('reading a hook', 'cat .git/hooks/pre-commit'),
    denies('settings', 'echo "[core]" >> .git/config'),
    abstains('settings by git', 'git config user.name me'),
    denies('a hook by a file tool', { tool: 'write', input: { path: '.git/hooks/pre-push' } }),
    abstains('a file in a folder called git', { tool: 'write', input: { path: 'git/hooks/a' } }),
    asks('the index', { tool: 'write', input: { path: '.git/index' } }),
    asks('a hook where `hooks` is `ask`', 'cp a .git/hooks/pre-push', { params: { hooks: 'ask' } }),
  ],
})
