import { limits } from '../../model/limits.ts'

/**
 * A pattern, or a partly known text, as character codes and the marks below. Two globs *meet* if some text fits both.
 *
 * Node's `matchesGlob` is unsuitable for a guard: its `*` skips names that begin with a dot, such as `.env`, and a
 * pattern of twenty stars takes it minutes. Here the time is bounded by the product of both lengths.
 */
export type ConditionGlob = readonly number[]

/** Any text, of any length. */
export const anyText = -1
/** Any text without a slash. */
const anyName = -2
/** One character other than a slash. */
const anyCharacter = -3
/** The next two marks are optional, both together. */
const optionalPair = -4

const slash = 0x2f
const space = 0x20

/** Returns a glob that only the text itself fits. */
export function literal(text: string): ConditionGlob {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
}

/**
 * Compiles a permission rule's pattern for a shell command, in which `*` is any text.
 *
 * `git *`, and the older `git:*`, match a bare `git` too.
 *
 * @param between stands for the blanks between words
 */
export function commandGlob(pattern: string, between = space): ConditionGlob {
  const open = / \*$|:\*$/.exec(pattern)
  const marks: number[] = []
  const text = (open === null ? pattern : pattern.slice(0, open.index)).replaceAll(/\s+/g, String.fromCharCode(between))
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '*') marks.push(anyText)
    else if (text[at] === '\\' && text[at + 1] === '*') marks.push(text.charCodeAt(++at))
    else marks.push(text.charCodeAt(at))
  }
  return open === null ? marks : [...marks, optionalPair, between, anyText]
}

/**
 * Compiles a permission rule's pattern for files below `base`, by the rules of `.gitignore`.
 *
 * `*` stays within one name, `**` does not, and a folder that fits covers everything in it. Syntax that `.gitignore`
 * lacks, or treats in finer detail (`{a,b}`, `[a-z]`), stands for any text or any character: a rule that runs once too
 * often is the lesser harm.
 *
 * @param spelled how a path is spelled: by default without regard to case
 */
export function pathGlob(base: string, pattern: string, spelled = folded): ConditionGlob {
  const marks: number[] = [...literal(spelled(base.endsWith('/') ? base : `${base}/`))]
  const text = spelled(pattern).replace(/(\/\*\*)?\/?$/, '')
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at, at + pathPartMax)
    const part = pathParts.find(({ form }) => form.test(rest)) ?? { form: /^[^]/, marks: [text.charCodeAt(at)] }
    at += part.form.exec(rest)?.[0].length ?? 1
    marks.push(...(part.marks ?? [text.charCodeAt(at - 1)]))
  }
  return [...marks, optionalPair, slash, anyText]
}
/** Longer brackets and braces are taken literally. */
const pathPartMax = 256

const pathParts: readonly { readonly form: RegExp; readonly marks: ConditionGlob | undefined }[] = [
  { form: /^\\[^]/, marks: undefined },
  { form: /^\*\*\//, marks: [optionalPair, anyText, slash] },
  { form: /^\*\*+/, marks: [anyText] },
  { form: /^\*/, marks: [anyName] },
  { form: /^\?/, marks: [anyCharacter] },
  { form: /^\[[^\]/]+\]/, marks: [anyCharacter] },
  { form: /^\{[^}]*\}/, marks: [anyText] },
]

/** Folds case, since some file systems do not distinguish `.ENV` from `.env`: a rule for one matches both. */
export const folded = (path: string) => path.toLowerCase()

/** A text to be matched: as it is, or as marks of which some are `anyText`. */
export type GlobText = string | ConditionGlob

/** Returns whether a text fits a pattern, or cannot be ruled out. */
export type Meets = (text: GlobText) => boolean

/** The steps that are left for all matches of one purpose, each comparing a character with a place of a pattern. */
export interface StepBudget {
  left: number
}

export const stepBudget = (): StepBudget => ({ left: limits.conditionStepsMax })

/**
 * Returns a matcher for one text after another, with a budget of steps in all.
 *
 * Once it is spent, every text counts as fitting: a slow pattern must neither be a way past the guard nor a way to
 * block it.
 *
 * @param beyond the result once the budget is spent: false where a match loosens, or has to be certain
 */
export function meeting(pattern: ConditionGlob, beyond = true, budget = stepBudget()): Meets {
  return (text) => globsMeet(pattern, text, budget) ?? beyond
}

/** Returns whether some text fits both globs; `undefined` if the budget is spent. */
function globsMeet(pattern: ConditionGlob, text: GlobText, budget: StepBudget): boolean | undefined {
  let reached = new Uint8Array(pattern.length + 1)
  let next = new Uint8Array(pattern.length + 1)
  budget.left -= pattern.length
  reach(pattern, reached, 0)
  for (let at = 0; at < text.length; at++) {
    const character = typeof text === 'string' ? text.charCodeAt(at) : text[at]
    const first = reached.indexOf(1)
    if (first < 0 || character === undefined) return false
    budget.left -= pattern.length + 1 - first
    if (budget.left < 0) return undefined
    next.fill(0)
    if (character === anyText) next.fill(1, first)
    else step(pattern, reached, next, first, character)
    const spare = reached
    reached = next
    next = spare
  }
  return reached[pattern.length] === 1
}

function step(pattern: ConditionGlob, reached: Uint8Array, next: Uint8Array, first: number, character: number): void {
  for (let at = first; at < pattern.length; at++) {
    if (reached[at] !== 1) continue
    const mark = pattern[at]
    if (mark === anyText || (mark === anyName && character !== slash)) reach(pattern, next, at)
    else if (mark === character || (mark === anyCharacter && character !== slash)) reach(pattern, next, at + 1)
  }
}

/** Marks a place in the pattern as reached, and every place reachable from it without consuming a character. */
function reach(pattern: ConditionGlob, reached: Uint8Array, place: number): void {
  for (let at = place; reached[at] !== 1; at++) {
    reached[at] = 1
    const mark = pattern[at]
    if (mark === optionalPair) reach(pattern, reached, at + 3)
    else if (mark !== anyText && mark !== anyName) return
  }
}
