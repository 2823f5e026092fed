import { execa } from 'execa'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { openRequests } from '../../src/service/server/ask-approvals.ts'
import { residentUser } from '../support/resident.ts'
import { hasTerminals, startInTerminal } from '../support/terminal.ts'
import { claudeShell } from '../support/wire.ts'

const program = fileURLToPath(new URL('../fixtures/forged-approval.ts', import.meta.url))

// Whoever reads the gate's key can sign an answer. What cannot be read is whose terminal a process has.
it.runIf(hasTerminals)(
  'a program that has read the gate’s key approves nothing: without a terminal, below an agent, or in another process’s name',
  async () => {
    const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }
    const user = residentUser({ 'home/.config/hookgate/hooks.json': rules, 'project/x': '' })
    await user.cli(['up'])
    const { places, env, folder } = user
    const wire = claudeShell('npm publish .', `${folder}/project`, { turn_id: 't', model: 'm' })
    const calling = askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
    await expect.poll(async () => (await openRequests(places))?.length).toBe(1)
    const [{ id, call } = { id: '', call: '' }] = (await openRequests(places)) ?? []
    const words = (channel: string) => [process.execPath, program, places.folder, id, call, channel]
    const alone = async (channel: string, pid?: number) => {
      const argv = ['--wait', ...words(channel), ...(pid === undefined ? [] : [`${pid}`])]
      return (await execa('setsid', argv, { env })).stdout
    }
    expect(await alone('terminal')).toContain('runs in no terminal')
    expect(await alone('page')).toContain('runs in no terminal')

    /** In a terminal, by a shell that has the name of another program. */
    const below = async (name: string, option = '', script = 'forge.sh') => {
      writeFileSync(join(folder, script), `${words('terminal').join(' ')}\necho the end\n`)
      writeFileSync(join(folder, 'agent.sh'), `exec -a '${name}' bash ${option} ${join(folder, script)}\n`)
      const terminal = startInTerminal(`bash ${join(folder, 'agent.sh')}`, { env, cwd: folder })
      let shown = ''
      terminal.stdout.on('data', (text: string) => (shown += text))
      await expect.poll(() => shown, { timeout: 120_000 }).toContain('the end')
      return shown
    }
    for (const name of ['codex', '/usr/local/bin/claude', '/opt/node_modules/@google/gemini-cli/dist/index.js']) {
      // oxlint-disable-next-line no-await-in-loop -- one terminal after the other
      expect([name, await below(name)]).toEqual([name, expect.stringMatching(/a program that [\w-]+ has started/)])
    }

    // As Gemini CLI starts itself.
    expect(await below('node', '--norc', 'gemini')).toMatch(/a program that gemini has started/)

    // A person's idle shell: its terminal is real, and the answer is not from it.
    const shell = startInTerminal('echo "pid $$"; sleep 60', { env, cwd: folder })
    let shown = ''
    shell.stdout.on('data', (text: string) => (shown += text))
    await expect.poll(() => shown).toMatch(/pid \d+/)
    const pid = Number(/pid (\d+)/.exec(shown)?.[1])
    expect(await alone('terminal', pid)).toContain('not come from the process that it names')

    expect(await openRequests(places)).toMatchObject([{ id }])
    await user.cli(['down'])
    expect((await calling).exitCode).toBe(2)
  },
)
