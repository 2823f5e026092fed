import { abstains, ask, asks, definePolicy, denies, deny, type ShellFacts, type ShellSearch } from 'hookgate/policy'
import { type Deletion, deletionsIn, namesLimiting, temporaryFolders } from './deletions.ts'
import { namesMatcher } from './globs.ts'
import { isRegenerable, regenerable } from './regenerable.ts'

/** True for .NET's `bin` that is deleted together with the `obj` beside it. */
const isBesideObj = ({ path }: Deletion, all: readonly Deletion[]) =>
  path.absolute?.endsWith('/bin') === true &&
  all.some((other) => other.path.absolute === `${path.absolute?.slice(0, -3)}obj`)

/** A pattern for every file at any depth. */
const isDeep = ({ path: { pattern = '' } }: Deletion) => pattern.endsWith('/**/*')

/** True if a deletion may affect any file of the workspace: those found by a name, or an unknown path. */
const isSearch = ({ sought, path }: Deletion) => sought !== undefined && path.inRoot === ''

/** A name without wildcards, of which a search finds a few files. */
const isPlainName = (name: string) => /^[\w.-]+\.\w+$/.test(name)

/** True if a deletion gets the names of all files: `git ls-files | xargs rm`, `rm $(ls)`. */
function isListed({ path }: Deletion, { commands }: ShellFacts): boolean {
  if (path.unresolved !== true || path.inRoot !== '') return false
  return path.from?.some((at) => isListOfAll(commands[at]?.search)) === true
}

const isListOfAll = (search: ShellSearch | undefined): boolean =>
  search !== undefined && search.finds !== 'all' && namesLimiting(search).length === 0

