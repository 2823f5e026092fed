/* oxlint-disable no-await-in-loop -- one page after the other */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { DecisionRecord } from '../../src/record/record.ts'
import { axe } from '../support/axe.ts'
import { openedPage, openIn, servedPage } from '../support/page.ts'
import { append, recordWith, refusedBy } from '../support/records.ts'

const asked = { decision: 'ask', told: 'ask' } as const

/** Records of commands `step-FROM`, `step-FROM+1`, …: every tenth is a refusal, the others are questions. */
const steps = (from: number, number: number): readonly DecisionRecord[] =>
  Array.from({ length: number }, (_none, index) => {
    const subject = `step-${from + index}`
    return recordWith(refusedBy('user:hooks.json/git-safety/force-push', { subject, ...(index % 10 > 0 && asked) }))
  })

async function servedRecord(rows: readonly DecisionRecord[]) {
  const user = await servedPage()
  const file = user.places.decisions
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  append(file, rows)
  return { ...user, add: (more: readonly DecisionRecord[]) => append(file, more) }
}

const firstRow = (page: Page) => page.locator('.decisions .body [role=row]').first()
const text = (page: Page, exact: string) => page.locator('.decisions').getByText(exact, { exact: true })

it('a decision is in the list as soon as it was made, and leads to what was decided', async () => {
  const { page, problems, decide } = await openedPage({
    'home/.config/hookgate/hooks.json': { json: { permissions: { deny: ['Bash(curl *)'] } } },
  })
  await page.getByText('Nothing is recorded yet.').waitFor()
  const toFind = page.locator('.filters, .today a')
  expect(await toFind.count()).toBe(0)
  await decide('curl https://x.example')
  // The reason names the command too.
  await text(page, 'curl https://x.example').first().waitFor()
  expect(await firstRow(page).textContent()).toContain('refused')
  expect(await axe(page)).toEqual([])
  await firstRow(page).getByRole('link').press('Enter')
  await page.getByRole('heading', { name: 'What the agent was told' }).waitFor()
  expect(problems).toEqual([])
})

it('a call says behind its command how it ended, in parentheses: it is none of the command’s words', async () => {
  const ran = { event: 'PostToolUse' as const, call: 'c1', result: { succeeded: true, durationMs: 800 } }
  const { served } = await servedRecord([recordWith({ subject: 'make all', call: 'c1' }), recordWith(ran)])
  const { page } = await openIn(served.link())
  await text(page, 'make all').waitFor()
  expect(await firstRow(page).locator('.first').textContent()).toBe('make all (ran, 800 ms)')
})

it('a turn that a rule ended has a badge of its own, in the list and in the decision', async () => {
  const by = { ruleId: 'policy:quota', durationMs: 1 }
  const ended = recordWith({ subject: 'make all', obligations: ['stop'], evaluations: [by] })
  const { served } = await servedRecord([recordWith({ subject: 'ls' }), ended])
  const { page, problems } = await openIn(served.link())
  await text(page, 'make all').waitFor()
  expect(await page.locator('.decisions .badge').allTextContents()).toEqual(['ended', 'passed'])
  expect(await firstRow(page).locator('.badge.ended').count()).toBe(1)
  expect(await axe(page)).toEqual([])
  await firstRow(page).getByRole('link').press('Enter')
  await page.getByRole('heading', { name: 'What hookgate said' }).waitFor()
  await page.locator('.verdict .badge.ended').waitFor()
  await page.getByText('The agent’s turn was ended, by policy:quota.').waitFor()
  expect(problems).toEqual([])
})

it('a paused list counts what comes, however much, and shows all of it when it is resumed', async () => {
  const { served, add } = await servedRecord(steps(0, 20))
  const { page, problems } = await openIn(served.link())
  await text(page, 'step-19').waitFor()
  await page.getByText('Live').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  add(steps(20, 37))
  await page.getByRole('button', { name: 'Resume, 37 new' }).click()
  await text(page, 'step-56').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  // More than are kept in memory.
  add(steps(57, 1500))
  await page.getByRole('button', { name: 'Resume, 1500 new' }).click()
  await text(page, 'step-1556').waitFor()
  expect(problems).toEqual([])
})

