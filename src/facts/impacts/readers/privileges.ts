import type { Impact } from '../../../model/impact.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import type { ShellFacts } from '../../../model/shell.ts'
import { makeImpact } from '../make-impact.ts'

/** Programs that start others with the rights of another user. */
const elevating = new Set(['sudo', 'doas', 'pkexec', 'su', 'run0', 'dzdo', 'gsudo', 'runas', 'sudoedit'])

/** True for a first word with which these programs start no other. */
const isIdle = (word: string) => /^(?:-[lvkKV]+|-h|--help|--list|--validate|--version|--reset-timestamp)$/.test(word)

/** Finds programs that are started with the rights of another user. */
export function findElevations(call: Call, { commands }: ShellFacts): readonly Impact[] {
  if (!elevating.has(call.program) || isIdle(call.args[0]?.value ?? '')) return []
  const started = commands.filter(({ startedBy }) => startedBy === call.at).map(({ program }) => program)
  const impact = makeImpact(call, lineIn(call, {}), {
    kind: 'grant',
    thing: 'machine',
    area: 'privileges',
    object: 'program',
    names: started.filter((name) => name !== ''),
    undo: 'work',
    consequence: 'with the rights of another user',
    instead: 'use them only if the task needs them',
    words: '',
  })
  return [impact]
}
