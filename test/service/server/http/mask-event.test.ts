import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../src/model/json.ts'
import {
  eventKeptCharactersMax,
  eventKeptTextCharactersMax,
  eventKeptValuesMax,
  maskEvent,
} from '../../../../src/service/server/http/event-log.ts'

const github = `ghp_${'a1B2'.repeat(10)}`

describe('an event in the log', () => {
  it('has values masked that look like a secret or have the name of one', () => {
    const event = {
      tool_input: {
        command: `curl -H "Authorization: Bearer abc.def" https://me:hunter22@example.com`,
        env: { password: 'two words', [github]: [github, 1, null] },
        headers: { authorization: 'whatever it is' },
      },
    }
    expect(maskEvent(event)).toEqual({
      tool_input: {
        command: 'curl -H "Authorization: Bearer ***" https://me:***@example.com',
        env: { password: '***', '***': ['***', 1, null] },
        headers: { authorization: '***' },
      },
    })
  })

  it('shows no part of a secret where a text is truncated, wherever the secret is', () => {
    const max = eventKeptTextCharactersMax
    for (let before = max - 60; before < max + 600; before += 7) {
      for (const filler of ['x'.repeat(before), `${github} `.repeat(before / 45)]) {
        const shown = JSON.stringify(maskEvent({ text: `${filler} ${github} ${'y'.repeat(1000)}` })['text'])
        expect(shown).not.toMatch(/ghp_|a1B2/)
        expect(shown.length).toBeLessThan(max + 10)
      }
    }
  })

  it('keeps names such as `__proto__` as ordinary keys', () => {
    const event = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}') as JsonObject
    const kept = maskEvent(event)
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}')
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
  })

  it('is truncated where it is deep, long or wide', () => {
    let deep: Json = 1
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
    const kept = JSON.stringify(
      maskEvent({
        deep,
        wide: Array<number>(1_000_000).fill(7),
        texts: Array<string>(10_000).fill('word '.repeat(100)),
      }),
    )
    expect(kept).toContain('[…]')
    expect(kept.length).toBeLessThan(eventKeptCharactersMax + 10 * eventKeptValuesMax)
  })

  it('is JSON of a bounded size for any JSON, and unchanged where there is nothing to mask', () => {
    const harmless = fc.jsonValue({ maxDepth: 5 }).map((value) => ({ value: value as Json }))
    const isKeptWhole = fc.property(harmless, (event) => {
      const text = JSON.stringify(maskEvent(event))
      // Random text sometimes looks like `token: …`.
      return text.includes('***') || text === JSON.stringify(event)
    })
    expect(fc.check(isKeptWhole)).toMatchObject({ failed: false })
  })
})
