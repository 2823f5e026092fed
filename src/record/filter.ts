import type { Decision } from '../model/effect.ts'
import { idAt } from './record.ts'

/** What a row must have. All fields that are set must match; of a list, one value. */
export interface DecisionFilter {
  /** From this moment, ms since the epoch. */
  readonly sinceMs?: number | undefined
  /** Before this moment. */
  readonly untilMs?: number | undefined
  /** Rows after this one. */
  readonly afterSeq?: number | undefined
  /** Rows before this one. */
  readonly beforeSeq?: number | undefined
  readonly agent?: string | undefined
  readonly session?: string | undefined
  /** The project's folder, or a folder above it. Absolute. */
  readonly project?: string | undefined
  /** A rule's id or a part of it, among those that spoke or failed. */
  readonly rule?: string | undefined
  readonly decisions?: readonly Decision[] | undefined
  /** What the agent was told or, if no agent was, the decision. Matches besides `decisions`. */
  readonly outcomes?: readonly Decision[] | undefined
  /** A rule that only observes would have refused or asked, or a rule or hookgate itself failed. */
  readonly mark?: 'observed' | 'failed' | undefined
  /** A tool's kind, or the agent's name for it. */
  readonly tool?: string | undefined
  /** Text in the subject or the reason. `A` to `Z` match in either case. */
  readonly text?: string | undefined
}

/** A condition of SQL on `decisions`, and the values for its question marks. */
export interface SqlCondition {
  readonly condition: string
  readonly values: readonly (string | number)[]
}

export function conditionOf(filter: DecisionFilter): SqlCondition {
  const {
    sinceMs,
    untilMs,
    afterSeq,
    beforeSeq,
    agent,
    session,
    project,
    rule,
    decisions = [],
    outcomes = [],
    mark,
    tool,
    text,
  } = filter
  const all: (readonly [string, ...(string | number)[]])[] = []
  if (sinceMs !== undefined) all.push(['decisions.id >= ?', idAt(sinceMs)])
  if (untilMs !== undefined) all.push(['decisions.id < ?', idAt(untilMs)])
  if (afterSeq !== undefined) all.push(['seq > ?', afterSeq])
  if (beforeSeq !== undefined) all.push(['seq < ?', beforeSeq])
  if (agent !== undefined) all.push(['agent = ?', agent])
  if (session !== undefined) all.push(['session = ?', session])
  if (project !== undefined) {
    const below = project.endsWith('/') ? project : `${project}/`
    all.push(['(project = ? OR substr(project, 1, length(?)) = ?)', project, below, below])
  }
  if (decisions.length + outcomes.length > 0) {
    all.push([`(decision IN (${marks(decisions)}) OR outcome IN (${marks(outcomes)}))`, ...decisions, ...outcomes])
  }
  if (mark !== undefined) all.push([`(spoken AND ${markConditions()[mark]})`])
  if (tool !== undefined) all.push(["(tool = ? OR record ->> '$.toolName' = ?)", tool, tool])
  if (text !== undefined) all.push([`(${['subject', 'reason'].map(contains).join(' OR ')})`, text, text])
  if (rule !== undefined) all.push([someEvaluation(`instr(${fieldOf('ruleId')}, ?) > 0`), rule])
  return {
    condition: all.length === 0 ? 'TRUE' : all.map(([condition]) => condition).join(' AND '),
    values: all.flatMap(([, ...values]) => values),
  }
}

/** The evaluations of a decision, as a table. */
export const evaluationsTable = "json_each(record, '$.evaluations')"

/** Returns a field of an evaluation, as an expression of SQL: NULL if a row is not what hookgate writes. */
export const fieldOf = (name: string): string => `CASE type WHEN 'object' THEN value ->> '$.${name}' END`

/** Returns a condition of SQL: a decision has an evaluation with this one. */
const someEvaluation = (condition: string): string => `EXISTS (SELECT 1 FROM ${evaluationsTable} WHERE ${condition})`

/** Returns what sets decisions apart besides their outcome, as conditions of SQL. */
export const markConditions = () => ({
  observed: someEvaluation(`${fieldOf('observed')} AND ${fieldOf('effect')} ${restricts}`),
  failed: `(record ->> '$.error' IS NOT NULL OR ${someEvaluation(`${fieldOf('failure')} IS NOT NULL`)})`,
})

/** Follows an effect that refuses or asks. */
export const restricts = "IN ('deny', 'ask', 'defer')"

const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ')

const contains = (column: string) => `instr(lower(coalesce(${column}, '')), lower(?)) > 0`
