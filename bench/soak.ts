// How much memory does the resident gate take with all packs, and does it stay so?
//
// One gate and its sandbox, with every pack on, are asked about the commands of `bench/accuracy/own`, over and over, from
// 8 clients at once. Reported as it goes: proportional memory (PSS) of both after each tenth, and then at rest. With
// seconds given, a tenth ends after a tenth of them, however few decisions were made.
//
//   npm run build && node bench/soak.ts [decisions] [seconds]
import { setTimeout as sleep } from 'node:timers/promises'
import { readOwnCorpus } from './accuracy/own.ts'
import { packNames } from './accuracy/judge.ts'
import { loadNow, machine } from './support/machine.ts'
import { goal } from './support/markdown.ts'
import { descendants, pssKb } from './support/process-tree.ts'
import { residentGate } from './support/resident-gate.ts'

const decisions = Number(process.argv[2] ?? 100_000)
const secondsMax = Number(process.argv[3] ?? Infinity)
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
  console.log(`${machine(loadBefore)}\n`)
  const rows = [measured('opened', pid)]
  let asked = 0
  for (let step = 1; step <= steps; step += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    asked = await ask(asked, asked + decisions / steps, performance.now() + (secondsMax / steps) * 1000)
    rows.push(measured(`after ${asked.toLocaleString('en')}`, pid))
  }
  await sleep(5000)
  const rest = measured('at rest', pid)
  const growth = rest.all / (rows[warming]?.all ?? Number.NaN)
  console.log(`\n${goal(`at most ${goalMb} MB at rest`, rest.all <= goalMb, rest.all.toFixed(0))}`)
  console.log(goal('no growth once warm', growth <= growthMax, `${growth.toFixed(2)} times`))
} finally {
  gate.close()
}

/** Asks until the count or the time is reached. Returns how many were asked in all. */
async function ask(from: number, to: number, untilMs: number): Promise<number> {
  let next = from
  const client = async () => {
    while (next < to && performance.now() < untilMs) {
      const at = next
      next += 1
      // oxlint-disable-next-line no-await-in-loop -- a client sends one event at a time
      const { isAnswer } = await gate.send(commands[at % commands.length] ?? '', `t${at}`)
      if (!isAnswer) throw new Error(`decision ${at} was refused`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return next
}

function measured(when: string, pid: number) {
  const gateMb = pssKb(pid) / 1024
  const sandboxMb = descendants(pid).reduce((sum, one) => sum + pssKb(one), 0) / 1024
  const all = gateMb + sandboxMb
  const [gateText, sandboxText, allText] = [gateMb, sandboxMb, all].map((mb) => mb.toFixed(0).padStart(4))
  console.log(`${when.padEnd(16)} gate ${gateText} MB, sandbox ${sandboxText} MB, both ${allText} MB`)
  return { when, gateMb, sandboxMb, all }
}
