// Writes docs/pictures/init-to-uninstall.txt: what a person sees between `init` and `uninstall` in a fresh home, by real
// commands in a terminal, with how long each took.
//
//   npm run build && node test/docs/write-recording.ts
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTerminal } from '../support/terminal.ts'
import { root } from './pages.ts'

/** What the person has time for. */
const wholeSecondsMax = 60

const home = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-recording-')))
const project = join(home, 'shop')
// As it was built: what runs from the sources takes ten times as long to start.
const bin = join(root, 'dist/cli/bin.js')
const env = { PATH: process.env['PATH'] ?? '', HOME: home }
let seconds = 0

try {
  mkdirSync(project)
  for (const folder of ['.claude', '.cursor']) mkdirSync(join(home, folder))
  execFileSync('git', ['init', '--quiet', project])
  const before = filesOf(home)
  const init = await shown(['init'], 'y\n')
  const explain = await shown(['explain', 'git push --force'])
  const call = agentCalls('git push --force origin main')
  const id = /hookgate allow (\w+)/.exec(call)?.[1] ?? ''
  const rest = [
    await shown(['log']),
    await shown(['allow', id, '--once']),
    agentCalls('git push --force origin main'),
    await shown(['uninstall'], 'y\n'),
  ]
  const left = filesOf(home)
  if (left.join() !== before.join()) throw new Error(`uninstall left ${left.join(', ')}`)
  const text = [init, explain, call, ...rest].join('\n').replaceAll(home, '/home/you').replaceAll(root, '/hookgate/')
  writeFileSync(join(root, 'docs/pictures/init-to-uninstall.txt'), `${text}\n${seconds.toFixed(0)} s of waiting\n`)
  // A busy machine says nothing of a quiet one: what is written then is for whoever looks at it, and is not kept.
  if (seconds > wholeSecondsMax) process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Runs a command in a terminal, and returns what the person sees. */
async function shown(argv: readonly string[], typed = ''): Promise<string> {
  const start = performance.now()
  const { shown: text } = await inTerminal(argv, { cwd: project, env, typed, bin })
  return timed(
    `$ hookgate ${argv.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`,
    start,
    text.replace(/^y\n/, '').replace(/exit \d+\n$/, ''),
  )
}

/** Has Claude Code ask about a command, as its hook does. */
function agentCalls(command: string): string {
  const start = performance.now()
  const event = {
    session_id: 'recording',
    hook_event_name: 'PreToolUse',
    cwd: project,
    tool_name: 'Bash',
    tool_input: { command },
    transcript_path: join(home, 'session.jsonl'),
  }
  const { stderr } = spawnSync(process.execPath, [bin, 'run', '--agent', 'claude-code'], {
    cwd: project,
    env,
    input: JSON.stringify(event),
    encoding: 'utf8',
  })
  return timed(`● Claude Code: Bash(${command})`, start, stderr === '' ? 'passes\n' : stderr)
}

function timed(title: string, start: number, text: string): string {
  const took = (performance.now() - start) / 1000
  seconds += took
  return `${title}   (${took.toFixed(1)} s)\n${text.replaceAll('\r', '')}`
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('shop'))
    .toSorted()
}
