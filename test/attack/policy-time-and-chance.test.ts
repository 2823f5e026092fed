import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policyLoad } from '../../src/policy/sandbox/wire/frames.ts'
import { answersIn, handLibrary, handPolicy, inPolicy, isolateOf } from '../support/isolates.ts'

const atMs = Date.UTC(2026, 6, 4, 12, 34, 56, 789)
const at = (expression: string) => inPolicy(expression, '', { atMs })

describe('`Date` is the time of the event, in UTC', () => {
  it.each([
    ['Date.now()', String(atMs)],
    ['new Date().getTime()', String(atMs)],
    ['new Date(undefined).getTime()', 'NaN'],
    ['Date()', 'Sat Jul 04 2026 12:34:56 GMT+0000 (Coordinated Universal Time)'],
    ['Date(2000, 1)', 'Sat Jul 04 2026 12:34:56 GMT+0000 (Coordinated Universal Time)'],
    ['new Date()', 'Sat Jul 04 2026 12:34:56 GMT+0000 (Coordinated Universal Time)'],
    ['new Date(2026, 0, 2, 3, 4, 5, 6).toISOString()', '2026-01-02T03:04:05.006Z'],
    ['new Date(99, 0).getFullYear()', '1999'],
    ['new Date("2026-01-02T03:04").toISOString()', '2026-01-02T03:04:00.000Z'],
    ['new Date("2026-01-02T03:04+02:00").toISOString()', '2026-01-02T01:04:00.000Z'],
    ['new Date("2026-01-02").toISOString()', '2026-01-02T00:00:00.000Z'],
    ['new Date("2026-01-02 03:04").toISOString()', '2026-01-02T03:04:00.000Z'],
    ['new Date("Jan 2 2026 03:04").toISOString()', '2026-01-02T03:04:00.000Z'],
    ['new Date("Fri, 02 Jan 2026 03:04:00 GMT").toISOString()', '2026-01-02T03:04:00.000Z'],
    ['new Date("Fri Jan 02 2026 03:04:00 GMT+0200 (EET)").toISOString()', '2026-01-02T01:04:00.000Z'],
    ['Date.parse("2026-01-02T03:04:05")', '1767323045000'],
    ['Date.parse("nonsense")', 'NaN'],
    ['new Date(new Date(7)).getTime()', '7'],
    ['new Date({ valueOf: () => 7 }).getTime()', '7'],
    ['new Date({ [Symbol.toPrimitive]: () => "2026-01-02T03:04" }).toISOString()', '2026-01-02T03:04:00.000Z'],
    ['new Date(Object("2026-01-02T03:04")).toISOString()', '2026-01-02T03:04:00.000Z'],
    ['new Date().getTimezoneOffset()', '0'],
    ['new Date(NaN).getTimezoneOffset()', 'NaN'],
    ['new Date(NaN)', 'Invalid Date'],
    ['[new Date().getHours(), new Date().getDay(), new Date().getMonth(), new Date().getDate()]', '12,6,6,4'],
    ['(() => { const d = new Date(); d.setHours(1, 2, 3, 4); return d.toISOString() })()', '2026-07-04T01:02:03.004Z'],
    ['new Date().toDateString()', 'Sat Jul 04 2026'],
    ['new Date().toTimeString()', '12:34:56 GMT+0000 (Coordinated Universal Time)'],
    ['new Date(-62198755200000)', 'Fri Jan 01 -0001 00:00:00 GMT+0000 (Coordinated Universal Time)'],
    ['new Date().toLocaleDateString("de-DE", { timeZone: "Asia/Tokyo" })', '7/4/2026'],
    ['new Date() instanceof Date', 'true'],
    ['new Date().constructor === Date', 'true'],
    ['new (class Day extends Date { day() { return this.getUTCDate() } })().day()', '4'],
    ['`${new Date()}`.length + JSON.stringify(new Date())', '62"2026-07-04T12:34:56.789Z"'],
    ['Date.length + Date.name', '7Date'],
    ['typeof Date.prototype.getYear + typeof Date.prototype.toTemporalInstant', 'undefinedundefined'],
  ])('%s is %s', (expression, text) => {
    expect(at(expression)).toBe(text)
  })

  it('follows the standard where the time zone does not matter', () => {
    const { ask } = isolateOf(handPolicy('date', 'return context(String(new Date(...params.args).getTime()))'))
    const numbers = fc.array(fc.oneof(fc.integer(), fc.integer({ min: -100, max: 3000 })), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(numbers, (args) => {
        const [only = 0] = args
        const expected = args.length === 1 ? new Date(only).getTime() : Date.UTC(...(args as [number]))
        expect(ask([0], { params: { args } })).toEqual([[{ context: String(expected) }]])
      }),
    )
  })
})

