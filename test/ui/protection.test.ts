/* oxlint-disable no-await-in-loop -- one page after the other */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { axe } from '../support/axe.ts'
import { installContextFor } from '../../src/cli/args/flags.ts'
import { enableManaged } from '../../src/install/index.ts'
import { folderWith } from '../support/workspace.ts'
import { openedPage, openIn, servedPage } from '../support/page.ts'
import { append, recordWith, refusedBy } from '../support/records.ts'

const files = {
  'home/.claude/settings.json': '{}\n',
  'home/.config/hookgate/hooks.json': { json: { permissions: { deny: ['Bash(curl *)'] } } },
}

it('the first screen says that agents are not checked, and the button there changes that', async () => {
  const { page, problems, env } = await openedPage(files)
  const badge = page.locator('.bar > .badge')
  await page.getByRole('heading', { name: 'Not protected' }).waitFor()
  await page.getByText('No agent asks hookgate, so nothing is checked: enable one.').waitFor()
  expect(await badge.textContent()).toBe('Not protected')
  await page.getByRole('button', { name: 'Enable Claude Code …' }).click()
  await page.getByRole('dialog').locator('button.main').click()
  await page.getByRole('heading', { name: 'Protected', exact: true }).waitFor()
  await page.getByText('proved', { exact: true }).waitFor()
  expect(await badge.textContent()).toBe('Protected')
  expect(readFileSync(join(env.HOME, '.claude/settings.json'), 'utf8')).toContain('PreToolUse')
  // The badge stays in sight in every view.
  await page.getByRole('link', { name: 'Replay' }).click()
  await page.getByRole('main', { name: 'Replay' }).waitFor()
  expect(await badge.textContent()).toBe('Protected')
  expect(problems).toEqual([])
})

it('on a machine on which an administrator has registered an agent, it says so, and offers to enable nothing there', async () => {
  const managedRoot = folderWith()
  const { served, project, env } = await servedPage(files, { managedRoot })
  const context = { ...installContextFor({ env, cwd: project }), managedRoot }
  await enableManaged(['claude-code'], context, { onlyManagedHooks: false })
  const { page, problems } = await openIn(served.link())
  await page.getByRole('heading', { name: 'Protected', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Agents' }).click()
  const card = page.getByRole('listitem', { name: 'Claude Code' })
  await card.getByText('proved: it asks hookgate').waitFor()
  const text = (await card.textContent()) ?? ''
  expect(text).toContain('for everybody on this machine, by an administrator, at ')
  expect(text).toContain('only root can disable it')
  expect(text).not.toContain('Enable Claude Code')
  expect(problems).toEqual([])
})

it('a person whose rules an administrator sets is told what is not theirs to change, and is offered none of it', async () => {
  const managed = { preset: 'recommended', approvals: false, permissions: { deny: ['Bash(scp *)'] } }
  const managedFolder = folderWith({ 'hooks.json': { json: managed } })
  const { served } = await servedPage(files, { managedFolder })
  const { page, problems } = await openIn(served.link())
  await page.getByRole('link', { name: 'Rules' }).click()
  const source = (title: string) =>
    page.locator('section.source', { has: page.getByRole('heading', { name: title, exact: true }) })
  const locked = 'Set by who manages this machine. Nobody else can change or except them.'
  await source('Managed rules').getByText(locked).waitFor()
  await source('Built in').getByText(locked).waitFor()
  await source('Managed rules').locator('summary', { hasText: 'git-safety' }).click()
  await source('Managed rules')
    .getByRole('row', { name: /force-push/ })
    .waitFor()
  expect(await source('Managed rules').locator('button').count()).toBe(0)
  // Neither the preset nor its packs are off, or to be turned on once more.
  const preset = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'recommended' }) })
  await preset.getByText(/^On by .*hooks\.json$/).waitFor()
  expect(await preset.getByRole('button').count()).toBe(0)
  expect(await page.locator('section[aria-labelledby=off] summary', { hasText: 'git-safety' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByText('Whoever manages this machine has turned approvals off').waitFor()
  expect(await page.getByRole('button', { name: /Turn approvals on/ }).count()).toBe(0)
  expect(problems).toEqual([])
})

it('with an enabled agent and no rules, it offers the preset that most people begin with', async () => {
  const { page, cli, project, env } = await openedPage({ 'home/.claude/settings.json': '{}\n' })
  rmSync(join(env.HOME, '.config/hookgate/hooks.json'))
  await cli(['enable', 'claude-code', '--preset', 'none'], { cwd: project })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('No rules are in force here, so nothing is checked.').waitFor()
  await page.getByRole('button', { name: 'Turn recommended on …' }).click()
  await page.getByRole('dialog').locator('button.main').click()
  await page.getByRole('heading', { name: 'Protected', exact: true }).waitFor()
  expect(readFileSync(join(env.HOME, '.config/hookgate/hooks.json'), 'utf8')).toContain('"recommended"')
})

it.each([390, 900, 1440])(
  'at %i pixels it says in both schemes what was decided today, and counts on',
  async (width) => {
    const { served, places, cli, project } = await servedPage(files)
    await cli(['enable', 'claude-code'], { cwd: project })
    mkdirSync(dirname(places.decisions), { recursive: true, mode: 0o700 })
    append(places.decisions, [recordWith(), recordWith(refusedBy('strict'))])
    for (const [at, colorScheme] of (['light', 'dark'] as const).entries()) {
      const { page, context, problems } = await openIn(served.link(), { viewport: { width, height: 844 }, colorScheme })
      await page.getByRole('heading', { name: 'Protected', exact: true }).waitFor()
      await page.locator('.today', { hasText: `refused today${1 + at}` }).waitFor()
      await page.locator('.protection[aria-busy=false]').waitFor()
      expect(await axe(page)).toEqual([])
      expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
      append(places.decisions, [recordWith(refusedBy('strict'))])
      await page.locator('.today', { hasText: `refused today${2 + at}` }).waitFor()
      expect(problems).toEqual([])
      await context.close()
    }
  },
)
