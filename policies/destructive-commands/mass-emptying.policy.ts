import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  type PolicyAnswer,
  setOf,
  type ShellCommand,
  type ShellFacts,
  type ShellSearch,
  type ShellWord,
  type TouchedPath,
  unknownPart,
} from 'hookgate/policy'
import { aroundOf, everyFileIn, finderOf, isEvery, isListedBelow, nameOf, namesLimiting } from './deletions.ts'
import { isEmptied } from './emptying.ts'
import { placeOf } from './places.ts'

const isOverwriting = ({ redirections }: ShellCommand) =>
  redirections.some(({ operator, descriptor }) => operator === '>' && descriptor === 1)

/** True if a path stands for every file of a folder: by a pattern, or by a search for any name. */
const isMany = (command: ShellCommand, path: TouchedPath, shell: ShellFacts) =>
  isEvery(path) ||
  isListedBelow(path) ||
  (path.unresolved === true && path.absolute !== undefined && findsAnyName(finderOf(command, path, shell)))
const findsAnyName = (finder: ShellCommand | undefined) =>
  finder?.search !== undefined && finder.search.looksAtNames !== true

/** Names of files that are written to be emptied again. */
const passing =
  /\.(?:log|out|err|tmp|temp|pid|cache|trace)\b[^/]*$|(?:^|\/)(?:logs?|tmp|temp|cache|build|dist|out|coverage|target)\//

/** Returns the file that a command overwrites by `>`, where it is the one that a loop has come to. */
function loopFileOf({ redirections, reach }: ShellCommand, { commands }: ShellFacts): ShellWord | undefined {
  const loops = reach.filter((one) => one.through === 'loop')
  if (loops.length === 0) return undefined
  const files = redirections.flatMap(({ operator, descriptor, target }) =>
    operator === '>' && descriptor === 1 && target !== undefined ? [target] : [],
  )
  const isRead = ({ value, variable }: ShellWord) =>
    value === unknownPart &&
    commands.some(({ output, args }) => output === 'kept' && args.some((one) => one.value === variable))
  return files.find(
    (file) =>
      isRead(file) ||
      loops.some(({ over }) =>
        over?.pattern === undefined
          ? over !== undefined && file.value === unknownPart && file.variable === over.variable
          : file.pattern === over.pattern,
      ),
  )
}

/** True for a search at any depth, or a list of the project's files. */
const isLister = ({ finds }: ShellSearch) => finds === 'all' || finds === 'files'

/** Returns the patterns of names that the lists in a text are limited to; `undefined` if one of the lists has any name. */
function namesListed({ commands }: ShellFacts): readonly string[] | undefined {
  const lists = commands.flatMap(({ search }) =>
    search !== undefined && isLister(search) ? [namesLimiting(search)] : [],
  )
  return lists.length > 0 && lists.every((names) => names.length > 0) ? lists.flat() : undefined
}

/** True if a path stands for several files, by a loop, a pattern or a list, and these are not written to be emptied. */
function isOverwritten(command: ShellCommand, path: TouchedPath, shell: ShellFacts): boolean {
  const file = loopFileOf(command, shell)
  const pattern = file?.pattern ?? (isEmptied(path) ? path.pattern : undefined)
  if (pattern !== undefined) return !passing.test(pattern)
  const isHanded = isHandedFile(command, path) && isListed(path, shell)
  return (file !== undefined || isHanded) && namesListed(shell)?.every((name) => passing.test(name)) !== true
}

/** True if another program may name the file: in an argument, or in a parameter of the shell that it starts. */
const isHandedFile = (command: ShellCommand, path: TouchedPath) =>
  path.unresolved === true &&
  ((isEmptied(path) && !isOverwriting(command)) ||
    command.redirections.some(
      ({ operator, target }) =>
        operator === '>' && target?.value.split('/').at(-1) === unknownPart && !/^[a-z_]/i.test(target.variable ?? ''),
    ))

/** True if a search or `git ls-files` names the path. */
const isListed = ({ from = [] }: TouchedPath, { commands }: ShellFacts) =>
  from.some((at) => {
    const search = commands[at]?.search
    return search !== undefined && isLister(search)
  })

/** Places where the content of many files would be lost for good. */
const lost = setOf(['system', 'home', 'own', 'private', 'outside'])

/** Files that are made by filling them with nothing. */
const filled =
  /\.(?:img|iso|raw|qcow2|vhdx?|vmdk|bin|dat|disk|swap)$|(?:^|\/)(?:swap|test|zero|random|bench|dummy|fill)[^/]*$/i

/** True for one file of the person's, outside the workspace, that is not made to be filled. */
const isOneOutside = ({ absolute = '', pattern, unresolved }: TouchedPath, place: string) =>
  pattern === undefined &&
  unresolved !== true &&
  (place === 'own' || place === 'private') &&
  !filled.test(absolute) &&
  !passing.test(absolute)