export default definePolicy({
  id: 'workspace-deletion',
  severity: 'high',
  description: 'Refuses to delete the workspace; asks about folders in it that no build recreates',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { access: ['delete'] },
  params: {
    temporaryFolders,
    regenerable,
  },
  decide({ event, shell, params }) {
    const all = deletionsIn(shell, event, params.temporaryFolders)
    const deletions = all.filter(({ recursive }) => recursive)
    const whole = all.find(
      (one) =>
        one.place === 'workspace' &&
        one.certain &&
        !one.onlyEmpty &&
        one.narrowed === undefined &&
        (one.recursive || isDeep(one)),
    )
    if (whole !== undefined) {
      return deny(
        `\`${whole.command.program}\` would delete ${whole.named}, the workspace with all work in it: ` +
          'check `git status`, then name the files that should be deleted',
        { at: whole.at },
      )
    }
    const isRegenerated = namesMatcher(params.regenerable)
    const parts = deletions.filter(
      (one) =>
        (one.place === 'in-workspace' || one.place === 'workspace') &&
        one.forced &&
        !one.onlyEmpty &&
        !isRegenerable(one, isRegenerated) &&
        !isBesideObj(one, deletions),
    )
    const search = parts.find(isSearch)
    if (search?.sought?.every(isPlainName) === true) {
      return ask(
        `\`${search.command.program}\` would delete ${search.sought.length === 0 ? 'what it finds in the workspace' : search.named}, wherever it is: ` +
          'list it with `-print` first, then name the one that is meant',
        { at: search.at },
      )
    }
    const narrowed = parts.find((one) => one.narrowed !== undefined && (one.place === 'workspace' || isSearch(one)))
    if (narrowed !== undefined) {
      return ask(
        `\`${narrowed.command.program}\` would delete what \`${narrowed.narrowed ?? ''}\` finds in the workspace: list it with \`-print\` first`,
        { at: narrowed.at },
      )
    }
    if (search !== undefined) {
      const what =
        search.sought?.length === 0
          ? 'everything it finds in the workspace, including `.git` and dependencies'
          : `${search.named}, also in dependencies`
      return deny(
        `\`${search.command.program}\` would delete ${what}: list it with \`-print\` first, then delete by name`,
        { at: search.at },
      )
    }
    const [part] = parts
    if (part === undefined) {
      const files = all.find((one) => (one.every && one.place === 'workspace') || isListed(one, shell))
      return files === undefined
        ? undefined
        : ask(
            `\`${files.command.program}\` would delete every file of the workspace: name the files that should be deleted`,
            {
              at: files.at,
            },
          )
    }
    const isNamed = part.named.startsWith('`')
    return ask(
      isNamed
        ? `\`${part.command.program}\` would delete ${part.named} with everything in it, which may be in no commit: ` +
            '`git rm -r` deletes only what git can restore'
        : `\`${part.command.program}\` would delete ${part.named}, which may be in no commit: name the files that should be deleted`,
      { at: part.at },
    )
  },
  examples: [
    denies('the workspace', 'rm -rf .'),
    abstains('what a build has made', 'rm -rf ./dist'),
    denies('all in it', 'rm -rf *'),
    abstains('all in a build', 'rm -rf dist/*'),
    denies('by its path', 'rm -fr /home/u/proj'),
    abstains('a build by its path', 'rm -fr /home/u/proj/target'),
    denies('what is found by a name', 'find . -name "*.tmp" -delete'),
    abstains('leftovers of a file manager', "find . -type f -name '.DS_Store' -delete"),
    asks('one name, wherever it is', 'find . -name foo.txt -delete'),
    abstains('empty folders', 'find . -type d -empty -delete'),
    abstains('links that lead nowhere', 'find skills -type l ! -exec test -e {} \\; -delete'),
    denies('what links lead to', 'find -L . -type l -delete'),
    denies('all but links', 'find . ! -type l -delete'),
    asks('empty files', 'find . -empty -delete'),
    asks('what is newer than a file', 'find . -newer marker -delete'),
    asks('one file by its number', 'find . -inum 12345 -delete'),
    asks('files of no size', 'find . -type f -size 0 -delete'),
    abstains('a folder of a build by its path', "find . -path './dist/*' -delete"),
    denies('all but a path', "find . ! -path './.git/*' -delete"),
    denies('any size', 'find . -size +0 -delete'),
    denies('any path', "find . -path '*' -delete"),
    denies('a test or everything', 'find . -newer marker -o -delete'),
    denies('all but empty folders', 'find . -type d ! -empty -delete'),
    abstains('a folder, where the last option is to ask', 'rm -rf -i old'),
    asks('a folder, where the last option is not to ask', 'rm -ri -f old'),
    denies('all but that', 'find . ! -name "*.pyc" -delete'),
    denies('all but two', 'find . ! \\( -name dist -o -name out \\) -exec rm -rf {} +'),
    abstains('two that a build makes', 'find . \\( -name dist -o -name coverage \\) -delete'),
    denies('all but what a build makes', 'find . -name dist -prune -o -delete'),
    abstains('looking for it', 'find . -name "*.tmp"'),
    abstains('what is found of a build', 'find . -name node_modules -exec rm -rf {} +'),
    asks('what may hold sources', 'rm -rf build'),
    denies('by find', 'find . -delete'),
    asks('sources', 'rm -rf src'),
    abstains('sources, as text', 'echo rm -rf src'),
    abstains('a folder, not by force', 'rm -r old'),
    abstains('a file', 'rm -f a.txt'),
    asks('every file', 'rm -f *'),
    abstains('files of one kind', 'rm -f *.log'),
    asks('every file of git', 'git ls-files -z | xargs -0 rm'),
    asks('every file that is listed', 'ls -A | xargs rm'),
    asks('every file that is listed in a substitution', 'rm $(ls -A)'),
    abstains('some that are listed', 'ls *.log | xargs rm'),
    abstains('some that are found in a loop', 'for f in $(find . -name \'*.pyc\'); do rm "$f"; done'),
    abstains('some files of git', "git ls-files '*.orig' | xargs rm"),
    denies('whatever is found', 'find . -type f | xargs rm'),
    abstains('what is left of all that is found', "find . -type f | grep 'pyc$' | xargs rm"),
    abstains('both folders that .NET builds into', 'rm -rf a/bin a/obj', { params: { regenerable: ['obj'] } }),
    asks('one of them', 'rm -rf a/bin', { params: { regenerable: ['obj'] } }),
    abstains('in a package', 'rm -rf packages/*/node_modules'),
    abstains('a folder of their own', 'rm -rf generated-api', { params: { regenerable: ['generated-*'] } }),
    asks('what may lead anywhere', 'rm -rf src/$(cat list)'),
  ],
})
