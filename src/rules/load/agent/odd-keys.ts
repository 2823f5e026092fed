import { titleOf } from '../../../model/agents.ts'
import type { HookFile } from '../../../model/hook-files.ts'
import { quoted } from '../../../model/text.ts'
import type { Path } from '../../../model/problem.ts'
import { problem, type Reading } from '../reading.ts'
import { didYouMean, nearestTo } from '../../../model/suggest.ts'
import { Entry } from './entry.ts'

/** hookgate's own keys of a hook, which say nothing in the files of the agents that are read here. */
const foreign = ['onFailure', 'dialect', 'policy'] as const

/**
 * Warns of keys of a hook, or of a group of them, that are read by nobody: those that are all but known ones, and
 * hookgate's own. The agent may have others that are newer than its table.
 */
export function warnOfOddKeys(reading: Reading, format: HookFile, entry: Entry, path: Path): void {
  const known = keysOf(format)
  for (const key of Object.keys(entry)) {
    if (known.has(key)) continue
    const ours = nearestTo(key, foreign)
    const remedy = ours === undefined ? didYouMean(key, known) : otherwise(format)
    if (remedy === undefined) continue
    const message =
      ours === undefined ? `unknown key ${quoted(key)}` : `a file of ${titleOf(format.agent)} has no \`${ours}\``
    problem(reading, 'warning', [...path, key], 'key', message, remedy)
  }
}

function otherwise({ failClosed }: HookFile): string {
  return failClosed === undefined
    ? 'put the hook into a hooks.json of hookgate, with its `dialect`'
    : `write \`"${failClosed}": true\`, or put the hook into a hooks.json of hookgate, with its \`dialect\``
}

function keysOf({ commands, timeout, failClosed, folder, marks }: HookFile): ReadonlySet<string> {
  const named = [failClosed, folder].filter((key) => key !== undefined)
  const started = commands.map(({ key }) => key)
  return new Set([...Object.keys(Entry.shape), ...started, ...timeout.keys, ...named, ...marks])
}
