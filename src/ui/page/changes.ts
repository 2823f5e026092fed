import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { AnsweringName, AnswerOf, AskedOf } from '../api.ts'
import { ask, failureOf, type RequestFailed, useAnswer } from './fetch.ts'
import { project } from './location.ts'

/** Something that can be changed: what a view offers. */
export type OfferedChange = AskedOf<'proposeChange'>['change']

/** A change that was made, and can be taken back. */
type ShownChange = AnswerOf<'makeChange'>

interface Offer {
  /** Says what is to be done: "Turn the pack git-safety off". */
  readonly title: string
  readonly change: OfferedChange
  readonly project: string
  readonly ends?: EndingRules | undefined
}

/** Rules whose say a change takes away: they stop, or only observe from then on. */
export interface EndingRules {
  readonly rules: readonly string[]
  readonly how: 'stop' | 'observe'
}

/** The result of the last change, for the bar at the bottom of the page. */
type ChangeNews =
  | { readonly kind: 'made'; readonly title: string; readonly made: ShownChange }
  | { readonly kind: 'undone'; readonly byHand: string }
  | { readonly kind: 'failed'; readonly error: RequestFailed }

/** The change that is being looked at. */
export const offered = signal<Offer | undefined>(undefined)

/** The changes of this run that can be taken back, the newest first. */
export const madeChanges = signal<readonly ShownChange[]>([])

export const changeNews = signal<ChangeNews | undefined>(undefined)

/** Counts what was changed and taken back: a view that shows settings asks again. */
export const changeCount = signal(0)

/** Shows what a change would do to which file; the person then makes it, or not. */
export function offerChange(title: string, change: OfferedChange, ends?: EndingRules): void {
  changeNews.value = undefined
  offered.value = { title, change, project: project.current.value, ends }
}

/** Says what the button does that makes a change. */
export function actOf(change: OfferedChange): string {
  switch (change.kind) {
    case 'preset':
    case 'pack':
    case 'rule':
    case 'approvals':
      return { on: 'Turn on', off: 'Turn off', observe: 'Only observe', enforce: 'Enforce' }[change.to]
    case 'param':
      return 'Set'
    case 'unsetParam':
      return 'Set back'
    case 'allow':
    case 'allowUntil':
      return 'Let it through'
    case 'removeException':
      return 'Remove'
    case 'trust':
      return 'Trust'
    case 'revokeTrust':
      return 'Revoke'
    case 'enable':
      return 'Enable'
    case 'disable':
      return 'Disable'
  }
}

/** Makes a change that was shown. @throws RequestFailed */
export async function makeChange(title: string, id: string): Promise<void> {
  const made = await ask('makeChange', { id })
  changeNews.value = { kind: 'made', title, made }
  changeCount.value += 1
  await readMade()
}

/** Takes a change back. What goes wrong is news, too. */
export async function undoChange({ id, byHand }: ShownChange): Promise<void> {
  try {
    await ask('undoChange', { id })
    changeNews.value = { kind: 'undone', byHand }
    changeCount.value += 1
    await readMade()
  } catch (cause) {
    changeNews.value = { kind: 'failed', error: failureOf(cause) }
  }
}

/** Reads which changes there are: other tabs make some, too. */
export async function readMade(): Promise<void> {
  madeChanges.value = (await ask('madeChanges', {})).made
}

/** Asks as `useAnswer` does, and again whenever this page has changed something. */
export function useSettings<Name extends AnsweringName>(
  name: Name,
  asked: AskedOf<Name>,
): ReturnType<typeof useAnswer<Name>> {
  const [asking, again] = useAnswer(name, asked)
  const count = changeCount.value
  const answered = useRef(count)
  useEffect(() => {
    if (answered.current === count) return
    answered.current = count
    again()
  }, [count])
  return [asking, again]
}
