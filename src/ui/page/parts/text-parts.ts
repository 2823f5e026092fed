import { signal } from '@preact/signals'
import type { Approval } from '../../../model/approval.ts'
import type { CallResult } from '../../../record/record.ts'
import type { AnswerOf } from '../../api.ts'

/** A piece of a text, as it is shown. */
interface TextPart {
  /** The text itself, or the codes of characters that are not shown as they are. */
  readonly text: string
  readonly isCode: boolean
}

interface ShownText {
  readonly parts: readonly TextPart[]
  /** UTF-16 units that are left out at the end. */
  readonly left: number
}

/** Pieces of one text: each is an element, and some hundred take no time. */
const partsMax = 400
/** Letters of living scripts carry up to three marks; stacked higher, marks cover the lines above and below. */
const marksMax = 3
/** Different characters of one run whose codes are shown. */
const codesMax = 4

const hidden = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]`
/** A space, a line break and a tab are seen for what they are; so is the selector that makes a sign an emoji. */
const shownAsTheyAre = String.raw`[ \n\t]|(?<=\p{Extended_Pictographic})\ufe0f`
const notShown = new RegExp(`((?:(?!${shownAsTheyAre})${hidden})+|(?<=\\p{M}{${marksMax}})\\p{M}+)`, 'u')

/**
 * Splits a text at characters that are invisible, change the direction of others, look like a space and are none, or
 * are stacked upon others. Each run of them becomes its codes.
 *
 * @param charactersMax where the text is cut
 */
export function shownText(text: string, charactersMax: number): ShownText {
  // One element for a surrogate pair: half of it would be shown as a code.
  const end = /[\ud800-\udbff]/.test(text.charAt(charactersMax - 1)) ? charactersMax - 1 : charactersMax
  const pieces = (text.length > charactersMax ? text.slice(0, end) : text).split(notShown)
  const kept = pieces.slice(0, partsMax)
  const length = kept.reduce((sum, piece) => sum + piece.length, 0)
  const parts = kept
    .map((piece, index) => ({ text: index % 2 === 1 ? codesOf(piece) : piece, isCode: index % 2 === 1 }))
    .filter((part) => part.text !== '')
  return { parts, left: text.length - length }
}

/** Returns the codes of a run: `U+202E`, `U+200B × 500`, `U+200B U+200C … 998 more`. */
function codesOf(run: string): string {
  const characters = Array.from(run)
  const [first = ''] = characters
  if (characters.length > 1 && characters.every((one) => one === first))
    return `${codeOf(first)} × ${characters.length}`
  const more = characters.length - codesMax
  const codes = characters.slice(0, codesMax).map(codeOf).join(' ')
  return more > 0 ? `${codes} … ${more} more` : codes
}

const codeOf = (character: string) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Returns the same as plain text, for what can hold no elements: an option of a list. */
export const plainText = (text: string, charactersMax = 200): string =>
  shownText(text, charactersMax)
    .parts.map((part) => part.text)
    .join('')

/** Puts a text on one line: where it had others, a sign stands for their breaks. */
export const onOneLine = (text: string): string => text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ⏎ ')

/** Returns the name of a folder: the last part of its path. */
export const folderName = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path

/** Formats a number of milliseconds with a unit: `0.04 ms`, `0.4 ms`, `32 ms`, `1.3 s`, `2.5 min`. */
export function durationText(ms: number): string {
  if (ms < 0.1) return `${ms.toFixed(2)} ms`
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${ms.toFixed(0)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  return `${(ms / 60_000).toFixed(1)} min`
}

/** Says how a call ended: `ran, 1.2 s`, `failed: Exit code 1`. */
export function ranText({ succeeded, durationMs, error }: CallResult): string {
  const how = succeeded ? 'ran' : `failed${error === undefined ? '' : `: ${error}`}`
  return durationMs === undefined ? how : `${how}, ${durationText(durationMs)}`
}

/** Says what became of the question whether a person approves the call. */
export function approvalText({ outcome, waitedMs, channel, by, reason }: Approval): string {
  const who = `${by ?? 'a person'}${channel === undefined ? '' : channelWords[channel]} after ${durationText(waitedMs)}`
  const why = reason === undefined ? '' : `: ${reason}`
  switch (outcome) {
    case 'approved':
      return `Approved by ${who}${why}`
    case 'denied':
      return `Denied by ${who}${why}`
    case 'timedOut':
      return `Nobody answered within ${durationText(waitedMs)}`
    case 'gone':
      return `The agent stopped waiting after ${durationText(waitedMs)}; nobody had answered`
    case 'closed':
      return 'The gate ended while the call waited; nobody had answered'
    case 'full':
      return 'Too many calls were waiting already, so nobody was asked'
  }
}

const channelWords = { terminal: ' in a terminal', page: ' on the page', ntfy: ' by ntfy' } as const

const titles = signal<Readonly<Record<string, string>>>({})

/** Keeps the titles of all agents, which the server knows. */
export const keepAgentTitles = (known: Readonly<Record<string, string>>): void => {
  titles.value = known
}

/** Returns an agent's name as people write it, `Claude Code`; of one that hookgate does not know, the name it gave. */
export const agentTitle = (name: string): string =>
  (Object.hasOwn(titles.value, name) ? titles.value[name] : name) ?? ''

/** An agent before it is checked. */
export type AgentRow = AnswerOf<'agents'>['agents'][number]

/** Sorts agents by what a person can do with them. */
export function agentKind({ places, folder }: AgentRow): 'enabled' | 'installed' | 'absent' {
  if (places.some(({ by }) => by !== undefined)) return 'enabled'
  return folder === null ? 'absent' : 'installed'
}
