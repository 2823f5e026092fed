// How much memory does the resident gate take with all packs, and does it stay so?
//
// One gate and its sandbox, with every pack on, are asked about the commands of `bench/accuracy/own`, over and over, from
// 8 clients at once. Reported: proportional memory (PSS) of both after each tenth, and then at rest.
//
//   npm run build && node bench/soak.ts [decisions]
import { setTimeout as sleep } from 'node:timers/promises'
import { readOwnCorpus } from './accuracy/own.ts'
import { packNames } from './accuracy/judge.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal, table } from './support/markdown.ts'
import { descendants, pssKb } from './support/process-tree.ts'
import { residentGate } from './support/resident-gate.ts'

const decisions = Number(process.argv[2] ?? 100_000)
const clients = 8
const steps = 10
const goalMb = 180
/** Steps in which the heaps grow to their usual size, and what they may grow afterwards. */
const warming = 3
const growthMax = 1.1

const loadBefore = loadNow()
const commands = readOwnCorpus().flatMap(({ cmd }) => cmd ?? [])
const gate = residentGate({ packs: packNames.map((pack) => ({ pack })) })
try {
  gate.cli('up')
  const pid = await gate.pid()
  const rows = [measured('opened', pid)]
  for (let step = 1; step <= steps; step += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await ask((decisions / steps) * (step - 1), (decisions / steps) * step)
    rows.push(measured(`after ${((decisions / steps) * step).toLocaleString('en')}`, pid))
  }
  await sleep(5000)
  const rest = measured('at rest', pid)
  console.log(`${decisions.toLocaleString('en')} decisions. ${machine(loadBefore)}\n`)
  const cells = [...rows, rest].map(({ when, gateMb, sandboxMb, all }) => [when, gateMb, sandboxMb, all])
  console.log(table(['PSS, MB', 'gate', 'sandbox', 'both'], cells))
  const growth = rest.all / (rows[warming]?.all ?? Number.NaN)
  console.log(`\n${goal(`at most ${goalMb} MB at rest`, rest.all <= goalMb, rest.all.toFixed(0))}`)
  console.log(goal('no growth once warm', growth <= growthMax, `${growth.toFixed(2)} times`))
} finally {
  gate.close()
}

async function ask(from: number, to: number): Promise<void> {
  let next = from
  const client = async () => {
    while (next < to) {
      const at = next
      next += 1
      // oxlint-disable-next-line no-await-in-loop -- a client sends one event at a time
      const { status } = await gate.send(commands[at % commands.length] ?? '', `t${at}`)
      if (status !== 200) throw new Error(`decision ${at}: status ${status}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

function measured(when: string, pid: number) {
  const gateMb = pssKb(pid) / 1024
  const sandboxMb = descendants(pid).reduce((sum, one) => sum + pssKb(one), 0) / 1024
  return { when, gateMb, sandboxMb, all: gateMb + sandboxMb }
}
