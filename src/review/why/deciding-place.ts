import { dirname } from 'node:path'
import { makeDisk } from '../../files/disk.ts'
import { parseJson } from '../../files/parse-json.ts'
import { realPath } from '../../files/real-path.ts'
import { isUnreadable } from '../../model/disk.ts'
import type { Place } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { maskSecrets } from '../../mask/mask.ts'
import type { CommandRule, PermissionList, PolicyRule, Rule } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { findAnswerPlaces, type SourceLine } from '../../policy/testing/answer-places.ts'
import type { Sandbox } from '../../policy/open-sandbox.ts'
import type { RecordedEvaluation } from '../../record/record.ts'
import { isBelow } from '../../words/machine-paths.ts'
import { type Reevaluation, judgedCall } from './decide-anew.ts'

/** The place that a rule's answer comes from. */
export type DecidingPlace =
  /** The lines of a policy that make the answer; found by evaluating it once more. */
  | { readonly kind: 'policy'; readonly lines: readonly SourceLine[] }
  /** A policy of which only the beginning of `decide` is known, and why. */
  | { readonly kind: 'policyFile'; readonly place: Place; readonly why: string }
  /** The files that a hook's command names. */
  | { readonly kind: 'hook'; readonly files: readonly string[] }
  /** The entries of a rules file. */
  | { readonly kind: 'entries'; readonly places: readonly Place[] }
  | { readonly kind: 'selfProtection' }

/** Everything that finding the place needs. */
export interface PlaceContext {
  readonly anew: Reevaluation | undefined
  /** The reason why the event was not decided again. */
  readonly whyNot: string
  readonly sandbox: Sandbox
  readonly placeOf: (ruleId: string) => Place | undefined
  readonly home: string
  readonly project: string | undefined
}

/** Finds the place in a rule's files that made a recorded answer. */
export async function decidingPlace(
  rule: Rule,
  answer: RecordedEvaluation,
  context: PlaceContext,
): Promise<DecidingPlace> {
  const { handler } = rule
  const entry = context.placeOf(rule.id) ?? { file: rule.source.file }
  switch (handler.kind) {
    case 'policy':
      return policyPlace({ ...rule, handler }, answer, context)
    case 'remote':
      return { kind: 'entries', places: [entry] }
    case 'command':
      return { kind: 'hook', files: await filesOf({ ...rule, handler }, context) }
    case 'builtin':
      switch (handler.builtin.kind) {
        case 'self-protection':
          return { kind: 'selfProtection' }
        case 'permissions':
          return { kind: 'entries', places: entryPlaces(handler.builtin, entry, answer.reason ?? '') }
        case 'unsupported':
        case 'limit':
        case 'tokens':
        case 'stale-bundle':
          return { kind: 'entries', places: [entry] }
      }
  }
}

async function policyPlace(
  rule: PolicyRule,
  answer: RecordedEvaluation,
  { anew, whyNot, sandbox }: PlaceContext,
): Promise<DecidingPlace> {
  const begins = async (why: string): Promise<DecidingPlace> => {
    const { placeOfDecide } = await import('../../policy/testing/answer-marks.ts')
    return { kind: 'policyFile', place: placeOfDecide(rule.handler.file), why }
  }
  if (answer.effect === undefined) return begins('it failed')
  const call = judgedCall(anew, answer)
  if (call === undefined) return begins(whyNot)
  const load: Sandbox['load'] = (policies) => sandbox.load(policies)
  const placed = await findAnswerPlaces(rule, commonFolder(rule.handler.files), call.event, {
    ...call.dependencies,
    load,
  })
  if (placed === undefined) return begins('its file does not compile any more')
  const { evaluation, places } = placed
  const isSame =
    evaluation.kind === 'applicable' &&
    evaluation.effect === answer.effect &&
    cut(maskSecrets(evaluation.reason ?? '')) === cut(answer.reason ?? '')
  if (!isSame) return begins('evaluated again now, it does not say the same')
  return { kind: 'policy', lines: places }
}

/** A recorded reason may end early. */
const cut = (text: string) => text.slice(0, comparedCharacters)
const comparedCharacters = limits.recordedTextBytesMax / 4

/** Returns the innermost folder that holds all files of a policy: its imports stay below it. */
function commonFolder([first = '', ...others]: readonly string[]): string {
  let folder = dirname(realPath(first))
  for (const file of others) {
    while (!isBelow(realPath(file), folder) && dirname(folder) !== folder) folder = dirname(folder)
  }
  return folder
}

async function filesOf({ handler, source }: CommandRule, { home, project }: PlaceContext): Promise<readonly string[]> {
  // Loaded for a hook only: it reads the command as a shell does, by the table of programs.
  const { hookFiles } = await import('./hook-files.ts')
  const folders = { home, pluginRoot: source.pluginRoot, projectRoot: source.workspaceRoot ?? project }
  return [...new Set(hookFiles(handler.program, folders).map(({ file }) => file))]
}

/** Finds the entries of a permission list that a reason names; the list itself if it names none. */
function entryPlaces({ entries, effect }: PermissionList, list: Place, reason: string): readonly Place[] {
  const bytes = makeDisk().read(list.file, limits.rulesFileBytesMax)
  if (isUnreadable(bytes)) return [list]
  const { place } = parseJson(bytes, list.file)
  const named = entries.flatMap(({ text }, index) =>
    reason.includes(quoted(text)) ? [place(['permissions', effect, index], 'value')] : [],
  )
  return named.length === 0 ? [list] : named
}
