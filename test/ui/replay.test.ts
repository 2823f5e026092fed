/* oxlint-disable no-await-in-loop -- one width after the other */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { axe } from '../support/axe.ts'
import { openedPage, openIn } from '../support/page.ts'
import { commandLine, descendants } from '../support/resident.ts'

type Opened = Awaited<ReturnType<typeof openedPage>>

/** A session of Claude Code with one shell call for each command. */
const session = (...commands: readonly string[]) =>
  commands
    .map((command, at) => {
      const content = [{ type: 'tool_use', id: `t${at}`, name: 'Bash', input: { command } }]
      const timestamp = new Date(Date.now() - 60_000).toISOString()
      return `${JSON.stringify({ type: 'assistant', userType: 'external', sessionId: 's', cwd: '/nowhere', uuid: `u${at}`, timestamp, message: { role: 'assistant', content } })}\n`
    })
    .join('')

const ownSession = 'home/.claude/projects/p/s.jsonl'
const force = 'git push --force origin main'

/** Opens the view for a user whose agent has called some commands. */
async function openedReplay(commands: readonly string[], files: Parameters<typeof openedPage>[0] = {}) {
  const opened = await openedPage({ [ownSession]: session(...commands), ...files })
  await opened.page.getByRole('link', { name: 'Replay' }).click()
  await opened.page.getByRole('button', { name: 'Replay' }).waitFor()
  return opened
}

const replayNow = async ({ page }: Opened) => {
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('heading', { name: 'Result' }).waitFor()
}

/** Chooses a preset, which is compared with the rules in force. */
async function tryPreset({ page }: Opened): Promise<void> {
  await page.getByLabel('A preset, to try it').check()
  await page.getByRole('combobox', { name: 'Preset' }).selectOption('strict')
}

/** The sandboxes of a replay, whose page is served by the tests' process. */
const replaying = () => descendants(process.pid).filter((pid) => commandLine(pid).includes('sandbox-main'))

it('shows the difference that a preset would make, as the command line that it names', async () => {
  const user = await openedReplay([force, force, 'ls'])
  const { page, problems, spawned, project } = user
  await tryPreset(user)
  const argv = ['replay', '--since=30d', '--preset=strict', '--against-current']
  await page.getByText(`hookgate ${argv.join(' ')}`).waitFor()
  await replayNow(user)
  const totals = await page.locator('table.totals tbody tr').allInnerTexts()
  expect(totals.map((row) => row.split(/\s+/))).toEqual([
    ['refused', '0', '2', '+2'],
    ['asked', '0', '0', '0'],
    ['allowed', '0', '0', '0'],
    ['passed', '3', '1', '−2'],
  ])
  await page.getByRole('button', { name: 'newly refused 2' }).click()
  await page.locator('.findings summary').click()
  const details = await page.locator('.findings .details').innerText()
  for (const said of [force, 'git-safety/force-push', 'passed', 'refused', 's.jsonl:1', '/nowhere'])
    expect(details).toContain(said)
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save as JSON' }).click()
  const saved: unknown = JSON.parse(readFileSync(await (await saving).path(), 'utf8'))
  const byHand: unknown = JSON.parse((await spawned([...argv, '--json'], { cwd: project })).stdout)
  const timeless = { seconds: expect.any(Number) as unknown }
  expect(saved).toEqual({ ...(byHand as object), ...timeless })
  for (const width of [390, 900, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const row = page.locator('table.totals tbody tr', { hasText: 'refused' })
    const [name, now] = [await row.locator('th').boundingBox(), await row.locator('td').nth(1).boundingBox()]
    // On a phone each row is a card, and its cells stand below its name, each with what it counts.
    expect([width, (now?.y ?? 0) >= (name?.y ?? 0) + (name?.height ?? 0)]).toEqual([width, width === 390])
    expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([width, colorScheme, ...(await axe(page))]).toEqual([width, colorScheme])
    }
  }
  // Another view, and back: the report is still there.
  await page.getByRole('link', { name: 'Rules' }).click()
  await page.getByRole('link', { name: 'Replay' }).click()
  await page.getByRole('heading', { name: 'Result' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Preset' }).inputValue()).toBe('strict')
  expect(problems).toEqual([])
})

it('lists a command once, however many agents and folders called it, and says of each way how it was decided', async () => {
  const codexCall = {
    type: 'function_call',
    name: 'exec_command',
    call_id: 'c',
    arguments: JSON.stringify({ cmd: force }),
  }
  const lines = [
    { type: 'session_meta', payload: { id: 's', cwd: '/elsewhere', timestamp: new Date().toISOString() } },
    { type: 'response_item', payload: codexCall },
  ].map((line) => JSON.stringify({ timestamp: new Date(Date.now() - 30_000).toISOString(), ...line }))
  const user = await openedReplay([force, force, 'git reset --hard'], {
    'home/.codex/sessions/2026/11/23/rollout-2026-11-23T16-35-38-s.jsonl': `${lines.join('\n')}\n`,
  })
  const { page, problems } = user
  await tryPreset(user)
  await replayNow(user)
  const rows = page.locator('.findings summary')
  expect((await rows.allInnerTexts()).map((row) => row.split(/\s*\n\s*/))).toEqual([
    ['3 ×', 'newly refused', force, 'git-safety/force-push'],
    ['1 ×', expect.stringContaining('newly'), 'git reset --hard', expect.stringContaining('git-safety/')],
  ])
  await page.getByText('2 commands, 4 calls').waitFor()
  await rows.first().click()
  const details = page.locator('.findings .details').first().locator('dl')
  await details.nth(1).waitFor()
  const ways = await details.allInnerTexts()
  expect(ways.map((way) => way.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^Calls 2 calls Before passed Now refused .* Agent Claude Code .* Folder \/nowhere/),
    expect.stringMatching(/^Calls 1 call Before passed Now refused .* Agent Codex .* Folder \/elsewhere/),
  ])
  expect(await axe(page)).toEqual([])
  expect(problems).toEqual([])
})

it('says how far it is; to stop it, or to leave the page, ends it, and there is one at a time', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `git push --force origin b${at}`)
  const user = await openedReplay(many)
  const { page, context, problems, served } = user
  await tryPreset(user)
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByText(/calls?, .* a second/).waitFor()
  expect(await page.getByText(/ MB read/).count()).toBe(1)
  expect(replaying().length).toBeGreaterThan(0)
  const other = await openIn(served.link())
  await other.page.getByRole('link', { name: 'Replay' }).click()
  await other.page.getByRole('button', { name: 'Replay' }).click()
  await other.page.getByText('Another replay is running').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(() => replaying(), { timeout: 120_000 }).toEqual([])
  await page.getByRole('button', { name: 'Replay' }).click()
  await expect.poll(() => replaying().length, { timeout: 120_000 }).toBeGreaterThan(0)
  await context.close()
  await expect.poll(() => replaying(), { timeout: 120_000 }).toEqual([])
  expect(problems).toEqual([])
})