describe('there is no randomness and no other clock', () => {
  it.each([
    'Math.random()',
    'new Intl.DateTimeFormat()',
    'performance.now()',
    'Temporal.Now.instant()',
    'crypto.randomUUID()',
  ])('`%s` throws', (expression) => {
    expect(at(expression)).toContain('policyThrew')
  })

  it('explains why there is no `Math.random`', () => {
    expect(at('Math.random()')).toContain('policies are pure')
  })

  it.each([
    ['new Error("e").stack', 'policies have no stack traces'],
    ['(() => { const o = {}; Error.captureStackTrace(o); return o.stack })()', 'policies have no stack traces'],
    ['(1234567.891).toLocaleString("de-DE")', '1,234,567.891'],
    ['(12345678901234567890n).toLocaleString("de-DE")', '12,345,678,901,234,567,890'],
    ['[1234.5, new Date(0)].toLocaleString("de-DE").replace(/\\s/g, " ")', '1,234.5,1/1/1970, 12:00:00 AM'],
    ['"i".toLocaleUpperCase("tr")', 'I'],
    ['"I".toLocaleLowerCase("tr")', 'i'],
    ['["ä", "z", "a"].sort((a, b) => a.localeCompare(b, "sv"))', 'a,ä,z'],
    ['"a".localeCompare("A", "de", { sensitivity: "base" })', '0'],
  ])('%s is %s', (expression, text) => {
    expect(at(expression)).toBe(text)
  })
})

describe('the same in every time zone and locale', () => {
  // Pieces of dates, in any order: most are invalid, and the rest are parsed by the engine's own rules.
  const piece = fc.constantFrom(
    ...'2026-01-02|2026/10/25|2026-3-4|Mar 29 2026|29|2026|7|1 Jan|Sun|02:30|03:04:05.678|T02:30|24:00|12:00 AM|pm'.split(
      '|',
    ),
    ...' | |,|Z|UTC|GMT|GMT-0300|gmt+2|EST|PDT|+01:00|-0500|+5|(Z)|(UTC)|(a|T|t|+002026-01-02|-05:00| -|:|.|UT|et|1e3'.split(
      '|',
    ),
  )
  const texts = fc
    .sample(fc.array(piece, { minLength: 1, maxLength: 6 }), { numRuns: 1500, seed: 1 })
    .map((pieces) => pieces.join(''))
  const policy = handPolicy(
    'everywhere',
    `const d = new Date(2026, 2, 29, 2, 30), texts = ${JSON.stringify(texts)}
     return context(JSON.stringify([texts.map((text) => Date.parse(text)), d, String(d), d.toLocaleString(), d.getHours(), d.getTimezoneOffset(),
       (1e6).toLocaleString(), (10n ** 9n).toLocaleString(), [1e6].toLocaleString(), 'iI'.toLocaleUpperCase(), ['ö', 'z', 'o'].sort((a, b) => a.localeCompare(b))]))`,
  )
  const isolateFile = fileURLToPath(new URL('../../src/policy/sandbox/thread/isolate.ts', import.meta.url))
  const script = `
    import { PolicyIsolate } from ${JSON.stringify(isolateFile)}
    const isolate = new PolicyIsolate(${JSON.stringify(policyLoad(handLibrary, [policy]))})
    console.log(new Date(0).getTimezoneOffset())
    console.log(...isolate.evaluate([{ given: '0\\t[]', asked: '[[0,[],"{}"]]', input: ['{"event":{"name":"Stop"}}'], untilMs: Infinity }]))`
  const answerIn = (zone: string, locale: string) => {
    const env = { ...process.env, TZ: zone, LC_ALL: locale, LANG: locale }
    const [offset = '', text = ''] = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env,
      encoding: 'utf8',
    }).split('\n')
    return { offset, text: answersIn(text) }
  }

  it('whatever the settings of the process', () => {
    const utc = answerIn('UTC', 'C')
    const others = [
      answerIn('Asia/Tokyo', 'de_DE.UTF-8'),
      answerIn('America/New_York', 'tr_TR.UTF-8'),
      answerIn('Europe/Berlin', 'sv_SE.UTF-8'),
    ]
    expect(utc.text).toContain('context')
    expect(utc.text.match(/\d{12}/g)?.length).toBeGreaterThan(100)
    expect(others.map(({ text }) => text)).toEqual(others.map(() => utc.text))
    expect(new Set([utc, ...others].map(({ offset }) => offset)).size).toBe(4)
  })
})
