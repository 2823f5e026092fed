import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { axe } from '../support/axe.ts'
import { append, recordWith } from '../support/records.ts'
import { openedPage } from '../support/page.ts'
import { claudeShell } from '../support/wire.ts'
import { writeFiles } from '../support/workspace.ts'

const theirs = '{ "model":\n  "opus" }\n'
const refusing = { json: { permissions: { deny: ['Bash(git push *)'] } } }

/** Opens the view for a user who has an agent, with its settings. */
async function openedAgents(files: Parameters<typeof openedPage>[0] = {}, isUnruled = false) {
  const opened = await openedPage({
    'home/.claude/settings.json': theirs,
    'home/.config/hookgate/hooks.json': refusing,
    ...files,
  })
  const { page, env } = opened
  const rules = join(env.HOME, '.config/hookgate/hooks.json')
  if (isUnruled) rmSync(rules)
  await page.getByRole('link', { name: 'Agents' }).click()
  const settings = join(env.HOME, '.claude/settings.json')
  const card = page.getByRole('listitem', { name: 'Claude Code', exact: true })
  return { ...opened, card, settings, rules, text: () => readFileSync(settings, 'utf8') }
}

/** The part of Claude Code's settings that it starts a hook by. */
interface Settings {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly Handler[] }[]>>
}
interface Handler {
  readonly command: string
  readonly args?: readonly string[]
}

/** Has a command decided as the agent would with these settings. */
function askedAsIn(settings: string, project: string, env: Readonly<Record<string, string>>) {
  const { hooks } = JSON.parse(settings) as Settings
  const handler = hooks['PreToolUse']?.[0]?.hooks[0]
  const { PATH = '' } = process.env
  return spawnSync(handler?.command ?? '', handler?.args ?? [], {
    cwd: project,
    env: { PATH, ...env },
    input: JSON.stringify(claudeShell('git push origin', project)),
    encoding: 'utf8',
  })
}

it('an agent is enabled from the page as by hand, proved, decided, and disabled to the byte', async () => {
  const { page, card, text, cli, project, env, problems } = await openedAgents()
  await page.getByText('No agent asks hookgate').waitFor()
  expect(await axe(page)).toEqual([])
  await card.getByRole('button', { name: 'Enable Claude Code' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('PreToolUse').first().waitFor()
  expect(text()).toBe(theirs)
  await dialog.locator('button.main').click()
  await card.getByText('proved: it asks hookgate').waitFor()
  const enabled = text()
  expect(await cli(['enable', 'claude-code'], { cwd: project })).toMatchObject({ exitCode: 0 })
  expect(text()).toBe(enabled)

  expect(askedAsIn(enabled, project, env)).toMatchObject({ status: 2, stderr: expect.stringContaining('git push') })
  await page.getByRole('button', { name: 'Check again' }).click()
  await card.getByText('1 decision in 30 days').waitFor()
  await card.getByText('1 refused').waitFor()
  expect(await axe(page)).toEqual([])

  await card.getByRole('button', { name: 'Disable Claude Code' }).click()
  await dialog.locator('button.main').click()
  await card.getByText('not enabled').waitFor()
  expect(text()).toBe(theirs)
  expect(problems).toEqual([])
})

it('an agent that was enabled is taken back to the byte', async () => {
  const { page, card, text, problems } = await openedAgents()
  await card.getByRole('button', { name: 'Enable Claude Code' }).click()
  await page.getByRole('dialog').locator('button.main').click()
  await card.getByText('proved: it asks hookgate').waitFor()
  expect(text()).toContain('PreToolUse')
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await card.getByText('not enabled').waitFor()
  expect(text()).toBe(theirs)
  expect(problems).toEqual([])
})

it('settings that do not parse are an error that names the file, the place and what to do, and are not touched', async () => {
  const broken = '{ "hooks": \n'
  const { page, card, settings, text } = await openedAgents({ 'home/.claude/settings.json': broken })
  await card.getByRole('button', { name: 'Enable Claude Code' }).click()
  const alert = page.getByRole('dialog').getByRole('alert')
  await alert.waitFor()
  const said = await alert.textContent()
  expect(said).toContain(`${settings}:1:11: it is not JSON`)
  expect(said).toContain('To do: fix it')
  expect(text()).toBe(broken)
})

it('where rules only observe, it is said that nothing but changes to hookgate itself is refused', async () => {
  const { page } = await openedAgents({ 'home/.config/hookgate/hooks.json': { json: { preset: 'observe' } } })
  await page.getByText('rules only observe here').waitFor()
  const said = await page.getByText('rules only observe here').textContent()
  expect(said).toContain('Decisions are recorded, and nothing but changes to hookgate itself is refused.')
})

it('without rules, it is said that nothing is checked, and a preset can be chosen with the first agent', async () => {
  const { page, card, rules } = await openedAgents({}, true)
  await page.getByText('No rules are in force here, so nothing is checked.').waitFor()
  await card.getByLabel('Rules to begin with').selectOption('observe')
  await card.getByRole('button', { name: 'Enable Claude Code' }).click()
  await page.getByRole('dialog').locator('button.main').click()
  await page.getByText('rules only observe here').waitFor()
  expect(readFileSync(rules, 'utf8')).toContain('"observe"')
})

it('a gate that runs is shown with what it warns about, then that it was stopped', async () => {
  const { page, cli, places, problems } = await openedAgents()
  const gate = page.getByRole('region', { name: 'Resident gate' })
  await gate.getByText('not running').waitFor()
  expect(await gate.getByText('intact').count()).toBe(0)
  await gate.getByRole('button', { name: 'Start the gate' }).click()
  await gate.getByText('hookgate down').waitFor()
  const { pid } = JSON.parse((await cli(['status', '--json'])).stdout) as { readonly pid: number }
  append(places.decisions, [recordWith(), recordWith()])
  await cli(['log', '--verify'])
  await page.getByRole('button', { name: 'Check again' }).click()
  await gate.getByText(`(process ${pid})`).waitFor()
  await gate.getByText(/2 events since .*, intact at \d\d:\d\d:\d\d/).waitFor()
  await gate.getByText('hookgate down').waitFor()
  expect(await cli(['down'])).toMatchObject({ exitCode: 0 })
  const database = new DatabaseSync(places.decisions)
  database.exec("UPDATE decisions SET record = '{}' WHERE seq = 2")
  database.close()
  await cli(['log', '--verify'])
  await page.getByRole('button', { name: 'Check again' }).click()
  await gate.getByText('not running').waitFor()
  await gate.getByText(/changed by others row 2, found/).waitFor()
  expect(problems).toEqual([])
})

it('the failures of an agent are tried on demand, and settings that keep it from asking are said', async () => {
  const { page, card, cli, project, problems } = await openedAgents()
  await cli(['enable', 'claude-code'], { cwd: project })
  await page.getByRole('button', { name: 'Check again' }).click()
  await card.getByRole('button', { name: 'Test failure modes' }).click()
  await card.getByRole('row', { name: 'the gate is not running' }).getByText('as it should be').waitFor()
  expect(await card.getByRole('row').count()).toBe(6)
  writeFiles(project, { '.claude/settings.json': '{"disableAllHooks": true}' })
  await page.getByRole('button', { name: 'Check again' }).click()
  await card.getByText('does not ask hookgate').first().waitFor()
  await card.getByText('disableAllHooks').first().waitFor()
  expect(problems).toEqual([])
})
