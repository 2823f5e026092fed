import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writeFiles } from '../support/workspace.ts'
import { protectedUser } from '../support/self-protection.ts'

const off = { disableAllHooks: true }

describe('settings of a project that switch an agent’s hooks off', () => {
  it('are named in every answer to that agent, and to no other, until they are gone', async () => {
    const user = protectedUser()
    const noticesFor = async (agent: 'claude-code' | 'codex') => {
      const session = { id: 's', cwd: user.project }
      const event = { name: 'PostToolUse', agent, session, workspaceRoots: [user.project], atMs: 0, raw: {} } as const
      return (await user.gate.decide(event)).notices
    }
    expect(await noticesFor('claude-code')).toEqual([])
    const settings = 'home/work/project/.claude/settings.json'
    writeFiles(user.at('.'), { [settings]: { json: off } })
    await expect
      .poll(() => noticesFor('claude-code'))
      .toEqual([
        expect.stringMatching(/settings\.json: `disableAllHooks` is true, with which Claude Code runs no hook/),
      ])
    expect(await noticesFor('codex')).toEqual([])
    writeFiles(user.at('.'), { [settings]: { json: {} } })
    await expect.poll(() => noticesFor('claude-code')).toEqual([])
  })

  it('are not written by an agent: that is refused for every agent that reads them', async () => {
    const refused = { decision: 'deny', by: ['hookgate:self-protection'] }
    const copilot = protectedUser({}, 'copilot-cli')
    // Claude Code is not enabled here, so only Copilot CLI protects its settings.
    rmSync(copilot.at('home/.local/state/hookgate/enabled'), { recursive: true })
    for (const file of ['.claude/settings.json', '.claude/settings.local.json', '.github/copilot/settings.json']) {
      // oxlint-disable-next-line no-await-in-loop -- three short ones
      expect(await copilot.file('create', `${copilot.project}/${file}`)).toMatchObject(refused)
    }
  })
})
