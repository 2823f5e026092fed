import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readObject } from '../../src/agents/codec/printed-objects.ts'
import { isOtherJson, printedObjects, textBeside } from '../../src/agents/codec/printed-objects.ts'
import { parseJsonObject } from '../../src/model/json.ts'
import { limits } from '../../src/model/limits.ts'
import { runsOf } from '../support/sample.ts'

/** The most characters that a hook can print: one per byte. */
const most = limits.hookOutputBytesMax
const filled = (text: string) => text.repeat(Math.ceil(most / text.length)).slice(0, most)

const anyObject = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value))
const withoutBraces = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[{}]/g, ''))
/** Starts with noise, so that the whole output is not one JSON array or string. */
const noise = withoutBraces.map((text) => `noise ${text}\n`)

describe('an object that a hook printed', () => {
  it('is found between any noise without braces, however it is formatted', () => {
    fc.assert(
      fc.property(noise, anyObject, withoutBraces, fc.constantFrom(0, 2, '\t'), (before, object, after, indent) => {
        const value = parseJsonObject(object)
        const printed = `${before}${JSON.stringify(value, null, indent)}${after}`
        expect(printedObjects(printed)).toEqual({ objects: [value], flaw: undefined })
      }),
    )
  })

  it('is found among others, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyObject, noise)), (parts) => {
        const printed = parts.map(([object, after]) => `${object}${after}`).join('')
        expect(printedObjects(printed).objects).toEqual(parts.map(([object]) => parseJsonObject(object)))
      }),
    )
  })

  it('is what JSON.parse accepts as an object, whatever the mutation', () => {
    const characters = fc.constantFrom(...Array.from('{}[]":,\\ \n\t019.-+eEtrufalsn'), '')
    const changed = fc.tuple(anyObject, fc.nat(), fc.nat({ max: 2 }), characters).map(([object, at, length, by]) => {
      const from = at % object.length
      return `${object.slice(0, from)}${by}${object.slice(from + length)}`
    })
    fc.assert(
      fc.property(fc.oneof(anyObject, changed), (text) => {
        fc.pre(text.startsWith('{'))
        const attempt = readObject(text, 0, () => {})
        const complete = attempt.kind === 'complete' && text.slice(attempt.end).trim() === ''
        expect(complete).toBe(parseJsonObject(text) !== undefined)
      }),
      { numRuns: runsOf(3000) },
    )
  })

  it.each([
    ['{"a":-0.5e+3,"b":[true,false,null,{"c":"\\u00e9\\n\\"}{"}]}', 1],
    ['{"a":01}', 0],
    ['{"a":1.}', 0],
    ['{"a":.5}', 0],
    ['{"a":+1}', 0],
    ['{"a":tru}', 0],
    ['{"a":True}', 0],
    ['{"a":"\t"}', 0],
    ['{"a":"\\x"}', 0],
    ['{"a":"\\u00g0"}', 0],
    ["{'a':1}", 0],
    ['{"a":1,}', 0],
    ['{"a":[1,]}', 0],
    ['{"a":[1 2]}', 0],
    ['{"a" 1}', 0],
    ['{a:1}', 0],
    ['{"a":\u00a01}', 0],
  ])('is parsed by the JSON grammar: %s', (text, count) => {
    expect(printedObjects(text).objects).toHaveLength(count)
    expect(parseJsonObject(text) === undefined ? 0 : 1).toBe(count)
  })

  it.each([
    ['log {x: {"a":1}}', [{ a: 1 }]],
    ['{"a":{"b":1},c}', [{ b: 1 }]],
    ['{"a":{"b":{"c":1}},"d":{"e":1},}', [{ b: { c: 1 } }, { e: 1 }]],
    ['say "hello {"a":1}"', [{ a: 1 }]],
    ['{"say {"a":1}', [{ a: 1 }]],
    ['[INFO] {"a":1} [/INFO]', [{ a: 1 }]],
    ['{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['{{"a":1}}', [{ a: 1 }]],
    ['log {"state": \n{"a":1}', [{ a: 1 }]],
  ])('is found inside invalid JSON: %s', (text, objects) => {
    expect(printedObjects(text)).toEqual({ objects, flaw: undefined })
  })
})

describe('an output that is one JSON value, but not an object,', () => {
  it.each(['[{"a":1}]', ' ["{}"]\n', '"{}"', '\ufeff[{"a":1}]'])('is distinguished from text: %s', (text) => {
    expect([text, `log ${text}`, `${text},`].map(isOtherJson)).toEqual([true, false, false])
  })

  it('is scanned like any other', () => {
    expect(printedObjects('[{"a":1},{"b":2}]').objects).toEqual([{ a: 1 }, { b: 2 }])
  })
})