it('new decisions do not move the list under a person who has scrolled down, and older ones are loaded', async () => {
  const { served, add } = await servedRecord(steps(0, 700))
  const { page, problems } = await openIn(served.link())
  await text(page, 'step-699').waitFor()
  await firstRow(page).getByRole('link').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator(':focus').textContent()).toBe('step-698')
  const list = `document.querySelector('.decisions')`
  await page.evaluate(`${list}.scrollTop = 2000`)
  const seen = () => page.evaluate<unknown>(`[${list}.scrollTop, ${list}.textContent]`)
  await page.waitForTimeout(300)
  const before = await seen()
  add(steps(700, 25))
  await page.getByRole('button', { name: '25 new' }).waitFor()
  expect(await seen()).toEqual(before)
  await page.getByRole('button', { name: '25 new' }).click()
  await text(page, 'step-724').waitFor()
  const oldest = async () => {
    await page.evaluate(`${list}.scrollTop = ${list}.scrollHeight`)
    return text(page, 'step-0').count()
  }
  await expect.poll(oldest, { timeout: 120_000 }).toBe(1)
  expect(problems).toEqual([])
})

it('`/` leads to the search from every view, and `?` shows the keys', async () => {
  const { served } = await servedRecord(steps(0, 3))
  const { page, problems } = await openIn(served.link())
  await text(page, 'step-1').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('look for a command or a reason').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.keyboard.press('/')
  await page.locator('input[type=search]:focus').waitFor()
  await page.keyboard.type('a/b?')
  expect(await page.locator('input[type=search]').inputValue()).toBe('a/b?')
  expect(problems).toEqual([])
})

