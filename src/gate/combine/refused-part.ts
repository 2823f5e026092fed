import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { maskSecrets } from '../../mask/mask.ts'
import { quotedSome } from '../../model/text.ts'

/**
 * Returns the commands that an answer is about, as they are written in the call; `undefined` if they are all of it, or
 * the answer's reason has them already.
 */
export function refusedPart(
  evaluation: Evaluation,
  { tool }: HookEvent,
  shell: ShellFacts | undefined,
): string | undefined {
  if (evaluation.kind !== 'applicable' || shell === undefined) return undefined
  const { commands = [], reason = '' } = evaluation
  const whole = tool?.command ?? ''
  const places = commands.flatMap((index) => shell.commands[index]?.place ?? [])
  const parts = [...new Set(places.map(({ start, end }) => whole.slice(start, end).trim()))]
  const isPlain = parts.every((part) => part !== '' && part !== whole.trim() && !reason.includes(part))
  // Masked before it is cut: half a secret would not be recognised as one, and the record keeps the reason.
  return parts.length > 0 && isPlain ? quotedSome(parts.map((part) => maskSecrets(part))) : undefined
}
