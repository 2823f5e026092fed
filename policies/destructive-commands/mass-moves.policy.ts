import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  placedName,
  type PolicyAnswer,
  quoted,
  type ShellFacts,
  type TouchedPath,
} from 'hookgate/policy'
import { aroundOf, isEvery, isFinder, isListedBelow, nameOf, namesLimiting } from './deletions.ts'
import { type Around, placeOf } from './places.ts'

const isMoved = ({ change }: TouchedPath): boolean => change === 'moved'

/** True if a program names the path that lists all of a folder: `find` without a name, or `ls`. */
function isAnythingListed(
  { change, absolute, from, unresolved }: TouchedPath,
  { commands, flows }: ShellFacts,
): boolean {
  if (change !== 'moved' || from === undefined || absolute === undefined || unresolved !== true) return false
  const namers = new Set(from)
  for (const one of namers) for (const flow of flows) if (flow.to === one && flow.via !== 'file') namers.add(flow.from)
  return [...namers].some((one) => {
    const namer = commands[one]
    if (
      namer === undefined ||
      (isFinder(namer) && (namer.search === undefined || namesLimiting(namer.search).length > 0))
    )
      return false
    return namer.paths.some(
      (path) => path.metadata === true && path.absolute === absolute && path.pattern === undefined,
    )
  })
}

/** True for what stands right in the home by a name of a folder: one without an ending. */
const isOwnFolder = (path: TouchedPath, around: Around): boolean =>
  isMoved(path) &&
  path.unresolved !== true &&
  path.pattern === undefined &&
  placeOf(path, around) === 'own' &&
  !path.inHome?.includes('.')

/** True if a command moves to where files are deleted by themselves. */
const goesToTemporary = (paths: readonly TouchedPath[], around: Around): boolean =>
  paths.some((path) => path.access === 'write' && placeOf(path, around).endsWith('temp'))

export default definePolicy({
  id: 'mass-moves',
  severity: 'critical',
  description:
    'Refuses to move away system folders, a home directory or the workspace; asks about whatever is found in them, and about every file of a folder that goes to temporary files',
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'prompt'],
  interest: { access: ['moved'] },
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const { program, paths } = command
      if (!paths.some(isMoved)) continue
      const moved = paths.find(
        (path) => isMoved(path) && !path.unresolved && ['system', 'home', 'workspace'].includes(placeOf(path, around)),
      )
      // A path that is moved to its own folder stays there.
      const stays = paths.some(({ access, absolute }) => access === 'write' && absolute === moved?.absolute)
      const listed = paths.find(
        (path) => isAnythingListed(path, shell) && /^(?:system|home)$/.test(placeOf(path, around)),
      )
      const dropped = goesToTemporary(paths, around)
        ? paths.find(
            (path) =>
              (isMoved(path) &&
                (isEvery(path) || isListedBelow(path) || isAnythingListed(path, shell)) &&
                /^(?:own|private|outside)$/.test(placeOf(path, around))) ||
              isOwnFolder(path, around),
          )
        : undefined
      if (listed !== undefined)
        question ??= ask(
          `\`${program}\` would move away whatever is found in ${quoted(listed.absolute ?? '')}, where others need it: name what is meant`,
          { at },
        )
      if (dropped !== undefined)
        question ??= ask(
          `\`${program}\` would move ${isOwnFolder(dropped, around) ? `${nameOf(dropped)} and what is in it` : `every file of ${quoted(dropped.absolute ?? '')}`} to a temporary folder, which the system empties: move it to another folder`,
          { at },
        )
      if (moved === undefined || (stays && moved.pattern !== undefined)) continue
      return deny(
        `\`${program}\` would move ${placedName(nameOf(moved), moved, command, shell)} away, which others need where it is: copy it instead`,
        { at },
      )
    }
    return question
  },
  examples: [
    denies('everything', 'mv /* /tmp'),
    abstains('everything to where it is', 'mv /* /'),
    abstains('everything in quotes', "mv './*' /tmp"),
    denies('a folder of the system', 'mv /usr/bin /usr/bin.old'),
    abstains('a folder called like one', 'mv bin bin.old'),
    denies('the home directory', 'mv ~ /backup'),
    abstains('a file in it', 'mv ~/a.txt .'),
    denies('the target before', 'mv -t /tmp /etc'),
    abstains('as text', 'echo mv /etc /tmp'),
    asks('all that is found in the home directory', 'mv $(find ~ -maxdepth 1 -type d) /tmp/'),
    asks('handed over', 'find ~ -maxdepth 1 | xargs mv -t /tmp'),
    abstains('a file that is sought there', 'mv "$(find ~ -name report.pdf)" .'),
    abstains('what is found in the workspace', 'mv $(find . -type f) /tmp'),
    asks('one by one', 'while read f; do mv "$f" /tmp; done <<< "$(find ~/Documents)"'),
    asks('a folder of the home', 'mv ~/Documents /tmp/x'),
    abstains('a folder of the home to another', 'mv ~/Documents ~/old'),
    abstains('one by one to a folder that stays', 'while read f; do mv "$f" ~/old; done <<< "$(find ~/Documents)"'),
    asks('every file of a folder', 'for f in ~/Documents/*; do mv "$f" /tmp/; done'),
    abstains('some files of a folder', 'for f in ~/Downloads/*.csv; do mv "$f" /tmp/; done'),
    abstains('every file that the work has made', 'for f in dist/*; do mv "$f" /tmp/; done'),
  ],
})