it('the filters are in the address, and one button clears them', async () => {
  const { served, origin } = await servedRecord([
    ...steps(0, 20),
    recordWith({ agent: 'codex', project: '/home/me/api', subject: 'make' }),
  ])
  const { page, problems } = await openIn(served.link())
  await text(page, 'make').waitFor()
  await page.locator('.decisions .body').getByRole('cell', { name: 'Codex', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Agent').selectOption({ label: 'Codex' })
  await text(page, 'step-3').waitFor({ state: 'detached' })
  expect(page.url()).toContain('agent=codex')
  await page.goto(`${origin}/#/now?outcome=refused&text=step`)
  await text(page, 'step-10').waitFor()
  expect(await page.locator('.decisions .body [role=row]').count()).toBe(2)
  await page.getByLabel('Text in the command or the reason').fill('nothing has this')
  await page.getByText('No recorded decision matches these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await text(page, 'make').waitFor()
  expect(problems).toEqual([])
})

it('a page whose server is gone says so, and keeps what it has', async () => {
  const { served } = await servedRecord(steps(0, 20))
  const { page } = await openIn(served.link())
  await page.getByText('Live').waitFor()
  await served.close()
  expect(await page.getByRole('alert').textContent()).toContain('hookgate ui does not answer')
  expect(await firstRow(page).textContent()).toContain('step-19')
})

it('a connection that ends is opened again, and no decision is lost or shown twice', async () => {
  const { served, add } = await servedRecord(steps(0, 20))
  const { page, context, problems } = await openIn(served.link())
  let isCut = true
  await context.route('**/api/feed', (route) =>
    isCut ? route.fulfill({ contentType: 'application/x-ndjson', body: '\n' }) : route.continue(),
  )
  await page.reload()
  await page.getByText('Reconnecting').waitFor()
  add(steps(20, 10))
  isCut = false
  await text(page, 'step-29').waitFor()
  const shown = await page.locator('.decisions .subject a').allTextContents()
  expect(shown).toHaveLength(new Set(shown).size)
  expect(shown.slice(0, 11)).toEqual(
    steps(19, 11)
      .map(({ subject }) => subject)
      .toReversed(),
  )
  expect(problems).toEqual([])
})

describe('the stream', () => {
  const rule = 'user:hooks.json/destructive-commands/recursive-permissions'
  const passed = (...subjects: readonly string[]) => subjects.map((subject) => recordWith({ subject }))
  const rows = [
    ...passed('git status', 'npm ci', 'npm test'),
    recordWith(refusedBy(rule, { subject: 'chmod -R 777 /srv' })),
    ...passed("cat > a.ts <<'E'\nexport const a = 1\n\nexport const b = 2\nE"),
    recordWith(refusedBy(rule, { subject: 'chmod -R 777 /srv' })),
    recordWith(refusedBy('git-safety/force-push', { subject: 'git push -f', session: 's2', agent: 'codex' })),
  ]
  const lines = (page: Page) => page.locator('.decisions .body [role=row]')

  it.each([390, 900, 1440])('at %i pixels shows what was refused, and how many passed between', async (width) => {
    const { served } = await servedRecord(rows)
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context, problems } = await openIn(served.link(), {
        viewport: { width, height: 1100 },
        colorScheme,
      })
      await text(page, 'git push -f').waitFor()
      expect(await lines(page).count()).toBe(3)
      const repeated = lines(page).filter({ hasText: 'chmod' })
      expect(await repeated.textContent()).toContain('destructive-commands/recursive-permissionsnot here')
      // All of the rule's name is in sight, and so is the reason below the command.
      for (const part of ['.rule', '.reason', '.line']) {
        const all = await page.evaluate<boolean[]>(
          `[...document.querySelectorAll('.decisions .body ${part}')].map((one) => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1 && one.clientHeight > 10)`,
        )
        expect([part, new Set(all)]).toEqual([part, new Set([true])])
      }
      expect(await lines(page).filter({ hasText: '4 passed' }).textContent()).toContain("<<'E' ⏎ export const a")
      const [command, reason] = [repeated.getByRole('link'), repeated.getByText('not here')]
      expect((await reason.boundingBox())?.y).toBeGreaterThan((await command.boundingBox())?.y ?? 9999)
      await page.locator('.protection[aria-busy=false]').waitFor()
      expect(await axe(page)).toEqual([])
      expect(problems).toEqual([])
      await context.close()
    }
  })

  it('shows what a person approved, and who did', async () => {
    const approval = { outcome: 'approved', waitedMs: 12_000, channel: 'terminal', by: 'maria' } as const
    const approved = { subject: 'npm publish', decision: 'abstain', told: 'abstain', approval } as const
    const { served, origin } = await servedRecord([...rows, recordWith(refusedBy('supply-chain/publishing', approved))])
    const { page } = await openIn(served.link())
    await lines(page).filter({ hasText: 'npm publish' }).getByText('approved').waitFor()
    await page.goto(`${origin}/#/now?outcome=approved`)
    await expect.poll(() => lines(page).count()).toBe(1)
    await lines(page).getByRole('link').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'npm publish' }).waitFor()
    await page.getByText('Approved by maria in a terminal after 12.0 s').waitFor()
  })

  it('opens what is folded, by mouse and by keys, and shows all where an outcome is chosen', async () => {
    const { served, origin } = await servedRecord(rows)
    const { page } = await openIn(served.link())
    await page.getByRole('button', { name: '4 passed' }).click()
    await text(page, 'npm ci').waitFor()
    expect(await lines(page).count()).toBe(7)
    await page.getByRole('button', { name: '4 passed' }).press('ArrowUp')
    await expect.poll(() => page.locator(':focus').textContent()).toBe('chmod -R 777 /srv')
    await page.getByRole('button', { name: '× 2' }).press('Enter')
    await expect.poll(() => lines(page).count()).toBe(9)
    await page.goto(`${origin}/#/now?outcome=passed`)
    await expect.poll(() => lines(page).count()).toBe(4)
    await text(page, 'npm test').waitFor()
  })

  it('is put together by session, and one session can be looked at alone', async () => {
    const { served, origin } = await servedRecord(rows)
    const { page } = await openIn(served.link())
    await page.getByRole('switch', { name: 'By session' }).click()
    const heads = page.locator('.decisions .line.session')
    await expect.poll(() => heads.count()).toBe(2)
    expect(await heads.first().textContent()).toContain('Codex in web')
    expect(await heads.last().textContent()).toContain('6 decisions, 2 of note')
    await heads.first().getByRole('link').press('Enter')
    await page.getByRole('heading', { name: 'Session of Codex' }).waitFor()
    await text(page, 'git push -f').waitFor()
    await page.goto(`${origin}/#/now?session=s2`)
    await expect.poll(() => lines(page).count()).toBe(1)
    await page.getByRole('button', { name: 'Show all again: Session s2' }).click()
    await text(page, 'chmod -R 777 /srv').waitFor()
  })
})
