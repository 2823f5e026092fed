import type { EffectRecorder } from './effects.ts'
import type { CommandView } from './row.ts'

/** Records reads of the files whose names come on stdin, one per line. */
export function listed({ stdin }: CommandView, recorder: EffectRecorder): void {
  if (stdin === undefined) return
  if (stdin.unresolved === true) return recorder.lists('read')
  for (const line of stdin.value.split(/[\n\0]/)) recorder.touch({ value: line }, 'read', { recursive: true })
}
