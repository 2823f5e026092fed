// What does a decision with all packs cost, on the commands of a day's work?
//
// One gate with every pack on, in a workspace that exists; the commands are the harmless ones of the project's own corpus,
// or all of a folder of labelled rows (`--corpus DIR`, as `accuracy` takes them). A round decides each once, in shuffled
// order; reported are the medians over all rounds of each round's percentiles, and the CPU time of the gate with its
// sandbox. In the same run: the facts alone, and a hook in Bash and `cc-safety-net`, which are started for each command, as
// agents do. Then each policy alone, in an isolate like the sandbox's, on the commands that it is interested in.
//
//   node bench/packs.ts [--corpus DIR] [--rounds N]
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { impactsIn } from '../src/facts/impacts/read-impacts.ts'
import { shellFacts } from '../src/facts/shell/shell-facts.ts'
import { createGate, type HookEvent } from '../src/library/index.ts'
import { policyInput } from '../src/policy/policy-input.ts'
import { readCorpus } from './accuracy/corpus.ts'
import { readOwnCorpus } from './accuracy/own.ts'
import { wireOf } from './accuracy/row-event.ts'
import { bashHook } from './peers/spawned.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, significant, table } from './support/markdown.ts'
import { type PolicyCost, policyCosts } from './support/pack-policies.ts'
import { cpuMs } from './support/process-tree.ts'
import { ran } from './support/spawned.ts'
import { median, shuffled, type Summary, summary } from './support/statistics.ts'

const options = { corpus: { type: 'string' }, rounds: { type: 'string', default: '9' } } as const
const { values } = parseArgs({ options })
const rounds = Number(values.rounds)
/** The hook of another gate for shell commands, in Node too. */
const peer = fileURLToPath(new URL('bin/cc-safety-net.js', import.meta.resolve('cc-safety-net')))
const policies = fileURLToPath(new URL('../policies', import.meta.url))
const loadBefore = loadNow()
/** Commands that are decided in one round: the run ends after about a minute. */
const commandsMax = 400
/** Of programs that are started for each command, as many a round. */
const startsMax = 10
/** Commands on which each policy is measured alone. */
const aloneMax = 60

const folder = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
try {
  await main()
} finally {
  rmSync(folder, { recursive: true })
}

interface Subject {
  readonly command: string
  readonly json: string
  readonly event: HookEvent
}

async function main(): Promise<void> {
  // `data-flow` looks back at a session, which commands of different days are not: `bench/state.ts` measures that.
  const packs = readdirSync(policies).filter(
    (name) => name !== 'data-flow' && existsSync(join(policies, name, 'pack.json')),
  )
  writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ packs: packs.map((pack) => ({ pack })) }))
  const gate = createGate({ rules: [join(folder, 'hooks.json')], discover: false, home: folder, env: { HOME: folder } })
  try {
    const subjects = await Promise.all(
      commands().map(async (command): Promise<Subject> => {
        const json = wireOf({ source: 'bench', id: '', expect: 'scan', cmd: command, cwd: folder })
        return { command, json, event: await gate.decode(json, { agent: 'claude-code' }) }
      }),
    )
    const around = { cwd: folder, home: folder, workspaceRoots: [folder] }
    const bash = bashHook(100, folder)
    const decide = async ({ event }: Subject) => {
      const failed = (await gate.decide(event)).evaluations.find(({ kind }) => kind === 'indeterminate')
      if (failed !== undefined) throw new Error(JSON.stringify(failed))
    }
    const starts = subjects.slice(0, startsMax)
    const measures: readonly (readonly [name: string, all: readonly Subject[], run: (one: Subject) => unknown])[] = [
      ['a decision, all packs', subjects, decide],
      ['of it the facts', subjects, ({ command }) => impactsIn(shellFacts(command, around))],
      ['a hook in Bash, started', starts, ({ json, event }) => bash.decide({ json, line: `${json}\n`, event })],
      [
        '`cc-safety-net`, started',
        starts,
        ({ json }) => ran([process.execPath, peer, '--claude-code'], Buffer.from(json)),
      ],
    ]
    const taken = measures.map((): Summary[] => [])
    const cpu: number[] = []
    // oxlint-disable no-await-in-loop -- one after the other is the measurement
    for (const [, all, run] of measures) await timed(all, run)
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, [, all, run]] of measures.entries()) {
        const before = cpuMs()
        taken[at]?.push(summary(await timed(shuffled(all), run)))
        if (at === 0) cpu.push(((cpuMs() - before) / all.length) * 1000)
      }
    }
    // oxlint-enable no-await-in-loop
    const rows = measures.map(([name], at) => Object.assign({ name }, medians(taken[at] ?? [])))
    const costs = policyCosts(
      policies,
      subjects.slice(0, aloneMax).map(({ command, event }) => {
        const shell = shellFacts(command, around)
        const facts = {
          shell,
          paths: shell.commands.flatMap(({ paths }) => paths),
          changes: [],
          impacts: impactsIn(shell),
        }
        return { facts, input: JSON.stringify(policyInput(event, facts)) }
      }),
      3,
    )
    console.log(report(subjects.length, rows, median(cpu), costs))
  } finally {
    await gate.close()
  }
}

/** Returns commands of everyday work: evenly taken, if there are more than fit into a round. */
function commands(): readonly string[] {
  const all =
    values.corpus === undefined
      ? readOwnCorpus().flatMap(({ label, cmd }) => (label === 'everyday' ? (cmd ?? []) : []))
      : readCorpus(values.corpus).flatMap(({ cmd }) => cmd ?? [])
  const every = Math.ceil(all.length / commandsMax)
  return all.filter((_, at) => at % every === 0)
}

/** Returns the µs of each. */
async function timed(all: readonly Subject[], run: (one: Subject) => unknown): Promise<readonly number[]> {
  const taken: number[] = []
  for (const one of all) {
    const startedAt = performance.now()
    const answered = run(one)
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the measurement
    if (answered instanceof Promise) await answered
    taken.push((performance.now() - startedAt) * 1000)
  }
  return taken
}

function medians(all: readonly Summary[]): Summary {
  const of = (key: keyof Summary) => median(all.map((one) => one[key]))
  return { p50: of('p50'), p95: of('p95'), p99: of('p99') }
}

function report(
  count: number,
  rows: readonly (Summary & { readonly name: string })[],
  cpuUs: number,
  costs: readonly PolicyCost[],
): string {
  const [decision] = rows
  const dearest = costs.toSorted((a, b) => b.share - a.share).slice(0, 10)
  const ms = (us = Number.NaN) => `${significant(us / 1000)} ms`
  return [
    `${count} commands, ${rounds} rounds, µs: medians of the rounds’ percentiles`,
    table(
      ['', 'p50', 'p95', 'p99'],
      rows.map(({ name, p50, p95, p99 }) => [name, p50, p95, p99]),
    ),
    `CPU time of a decision, gate and sandbox: ${significant(cpuUs)} µs`,
    `The ten policies with the largest part of a mean decision, of ${costs.length}, each alone, µs:`,
    table(
      ['', 'asked about', 'p50', 'p95', 'p99'],
      dearest.map(({ name, asked, p50, p95, p99 }) => [name, `${asked}/${aloneMax}`, p50, p95, p99]),
    ),
    [
      goal('a decision takes at most 0.6 ms at p50', (decision?.p50 ?? Number.NaN) <= 600, ms(decision?.p50)),
      goal('and at most 3 ms at p99', (decision?.p99 ?? Number.NaN) <= 3000, ms(decision?.p99)),
    ].join('\n'),
    machine(loadBefore),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
