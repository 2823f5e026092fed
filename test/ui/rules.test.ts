/* oxlint-disable no-await-in-loop -- one width after the other */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRefusals } from '../../src/files/state/refusals.ts'
import { axe } from '../support/axe.ts'
import { openedPage } from '../support/page.ts'
import { rulesWith, writeFiles } from '../support/workspace.ts'

const own = 'home/.config/hookgate/hooks.json'
/** A comment of the person's own is no JSON; the layout is. */
const text = '{\n    "preset": "recommended",\n\n    "permissions": { "deny": ["Bash(never)"] }\n}\n'

async function openedRules(files: Parameters<typeof openedPage>[0] = { [own]: text }, query = '') {
  const opened = await openedPage(files)
  await opened.page.getByRole('heading', { name: 'Now' }).waitFor()
  await opened.page.goto(`${opened.origin}/#/rules${query}`)
  await opened.page.getByRole('heading', { name: 'Presets' }).waitFor()
  return { ...opened, file: join(opened.folder, own) }
}

describe('the rules', () => {
  it('are shown with what they did, and a pack is turned off by a change that was shown, and back on by its undo', async () => {
    const { page, problems, decide, file, cli } = await openedRules()
    expect((await decide('git push --force origin main')).stdout).toContain('"decision":"deny"')
    await page.reload()
    await page.locator('summary', { hasText: 'git-safety' }).getByText('refused 1 in 30 days').waitFor()
    await page.locator('summary', { hasText: 'git-safety' }).click()
    await page
      .getByRole('row', { name: /force-push/ })
      .getByText('refused 1')
      .waitFor()
    const permissions = page.getByRole('row', { name: /permissions/ })
    expect(await permissions.allTextContents()).toEqual([expect.stringContaining('A list of permissions')])
    await page.getByRole('button', { name: 'Turn git-safety off …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('+    "packs": [').waitFor()
    await dialog.getByText(/^\d\d rules stop; they refused 1 call in 30 days\.$/).waitFor()
    expect(await dialog.locator('button.main').textContent()).toBe('Turn off')
    expect(await dialog.textContent()).toContain('hookgate packs git-safety --off')
    expect(readFileSync(file, 'utf8')).toBe(text)
    await dialog.locator('button.main').click()
    await page.getByText('Done:').waitFor()
    expect(readFileSync(file, 'utf8')).toMatch(/"disable": \[\s+"\*"/)
    expect((await cli(['check'])).exitCode).toBe(0)
    expect((await decide('git push --force origin main')).stdout).toContain('"decision":"abstain"')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Taken back:').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(problems).toEqual([])
  })

  it('are read at every width and in both schemes, exceptions first, and presets say how they differ', async () => {
    const excepted =
      '{"preset": "recommended", "exceptions": [{"rule": "git-safety/force-push", "command": "git push -f"}]}\n'
    const { page, problems, decide, places, project } = await openedRules({ [own]: excepted })
    await page.getByRole('row', { name: /git push -f lifted nothing for good/ }).waitFor()
    expect((await decide('git push -f')).stdout).toContain('"decision":"abstain"')
    const refusals = openRefusals(places.refusals)
    const [id, call] = ['k3x7qd', 'a digest']
    refusals.keep({
      version: 1,
      id,
      call,
      atMs: Date.now(),
      agent: 'claude-code',
      session: 's1',
      event: 'PreToolUse',
      toolName: 'Bash',
      subject: 'git push -f origin main',
      project,
      decision: 'deny',
      rules: [{ id: 'a', name: 'git-safety/force-push', effect: 'deny', reason: '', file: own, params: [] }],
    })
    refusals.grant({ kind: 'once', id, call, rules: [], endsAtMs: Date.now() + 60_000 })
    await page.reload()
    // What is allowed once is shown by its call, and not by the id of its refusal.
    const once = page.getByRole('row', { name: /^git-safety\/force-push git push -f origin main once/ })
    await once.waitFor()
    expect(await once.locator('th, td').allInnerTexts()).not.toContain(id)
    await page.getByRole('row', { name: /git push -f lifted 1 answer for good/ }).waitFor()
    const order = await page.locator('.rules-view h2').allTextContents()
    expect(order.slice(0, 2)).toEqual(['Exceptions', 'Presets'])
    const strict = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'strict' }) })
    await strict.getByText(/^Against recommended: \d+ rules more/).click()
    await strict.getByText(/supply-chain\/fetched-tools/).waitFor()
    await strict.getByText(/^Against recommended/).click()
    await page.locator('summary', { hasText: 'git-safety' }).click()
    const rule = page.locator('table.rules tr', { has: page.getByText('force-push', { exact: true }) })
    await rule.getByText(/^\d+ examples$/).waitFor()
    for (const width of [390, 900, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const [name, mode] = [await rule.locator('th').boundingBox(), await rule.locator('td').nth(1).boundingBox()]
      // On a phone each row is a card, and its cells stand below its name.
      expect([width, (mode?.y ?? 0) >= (name?.y ?? 0) + (name?.height ?? 0)]).toEqual([width, width === 390])
      expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
      for (const cards of ['.presets > .card', '.pack > summary']) {
        const heights = await page.evaluate<number[]>(
          `[...new Set([...document.querySelectorAll('${cards}')].map((card) => Math.round(card.offsetHeight)))]`,
        )
        expect([width, cards, heights]).toEqual([width, cards, [expect.any(Number)]])
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect([width, colorScheme, ...(await axe(page))]).toEqual([width, colorScheme])
      }
    }
    expect(problems).toEqual([])
  })

  it('say why they cannot be changed here, if they are not of the person, and whether they are trusted', async () => {
    const { page, problems, project } = await openedRules({
      [own]: text,
      'project/.hookgate/hooks.json': { json: { packs: [{ pack: 'secrets' }] } },
    })
    const section = page.locator('section.source', { hasText: 'Rules of this project' })
    await section.getByText('change them in its files').waitFor()
    await section.locator('summary', { hasText: 'secrets' }).click()
    await section.getByText('Not trusted').first().waitFor()
    expect(await section.getByRole('switch').count()).toBe(0)
    const builtIn = page.locator('section.source', { has: page.getByRole('heading', { name: 'Built in' }) })
    expect(await builtIn.locator('p').first().textContent()).toBe(
      '"selfProtection": false in your hooks.json turns it off.',
    )
    expect(await page.getByRole('combobox', { name: 'Project' }).inputValue()).toBe(project)
    expect(await axe(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('have params, each with a control of its own type', async () => {
    const { page, problems, file } = await openedRules()
    await page.locator('summary', { hasText: 'git-safety' }).click()
    await page.locator('summary', { hasText: /^Params/ }).click()
    await page.getByLabel('hooks', { exact: true }).selectOption('ask')
    await page.getByRole('dialog').locator('button.main').click()
    await page.getByText('Done:').waitFor()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      packs: [{ pack: 'git-safety', params: { hooks: 'ask' } }],
    })
    await page.getByRole('button', { name: 'Set hooks back' }).click()
    await page.getByRole('dialog').locator('button.main').click()
    await expect.poll(() => readFileSync(file, 'utf8')).not.toContain('"ask"')
    expect(problems).toEqual([])
  })

  it('have examples: what an agent is about to do, and what the rule decides', async () => {
    const { page, problems } = await openedRules()
    await page.locator('summary', { hasText: 'git-safety' }).click()
    const row = page.locator('table.rules tr', { has: page.getByText('force-push', { exact: true }) })
    await row.getByText(/^\d+ examples$/).click()
    const lines = await row.getByRole('listitem').allTextContents()
    expect(lines).toContain('-f among othersgit push -uf origin topic→ refused')
    expect(lines).toContain('a pushgit push -u origin topic→ passed')
    expect(await axe(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('of a project are trusted with the files that were shown, also through a link to it, and trusted no longer', async () => {
    const { page, problems, project, folder, cli } = await openedRules({
      [own]: text,
      'project/.hookgate/hooks.json': rulesWith('PreToolUse', '"$CLAUDE_PROJECT_DIR"/.hookgate/check.sh'),
      'project/.hookgate/check.sh': { script: '#!/bin/sh\nexit 0\n' },
    })
    const pins = join(folder, 'home/.config/hookgate/trust.json')
    const trust = page.getByRole('region', { name: 'Trust in this project' })
    const dialog = page.getByRole('dialog')
    await trust.getByText('Not trusted.').waitFor()
    await trust.getByRole('button', { name: 'Trust this project …' }).click()
    await dialog.getByText('check.sh').first().waitFor()
    expect(existsSync(pins)).toBe(false)
    await dialog.locator('button.main').click()
    await trust.getByText('check.sh').waitFor()
    expect(readFileSync(pins, 'utf8')).toContain('check.sh')
    const trusted = readFileSync(pins, 'utf8')
    expect((await cli(['trust', '--list'])).stdout).toContain(project)

    symlinkSync(project, join(folder, 'link'))
    const { hash } = new URL(page.url())
    await page.goto(`${new URL(page.url()).origin}/${hash}?project=${encodeURIComponent(join(folder, 'link'))}`)
    await trust.getByText('check.sh').waitFor()

    await trust.getByRole('button', { name: 'Revoke …' }).click()
    await dialog.locator('button.main').click()
    await trust.getByText('Not trusted.').waitFor()
    expect((await cli(['trust', '--list'])).stdout).toContain('nothing is trusted')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await trust.getByText('check.sh').waitFor()
    expect(readFileSync(pins, 'utf8')).toBe(trusted)
    expect(problems).toEqual([])
  })

  it('are found by a text, and one of them by its address', async () => {
    const rule = 'user:hooks.json/git-safety/force-push'
    const { page, problems } = await openedRules(undefined, `?rule=${encodeURIComponent(rule)}`)
    await page.locator('tr.meant', { hasText: 'force-push' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search the rules' }).fill('stash')
    await page.getByRole('row', { name: /stash-loss/ }).waitFor()
    expect(await page.getByRole('row', { name: /force-push/ }).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('that do not load are named with their file, place and remedy', async () => {
    const { page, folder } = await openedRules()
    writeFiles(folder, { [own]: '{"preset": "recomended"}' })
    await page.reload()
    const alert = page.getByRole('alert')
    await alert.getByText('Some rules do not load').waitFor()
    expect(await alert.textContent()).toMatch(/hooks\.json:1:\d+.*recommended/)
  })
})
