import type { KnownAgent } from './agents/registry.ts'

export { createGate, type Gate, type GateOptions, type Placement } from './gate.ts'
export type { Answered } from './answer.ts'
export type { Answer } from './model/dialect.ts'
export type { Decision, Effect, OnFailure } from './model/effect.ts'
export { type ErrorCode, HookgateError, type Place } from './model/errors.ts'
export type { EventName, HookEvent, ToolKind } from './model/event.ts'
export type { Advice, Evaluation, Obligation } from './model/evaluation.ts'
export type { Failure, FailureCode } from './model/failure.ts'
export type { Json, JsonObject } from './model/json.ts'
export type { Rule, RuleSet, Source } from './model/rule.ts'
export type { Verdict } from './model/verdict.ts'
export type { DecisionRecord } from './record/record.ts'

/** Name of an agent that hookgate supports. */
export type AgentName = KnownAgent
