import type { Case, If } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { expandText, patternTexts } from '../expand/words.ts'
import { matchesWhole, readGlob } from '../values/glob.ts'
import { isKnown, type Text } from '../values/text.ts'
import { type Context, ended, type Frame, type Outcome, withReach, type RunList, succeeded } from '../state/context.ts'
import { joinAll, joinOutcomes, splitOutcome, stateAfter } from '../state/join.ts'
import { copyState, type State } from '../state/state.ts'

export function runIf(context: Context, state: State, frame: Frame, node: If, runList: RunList): Outcome {
  const within = withReach(frame, { through: 'condition' })
  const ends: Outcome[] = []
  let now: State | undefined = state
  let stale = state
  for (const branch of [node, ...node.elif]) {
    const tested: Outcome = runList(
      context,
      now ?? copyState(stale),
      { ...frame, tested: true },
      branch.clause.commands,
    )
    const { ok, fail } = splitOutcome(now === undefined ? ended : tested)
    stale = ok ?? fail ?? stale
    const body = runList(context, ok ?? copyState(stale), within, branch.then.commands)
    if (ok !== undefined) ends.push(splitOutcome(body))
    now = fail
    stale = fail ?? stale
  }
  if (node.else === undefined) {
    if (now !== undefined) ends.push(succeeded(now))
  } else {
    const body = runList(context, now ?? copyState(stale), within, node.else.commands)
    if (now !== undefined) ends.push(splitOutcome(body))
  }
  return joinOutcomes(context, ends)
}

export function runCase(
  context: Context,
  state: State,
  frame: Frame,
  { word, items }: Case,
  runList: RunList,
): Outcome {
  const texts = expandText(context, state, frame, word)
  const within = withReach(frame, { through: 'case' })
  const ends: Outcome[] = []
  /** The state where no pattern has matched yet. */
  let now: State | undefined = state
  /** The state that falls through from the last arm to the next: `;&`. */
  let falls: State | undefined
  for (const item of items) {
    const matches = matched(context, now ?? state, frame, item.pattern, texts)
    const enters = matches === false ? undefined : now
    if (matches === true) now = undefined
    else if (enters !== undefined) now = copyState(enters)
    const start = joinAll(context, [falls, enters === undefined ? undefined : enters])
    const outcome = runList(context, start ?? copyState(state), within, item.body.commands)
    falls = undefined
    if (start === undefined) continue
    if (item.terminator === ';&') falls = stateAfter(context, outcome)
    else if (item.terminator === ';;&') now = joinAll(context, [now, stateAfter(context, outcome)])
    else ends.push(splitOutcome(outcome))
  }
  return joinOutcomes(context, [...ends, { ok: falls }, { ok: now }])
}

/** Tells whether one of the patterns matches; `undefined` for maybe. */
function matched(
  context: Context,
  state: State,
  frame: Frame,
  patterns: Case['items'][number]['pattern'],
  texts: readonly Text[],
): boolean | undefined {
  let maybe = false
  for (const one of patterns) {
    if (one.text === '*') return true
    const variants = patternTexts(context, state, frame, one)
    const globs = variants?.map(readGlob)
    if (globs === undefined || globs.some((glob) => glob === undefined)) {
      maybe = true
      continue
    }
    const results = texts.flatMap((text) =>
      globs.map((glob) =>
        isKnown(text) && text.value.length <= shellLimits.patternTextMax && glob !== undefined
          ? matchesWhole(glob, text.value)
          : undefined,
      ),
    )
    if (results.every((result) => result === true)) return true
    maybe ||= results.some((result) => result !== false)
  }
  return maybe ? undefined : false
}
