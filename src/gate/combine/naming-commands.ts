import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { maskSecrets } from '../../mask/mask.ts'
import { quotedSome } from '../../model/text.ts'

/**
 * Names the commands that an answer is about at the head of its reason, as they are written in the call:
 * `` `git push -f`: it overwrites … ``. A reason that begins with the command's first words gets the whole command in
 * their place. Nothing is added if the answer is about the call as a whole, or its reason has the commands already.
 */
export function nameCommands(
  reason: string,
  evaluation: Evaluation,
  { tool }: HookEvent,
  shell: ShellFacts | undefined,
): string {
  if (evaluation.kind !== 'applicable' || shell === undefined) return reason
  const whole = tool?.command ?? ''
  const places = (evaluation.commands ?? []).flatMap((index) => shell.commands[index]?.place ?? [])
  const parts = [...new Set(places.map(({ start, end }) => whole.slice(start, end).trim()))]
  const isPlain = parts.every((part) => part !== '' && part !== whole.trim() && !reason.includes(part))
  if (parts.length === 0 || !isPlain) return reason
  // Masked before it is cut: half a secret would not be recognised as one, and the record keeps the reason.
  const named = quotedSome(parts.map((part) => maskSecrets(part)))
  const [first, words = ''] = /^`([^`]+)` /.exec(reason) ?? []
  const isBeginning = first !== undefined && parts.length === 1 && parts[0]?.startsWith(`${words} `) === true
  return isBeginning ? `${named} ${reason.slice(first.length)}` : `${named}: ${reason}`
}
