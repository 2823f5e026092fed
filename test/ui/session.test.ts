import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/gate/gate.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { axe } from '../support/axe.ts'
import { openedPage, openIn, servedPage } from '../support/page.ts'
import { append, recordWith, refusedBy } from '../support/records.ts'
import { claudeShell } from '../support/wire.ts'

const policy = `
import { budget, custom, definePolicy, deny, label } from 'hookgate/policy'
export default definePolicy({
  id: 'seen',
  description: 'part of a test',
  on: 'PreToolUse',
  state: {
    secret: label({ command: 'printenv' }, { description: 'a secret was shown' }),
    spent: budget({ command: 'curl' }, { cap: 3 }),
    own: custom({
      description: 'what was run',
      initial: { label: null, ranLast: '' },
      reduce: ({ label }, { text }) => ({ label: label ?? (text === 'npm test' ? text : null), ranLast: text }),
    }),
  },
  decide({ shell, state }) {
    if (state.secret !== undefined && shell.commands.some(({ program }) => program === 'ssh')) return deny('a secret was shown')
  },
})
`

const counting = {
  'home/.config/hookgate/hooks.json': {
    json: {
      permissions: { deny: ['Bash(git push *)'], ask: ['Bash(npm publish *)'] },
      limits: {
        calls: [
          { command: 'npm', most: 5 },
          { host: '*.example', most: 4 },
          { tool: 'agent', atOnce: 2 },
        ],
        tokens: { session: 1000 },
      },
    },
  },
  'home/.config/hookgate/policies/seen.policy.ts': policy,
}

const lines = (page: Page) => page.locator('.decisions .body .line')
const lineOf = (page: Page, text: string) => lines(page).filter({ hasText: text })
const states = (page: Page) => page.locator('.states')

/** A session in which things are counted, a label is set, and a call is refused for it. */
async function session() {
  const opened = await openedPage(counting)
  const { folder, places, project, env } = opened
  const file = `${folder}/s.jsonl`
  const usage = { input_tokens: 100, output_tokens: 150 }
  const message = { id: 'm', role: 'assistant', content: [], usage }
  mkdirSync(folder, { recursive: true })
  const timestamp = new Date(Date.now() - 1000).toISOString()
  writeFileSync(file, `${JSON.stringify({ type: 'assistant', sessionId: 'one', timestamp, message })}\n`)
  const gate = createGate({ home: env.HOME, placement: 'caller', state: places.folder })
  let id = 0
  const say = async (wire: JsonObject) => void (await gate.answer(wire, { agent: 'claude-code' }))
  const own = { session_id: 'one', transcript_path: file }
  async function call(command: string, end?: 'PostToolUse' | 'PostToolUseFailure', more: object = {}) {
    const wire = claudeShell(command, project, { ...own, tool_use_id: `toolu_${(id += 1)}`, ...more })
    await say(wire)
    const said = end === 'PostToolUse' ? { tool_response: { stdout: '' } } : { error: 'Exit code 1' }
    if (end !== undefined) await say({ ...wire, hook_event_name: end, ...said })
  }
  await say({ ...own, hook_event_name: 'UserPromptSubmit', cwd: project, prompt: 'publish it' })
  await call('npm test', 'PostToolUseFailure')
  await call('printenv', 'PostToolUse')
  await call('curl https://a.example', 'PostToolUse', { agent_id: 'sub-1', agent_type: 'helper' })
  await call('git push origin main')
  await call('npm publish .')
  await call('ssh build-1')
  await gate.close()
  return opened
}

