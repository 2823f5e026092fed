import { limits } from '../../../model/limits.ts'
import { toolEvents } from '../../../model/tool-events.ts'
import { makeAnswers } from './answers.ts'
import { makeAsking } from './asked.ts'
import { pinDate } from './date.ts'
import { makeThrown } from './errors.ts'
import { makeRealm } from './evaluate.ts'
import { tameGlobals } from './globals.ts'
import { hiddenIntrinsics, makeHardening } from './harden.ts'
import { pinLocale } from './locale.ts'
import { enableOverrides } from './overrides.ts'

/** A part by its text. */
const inside = (part: (...args: never[]) => unknown): string => `(${String(part)})`

/**
 * What makes a bare context into the realm that policies run in, as the body of a function. `$0` is the list of files
 * that policies are written in; it returns the `Realm`.
 *
 * The parts are ordinary functions, typed and linted as such, and it is their text that is evaluated inside. The order
 * matters: what captures a native function stands before what removes it, and everything is frozen last.
 */
export const realmText = `'use strict'
const clock = { atMs: 0 }
const { harden, hardenExports } = ${inside(makeHardening)}()
const hidden = ${inside(hiddenIntrinsics)}();
${inside(pinDate)}(clock);
${inside(pinLocale)}();
${inside(enableOverrides)}();
${inside(tameGlobals)}()
const thrown = ${inside(makeThrown)}(${limits.policyErrorCharactersMax}, new Set(JSON.parse($0)))
const answers = ${inside(makeAnswers)}(${JSON.stringify({
  answersMax: limits.policyAnswersMax,
  charactersMax: limits.policyAnswerCharactersMax,
  depthMax: limits.jsonDepthMax,
})})
const asking = ${inside(makeAsking)}(${JSON.stringify({
  paramsMax: limits.policyParamsRememberedMax,
  callsCharactersMax: limits.policyCallsRememberedCharactersMax,
})}, ${JSON.stringify(toolEvents)})
harden(globalThis, ...hidden)
return ${inside(makeRealm)}({ clock, harden, hardenExports, thrown, answers, asking }, ${limits.policyAnswersCharactersMax})`
