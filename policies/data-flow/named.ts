import type { Step } from 'hookgate/policy'

/** What is known of a session: the call that set its label, and whom the person, or a call before that one, has named. */
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

export const isNamed = ({ named }: Known, to: string | undefined): boolean =>
  to !== undefined && named.includes(bare(to).slice(0, nameCharactersMax))

/** The beginning of a call that a reason has room for. */
const shownCharactersMax = 40
export const shortly = (text: string): string =>
  text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax - 1)}…` : text
