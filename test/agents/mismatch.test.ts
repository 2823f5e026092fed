import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mismatch, wrongWord } from '../../src/agents/codec/mismatch.ts'
import { limits } from '../../src/model/limits.ts'

function wrong(schema: z.ZodType, value: unknown, at: readonly PropertyKey[] = []): string {
  return mismatch(schema.safeParse(value, { reportInput: true }).error?.issues ?? [], at)
}
const calls = z.object({ calls: z.array(z.object({ input: z.record(z.string(), z.string()) })) })
const numbers = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`p${index}`, index]))

describe('the description of a schema mismatch', () => {
  it('has the path of each wrong field, relative to the value', () => {
    expect(wrong(calls, { calls: [{ input: {} }, { input: { path: 7 } }, {}] }, ['batch', 0])).toBe(
      '`batch[0].calls[1].input.path` must be a string, not a number; `batch[0].calls[2].input` must be an object, but is missing',
    )
  })

  it('names a limited number of fields and counts the others', () => {
    const most = limits.wrongFieldsNamedMax
    expect(wrong(calls, { calls: [{ input: numbers(most) }] })).not.toContain('more')
    const text = wrong(calls, { calls: [{ input: numbers(most + 2) }] })
    expect(text.match(/must be/g)).toHaveLength(most)
    expect(text).toMatch(/`calls\[0\]\.input\.p4` must be a string, not a number; and 2 more$/)
  })

  it('is short and printable, whatever a field’s name and value', () => {
    const long = 'k'.repeat(10_000)
    expect(wrong(calls, { calls: [{ input: { [long]: 1, '\u001b[2J\n': 1 } }] })).toBe(
      `\`calls[0].input.${'k'.repeat(65)}…\` must be a string, not a number; \`calls[0].input.\\x1b[2J\\n\` must be a string, not a number`,
    )
    expect(wrongWord(['name'], 'Stop', `\u001b${long}`)).toBe(
      `\`name\` must be \`Stop\`, not \`\\x1b${'k'.repeat(76)}…\``,
    )
  })

  it('distinguishes a number that JSON cannot represent', () => {
    expect(wrong(z.object({ duration_ms: z.number() }), JSON.parse('{"duration_ms": 1e999}'))).toBe(
      '`duration_ms` must be a number, not a non-finite number',
    )
  })
})
