import { ask, type PolicyAnswer, quoted, type Step } from 'hookgate/policy'
import type { Leaving } from './leaving.ts'

/**
 * What is known of a session: the call that brought what must not go to strangers, and everybody who is no stranger,
 * since the person has named them, or a call before that one.
 */
export interface Known {
  readonly label: string | null
  readonly named: readonly string[]
}

export const nobody = { label: null as string | null, named: [] as readonly string[] }

/** More than a person names in a session; the oldest is forgotten. */
const namedMax = 100
const nameCharactersMax = 60

const address = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[#@][\w-]+|(?<![\w./-])[\w-]+\/[\w.-]+(?![\w/])/

/** Goes one step further. @param sets whether a call sets the label */
export function further({ label, named }: Known, step: Step, sets: (step: Step) => boolean): Known {
  const { outcome, text, hosts, impacts } = step
  if (outcome === 'refused' || outcome === 'asked') return { label, named }
  const isByPerson = outcome === 'prompted' || outcome === 'approved'
  const names = [...hosts, ...impacts.flatMap((one) => one.names), ...(text.match(new RegExp(address, 'g')) ?? [])].map(
    bare,
  )
  return {
    label: label ?? (outcome !== 'prompted' && sets(step) ? text : null),
    // The call that brings something was made before it came.
    named:
      label === null || isByPerson
        ? [...new Set([...named, ...names.map((name) => name.slice(0, nameCharactersMax))])].slice(-namedMax)
        : named,
  }
}

const bare = (name: string) => name.toLowerCase().replace(/^[#@]/, '')

const isNamed = ({ named }: Known, to: string | undefined): boolean =>
  to !== undefined && named.includes(bare(to).slice(0, nameCharactersMax))

/** The beginning of a call that a reason has room for. */
const shownCharactersMax = 40
export const shortly = (text: string): string =>
  text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax - 1)}…` : text

/**
 * Asks about what goes to somebody whom nobody has named, once a call has brought something.
 *
 * @param brought what that call has done, as the reason says it: `has shown a secret`
 */
export function askedOfStranger(known: Known, leaving: readonly Leaving[], brought: string): PolicyAnswer | undefined {
  const { label } = known
  if (label === null) return undefined
  const stranger = leaving.find(({ to, isPublic }) => isPublic === true || !isNamed(known, to))
  if (stranger === undefined) return undefined
  const { to, at } = stranger
  const whom = to === undefined ? 'somebody unknown' : quoted(to)
  return ask(
    `${quoted(shortly(label))} ${brought}, and this sends something to ${whom}, whom nobody has named: have the person agree to it`,
    at === undefined ? {} : { at },
  )
}
