import {
  type Impact,
  impactObject,
  lineOf,
  setOf,
  type ShellCommand,
  type ShellFacts,
  type ShellOutput,
  soundsSecret,
} from 'hookgate/policy'
import { showsAll } from './line-filters.ts'

/** The impact of a command by which a secret is shown. */
interface ShownSecret extends Impact {
  readonly by: number
}

/** Returns what commands show of secrets. */
export const secretsShown = (impacts: readonly Impact[]): readonly ShownSecret[] =>
  impacts.flatMap((impact) => {
    const { kind, thing, area, by, through } = impact
    const isOfCommand = typeof by === 'number' && through !== 'file'
    const isSecret = (thing === 'secret' && area !== 'secret-searches') || thing === 'variable'
    return kind === 'show' && isSecret && isOfCommand ? [{ ...impact, by }] : []
  })

/** The secrets that a command certainly shows. */
interface ShownBy {
  /** A variable with the name of a secret. */
  readonly variable?: string | undefined
  /** Set if it shows all variables, without naming one. */
  readonly all: boolean
  /** A secret that a program keeps, in words: `a GitHub token`. */
  readonly secret?: string | undefined
}

/** Returns a function that finds what a command shows of secrets. */
export function shownIn(impacts: readonly Impact[]): (at: number) => ShownBy {
  const found = new Map<number, ShownBy>()
  for (const impact of secretsShown(impacts)) {
    const { by, area, names, unsure } = impact
    if (unsure === true) continue
    const before = found.get(by) ?? none
    if (area !== 'environment') found.set(by, { ...before, secret: before.secret ?? impactObject(impact) })
    else if (names.length === 0) found.set(by, { ...before, all: true })
    else found.set(by, { ...before, variable: before.variable ?? names[0] })
  }
  return (at) => found.get(at) ?? none
}
const none: ShownBy = { all: false }

/** True if a call shows all variables, or one by its name. */
export const showsAnyVariable = (impacts: readonly Impact[]): boolean =>
  secretsShown(impacts).some(({ area }) => area === 'environment')

/** True if a command decodes what it reads, picks something out of it, or shows it as it is. */
export const passesOn = ({ output }: ShellCommand): boolean => output !== undefined && passing.has(output)
const passing = setOf<ShellOutput>(['lines', 'form', 'decoded', 'unpacked', 'matches', 'parts'])

/** For what is shown whole: a filter that picks something passes nothing on. */
export const passesWhole = (filter: ShellCommand): boolean => showsWhole(filter) || showsAll(filter)
/** True if a program puts out everything that it is given, as it is or in another form. */
export const showsWhole = ({ output }: ShellCommand): boolean => output !== undefined && whole.has(output)
const whole = setOf<ShellOutput>(['lines', 'form', 'decoded', 'unpacked'])

/** True if a command's output goes nowhere. */
export const isDropped = ({ redirections }: ShellCommand): boolean =>
  redirections.some(({ descriptor, target }) => descriptor === 1 && target?.value === '/dev/null')

/** True if a command's output is kept in a file. */
export const isKept = ({ redirections }: ShellCommand): boolean =>
  redirections.some(
    ({ operator, descriptor, target }) =>
      /^(?:>[>|]?|&>>?)$/.test(operator) &&
      (descriptor === 1 || operator.startsWith('&')) &&
      !/^\/dev\/(?!null)|^\/proc\//.test(target?.value ?? ''),
  )

type Passes = (filter: ShellCommand) => boolean
/**
 * True if what a command prints is shown in the end, whatever decodes it or picks from it.
 *
 * @param goesOn whether a program shows or passes on what it reads; default: those that `passesOn` tells
 */
export function isShown({ commands, flows }: ShellFacts, at: number, goesOn: Passes = passesOn): boolean {
  const reached = new Set([at])
  for (const one of reached) {
    const onward = flows.filter(({ from }) => from === one)
    if (onward.length === 0) return true
    for (const { to, via, as } of onward) {
      const filter = commands[to]
      if (as === 'code' || filter === undefined) continue
      // To commit it is to show it to all who have the repository.
      if (via === 'file' && lineOf(filter)?.subcommand === 'add') return true
      if (!goesOn(filter) && !(/^(?:variable|argument)$/.test(via) && filter.output === 'words')) continue
      if (!isKept(filter) && !picksNone(filter)) reached.add(to)
    }
  }
  return false
}

/** The last step of a program that puts out names, numbers, or what is no value of a secret. */
const harmless =
  /^(?:(?:keys|keys_unsorted)(?:\[\])?|length|(?:\.items\[\d*\])?\.(?:metadata(?:\.(?:name|namespace|uid|creationTimestamp|labels[\w.]*))?|type|kind|apiVersion))\??$/

/** True for a name whose value may have a secret in it: an address as well, in front of whose host a password may stand. */
const mayHaveSecret = (name: string): boolean => soundsSecret(name) || /ur[il]|jwt|cookie/i.test(name)

/** True if a filter puts out no value of what it reads: only what comes last in its program is put out. */
const picksNone = ({ output, filter }: ShellCommand): boolean =>
  output === 'counts' || (filter?.by === 'query' && putsOutNone(filter.text))

function putsOutNone(text: string): boolean {
  const last = (partsOf(text, '|').at(-1) ?? '').trim()
  const inside = /^[[(]([^]*)[\])]$/.exec(last)?.[1]
  if (inside !== undefined) return putsOutNone(inside)
  return partsOf(last, ',').every((one) => (one.trim() === last ? harmless.test(last) : putsOutNone(one)))
}

/** Splits a program where a sign stands outside of its strings and brackets. A string that nothing closes is the rest. */
function partsOf(text: string, sign: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|"[^]*|[^]/g)) {
    if (/^[[({]$/.test(token)) depth++
    if (/^[\])}]$/.test(token)) depth--
    if (token === sign && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

/** True if a filter shows only variables that it names, none of which sounds like a secret: `grep -E '^(PORT|HOST)='`. */
export function picksPlain({ filter }: ShellCommand): boolean {
  const picked = filter?.by === 'rules' ? /^\/\^(\w+)=?\/ *\{[^{}]*\}$/.exec(filter.text)?.[1] : undefined
  if (picked !== undefined) return !mayHaveSecret(picked)
  if (filter?.by !== 'pattern') return false
  const names = filter.text.replaceAll(/\\?[()]|\\b|\\?\?:|\^|=?\.\*|=$|\$$/g, '').split(/\\?\|/)
  return names.every((name) => /^[a-z]\w{2,}=?$/i.test(name) && !/^https?/i.test(name) && !mayHaveSecret(name))
}
