import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endings } from '../../src/service/client/endings.ts'
import type { Report } from '../../src/install/doctor/examine.ts'
import { agentUser } from '../support/enabling.ts'
import { liveProcesses, until } from '../support/processes.ts'
import { folderWith, rulesWith } from '../support/workspace.ts'

const patience = { timeout: 120_000 }

describe('hookgate doctor', () => {
  it('proves what an enabled agent sees, and leaves the gate, the rules and the settings alone', patience, async () => {
    const user = agentUser({ 'home/.config/hookgate/hooks.json': rulesWith('PreToolUse', 'true') })
    await user.cli(['enable', 'cline'])
    await user.cli(['up'])
    const before = { home: user.files('home'), gate: await user.status() }

    const { stdout, stderr, exitCode } = await user.cli(['doctor', 'cline', '--json'])
    const report = JSON.parse(stdout) as Report
    const amiss = {
      findings: report.findings.filter(({ state }) => state === 'notSafe'),
      results: report.rows.flatMap(({ id, results }) =>
        results.filter(({ kind }) => kind !== 'ok').map(({ agent, why }) => ({ id, agent, why })),
      ),
    }
    expect({ exitCode, ok: report.ok, stderr, ...amiss }).toEqual({
      exitCode: 0,
      ok: true,
      stderr: '',
      findings: [],
      results: [],
    })
    expect(report.rows.map(({ id, results }) => [id, ...results.map(({ agent }) => agent)])).toEqual(
      ['gate-absent', 'gate-stopped', 'gate-busy', 'rules-malformed', 'client-gone'].map((id) => [id, 'cline']),
    )
    const found = report.findings.map(({ what }) => what).join('\n')
    expect(found).toContain('the gate is running')
    expect(found).toContain('1 rule loads')
    expect(found).toMatch(/Cline asks hookgate by the \w+ client; the gate answered in \d+ ms/)

    expect(user.files('home')).toEqual(before.home)
    expect(await user.status()).toMatchObject({ running: true, ...('pid' in before.gate && { pid: before.gate.pid }) })
    await user.cli(['down'])
    expect(await until(() => liveProcesses(user.tag).length === 0)).toBe(true)
  })

  it('says NOT SAFE where the hook that is installed lets the agent go ahead', patience, async () => {
    const user = agentUser()
    await user.cli(['enable', 'cline'])
    // A client that treats every silence as an answer.
    const yes = join(folderWith({ yes: `#!/bin/sh\ncat > /dev/null\nexit ${endings.answered}\n` }), 'yes')
    chmodSync(yes, 0o755)
    // The system's documents folder, and the one that Cline reads as well.
    for (const [file, text] of Object.entries(user.files('home'))) {
      const client = /^(?:\[ -e \S+ \] && )*HOOKGATE_HOME=\S+ (?:\w+=\S* )*(\S+)/m.exec(text)?.[1]
      if (client !== undefined) writeFileSync(file, text.replaceAll(` ${client} `, ` ${yes} `))
    }
    const scratches = () => readdirSync(tmpdir()).filter((name) => name.startsWith('hookgate-doctor-'))
    const others = scratches()

    const { stdout, exitCode } = await user.cli(['doctor', 'cline'])
    expect(exitCode).toBe(1)
    expect(stdout).toContain('NOT SAFE  Cline does not ask hookgate\n')
    expect(stdout).toMatch(
      /^ {2}NOT SAFE {2}the gate is at full capacity +a refusal that says so\n {12}Cline: it goes ahead/m,
    )
    expect(stdout).toMatch(/^ {2}NOT SAFE {2}the gate is not running/m)
    // Without that client, the hook file itself refuses.
    expect(stdout).toMatch(/^ {2}ok {8}the client that asks the gate is missing/m)
    expect(stdout).toContain('not good: ')
    expect(scratches().filter((name) => !others.includes(name))).toEqual([])
    expect(await until(() => liveProcesses(user.tag).length === 0)).toBe(true)
  })

  it('accepts one known agent', async () => {
    const user = agentUser()
    expect(await user.cli(['doctor', 'emacs'])).toMatchObject({ exitCode: 1, stdout: '' })
    expect((await user.cli(['doctor', 'cline', 'claude-code'])).stderr).toContain('doctor takes one agent')
  })
})
