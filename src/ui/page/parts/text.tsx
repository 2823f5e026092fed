import { counted } from './counted.ts'
import { type ComponentChildren, Fragment, type JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../location.ts'
import { shownText } from './text-parts.ts'
import type { AnswerOf } from '../../api.ts'
import type { Decision } from '../../../model/effect.ts'

/**
 * Shows a text that anybody may have written: a command, a path, a reason. Characters that are invisible or change the
 * direction of others are shown as their codes, so that nothing looks like what it is not.
 */
export function Text({
  text,
  charactersMax = 20_000,
}: {
  readonly text: string
  readonly charactersMax?: number
}): JSX.Element {
  const { parts, left } = shownText(text, charactersMax)
  return (
    <bdi class="text">
      {parts.map(({ text: part, isCode }, index) =>
        isCode ? (
          <span key={index} class="control">
            {part}
          </span>
        ) : (
          unbroken(part)
        ),
      )}
      {left > 0 && <span class="control">… {left} more characters</span>}
    </bdi>
  )
}

/** Keeps names and paths from breaking at their hyphens: they break after a slash, or where they are wider than a line. */
function unbroken(text: string): ComponentChildren {
  if (text.length > unbrokenCharactersMax || !text.includes('/')) return text
  return text.split(/([^\s"'`,;()<>|&=]+)/).map((word) =>
    word.includes('/') && word.includes('-')
      ? word.split(/(-[^-]|\/)/).map((part, index) =>
          index % 2 === 0 ? (
            part
          ) : (
            <Fragment key={index}>
              <span class="joint">{part}</span>
              {part === '/' && <wbr />}
            </Fragment>
          ),
        )
      : word,
  )
}

/** Longer texts are commands and files, which break anywhere; each hyphen of a name is an element. */
const unbrokenCharactersMax = 1000

/** Shows a sentence whose commands and names stand between backticks, with these set as code. */
export function Coded({
  text,
  charactersMax = 2000,
}: {
  readonly text: string
  readonly charactersMax?: number
}): JSX.Element {
  const shown = text.slice(0, charactersMax)
  const left = text.length - shown.length
  return (
    <bdi class="sentence">
      {shown.split(/`([^`\n]+)`/).map((part, index) =>
        index % 2 === 1 ? (
          <code key={index}>
            <Text text={part} />
          </code>
        ) : (
          part !== '' && <Text key={index} text={part} />
        ),
      )}
      {left > 0 && <span class="control">… {left} more characters</span>}
    </bdi>
  )
}

/** Lists sentences, each once: what is wrong, or what there is to know. */
export function TextList({
  kind,
  texts,
}: {
  readonly kind: string
  readonly texts: readonly string[]
}): JSX.Element | null {
  if (texts.length === 0) return null
  return (
    <ul class={kind}>
      {[...new Set(texts)].map((text) => (
        <li key={text}>
          <Coded text={text} />
        </li>
      ))}
    </ul>
  )
}

/** Returns a rule's id without its source, as people know it: `git-safety/force-push`. */
export const shortRule = (id: string): string => /^[\w-]+:(?:bundle\/)?[^#/]*[#/](.+)$/s.exec(id)?.[1] ?? id

/** Leads to a rule. */
export const RuleLink = ({ id }: { readonly id: string }): JSX.Element => (
  <a href={linkTo('rules', { params: { rule: id } })}>
    <Text text={shortRule(id)} charactersMax={400} />
  </a>
)

/** A button that copies a text. @param what what the text is, for those who only hear the button */
function CopyButton({ text, what }: { readonly text: string; readonly what: string }): JSX.Element {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), shownMs)
    return () => clearTimeout(timer)
  }, [state])
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('refused')
    }
  }
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      <span role="status">{labels[state]}</span>
    </button>
  )
}

const labels = { idle: 'Copy', copied: 'Copied', refused: 'Not possible here' }
const shownMs = 2000

/**
 * Shows a command line to type, or a setting to write, and copies it.
 *
 * @param does what it does, if that is to be said beside it
 */
export function CommandLine({
  line,
  does,
  what = 'the command',
}: {
  readonly line: string
  readonly does?: string
  readonly what?: string
}): JSX.Element {
  return (
    <div class="command-line">
      <Text text={line} />
      {does !== undefined && <span class="faint does">{does}</span>}
      <CopyButton text={line} what={what} />
    </div>
  )
}

/** Shows a moment in the person's own time, with the exact one in its title. A day is named unless it is today. */
export function Moment({ at, exact = false }: { readonly at: string; readonly exact?: boolean }): JSX.Element {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span class="faint">unknown</span>
  return (
    <time dateTime={date.toISOString()} title={`${whole.format(date)} (${date.toISOString()})`}>
      {exact ? whole.format(date) : momentText(date, new Date())}
    </time>
  )
}

/** Formats a moment as briefly as it can be: the time today, else the day and the time. */
function momentText(date: Date, now: Date): string {
  if (date.toDateString() === now.toDateString()) return time.format(date)
  const day = date.getFullYear() === now.getFullYear() ? dayOfYear : dayOfAnyYear
  return `${day.format(date)}, ${shortTime.format(date)}`
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const time = new Intl.DateTimeFormat('en', { ...clock, second: '2-digit' })
const shortTime = new Intl.DateTimeFormat('en', clock)
const dayOfYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const dayOfAnyYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const whole = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })

type ShownRecord = AnswerOf<'gate'>['record']

/** Says how much is recorded, since when, and whether the record is as hookgate wrote it. */
export function RecordState({
  record: { level, decisions = 0, since, lost = 0, verified },
}: {
  readonly record: ShownRecord
}): JSX.Element {
  return (
    <>
      {level === 'off' && 'off; '}
      {counted(decisions, 'event')}
      {typeof since === 'string' && (
        <>
          {' since '}
          <Moment at={since} />
        </>
      )}
      {lost > 0 && `, ${lost} lost`}
      {decisions > 0 && <Verified verified={verified} />}
    </>
  )
}

/** Says when the chain of the record was last verified, and what was found. */
function Verified({ verified }: { readonly verified: ShownRecord['verified'] }): JSX.Element {
  if (verified === undefined) return <>, not verified yet</>
  const at = <Moment at={verified.at} />
  if (verified.kind === 'whole') return <>, intact at {at}</>
  return (
    <>
      {' '}
      <span class="badge refused">changed by others</span> row {verified.seq}, found {at}
    </>
  )
}

/** Each decision in one word: the words of `hookgate log` for the answer that an agent got. */
export const outcomeWords: Readonly<Record<Decision, string>> = {
  deny: 'refused',
  defer: 'asked',
  ask: 'asked',
  allow: 'allowed',
  abstain: 'passed',
}

/** Shows a decision as a word in its color. `isEnded`: a rule ended the turn, which is no refusal. */
export function OutcomeBadge({
  decision,
  isEnded = false,
}: {
  readonly decision: Decision
  readonly isEnded?: boolean
}): JSX.Element {
  const word = isEnded ? 'ended' : outcomeWords[decision]
  return <span class={`badge ${word}`}>{word}</span>
}

/** Marks a call that a rule in observe mode would have refused, or asked about. */
export const ObservedBadge = (): JSX.Element => <span class="badge observed">observed</span>

/** Marks a call that a person approved. */
export const ApprovedBadge = (): JSX.Element => <span class="badge allowed">approved</span>

/** Marks a decision at which a rule, or hookgate itself, failed. */
export const FailedBadge = (): JSX.Element => <span class="badge refused">failed</span>
