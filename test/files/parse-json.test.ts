import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/files/parse-json.ts'
import { problemText } from '../../src/model/errors.ts'

const parse = (text: string) => parseJson(new TextEncoder().encode(text), 'hooks.json')
const problems = (text: string) => parse(text).problems.map(problemText)

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe('reading JSON', () => {
  it('accepts a byte order mark', () => {
    expect(parse('\ufeff{"a": 1}')).toMatchObject({ value: { a: 1 }, problems: [] })
  })

  it.each([
    ['{"a": 1,}', 'hooks.json:1:9: it is not JSON: expected double-quoted property name; remove the comma before it'],
    ['[1,\n]', 'hooks.json:2:1: it is not JSON: expected a value, not `]`; remove the comma before it'],
    [
      '{\n  // why\n  "a": 1}',
      "hooks.json:2:3: it is not JSON: expected property name or '}'; JSON has no comments: remove it",
    ],
    ["{'a': 1}", "hooks.json:1:2: it is not JSON: expected property name or '}'; JSON strings need double quotes"],
    ['{"a": 1', 'hooks.json:1:8: it is not JSON: it ends too early'],
    ['{"a": "x', 'hooks.json:1:9: it is not JSON: it ends too early'],
    ['{', 'hooks.json:1:2: it is not JSON: it ends too early'],
    ['{"a": "x\ty"}', 'hooks.json:1:9: it is not JSON: bad control character in string literal'],
    ['{"a": 1} x', 'hooks.json:1:10: it is not JSON: expected the end of the file, not `x`'],
    ['{"a": \u001b[31m}', 'hooks.json:1:7: it is not JSON: expected a value, not `\\x1b`'],
    ['{"a": }', 'hooks.json:1:7: it is not JSON: expected a value, not `}`'],
    ['{"a": [}', 'hooks.json:1:8: it is not JSON: expected a value or `]`, not `}`'],
    ['{"a": True}', 'hooks.json:1:7: it is not JSON: expected a value, not `True`; text needs double quotes'],
    ['{"a": truly}', 'hooks.json:1:7: it is not JSON: expected a value, not `truly`; text needs double quotes'],
    ['{"a": nul}', 'hooks.json:1:7: it is not JSON: expected a value, not `nul`; text needs double quotes'],
    ['{"a": 1}]', 'hooks.json:1:9: it is not JSON: expected the end of the file, not `]`'],
    [']', 'hooks.json:1:1: it is not JSON: expected a value, not `]`'],
    [
      '',
      'hooks.json:1:1: it is empty; write `{"preset": "recommended"}` for a start (`hookgate packs` lists the presets), or remove it',
    ],
    [
      '  \n',
      'hooks.json:1:1: it is empty; write `{"preset": "recommended"}` for a start (`hookgate packs` lists the presets), or remove it',
    ],
  ])('refuses %j with place and remedy', (text, problem) => {
    expect(problems(text)).toEqual([problem])
    expect(parse(text).value).toBeUndefined()
  })

  it.each([
    [
      '{"a": 1 // x\n,}',
      'hooks.json:2:2: it is not JSON: expected double-quoted property name; remove the comma before it',
    ],
    [
      '{"a": [1, /* x\r\n */ ]}',
      'hooks.json:2:5: it is not JSON: expected a value, not `]`; remove the comma before it',
    ],
    [
      '{ /* é 𝒳 */ "a": True}',
      'hooks.json:1:19: it is not JSON: expected a value, not `True`; text needs double quotes',
    ],
    [
      '{"a": "/* x", /* " */ \'b\': 1}',
      'hooks.json:1:23: it is not JSON: expected double-quoted property name; JSON strings need double quotes',
    ],
    [
      '// {\n{"a": 1, // "a"\n\t"b": 2, /**/ "a": 3}',
      'hooks.json:3:15: the key `a` appears twice, first on line 2; the second would replace the first; merge them',
    ],
    ['{"a": 1} // x\r\n/* y */ z', 'hooks.json:2:9: it is not JSON: expected the end of the file, not `z`'],
    ['// x\r{"a": 1}\n', 'hooks.json:1:1: it is not JSON: it ends too early'],
  ])('finds a mistake where it is, in a file with comments: %j', (text, problem) => {
    const bytes = new TextEncoder().encode(text)
    const form = { depthMax: 9, whereEmpty: '', hasComments: true }
    expect(parseJson(bytes, 'hooks.json', form).problems.map(problemText)).toEqual([problem])
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(parseJson(new Uint8Array([0x22, 0xff, 0x22]), 'f').problems).toMatchObject([{ message: 'it is not UTF-8' }])
  })

  it('refuses duplicate keys, at any depth, and reports every one', () => {
    const text = '{\n"hooks": {"a": 1, "b": {"c": 1,\n"c": 2}},\n"hooks": {}}'
    expect(problems(text)).toEqual([
      'hooks.json:3:1: the key `c` appears twice, first on line 2; the second would replace the first; merge them',
      'hooks.json:4:1: the key `hooks` appears twice, first on line 2; the second would replace the first; merge them',
    ])
    expect(problems('[{"a": 1}, {"a": 1}]')).toEqual([])
  })

  it('knows the place of each value and each key', () => {
    const parsed = parse('{"a": [1,\n {"b":\n  true}]}')
    expect(parsed.place(['a', 1, 'b'], 'value')).toEqual({ file: 'hooks.json', line: 3, column: 3 })
    expect(parsed.place(['a', 1, 'b'], 'key')).toEqual({ file: 'hooks.json', line: 2, column: 3 })
    expect(parsed.place(['a', 1, 'none'], 'value')).toEqual({ file: 'hooks.json', line: 2, column: 2 })
    expect(parsed.place([], 'value')).toEqual({ file: 'hooks.json', line: 1, column: 1 })
  })

  it('accepts and refuses the same texts as `JSON.parse`', () => {
    const jsonish = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc
        .array(fc.constantFrom(...'{}[]",:01.eE-+ \n\\u'.split(''), 'true', 'null'), { maxLength: 12 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(jsonish, (text) => {
        expect(parse(text).value).toEqual(valueOf(text))
      }),
      { numRuns: 2000 },
    )
  })
})
