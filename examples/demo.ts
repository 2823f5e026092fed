// Shows hookgate's decisions on two real events: `npm run demo`.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { type AgentName, createGate, type Evaluation, type Gate } from '../src/library/index.ts'

const examples = fileURLToPath(new URL('.', import.meta.url))
const project = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-demo-')))
cpSync(join(examples, 'hooks'), join(project, 'hooks'), { recursive: true })
writeFileSync(join(project, 'tsconfig.json'), '{}\n')

const eventOf = (agent: AgentName) =>
  readFileSync(join(examples, 'events', `${agent}.json`), 'utf8').replace('PROJECT', project)
const ms = (duration: number) => `${duration.toFixed(0)} ms`

async function show(gate: Gate, agent: AgentName, title: string): Promise<void> {
  const startedAt = performance.now()
  const answered = await gate.answer(eventOf(agent), { agent })
  const elapsedMs = performance.now() - startedAt
  const { verdict, stdout, exitCode } = answered
  if (verdict === undefined) throw new Error(answered.stderr)
  const oneByOneMs = verdict.evaluations.reduce((sum, { durationMs }) => sum + durationMs, 0)

  console.log(`\n${styleText('bold', title)}`)
  for (const evaluation of verdict.evaluations) console.log(`  ${line(evaluation)}`)
  const who = verdict.determining.map(hookName).join(', ')
  console.log(`  verdict  ${styleText(verdict.cancel ? 'red' : 'green', verdict.decision)}, cancelled by ${who}`)
  console.log(`  slowest  ${hookName(verdict.slowest?.ruleId ?? '')}, ${ms(verdict.slowest?.durationMs ?? 0)}`)
  console.log(
    `  time     ${ms(elapsedMs)} side by side, ${ms(oneByOneMs)} one by one: ${ms(oneByOneMs - elapsedMs)} saved`,
  )
  console.log(`  answer   exit code ${exitCode}, stdout ${stdout.trim()}`)
}

/** Returns a hook's name by its rule's id: `…/hooks.json/no-force-push`. */
const hookName = (ruleId: string) => ruleId.slice(ruleId.lastIndexOf('/') + 1)

function line(evaluation: Evaluation): string {
  const name = hookName(evaluation.ruleId).padEnd(22)
  const said = evaluation.kind === 'applicable' ? (evaluation.effect ?? 'adds context') : 'says nothing'
  return `${name}${said.padEnd(14)}${ms(evaluation.durationMs).padStart(7)}`
}

const gate = createGate({ rules: [relative('.', join(examples, 'hooks.json'))], discover: false, placement: 'caller' })
try {
  // An agent's session has a warm gate. The start of its worker thread must not count as the hooks' time.
  await gate.answer(eventOf('cline'))
  await show(gate, 'claude-code', 'Claude Code wants to run: git push --force origin main')
  await show(gate, 'cline', 'Cline wants to write: src/cart.js, into a TypeScript project')
} finally {
  await gate.close()
  rmSync(project, { recursive: true })
}
