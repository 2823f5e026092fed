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
  type TouchedPath,
} from 'hookgate/policy'
import { aroundOf, finderOf, isEvery, nameOf } from './deletions.ts'
import { placeOf } from './places.ts'

const nothing = /^(?:if=)?\/dev\/(?:null|zero|u?random|full)$/

/** Programs that leave a file empty or as noise, whatever was in it. */
const emptiers = setOf(['truncate', 'gtruncate', 'fallocate'])
/** Programs that empty a file if they are given nothing to write. */
const copiers = setOf(['cp', 'gcp', 'install', 'ginstall', 'dd', 'gdd', 'tee', 'sponge'])

const isEmptied = ({ program, args, redirections }: ShellCommand) =>
  emptiers.has(program) ||
  (copiers.has(program) && args.some(({ value }) => nothing.test(value))) ||
  redirections.some(({ operator, descriptor }) => operator === '>' && descriptor === 1)

/** True if every file of a folder is meant, by a pattern or a search. */
const isMany = (command: ShellCommand, at: number, path: TouchedPath, shell: ShellFacts) =>
  isEvery(path) ||
  (path.unresolved === true && path.absolute !== undefined && finderOf(command, at, shell)?.args.every(isNoName))
const isNoName = ({ value }: { readonly value: string }) => !/^-i?(?:name|path|regex|wholename)$/.test(value)

const lost = setOf(['system', 'home', 'own', 'private', 'outside'])

export default definePolicy({
  id: 'mass-emptying',
  severity: 'critical',
  description: 'Refuses to empty every file of a folder outside the workspace, or everything found in it',
  on: 'PreToolUse',
  tool: 'shell',
  decide({ event, shell }) {
    const around = aroundOf(event, [])
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      if (!isEmptied(command)) continue
      for (const path of command.paths) {
        if (path.access !== 'write' || path.metadata === true || !isMany(command, at, path, shell)) continue
        const place = placeOf(path, around)
        const whole = place === 'workspace' && path.pattern === undefined
        if (whole || lost.has(place)) {
          return deny(
            `${command.program} would empty every file in ${nameOf(path)}, and none of them could be recovered: ` +
              'name the one file that should be empty',
            { at },
          )
        }
        if (place === 'workspace')
          question ??= ask(
            `${command.program} would empty every file of the workspace: name the one file that should be empty`,
            { at },
          )
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
    abstains('one file', ': > debug.log; truncate -s 0 ~/app.log'),
    abstains('logs of the workspace', 'truncate -s 0 logs/*'),
    abstains('what is found by its name', "find . -name '*.log' -exec truncate -s 0 {} +"),
    abstains('files beside them', 'for f in *; do sort "$f" > "$f.sorted"; done'),
    abstains('temporary files', 'find /tmp/mine -type f -exec truncate -s 0 {} +'),
  ],
})
