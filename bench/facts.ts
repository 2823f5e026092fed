// What do the facts of a shell command cost?
//
// Every command of a folder of labelled rows (`--corpus DIR`, as `accuracy` takes them), or without one the commands
// that the tests have, on a warm process: p50 and p99 over all commands and rounds, in µs, beside the floor of parsing
// alone. `--fuzz N` runs that many random texts instead, and reports the slowest.
//
//   node bench/facts.ts [--corpus DIR] [--rounds N]
//   node bench/facts.ts --fuzz N [--seed N]
import { parseArgs } from 'node:util'
import { parse } from 'unbash'
import { shellFacts } from '../src/facts/shell/shell-facts.ts'
import { brokenCommand, seeded, shellCommands } from '../test/support/shell-inputs.ts'
import { readCorpus } from './accuracy/corpus.ts'
import { summary } from './support/statistics.ts'

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    rounds: { type: 'string', default: '20' },
    fuzz: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] }

const commands = values.corpus === undefined ? shellCommands : commandsIn(values.corpus)
if (commands.length > 0) {
  if (values.fuzz === undefined) measure(Number(values.rounds))
  else fuzz(Number(values.fuzz), seeded(Number(values.seed)))
}

/** Reads the commands of a folder. If they cannot be read, it reports that, fails, and returns none. */
function commandsIn(folder: string): readonly string[] {
  try {
    const found = readCorpus(folder).flatMap(({ cmd }) => cmd ?? [])
    if (found.length === 0) throw new Error(`no row in ${folder} has a \`cmd\``)
    return found
  } catch (error) {
    console.error(`facts: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
    return []
  }
}

function measure(rounds: number): void {
  // V8 optimizes code after some thousand runs.
  const warmRounds = Math.ceil(20_000 / commands.length)
  console.log(`${commands.length} commands, ${rounds} rounds`)
  const report = (name: string, task: (command: string) => unknown) => {
    const times: number[] = []
    for (let round = -warmRounds; round < rounds; round += 1) {
      for (const command of commands) {
        const startedAt = performance.now()
        task(command)
        if (round >= 0) times.push((performance.now() - startedAt) * 1000)
      }
    }
    const { p50, p99 } = summary(times)
    console.log(`${name.padEnd(28)} p50 ${p50.toFixed(1).padStart(7)} µs   p99 ${p99.toFixed(1).padStart(7)} µs`)
    return p50
  }
  const floor = report('floor: unbash.parse', parse)
  const facts = report('shellFacts', (command) => shellFacts(command, around))
  console.log(`shellFacts takes ${(facts / floor).toFixed(1)} times the floor`)
}

/** Analyses random texts. Any exception ends the bench. */
function fuzz(count: number, below: (limit: number) => number): void {
  let slowest = { ms: 0, text: '' }
  let failed = 0
  const heapBefore = process.memoryUsage().heapUsed
  for (let at = 0; at < count; at += 1) {
    const text = brokenCommand(below, commands)
    const startedAt = performance.now()
    const { uncertain } = shellFacts(text, around)
    const ms = performance.now() - startedAt
    if (ms > slowest.ms) slowest = { ms, text }
    if (!uncertain.some((what) => what.startsWith('the command cannot be followed'))) continue
    failed += 1
    if (failed < 5) console.log(`fails: ${uncertain.join('; ')} on ${JSON.stringify(text.slice(0, 500))}`)
  }
  const grownMb = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20
  console.log(`${count} texts, ${failed} that could not be followed, heap grown by ${grownMb.toFixed(1)} MB`)
  console.log(`slowest: ${slowest.ms.toFixed(1)} ms on ${JSON.stringify(slowest.text.slice(0, 400))}`)
  if (failed > 0) process.exitCode = 1
}
