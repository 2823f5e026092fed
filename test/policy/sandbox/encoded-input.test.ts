import { expect, it } from 'vitest'
import {
  encodeInput,
  policyRawTextCharactersMin,
  policyRawTextsMax,
} from '../../../src/policy/sandbox/encoded-input.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import type { PolicyInput } from '../../../src/model/policy.ts'
import { handPolicy, inPolicy, isolateOf, shellInput } from '../../support/isolates.ts'

const long = 'é"\n😀\ud800'.repeat(policyRawTextCharactersMin)
const inputWith = (input: JsonObject): PolicyInput => ({
  ...shellInput,
  event: { ...shellInput.event, prompt: long },
  tool: { kind: 'write', name: 'write', input, paths: [] },
  same: { content: 'text' },
})

it('keeps long texts out of the JSON, once each, and changes nothing of the input itself', () => {
  const input = Object.freeze(inputWith(Object.freeze({ text: long, edits: Object.freeze([long, 'short']) })))
  const before = structuredClone(input)
  const [json, ...texts] = encodeInput(input)
  expect(texts).toEqual([long, long, long])
  expect(json.length).toBeLessThan(long.length)
  expect(input).toEqual(before)
})

it('a policy gets every text in its place, under keys of any name', () => {
  const more = JSON.parse(`{"__proto__":${JSON.stringify(long)},"constructor":{"a":[0,{"b":${JSON.stringify(long)}}]}}`)
  const input = inputWith({ ...(more as JsonObject), text: long })
  const whole = isolateOf(
    handPolicy('whole', 'return context(JSON.stringify([event.prompt, tool.input, tool.content]))'),
  )
  expect(whole.ask([0], { input })).toEqual([[{ context: JSON.stringify([long, input.tool?.input, long]) }]])
})

it('more long texts than a call takes stay in the JSON', () => {
  const list = Array.from({ length: policyRawTextsMax + 3 }, (_, at) => `${at}${long}`)
  const input = { ...inputWith({ list }), event: shellInput.event }
  expect(encodeInput(input).length).toBe(1 + policyRawTextsMax)
  expect(inPolicy('JSON.stringify(tool.input.list)', '', { input })).toBe(JSON.stringify(list))
})

it('texts are frozen with their objects', () => {
  expect(inPolicy('Object.isFrozen(tool.input.edits)', '', { input: inputWith({ edits: [long] }) })).toBe('true')
})
