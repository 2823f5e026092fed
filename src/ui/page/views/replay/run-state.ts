import { signal } from '@preact/signals'
import type { AskedOf, PartOf } from '../../../api.ts'
import { askForParts, failureOf, type RequestFailed } from '../../fetch.ts'

type ReplayStep = PartOf<'replay'>
type ProgressShown = Omit<Extract<ReplayStep, { kind: 'progress' }>, 'kind'>
export type ReportShown = Extract<ReplayStep, { kind: 'report' }>['report']
export type FindingShown = ReportShown['findings'][number]
type AnswerShown = FindingShown['now']['answer']
type ChangeShown = NonNullable<FindingShown['change']>

/** The state of the replay. */
export type ReplayRun =
  | { readonly state: 'none' }
  | {
      readonly state: 'running'
      readonly progress: ProgressShown
      readonly startedAtMs: number
      readonly stop: () => void
    }
  | { readonly state: 'done'; readonly report: ReportShown; readonly asked: AskedOf<'replay'> }
  | { readonly state: 'failed'; readonly error: RequestFailed }

/** The one replay of this page. It goes on, and its report stays, while other views are looked at. */
export const run = signal<ReplayRun>({ state: 'none' })

/** Begins a replay. It ends with the page: the server stops it when the connection ends. */
export async function start(asked: AskedOf<'replay'>): Promise<void> {
  const abort = new AbortController()
  const startedAtMs = performance.now()
  const stop = () => {
    abort.abort()
    run.value = { state: 'none' }
  }
  run.value = { state: 'running', progress: { calls: 0, bytes: 0, bytesTotal: 0 }, startedAtMs, stop }
  try {
    for await (const part of askForParts('replay', asked, abort.signal)) {
      if (abort.signal.aborted) return
      run.value =
        part.kind === 'report'
          ? { state: 'done', report: part.report, asked }
          : { state: 'running', progress: part, startedAtMs, stop }
    }
  } catch (cause) {
    if (!abort.signal.aborted) run.value = { state: 'failed', error: failureOf(cause) }
  }
}

/** The answers in the order in which they are shown, each in one word. */
export const answerWords: Readonly<Record<AnswerShown, string>> = {
  refused: 'refused',
  asked: 'asked',
  allowed: 'allowed',
  noOpinion: 'passed',
  undecided: 'not decided',
}
export const answers = [
  'refused',
  'asked',
  'allowed',
  'noOpinion',
  'undecided',
] as const satisfies readonly AnswerShown[]

/** The kinds of difference, the gravest first. */
export const changes = [
  'newlyRefused',
  'newlyAsked',
  'noLongerRefused',
  'noLongerAsked',
  'newlyAllowed',
  'noLongerAllowed',
  'changedReason',
] as const satisfies readonly ChangeShown[]

const changeWords: Readonly<Record<ChangeShown, string>> = {
  newlyRefused: 'newly refused',
  newlyAsked: 'newly asked',
  noLongerRefused: 'no longer refused',
  noLongerAsked: 'no longer asked',
  newlyAllowed: 'newly allowed',
  noLongerAllowed: 'no longer allowed',
  changedReason: 'for another reason',
}

/** The group of a finding: its difference or, if nothing is compared, its answer. */
export type FindingKind = ChangeShown | AnswerShown
export const kindOf = ({ change, now }: FindingShown): FindingKind => change ?? now.answer
export const kindWord = (kind: FindingKind): string => ({ ...changeWords, ...answerWords })[kind]

/** The color of a kind: that of what happens to a call by the rules of now. */
export function kindColor(kind: FindingKind): 'refused' | 'asked' | 'allowed' | '' {
  switch (kind) {
    case 'refused':
    case 'newlyRefused':
      return 'refused'
    case 'asked':
    case 'newlyAsked':
    case 'noLongerAllowed':
      return 'asked'
    case 'allowed':
    case 'newlyAllowed':
    case 'noLongerRefused':
    case 'noLongerAsked':
      return 'allowed'
    case 'noOpinion':
    case 'undecided':
    case 'changedReason':
      return ''
  }
}

/** Formats a size with a unit of 1,000: `12 MB`. */
export function bytesText(bytes: number): string {
  const [unit = 'B', size = 1] = sizes.find(([, least]) => bytes >= least) ?? []
  return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: size === 1 ? 0 : 1 })} ${unit}`
}
const sizes = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const

/** Returns a place in a session as editors take it. */
export const placeOf = ({ file, line }: { readonly file: string; readonly line?: number | undefined }): string =>
  line === undefined ? file : `${file}:${line}`
