import { openToolFacts } from '../../facts/tool-call.ts'
import { homeFolder } from '../../files/home-folder.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { openRefusals } from '../../files/state/refusals.ts'
import { openPolicyLoader } from '../../policy/compile/policy-loader.ts'
import { openSandbox } from '../../policy/open-sandbox.ts'
import type { StoredDecision } from '../../record/read.ts'
import type { DecisionRecord } from '../../record/record.ts'
import { rulesDigest } from '../../record/rules-digest.ts'
import { problemText, readRules, type RulesPlaces } from '../../rules/index.ts'
import { recordedEvent } from '../replay/recorded-event.ts'
import { reevaluate, type RebuiltCalls } from './decide-anew.ts'
import { reportOn, type WhyReport } from './report.ts'

/** Everything that explaining a decision needs beside its record. */
interface ExplainingContext {
  /** The places of today's rules. */
  readonly rules: RulesPlaces
  readonly own: GatePaths
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Explains a recorded decision by the rules of today. Runs no hook and changes nothing. */
export async function explainDecision(
  { seq, record }: StoredDecision,
  { rules: places, own, env }: ExplainingContext,
): Promise<WhyReport> {
  const { project, refusal } = record
  // Each thread loads every policy, and few events are evaluated.
  const sandbox = openSandbox('process', openToolFacts(), 1)
  try {
    const read = await readRules(places, project === undefined ? [] : [project], openPolicyLoader(sandbox))
    const [error] = read.errors
    const rules = error === undefined ? read.ruleSet : undefined
    const { calls, unrecorded } = rebuiltCalls(record)
    const anew = calls && rules && (await reevaluate(calls, record, rules, sandbox, env))
    return await reportOn(seq, record, {
      anew,
      whyNot: error === undefined ? (unrecorded ?? '') : `the rules of today do not load: ${problemText(error)}`,
      sandbox,
      placeOf: (ruleId) => read.placeOf(ruleId),
      home: homeFolder(env['HOME']),
      project,
      rules: rules?.rules ?? [],
      rulesChanged:
        rules && record.rulesDigest === undefined ? undefined : rules && rulesDigest(rules) !== record.rulesDigest,
      unrecorded,
      kept: refusal === undefined ? undefined : openRefusals(own.refusals).find(refusal),
    })
  } finally {
    await sandbox.close()
  }
}

/** Rebuilds the call of a record, and what rules made of it. Without one of them it cannot be decided again. */
function rebuiltCalls(record: DecisionRecord): { calls?: RebuiltCalls; unrecorded: string | undefined } {
  const { rewritten, subject: _, subjectAltered: __, ...rest } = record
  const sent = recordedEvent(record)
  const made = rewritten && recordedEvent({ ...rest, ...rewritten, rewritten })
  if (sent.event === undefined || (made !== undefined && made.event === undefined))
    return { unrecorded: sent.unrecorded ?? made?.unrecorded }
  return { calls: { event: sent.event, rewritten: made?.event }, unrecorded: sent.unrecorded }
}