it('shows what a session says as text, whatever it is', async () => {
  const hostile = '<img src=x onerror=alert(1)>\u202e git push --force \u001b[2J'
  const user = await openedReplay([`git push --force ${hostile}`])
  await tryPreset(user)
  await replayNow(user)
  const { page, problems } = user
  const row = page.locator('.findings summary')
  expect(await row.innerText()).toContain('<img src=x onerror=alert(1)>')
  expect(await row.innerText()).toContain('U+202E')
  expect(await page.locator('main img').count()).toBe(0)
  expect(problems).toEqual([])
})

it('takes what is typed as paths and revisions, never as another flag', async () => {
  const user = await openedReplay(['ls'])
  const { page, problems, project } = user
  await page.getByLabel('Files and folders').check()
  const files = page.getByLabel('Session files or folders, one a line')
  await files.fill('--run-hooks\n-')
  await page.getByText('hookgate replay --since=30d -- --run-hooks ./-').waitFor()
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('alert').getByText(`${project}/--run-hooks`).waitFor()
  await files.fill('s.jsonl')
  await page.getByLabel('The project’s .hookgate at a git revision').check()
  await page.getByRole('textbox', { name: 'Revision' }).fill('--run-hooks')
  await page.getByText('hookgate replay --since=30d --against-git=--run-hooks -- s.jsonl').waitFor()
  // Nothing that the page can ask for runs hooks or writes a file.
  const answers = await page.evaluate(async () => {
    const asked = { cwd: '/', isOfProject: false, calls: { kind: 'record' }, rules: { kind: 'current' } }
    const more = [
      { against: { kind: 'nothing' }, runHooks: true },
      { against: { kind: 'nothing' }, junit: 'x' },
    ]
    const headers = { 'content-type': 'application/json', 'hookgate-page': localStorage.getItem('hookgate-page') ?? '' }
    return Promise.all(
      more.map(async (one) => {
        const body = JSON.stringify({ ...asked, ...one })
        return (await fetch('/api/replayLine', { method: 'POST', headers, body })).status
      }),
    )
  })
  expect(answers).toEqual([400, 400])
  expect(problems.filter((one) => !one.includes('status of 400'))).toEqual([])
})

it('replays what was recorded, and leads to the decision', async () => {
  const user = await openedPage()
  const { page, problems, decide } = user
  await decide(force)
  await page.reload()
  await page.getByRole('link', { name: 'Replay' }).click()
  await page.getByText('No sessions of agents were found.').waitFor()
  await page.getByText(/^Folders that were looked at \(\d+\)$/).click()
  await page.getByText('/home/.claude/projects').waitFor()
  await page.getByRole('button', { name: 'Take the decisions that hookgate recorded' }).click()
  expect(await page.getByLabel('Decisions that hookgate recorded').isChecked()).toBe(true)
  await tryPreset(user)
  await replayNow(user)
  await page.locator('.findings summary').click()
  await page.getByRole('link', { name: 'What was decided then' }).click()
  await page.getByRole('main', { name: 'Decision' }).waitFor()
  expect(page.url()).toContain('#/decision/')
  expect(problems).toEqual([])
})

it('reads the sessions of every agent that keeps some', async () => {
  const fixture = (path: string) =>
    readFileSync(fileURLToPath(new URL(`../fixtures/sessions/${path}`, import.meta.url)), 'utf8')
  const codex = '.codex/sessions/2026/11/23/rollout-2026-11-23T16-35-38-01a20943-5b5f-7322-9845-9dda6dd23d05.jsonl'
  const droid = '.factory/sessions/-home-dev-proj/497b3cdb-44fa-4c4a-910b-067a1d7f7031.jsonl'
  const user = await openedPage({
    [`home/${codex}`]: fixture(`codex/${codex}`),
    [`home/${droid}`]: fixture(`droid/${droid}`),
  })
  const { page, problems } = user
  await page.getByRole('link', { name: 'Replay' }).click()
  await page.getByLabel(/Codex 1 file/).uncheck()
  await page.getByLabel('Since').selectOption('')
  await page.getByText('hookgate replay --agent=droid', { exact: true }).waitFor()
  await replayNow(user)
  expect(await page.getByText('droid ').count()).toBeGreaterThan(0)
  await page.getByText('No call is refused or asked about.').waitFor()
  await page.getByLabel(/droid 1 file/).uncheck()
  await page.getByText('Choose an agent.').waitFor()
  expect(await page.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true)
  expect(problems).toEqual([])
})
