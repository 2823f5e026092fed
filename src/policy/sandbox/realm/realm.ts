import { limits } from '../../../model/limits.ts'
import { toolEvents } from '../../../model/tool-kinds.ts'
import { makeAnswers } from './answers.ts'
import { makeInputReader } from './input-reader.ts'
import { pinDate } from './date.ts'
import { makeErrorDescriber } from './errors.ts'
import { makeRealm } from './evaluate.ts'
import { tameGlobals } from './globals.ts'
import { hiddenIntrinsics, makeHardening } from './harden.ts'
import { pinLocale } from './locale.ts'
import { enableOverrides } from './overrides.ts'

/** Returns an expression that evaluates to the part: its source text in parentheses. */
const sourceOf = (part: (...args: never[]) => unknown): string => `(${String(part)})`

/** Parsed params that a sandbox thread caches: one for each rule, and room for newer rules. */
export const policyParamsRememberedMax = 1000

/** Cached lists of policies called together, in UTF-16 units: for ten policies, some hundred per kind of event. */
const policyCallsRememberedCharactersMax = 256 * 1024

/**
 * The function body that turns a bare context into the realm that policies run in. `$0` is the JSON list of the files
 * that policies are written in; the body returns the `Realm`.
 *
 * The parts are ordinary functions, typed and linted as such, and their source text is evaluated inside the isolate.
 * The order matters: a part that captures a native function comes before the one that removes it, and everything is
 * frozen last.
 */
export const realmText = `'use strict'
const clock = { atMs: 0 }
// The machine's clock, kept for hookgate itself: policies see only the event's time.
const machineMs = Date.now
const { harden, hardenExports } = ${sourceOf(makeHardening)}()
const hidden = ${sourceOf(hiddenIntrinsics)}();
${sourceOf(pinDate)}(clock);
${sourceOf(pinLocale)}();
${sourceOf(enableOverrides)}();
${sourceOf(tameGlobals)}()
const thrown = ${sourceOf(makeErrorDescriber)}(${limits.policyErrorCharactersMax}, new Set(JSON.parse($0)))
const answers = ${sourceOf(makeAnswers)}(${JSON.stringify({
  answersMax: limits.policyAnswersMax,
  charactersMax: limits.policyAnswerCharactersMax,
  depthMax: limits.jsonDepthMax,
})})
const inputs = ${sourceOf(makeInputReader)}(${JSON.stringify({
  paramsMax: policyParamsRememberedMax,
  callsCharactersMax: policyCallsRememberedCharactersMax,
})}, ${JSON.stringify(toolEvents)})
harden(globalThis, ...hidden)
return ${sourceOf(makeRealm)}({ clock, machineMs, harden, hardenExports, thrown, answers, inputs }, ${limits.policyAnswersCharactersMax})`
