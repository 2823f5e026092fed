import type { Case, If } from 'unbash'
import { shellLimits } from '../../../model/limits.ts'
import { expandText, patternTexts } from '../expand/words.ts'
import { matchesWhole, readGlob } from '../values/glob.ts'
import { isKnown, type Text } from '../values/text.ts'
import { type Context, ended, type Frame, type Outcome, reached, type RunList, succeeded } from '../state/context.ts'
import { after, apart, meet } from '../state/meet.ts'
import { copied, type State } from '../state/state.ts'

export function runIf(context: Context, state: State, frame: Frame, node: If, runList: RunList): Outcome {
  const within = reached(frame, { through: 'condition' })
  const ends: Outcome[] = []
  let now: State | undefined = state
  let stale = state
  for (const branch of [node, ...node.elif]) {
    const tested: Outcome = runList(context, now ?? copied(stale), { ...frame, tested: true }, branch.clause.commands)
    const { ok, fail } = apart(now === undefined ? ended : tested)
    stale = ok ?? fail ?? stale
    const body = runList(context, ok ?? copied(stale), within, branch.then.commands)
    if (ok !== undefined) ends.push(apart(body))
    now = fail
    stale = fail ?? stale
  }
  if (node.else === undefined) {
    if (now !== undefined) ends.push(succeeded(now))
  } else {
    const body = runList(context, now ?? copied(stale), within, node.else.commands)
    if (now !== undefined) ends.push(apart(body))
  }
  return {
    ok: meet(
      context,
      ends.map(({ ok }) => ok),
    ),
    fail: meet(
      context,
      ends.map(({ fail }) => fail),
    ),
  }
}

export function runCase(
  context: Context,
  state: State,
  frame: Frame,
  { word, items }: Case,
  runList: RunList,
): Outcome {
  const texts = expandText(context, state, frame, word)
  const within = reached(frame, { through: 'case' })
  const ends: Outcome[] = []
  /** Where no pattern has matched yet, and where the last arm falls through to the next. */
  let now: State | undefined = state
  let falls: State | undefined
  for (const item of items) {
    const matches = matched(context, now ?? state, frame, item.pattern, texts)
    const enters = matches === false ? undefined : now
    if (matches === true) now = undefined
    else if (enters !== undefined) now = copied(enters)
    const start = meet(context, [falls, enters === undefined ? undefined : enters])
    const outcome = runList(context, start ?? copied(state), within, item.body.commands)
    falls = undefined
    if (start === undefined) continue
    if (item.terminator === ';&') falls = after(context, outcome)
    else if (item.terminator === ';;&') now = meet(context, [now, after(context, outcome)])
    else ends.push(apart(outcome))
  }
  const ok = meet(context, [...ends.map((end) => end.ok), falls, now])
  return {
    ok,
    fail: meet(
      context,
      ends.map(({ fail }) => fail),
    ),
  }
}

/** Whether one of the patterns matches: `undefined` for maybe. */
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
