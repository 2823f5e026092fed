import type { GatePaths } from '../../files/state/places.ts'
import { printable } from '../../model/text.ts'
import type { DecisionReader } from '../../record/read.ts'
import type { CommandOutput } from '../command.ts'
import { counted } from './rule-lines.ts'

const emptyRecordText = `nothing is recorded yet: the record begins with the first event that an agent asks hookgate about
(\`hookgate enable AGENT\`), unless \`"record": "off"\` is set in ~/.config/hookgate/hooks.json or by an administrator
`

/**
 * Says that there is no record.
 *
 * @param isQuiet true if a program reads stdout
 * @param problem why nothing can be recorded, as `recordingNote` says it
 */
export const nothingRecorded = (isQuiet: boolean, problem = ''): CommandOutput => ({
  stdout: isQuiet ? '' : emptyRecordText,
  stderr: (isQuiet ? emptyRecordText : '') + problem,
  exitCode: 0,
})

/** Says that nothing can be recorded now, and why; empty if nothing is in the way. */
export async function recordingNote(places: GatePaths): Promise<string> {
  const { lossRemedy, recordingProblem } = await import('../../service/server/record-health.ts')
  const problem = await recordingProblem(places)
  return problem === undefined ? '' : `hookgate: nothing can be recorded now: ${printable(problem)}; ${lossRemedy}\n`
}

/** Says how many decisions could not be recorded or read; empty if none. */
export function readingNotes(reader: Pick<DecisionReader, 'lost' | 'unreadable'>): string {
  const lost = reader.lost()
  const { unreadable } = reader
  return [
    ...(lost === 0 ? [] : [`${counted(lost, 'decision')} could not be recorded: docs/record.md says when that is so`]),
    ...(unreadable === 0 ? [] : [`${counted(unreadable, 'row')} of the record cannot be read: \`--verify\` checks it`]),
  ]
    .map((line) => `hookgate: ${line}\n`)
    .join('')
}
