import type { AnswerOf, PartOf } from '../../../api.ts'
import { agentKind, type AgentRow } from '../../parts/text-parts.ts'

/** The answer to "am I protected?". */
type ProtectionLevel = 'checking' | 'protected' | 'partly' | 'observing' | 'unprotected' | 'blocked'

/** The answer to "am I protected?", and what keeps it from being a plain yes. */
export interface ProtectionState {
  readonly level: ProtectionLevel
  readonly reasons: readonly string[]
}

/** The facts for that answer; each is absent until it has come. */
export interface ProtectionFacts {
  readonly gate: Pick<AnswerOf<'gate'>, 'protection' | 'record' | 'unmanaged' | 'bundle'> | undefined
  readonly agents: readonly AgentRow[] | undefined
  readonly checks: ReadonlyMap<string, PartOf<'checkAgents'>>
}

/** Says how far one agent is proved to ask hookgate. `undefined` for one that is not enabled. */
export function proofOf(row: AgentRow, check: PartOf<'checkAgents'> | undefined): AgentProof | undefined {
  if (agentKind(row) !== 'enabled') return undefined
  if (check === undefined) return 'checking'
  if ('problem' in check || !check.check.calls) return 'failed'
  return check.check.uncoveredEvents.length === 0 ? 'proved' : 'partly'
}
export type AgentProof = 'checking' | 'proved' | 'partly' | 'failed'

export function protectionOf({ gate, agents, checks }: ProtectionFacts): ProtectionState {
  if (gate === undefined || agents === undefined) return { level: 'checking', reasons: [] }
  const proofs = agents.flatMap((row) => {
    const proof = proofOf(row, checks.get(row.agent))
    return proof === undefined ? [] : [{ title: row.title, proof, why: whyNot(checks.get(row.agent)) }]
  })
  const named = (proof: AgentProof) => proofs.filter((one) => one.proof === proof).map(({ title }) => title)
  const failed = proofs.filter(({ proof }) => proof === 'failed')
  const reasons = [
    ...(proofs.length === 0 ? ['No agent asks hookgate, so nothing is checked: enable one.'] : []),
    ...failed.map(({ title, why }) => `${title} does not ask hookgate${why === undefined ? '' : `: ${why}`}.`),
    ...named('partly').map((title) => `${title} does not ask at every event that rules are about.`),
    ...ruleReasons(gate.protection),
    ...gate.unmanaged.map((why) => `${why}.`),
    ...bundleReasons(gate.bundle),
    ...(gate.record.verified?.kind === 'broken'
      ? ['The record was changed by others than hookgate. `hookgate log --verify` says where.']
      : []),
    ...(gate.record.problem === undefined ? [] : [`Decisions are not recorded: ${gate.record.problem}.`]),
  ]
  const level = () => {
    if (proofs.length === 0 || failed.length === proofs.length) return 'unprotected'
    if (gate.protection === null) return 'blocked'
    if (gate.protection === 'none') return 'unprotected'
    if (named('checking').length > 0) return 'checking'
    if (gate.protection === 'observe') return 'observing'
    return reasons.length === 0 ? 'protected' : 'partly'
  }
  return { level: level(), reasons }
}

/** Returns the first thing that keeps an agent from asking, and how it is mended. */
function whyNot(check: PartOf<'checkAgents'> | undefined): string | undefined {
  if (check === undefined || 'problem' in check) return undefined
  return [...check.check.obstacles, ...check.check.scopes.flatMap(({ problems }) => problems)][0]
}

function ruleReasons(protection: AnswerOf<'gate'>['protection']): readonly string[] {
  switch (protection) {
    case 'enforce':
      return []
    case 'observe':
      return [
        'Rules only observe here. Decisions are recorded, and nothing but changes to hookgate itself is refused. Under ' +
          'Rules, set them to enforce once they fit.',
      ]
    case 'none':
      return ['No rules are in force here, so nothing is checked.']
    case null:
      return [
        'The rules do not load: until this is fixed, every call is refused, unless the gate still has older ones. ' +
          '`hookgate check` says what is wrong.',
      ]
  }
}

/** Says what of the signed rules is not in force as they were published. */
function bundleReasons(bundle: AnswerOf<'gate'>['bundle']): readonly string[] {
  if (bundle === null) return []
  const { freshness, channel, problem = 'nothing has been fetched yet', switched } = bundle
  const reasons = {
    fresh: [],
    stale: ['The signed rules are stale: nothing newer came for too long. `hookgate bundle status` says why.'],
    missing: [`The signed rules of the channel ${channel} are not in force: ${problem}.`],
  }[freshness]
  return [...reasons, ...switched.map((why) => `${why.charAt(0).toUpperCase()}${why.slice(1)}.`)]
}

/** The answer in a word or two, and its colour. */
export const protectionWords: Readonly<Record<ProtectionLevel, { readonly word: string; readonly kind: string }>> = {
  checking: { word: 'Checking …', kind: '' },
  protected: { word: 'Protected', kind: 'allowed' },
  partly: { word: 'Partly protected', kind: 'asked' },
  observing: { word: 'Only observing', kind: 'observed' },
  unprotected: { word: 'Not protected', kind: 'refused' },
  blocked: { word: 'Rules do not load', kind: 'refused' },
}