describe('one session on the page', () => {
  it('is a line of its calls with what became of each, the call that set a label, and what is left of each limit', async () => {
    const { page, problems } = await session()
    await page.reload()
    await page.getByRole('link', { name: 'Sessions' }).click()
    const listed = page.locator('.sessions tbody tr')
    await expect.poll(() => listed.count()).toBe(1)
    expect(await listed.textContent()).toMatch(/Claude Code in project.*one.*621$/)
    await listed.getByRole('link').click()
    await expect.poll(() => lines(page).count()).toBe(7)
    await states(page).getByText('seen.secret').first().waitFor()

    const became = (await lines(page).allTextContents()).map((text) => text.replace(/^[\d:]+/, ''))
    expect(became[0]).toMatch(/^promptThe person wrote a prompt/)
    expect(became[1]).toMatch(/^allowedfailednpm test.*failed: Exit code 1/)
    expect(became[2]).toMatch(/^allowedprintenv.*sets “a secret was shown”.*ran/)
    expect(became[3]).toMatch(/^allowedcurl https:\/\/a\.example.*by sub-agent sub-1: ran/)
    expect(became[4]).toMatch(/^refusedgit push origin main/)
    expect(became[5]).toMatch(/^askednpm publish \./)
    expect(became[6]).toMatch(/^refusedssh build-1.*a secret was shown/)

    const counted = await states(page).locator('> .plain > li').allTextContents()
    expect(counted).toEqual([
      expect.stringMatching(/^Calls of npm limits\.calls\[0\]1 of 5, 4 left/),
      expect.stringMatching(/^Calls to \*\.example limits\.calls\[1\]1 of 4, 3 left/),
      expect.stringMatching(/^Tokens of a session limits\.tokens\.session250 of 1,000, 750 left$/),
      expect.stringMatching(/^A secret was shown seen\.secretset by printenv.*allowed printenv$/),
      expect.stringMatching(/^seen\.spent1 of 3, 2 left.*allowed curl https:\/\/a\.example$/),
      expect.stringMatching(/^What was run seen\.ownset by: npm testran last: ssh build-1.*allowed npm test$/),
    ])
    await states(page).getByText('1 more, counted once or never').click()
    await states(page).getByText('0 of 2, 2 left').waitFor()
    await states(page).getByText('Have one begin anew').click()
    await states(page).getByText("hookgate state one --clear 'seen.secret'").waitFor()

    await page.getByRole('button', { name: 'Asked about 1' }).click()
    await expect.poll(() => lines(page).allTextContents()).toEqual([expect.stringContaining('npm publish .')])
    expect(await axe(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('is reached from a decision, at its place in the line, and says there what rules had counted', async () => {
    const { page, origin } = await session()
    await page.goto(`${origin}/#/now`)
    await page.reload()
    await page.getByText('ssh build-1').first().click()
    const had = page.locator('section').filter({ has: page.getByRole('heading', { name: 'What rules had counted' }) })
    await had.getByText('seen.secret').waitFor()
    expect(await had.textContent()).toContain('set by printenv')
    await page.locator('.facts').getByRole('link', { name: 'one' }).click()
    await lineOf(page, 'ssh build-1').waitFor()
    await expect.poll(() => lineOf(page, 'ssh build-1').getAttribute('class')).toContain('here')
    // The list is walked by keys from there.
    await lineOf(page, 'ssh build-1').getByRole('link').press('ArrowUp')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('npm publish .')
    await page.keyboard.press('Home')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('The person wrote a prompt')
    await page.keyboard.press('Enter')
    await page.getByRole('main', { name: 'Decision' }).waitFor()
  })

  it('says that nothing is recorded or counted of a session that is not known, and of a user without any', async () => {
    const { page, origin, problems } = await openedPage()
    await page.goto(`${origin}/#/sessions`)
    await page.getByText('A session appears here with the first call of an enabled agent.').waitFor()
    await page.goto(`${origin}/#/session/nobody?agent=codex`)
    await page.getByText('No call of this session is recorded.').waitFor()
    await page.getByText('no rule counted while this session ran').waitFor()
    expect(await axe(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('has few rows in the document and reads few of 5,000 calls, wherever in them a person looks', async () => {
    const user = await servedPage()
    const rows = Array.from({ length: 5000 }, (_, at) =>
      recordWith({
        session: 'long',
        subject: `echo ${at}`,
        ...(at % 100 === 0 && refusedBy('a-rule')),
      }),
    )
    append(user.places.decisions, rows)
    const { page, problems } = await openIn(user.served.link())
    const asked: number[] = []
    page.on('response', async (response) => {
      if (response.url().endsWith('/api/sessionCalls')) asked.push((await response.body()).length)
    })
    await page.goto(`${user.origin}/#/session/long?agent=claude-code`)
    await lineOf(page, 'echo 0').first().waitFor()
    await page.getByRole('button', { name: 'All 5,000' }).waitFor()
    await lines(page).first().getByRole('link').press('End')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('echo 4999')
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('5000')
    expect(await lines(page).count()).toBeLessThan(60)
    // The pages at both ends, and those that lie on the way of a scroll.
    expect(asked.length).toBeLessThan(8)
    expect(Math.max(...asked)).toBeLessThan(60_000)
    await page.getByRole('button', { name: 'Refused 50' }).click()
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('50')
    await lineOf(page, 'echo 0').first().waitFor()
    expect(problems).toEqual([])
  })
})