/** Places of files that a loop may go through; for temporary ones nothing is asked. */
const kept = setOf(['workspace', 'in-workspace', 'private', 'outside', 'own', 'unknown'])

/** A list or a pattern, of which one name is known, stands for several files. */
const eachFileOf = (name: string) => (name.startsWith('files ') ? `many ${name}` : `every file that ${name} stands for`)

export default definePolicy({
  id: 'mass-emptying',
  severity: 'critical',
  terminalOnly: true,
  description: 'Refuses to empty every file of a folder outside the workspace, or everything found in it',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'prompt'],
  interest: { access: ['write'] },
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      for (const path of command.paths) {
        if (path.access !== 'write' || path.metadata === true) continue
        const who = command.program === '' ? 'this' : `\`${command.program}\``
        if (!isEmptied(path) && !isOverwriting(command)) continue
        if (path.change === 'emptied' && !isOverwriting(command) && isOneOutside(path, placeOf(path, around))) {
          question ??= ask(`${who} would overwrite all of ${nameOf(path)}: write to another file`, {
            at,
          })
          continue
        }
        if (!isMany(command, path, shell)) {
          if (isOverwritten(command, path, shell) && kept.has(placeOf(path, around)))
            question ??= ask(`${who} would empty ${eachFileOf(nameOf(path))}: name those that should be empty`, {
              at,
            })
          continue
        }
        const place = placeOf(path, around)
        const isWholeWorkspace = place === 'workspace' && path.pattern === undefined
        if (isWholeWorkspace || lost.has(place)) {
          return deny(
            `${who} would empty ${everyFileIn(nameOf(path))}, and none of them could be recovered: ` +
              'name the one file that should be empty',
            { at },
          )
        }
        if (place === 'workspace')
          question ??= ask(`${who} would empty every file of the workspace: name the one file that should be empty`, {
            at,
          })
      }
    }
    return question
  },
  examples: [
    denies('all that is found at home', 'find ~ -type f -exec truncate -s 0 {} +'),
    abstains('a look at it', 'find ~ -type f -exec stat {} +'),
    denies('with nothing over it', 'find ~ -type f -exec cp /dev/null {} \\;'),
    denies('with zeroes over it', 'find . -type f -exec dd if=/dev/zero of={} count=1 \\;'),
    denies('by a redirection', 'find ~ -type f -exec sh -c \'> "$1"\' _ {} \\;'),
    denies('by xargs', 'find . -type f | xargs truncate -s 0'),
    denies('a folder at home', 'truncate -s0 ~/Documents/*'),
    asks('the workspace', 'for f in *; do : > "$f"; done'),
    asks('every file that git knows', 'for f in $(git ls-files); do : > "$f"; done'),
    asks('each line as a file', 'git ls-files "*.py" | while read -r f; do > "$f"; done'),
    asks('all of a kind', 'for f in src/*.ts; do cat /dev/null > $f; done'),
    asks('all of a kind, at once', 'truncate -s 0 src/*.ts'),
    denies(
      'all that is found, with a name asked for too late',
      "find . -type f -exec truncate -s 0 {} + -name '*.log'",
    ),
    asks('all of a kind that are found', "find src -name '*.ts' -exec truncate -s 0 {} +"),
    asks('a list by xargs', 'git ls-files -z | xargs -0 truncate -s 0'),
    asks('a list by a shell that xargs starts', "git ls-files | xargs -I{} sh -c ': > {}'"),
    abstains('logs that are listed', "for f in $(find . -name '*.log'); do : > $f; done"),
    abstains('logs by a pattern', 'for f in logs/*; do : > "$f"; done'),
    abstains('a file of another name in a loop', 'for f in $(git ls-files); do wc -l "$f" > "$OUT"; done'),
    abstains('one file for all that are found', 'find . -exec sh -c \'wc -l "$1" > "$OUT"\' _ {} \\;'),
    abstains('files beside those of a list', 'git ls-files | while read f; do wc -l "$f" > "$f.count"; done'),
    abstains('named files', 'for f in a.txt b.txt; do : > "$f"; done'),
    asks('one file of the person', 'dd if=/dev/zero of=~/Documents/a.odt bs=1M count=4'),
    abstains('an image that is made', 'dd if=/dev/zero of=~/disk.img bs=1M count=4'),
    abstains('one file', ': > debug.log; truncate -s 0 ~/app.log'),
    abstains('logs of the workspace', 'truncate -s 0 logs/*'),
    abstains('what is found by its name', "find . -name '*.log' -exec truncate -s 0 {} +"),
    abstains('files beside them', 'for f in *; do sort "$f" > "$f.sorted"; done'),
    abstains('temporary files', 'find /tmp/mine -type f -exec truncate -s 0 {} +'),
  ],
})
