import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { built } from './built.ts'
import { descendants, rssKb } from './process-tree.ts'

const bin = built('cli/bin.js')

const policy = `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({
  id: 'refuses-all', description: 'Refuses whatever it is asked', on: 'PreToolUse', tool: 'shell',
  decide: ({ tool }) => deny('refused: ' + tool.command),
  examples: [{ name: 'any', given: { input: { command: 'x' } }, want: 'deny' }],
})
`

/**
 * Creates a gate for a separate user folder.
 *
 * @param rules what its rules file holds; without, there is one policy, whose refusal names the command
 */
export function residentGate(rules?: object) {
  const home = mkdtempSync(join(tmpdir(), 'hookgate-bench-'))
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, HOOKGATE_HOME: join(home, 'state') }
  const policies = join(home, '.config', 'hookgate', 'policies')
  mkdirSync(policies, { recursive: true })
  if (rules === undefined) writeFileSync(join(policies, 'refuses-all.policy.ts'), policy)
  else writeFileSync(join(policies, '..', 'hooks.json'), JSON.stringify(rules))
  const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home })
  const cli = (...argv: readonly string[]) => execFileSync(process.execPath, [bin, ...argv], { env, encoding: 'utf8' })

  /** Asks about a shell command. */
  function send(command: string, id: string) {
    const event = {
      session_id: 'bench',
      transcript_path: '/t.jsonl',
      cwd: '/',
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: id,
    }
    return askGate(places, { to: 'hook', agent: 'claude-code', body: JSON.stringify(event), timeoutMs: 60_000 })
  }

  /** Returns true if the policy itself has refused the command of that id. */
  async function ask(id: string): Promise<boolean> {
    const { exitCode, stdout } = await send(`command-${id}`, id)
    return exitCode === 2 && stdout.includes(`refused: command-${id}`)
  }

  return {
    env,
    places,
    cli,
    send,
    ask,
    async pid(): Promise<number> {
      const { stdout } = await askGate(places, { to: 'status' })
      return Number(/"pid":(\d+)/.exec(stdout)?.[1])
    },
    close() {
      cli('down')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Measures the resources of a process and its descendants. */
export function footprint(pid: number) {
  const started = descendants(pid)
  const megabytes = (kb: number) => kb / 1024
  return {
    gateMb: megabytes(rssKb(pid)),
    allMb: megabytes([pid, ...started].reduce((sum, one) => sum + rssKb(one), 0)),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    processes: 1 + started.length,
  }
}
