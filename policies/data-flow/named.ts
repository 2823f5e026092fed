import { ask, type PolicyAnswer, quoted, type Step } from 'hookgate/policy'
import type { Leaving } from './leaving.ts'

/**
 * What is known of a session: the call that brought what must not go to strangers, and everybody who is no stranger,
 * since the person has named them, or a call before that one.
 */
export interface Known {
  readonly label: string | null
  readonly named: readonly string[]
  /** Of `named`, those who stood in a prompt of the person. */
  readonly namedByPerson: readonly string[]
}

const none: readonly string[] = []
export const nobody = { label: null as string | null, named: none, namedByPerson: none }

/**
 * More names than a person writes in a session; then the oldest is forgotten. Of a long name the end is kept, where a host's
 * owner stands.
 */
const namedMax = 90
const namedByPersonMax = 25
const nameCharactersMax = 60
const kept = (name: string) => name.slice(-nameCharactersMax)

const address =
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[#@][\w-]+|(?<=:\/\/)[\w-]+|(?<![\w./-])[\w-]+\/[\w.-]+(?![\w/])|\b[A-Z][A-Z\d]+-\d+\b/

/** Goes one step further. @param sets whether a call sets the label */
export function further(known: Known, step: Step, sets: (step: Step) => boolean): Known {
  const { label, named, namedByPerson } = known
  const { outcome, text, hosts, impacts, commands } = step
  if (outcome === 'refused' || outcome === 'asked') return known
  const isByPerson = outcome === 'prompted' || outcome === 'approved'
  const written = text.match(new RegExp(address, 'g')) ?? []
  // A program that shares with everybody is named by a person's approval only.
  const programs = outcome === 'approved' ? commands : []
  const names = [...hosts, ...programs, ...impacts.flatMap((one) => one.names), ...written].map(bare)
  const withThese = (some: readonly string[], most: number) => [...new Set([...some, ...names.map(kept)])].slice(-most)
  return {
    label: label ?? (outcome !== 'prompted' && sets(step) ? shortly(text) : null),
    // The call that brings something was made before it came.
    named: label === null || isByPerson ? withThese(named, namedMax) : named,
    namedByPerson: isByPerson ? withThese(namedByPerson, namedByPersonMax) : namedByPerson,
  }
}

export const showsSecret = ({ impacts }: Step): boolean =>
  impacts.some(({ kind, thing }) => kind === 'show' && thing === 'secret')

const bare = (name: string) => name.toLowerCase().replace(/^[#@]/, '')

export const isNamed = (named: readonly string[], to: string | undefined): boolean =>
  to !== undefined && named.includes(kept(bare(to)))

/** Returns what goes to somebody whom nobody has named. */
const strangerIn = (known: Known, leaving: readonly Leaving[]): Leaving | undefined =>
  leaving.find(({ to }) => !isNamed(known.named, to))

/** The beginning of a call that a reason has room for. */
const shownCharactersMax = 40
export const shortly = (text: string): string =>
  text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax - 1)}…` : text

/**
 * Asks about what goes to somebody whom nobody has named, once a call has brought something.
 *
 * @param brought what that call has done, as the reason says it: `showed a secret`
 */
export function askedOfStranger(known: Known, leaving: readonly Leaving[], brought: string): PolicyAnswer | undefined {
  const { label } = known
  if (label === null) return undefined
  const stranger = strangerIn(known, leaving)
  if (stranger === undefined) return undefined
  const { does, to, at } = stranger
  const whom = to === undefined ? 'an unknown place' : `${quoted(to)}, which nobody has named,`
  return ask(
    `this ${does} something to ${whom} after ${quoted(label)} ${brought}: have the person agree to it`,
    at === undefined ? {} : { at },
  )
}
