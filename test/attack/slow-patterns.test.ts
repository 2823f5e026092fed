import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Node, parse } from 'acorn'
import { describe, expect, it } from 'vitest'
import { sampleOf } from '../support/sample.ts'

// A pattern that tries again from each character of a text, or divides it in many ways, holds up the gate for minutes
// where the model, a repository or a hook wrote the text. Each pattern of `src` reads texts made of what it names itself:
// one that takes more than linear time takes hundreds of milliseconds for a few thousand characters.

/** Patterns for texts that are short, or hookgate's own. */
const exempt: Readonly<Record<string, string>> = {
  'facts/programs/may-start.ts': 'the 64 characters before a word',
  'mask/forms.ts': 'its own forms of secrets',
  'mask/place.ts': 'the 64 characters before a value',
  'mask/value.ts': 'the 64 characters before a value',
  'agents/codex/index.ts': 'a file that a person imports',
  'agents/codex/transcript.ts': 'paths of files that there are',
  'agents/copilot-cli/transcript.ts': 'paths of files that there are',
  'agents/droid/transcript.ts': 'paths of files that there are',
  'agents/claude-code/index.ts': 'the text of a hook, of which `check` reads 64 KB',
  'facts/impacts/texts/sql.ts': 'the first 8,192 characters of a text',
  'facts/impacts/texts/mongo-and-redis.ts': 'the first 8,192 characters of a script',
  'facts/impacts/readers/inline-code.ts': 'the first 8,192 characters of a code',
  'facts/impacts/code/sdk.ts': 'the first 8,192 characters of a code',
  'facts/impacts/edits/lost-guards.ts': 'the first 1,000 characters of a line',
  'facts/impacts/edits/refusals.ts': 'the first 1,000 characters of a line, and 16 lines',
  'rules/match/pattern.ts': 'the first 200 characters of a matcher',
  'install/doctor/faults.ts': 'a settings file of the person',
  'words/counted.ts': 'the digits of a number',
  'policy/testing/mutants/patterns.ts': 'a quantifier of a policy under test',
}

const source = fileURLToPath(new URL('../../src', import.meta.url))
/** The page's patterns run in the browser of the person who reads it. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith(join('ui', 'page')),
)

/** Lengths of the texts: they grow slowly, so that a pattern that takes exponential time shows before it takes hours. */
const lengths = [24, 32, 40, 52, 68, 90, 120, 160, 220, 300, 600, 9000]
/** CPU time of one text, ms. The slowest linear pattern takes a tenth of it. */
const slowMs = 12

describe('no pattern of src takes long for a long text', () => {
  const patterns = files.filter((file) => !(file in exempt)).flatMap((file) => patternsIn(file))

  it.each(sampleOf(patterns, 12))('$place $pattern', ({ pattern }) => {
    expect(slowTextOf(pattern)).toBeUndefined()
  })

  it.each([/\/+$/, /\{.*,.*\}/s, /"(?:[^"]|\$\w+)*"/y, /(["'])(?:\\.|(?!\1).)*\1/g])(
    'finds that %s does',
    (pattern) => {
      expect(slowTextOf(pattern)).toBeDefined()
    },
  )
})

function patternsIn(file: string): readonly { place: string; pattern: RegExp }[] {
  const text = stripTypeScriptTypes(readFileSync(join(source, file), 'utf8'))
  const found: { place: string; pattern: RegExp }[] = []
  visit(parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }))
  return found

  function visit(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    if (isPattern(node)) {
      const { regex, loc } = node
      found.push({ place: `src/${file}:${loc?.start.line}`, pattern: new RegExp(regex.pattern, regex.flags) })
    } else Object.values(node).forEach(visit)
  }
}

const isPattern = (node: object): node is Node & { regex: { pattern: string; flags: string } } => 'regex' in node

/** Returns the beginning of a text for which a pattern takes long; `undefined` if there is none. */
function slowTextOf(pattern: RegExp): string | undefined {
  const pieces = piecesOf(pattern.source)
  const first = pieces[0]?.charAt(0) ?? ''
  for (const length of lengths) {
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(length / piece.length))
      for (const [before, after] of [
        ['', ''],
        ['', '\u0001'],
        ['', '\n\u0001'],
        [first, '\u0001'],
        ['a', 'a'],
      ] as const) {
        const whole = before + text + after
        if (costMs(pattern, whole) > slowMs && costMs(pattern, whole) > slowMs) return `${before}${piece.repeat(3)}…`
      }
    }
  }
  return undefined
}

/** Returns the CPU time that a pattern takes for a text: as often as it matches, if it is global. */
function costMs(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0
  const before = process.threadCpuUsage()
  if (pattern.global && !pattern.sticky) text.replace(pattern, '')
  else pattern.test(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Returns texts that a pattern may match in part: its characters, its runs of them, and pairs of these. */
function piecesOf(text: string): readonly string[] {
  const shown: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', n: '\n', t: '\t', r: '\r', b: '', B: '' }
  // What is escaped is moved out of the way, so that it is not taken for a mark of the pattern.
  const moved = text
    .replaceAll(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(')
    .replaceAll(/\\u\{?([\da-f]{4,6})\}?|\\([^u])/gi, (_, code?: string, char?: string) =>
      code === undefined ? movedOut(shown[char ?? ''] ?? char ?? '') : String.fromCodePoint(parseInt(code, 16)),
    )
  const runs = moved.split(/[()|*+?{}^$.[\]]+/).flatMap((run) => (run === '' ? [] : [movedBack(run)]))
  const own = runs.flatMap((run) => [run].concat(run.split('')))
  const single = [...new Set([...own.slice(0, 1), ' ', 'a', '1', '/', '\n', ...own])].slice(0, 16)
  const pairs = single.flatMap((one) => single.slice(0, 8).flatMap((other) => (one === other ? [] : [one + other])))
  return [...single, ...pairs.filter((_, at) => at % Math.ceil(pairs.length / 40) === 0)]
}

const movedBy = 0xe000
const movedOut = (char: string) => char && String.fromCharCode(char.charCodeAt(0) + movedBy)
const movedBack = (run: string) =>
  run.replaceAll(/[\ue000-\ue0ff]/g, (char) => String.fromCharCode(char.charCodeAt(0) - movedBy))
