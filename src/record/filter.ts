import type { Decision } from '../model/effect.ts'
import type { EventName } from '../model/event.ts'
import { idAt } from './record-id.ts'
import type { DecisionRecord } from './record.ts'

/**
 * Sets decisions apart besides their outcome: a rule in observe mode restricts, a person approved the call, a rule or
 * hookgate itself failed, or a rule ended the turn.
 */
type DecisionMark = 'observed' | 'approved' | 'failed' | 'ended' | 'passed'

/** Selects rows. All fields that are set must match; of `decisions`, `outcomes` and `marks`, one value. */
export interface DecisionFilter {
  /** From this moment, ms since the epoch. */
  readonly sinceMs?: number | undefined
  /** Before this moment. */
  readonly untilMs?: number | undefined
  /** Rows after this one. */
  readonly afterSeq?: number | undefined
  /** Rows before this one. */
  readonly beforeSeq?: number | undefined
  /** True for listed decisions only: see `isListed`. */
  readonly listed?: true | undefined
  /** With `listed`: prompts too. */
  readonly withPrompts?: true | undefined
  readonly event?: EventName | undefined
  readonly agent?: string | undefined
  readonly session?: string | undefined
  /** One of these sessions. */
  readonly sessions?: readonly string[] | undefined
  /** A call by the agent's id of it, or else by its tool and subject, as the table's column has it. */
  readonly call?: string | undefined
  /** The project's folder, or a folder above it. Absolute. */
  readonly project?: string | undefined
  /** A rule's id or a part of it, among those that answered or failed. */
  readonly rule?: string | undefined
  readonly decisions?: readonly Decision[] | undefined
  /** The answer that reached the agent or, if no agent was answered, the decision. */
  readonly outcomes?: readonly Decision[] | undefined
  readonly marks?: readonly DecisionMark[] | undefined
  /** A tool's kind, or the agent's name for it. */
  readonly tool?: string | undefined
  /** Text in the subject, as sent or as rewritten, in the input, or in the reason. `A` to `Z` match in either case. */
  readonly text?: string | undefined
}

/** A condition of SQL on `decisions`, and the values for its question marks. */
interface SqlCondition {
  readonly condition: string
  readonly values: readonly (string | number)[]
}

export function conditionOf(filter: DecisionFilter): SqlCondition {
  const {
    sinceMs,
    untilMs,
    afterSeq,
    beforeSeq,
    listed,
    withPrompts,
    event,
    agent,
    session,
    sessions,
    call,
    project,
    rule,
    decisions = [],
    outcomes = [],
    marks = [],
    tool,
    text,
  } = filter
  const all: (readonly [string, ...(string | number)[]])[] = []
  if (sinceMs !== undefined) all.push(['decisions.id >= ?', idAt(sinceMs)])
  if (untilMs !== undefined) all.push(['decisions.id < ?', idAt(untilMs)])
  if (afterSeq !== undefined) all.push(['seq > ?', afterSeq])
  if (beforeSeq !== undefined) all.push(['seq < ?', beforeSeq])
  if (listed) all.push([withPrompts ? "(listed OR event = 'UserPromptSubmit')" : 'listed'])
  if (event !== undefined) all.push(['event = ?', event])
  if (agent !== undefined) all.push(['agent = ?', agent])
  if (session !== undefined) all.push(['session = ?', session])
  if (sessions !== undefined) all.push([`session IN (${placeholders(sessions)})`, ...sessions])
  if (call !== undefined) all.push(['call = ?', call])
  if (project !== undefined) {
    const below = project.endsWith('/') ? project : `${project}/`
    all.push(['(project = ? OR substr(project, 1, length(?)) = ?)', project, below, below])
  }
  if (decisions.length + outcomes.length + marks.length > 0) {
    const any = [
      ...(decisions.length === 0 ? [] : [`decision IN (${placeholders(decisions)})`]),
      ...(outcomes.length === 0 ? [] : [`outcome IN (${placeholders(outcomes)})`]),
      ...marks.map((mark) => `(${markConditions[mark]()})`),
    ]
    all.push([`(${any.join(' OR ')})`, ...decisions, ...outcomes])
  }
  if (tool !== undefined) all.push(["(tool = ? OR record ->> '$.toolName' = ?)", tool, tool])
  if (text !== undefined) all.push([`(${texts.map(contains).join(' OR ')})`, ...texts.map(() => text)])
  if (rule !== undefined) all.push([someEvaluation(`instr(${fieldOf('ruleId')}, ?) > 0`), rule])
  return {
    condition: all.length === 0 ? 'TRUE' : all.map(([condition]) => condition).join(' AND '),
    values: all.flatMap(([, ...values]) => values),
  }
}

/** The evaluations of a decision, as a table. */
const evaluationsTable = "json_each(record, '$.evaluations')"

/** Returns a field of an evaluation, as an expression of SQL: NULL if a row is not what hookgate writes. */
const fieldOf = (name: string): string => `CASE type WHEN 'object' THEN value ->> '$.${name}' END`

/** Returns a condition of SQL: a decision has an evaluation with this one. */
const someEvaluation = (condition: string): string => `EXISTS (SELECT 1 FROM ${evaluationsTable} WHERE ${condition})`

/** A condition of SQL that agrees with `endedTurn`, apart from the answer. */
const ended = "EXISTS (SELECT 1 FROM json_each(record, '$.obligations') WHERE value = 'stop')"

/** Conditions of SQL. */
const markConditions: Readonly<Record<DecisionMark, () => string>> = {
  observed: () =>
    `spoken AND ${someEvaluation(`${fieldOf('observed')} AND ${fieldOf('effect')} IN ('deny', 'ask', 'defer')`)}`,
  approved: () => "spoken AND record ->> '$.approval.outcome' = 'approved'",
  failed: () =>
    `spoken AND (record ->> '$.error' IS NOT NULL OR ${someEvaluation(`${fieldOf('failure')} IS NOT NULL`)})`,
  ended: () => `outcome IN ('allow', 'abstain') AND ${ended}`,
  passed: () => `outcome = 'abstain' AND NOT ${ended}`,
}

/** Columns in which a text is looked for. */
const texts = ['subject', 'reason', "record ->> '$.input'", "record ->> '$.rewritten.subject'"]

const placeholders = (values: readonly unknown[]) => values.map(() => '?').join(', ')

const contains = (column: string) => `instr(lower(coalesce(${column}, '')), lower(?)) > 0`

/**
 * Returns whether a decision is listed and counted: a call that was decided, or another event at which a rule answered
 * or failed. An agent's report after a call belongs to the call's own row.
 */
export const isListed = ({ event, decision, told = decision, evaluations, error }: DecisionRecord): boolean =>
  event === undefined || event === 'PreToolUse' || !isSilent(told) || evaluations.length > 0 || error !== undefined

/** Returns whether a rule ended the agent's turn: nothing was refused, and nothing came after it. */
export const endedTurn = ({ decision, told = decision, obligations }: Ended): boolean =>
  isSilent(told) && obligations.includes('stop')
type Ended = Pick<DecisionRecord, 'decision' | 'told' | 'obligations'>

/** Returns whether a decision had an opinion or a failure; others may be only counted. */
export function isNotable({ decision, told, evaluations, error, obligations }: DecisionRecord): boolean {
  return (
    !isSilent(decision) ||
    !isSilent(told) ||
    error !== undefined ||
    obligations.includes('stop') ||
    evaluations.some(({ observed, effect, failure }) => failure !== undefined || (observed && !isSilent(effect)))
  )
}

const isSilent = (decision: Decision | undefined) =>
  decision === undefined || decision === 'allow' || decision === 'abstain'