describe('the text around the objects', () => {
  it.each([
    ['plain text', 'plain text'],
    ['a {"x":1} b {"y":{"z":2}} c', 'a \n b \n c'],
    ['log {x: {"a":1}}', 'log {x: \n}'],
    ['{"a":1}', '\n'],
    ['{\'a\': 1}\n{"b":', '{\'a\': 1}\n{"b":'],
  ])('is the rest of the text: %j', (text, rest) => {
    expect(textBeside(text)).toBe(rest)
  })
})

describe('an output that ends inside an object', () => {
  it.each([
    '{"',
    '{"cancel',
    '{"cancel"',
    '{"cancel":',
    '{"cancel": tr',
    '{"cancel": true',
    '{"cancel": true,',
    '{ "a": [1, -',
    '{"a": 1.5e',
    '{"a": "\\',
    '{"a": "\\u00',
    '{"a":{"b":"c',
    '{"a":1}\n{"b":',
  ])('is recognised: %s', (text) => {
    expect(printedObjects(text).flaw).toBe('unfinished')
  })

  it.each(['', 'done', '{', 'if (x) {\n', '{ x', '{"a" 1', '{"a": wrong', '{"a":1} trailing', '{"x": \n{"a":1}'])(
    'does not include one that ends elsewhere: %j',
    (text) => {
      expect(printedObjects(text).flaw).toBeUndefined()
    },
  )

  it('is recognised at every cut after the start of a key', () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), (object, at) => {
        const cut = object.slice(0, at % object.length)
        if (cut.length < 2) return
        // A nested object may already be complete; then it counts as found.
        const { objects, flaw } = printedObjects(cut)
        expect(flaw !== undefined || objects.length > 0).toBe(true)
      }),
    )
  })
})

describe('a hostile output', () => {
  const attacks: Readonly<Record<string, string>> = {
    'only opening braces': filled('{'),
    'objects in objects': filled('{"a":'),
    'strings that hold beginnings': filled('{"a":"'),
    'only quotes': filled('"'),
    'only backslashes': `{"${filled('\\')}`,
    'escaped quotes': `{"${filled('\\"')}`,
    'half escapes': `{"${filled('\\u12')}`,
    'arrays in arrays': `{"a":${filled('[')}`,
    'one endless number': `{"a":${filled('1')}`,
    'one endless word': `{"a":${filled('t')}`,
    'one endless gap': `{${filled(' ')}`,
    'starts that are strings in one parse and structure in the other': `{"k":"{"${filled(',":{":":{"')}`,
    'broken objects that hold whole ones': filled('{"a":[{"b":1},'),
    'closed and broken by turns': filled('{"a":{}x'),
    'as many whole ones as fit': filled('{}'),
    'an array of everything': `[${filled('{"cancel":true},')}{}]`,
  }

  it.each(Object.entries(attacks))('takes at most three steps for each character: %s', (_, text) => {
    expect(printedObjects(text, 3).flaw).not.toBe('tooCostly')
  })

  it('takes at most three steps for each character, whatever it is', () => {
    const soup = fc.string({ unit: fc.constantFrom(...Array.from('{{{""::,[]}\\ 1ax')), minLength: 50, maxLength: 500 })
    fc.assert(
      fc.property(soup, (text) => {
        expect(printedObjects(text, 3).flaw).not.toBe('tooCostly')
      }),
      { numRuns: runsOf(3000) },
    )
  })

  it('reports that it exceeded its steps, and keeps what was found', () => {
    const text = `{"a":1}${'{x'.repeat(1000)}{"b":1}`
    expect(printedObjects(text, 0.5)).toEqual({ objects: [{ a: 1 }], flaw: 'tooCostly' })
  })

  it.each([limits.jsonDepthMax, limits.jsonDepthMax + 1])('may nest up to the limit: %d', (depth) => {
    const text = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(printedObjects(text).flaw).toBe(depth > limits.jsonDepthMax ? 'tooDeep' : undefined)
    expect(printedObjects(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`).objects).toHaveLength(
      depth > limits.jsonDepthMax ? 0 : 1,
    )
  })

  it('hides no object beside it', () => {
    const deep = '{"a":'.repeat(100_000)
    expect(printedObjects(`{"b":1}\n${deep}`)).toEqual({ objects: [{ b: 1 }], flaw: 'tooDeep' })
    expect(printedObjects(`${filled('{')}\n{"b":1}`).objects).toEqual([{ b: 1 }])
  })
})
