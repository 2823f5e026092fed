import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'
import type { Verdict } from '../../src/library/index.ts'
import { Row } from './corpus.ts'
import type { Judge } from './judge.ts'
import { placeOf } from './row-event.ts'

/** One line of a dump: a call, the facts of its shell command, and each policy’s effect. */
const DumpLine = z.strictObject({
  row: Row,
  facts: z.json(),
  /** `pack/policy` → effect, or `failed: <code>`; and `decision`, the decision of all packs together. */
  verdicts: z.record(z.string(), z.string()),
})
type DumpLine = z.infer<typeof DumpLine>

/** How many calls are decided at the same time: enough to keep the sandbox's threads busy. */
const inFlightMax = 32

/** Writes one line of JSON for each row, in order. Returns the number of lines. */
export async function writeDump(file: string, rows: readonly Row[], judge: Judge): Promise<number> {
  const lines = await dumpLines(rows, judge)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return lines.length
}

/** Differences from an earlier dump. */
export interface DumpDifferences {
  readonly rows: number
  /** Rows whose verdicts differ, with both. */
  readonly verdicts: readonly string[]
  /** Rows whose facts differ in more than the wording of `uncertain`, with the first difference. */
  readonly facts: readonly string[]
  /** Rows that differ only in the wording of `uncertain`. */
  readonly wording: readonly string[]
}

/**
 * Judges the rows of a dump again.
 *
 * @throws Error naming the file and the invalid line
 */
export async function diffDump(file: string, judge: Judge): Promise<DumpDifferences> {
  const before = readDump(file)
  const after = await dumpLines(
    before.map(({ row }) => row),
    judge,
  )
  const verdicts: string[] = []
  const facts: string[] = []
  const wording: string[] = []
  for (const [index, old] of before.entries()) {
    const now = after[index]
    if (now === undefined) continue
    const name = nameOf(old.row)
    const changed = changedVerdicts(old.verdicts, now.verdicts)
    if (changed.length > 0) verdicts.push(`${name}\n    ${changed.join('\n    ')}`)
    if (JSON.stringify(old.facts) === JSON.stringify(now.facts)) continue
    const difference = firstDifference(withoutWording(old.facts), withoutWording(now.facts), 'facts')
    if (difference === undefined) wording.push(name)
    else facts.push(`${name}\n    ${difference}`)
  }
  return { rows: before.length, verdicts, facts, wording }
}

function readDump(file: string): readonly DumpLine[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line === '') return []
      const parsed = DumpLine.safeParse(JSON.parse(line))
      if (!parsed.success) throw new Error(`${file}:${index + 1} is no line of a dump: ${parsed.error.message}`)
      return [parsed.data]
    })
}

async function dumpLines(rows: readonly Row[], judge: Judge): Promise<readonly DumpLine[]> {
  const lines: DumpLine[] = []
  for (let at = 0; at < rows.length; at += inFlightMax) {
    const batch = rows.slice(at, at + inFlightMax)
    // oxlint-disable-next-line no-await-in-loop -- the next batch starts when this one is done, to bound what is in flight
    lines.push(...(await Promise.all(batch.map((row) => dumpLine(row, judge)))))
  }
  return lines
}

async function dumpLine(row: Row, judge: Judge): Promise<DumpLine> {
  const { cwd, home } = placeOf(row)
  const facts = row.cmd === undefined ? null : shellFacts(row.cmd, { cwd, home, workspaceRoots: [cwd] })
  const verdicts = verdictsOf(await judge.allowed(row))
  // Converted through JSON, so that only values that a dump can hold are compared.
  return DumpLine.parse(JSON.parse(JSON.stringify({ row, facts, verdicts })))
}

function verdictsOf({ decision, evaluations }: Verdict): Record<string, string> {
  const spoke = evaluations.flatMap((one): (readonly [string, string])[] => {
    // A rule's id begins with the file that enabled its pack, whose path changes with each run.
    const name = one.ruleId.split('/').slice(-2).join('/')
    if (one.kind === 'indeterminate') return [[name, `failed: ${one.failure.code}`]]
    return one.kind === 'applicable' ? [[name, one.effect ?? 'no effect']] : []
  })
  return Object.fromEntries([['decision', decision] as const, ...spoke])
}

function nameOf({ source, id, cmd, tool, input }: Row): string {
  const call = JSON.stringify(cmd ?? { tool, input })
  return `${source}:${id}  ${call.length > 300 ? `${call.slice(0, 300)}…` : call}`
}

function changedVerdicts(before: DumpLine['verdicts'], after: DumpLine['verdicts']): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name] ?? 'abstain'} -> ${after[name] ?? 'abstain'}`)
}

type Json = z.infer<ReturnType<typeof z.json>>

/** Replaces each list of `uncertain` by its length: its wording is for people. */
function withoutWording(facts: Json): Json {
  if (Array.isArray(facts)) return facts.map(withoutWording)
  if (typeof facts !== 'object' || facts === null) return facts
  const entries = Object.entries(facts).map(([key, value]) => [
    key,
    key === 'uncertain' && Array.isArray(value) ? value.length : withoutWording(value),
  ])
  return Object.fromEntries(entries) as Json
}

/** Describes the first difference between two values, in one line. */
function firstDifference(before: Json, after: Json, path: string): string | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
    for (const key of new Set([...left.keys(), ...right.keys()])) {
      const difference = firstDifference(left.get(key) ?? null, right.get(key) ?? null, `${path}.${key}`)
      if (difference !== undefined) return difference
    }
  }
  return `${path}: ${shortened(before)} -> ${shortened(after)}`
}

const isContainer = (value: Json): value is Json[] | Record<string, Json> => typeof value === 'object' && value !== null
const shortened = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
