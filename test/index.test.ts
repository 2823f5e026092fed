import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as hookgate from '../src/index.ts'

describe('what the library promises', () => {
  it('is this list of values, and nothing besides', () => {
    expect(Object.keys(hookgate).toSorted()).toEqual(['HookgateError', 'createGate'])
  })

  it('is this list of types', () => {
    const index = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8')
    const names = [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)]
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => name.replace('type ', '').trim())
      .filter((name) => name !== '')
    expect(names.toSorted()).toMatchInlineSnapshot(`
      [
        "Advice",
        "AgentName",
        "Answer",
        "Answered",
        "Decision",
        "DecisionRecord",
        "Effect",
        "ErrorCode",
        "Evaluation",
        "EventName",
        "Failure",
        "FailureCode",
        "Gate",
        "GateOptions",
        "HookEvent",
        "HookgateError",
        "Json",
        "JsonObject",
        "Obligation",
        "OnFailure",
        "Place",
        "Rule",
        "RuleSet",
        "Source",
        "ToolKind",
        "Verdict",
        "createGate",
      ]
    `)
  })

  it('is typed to the end: decisions, effects and failures are closed unions', () => {
    expectTypeOf<hookgate.Decision>().toEqualTypeOf<'deny' | 'defer' | 'ask' | 'allow' | 'abstain'>()
    expectTypeOf<hookgate.Effect>().toEqualTypeOf<'deny' | 'defer' | 'ask' | 'allow'>()
    expectTypeOf<hookgate.OnFailure>().toEqualTypeOf<'block' | 'ask' | 'continue'>()
    expectTypeOf<hookgate.Evaluation['kind']>().toEqualTypeOf<'applicable' | 'notApplicable' | 'indeterminate'>()
    expectTypeOf<hookgate.Verdict['decision']>().toEqualTypeOf<hookgate.Decision>()
    expectTypeOf<hookgate.Gate['decide']>().parameter(0).toEqualTypeOf<hookgate.HookEvent>()
    expectTypeOf<hookgate.Gate['decide']>().returns.resolves.toEqualTypeOf<hookgate.Verdict>()
    expectTypeOf<hookgate.GateOptions['placement']>().toEqualTypeOf<'process' | 'thread' | undefined>()
  })
})
