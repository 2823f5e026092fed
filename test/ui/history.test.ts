import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { RecordBatch } from '../../src/record/append.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { bucketOf } from '../../src/record/durations.ts'
import { axe } from '../support/axe.ts'
import { openedPage } from '../support/page.ts'
import { append, recordWith, refusedBy } from '../support/records.ts'

const rules = {
  'home/.config/hookgate/hooks.json': {
    json: { permissions: { deny: ['Bash(git push --force*)'], ask: ['Bash(npm publish*)'] } },
  },
}
const dayMs = 86_400_000
const today = (back = 0) => new Date(Date.now() - back * dayMs).toISOString().slice(0, 10)

/** Opens the view with a record of these rows. */
async function historyOf(rows: readonly (DecisionRecord | string)[], more: Partial<RecordBatch> = {}, lost = 0) {
  const opened = await openedPage()
  mkdirSync(dirname(opened.places.decisions), { recursive: true, mode: 0o700 })
  append(opened.places.decisions, rows, more, lost)
  await openHistory(opened.page)
  return opened
}

async function openHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('heading', { name: 'History', exact: true }).waitFor()
  await page.locator('.history[aria-busy=false]').waitFor()
}

/** Returns the sums at the top. */
async function keyFigures(page: Page): Promise<Record<string, string>> {
  const texts = await page.locator('.key-figures div').allInnerTexts()
  return Object.fromEntries(
    texts.map((text) => {
      const [name = '', value = ''] = text.split('\n').filter((line) => line !== '')
      return [name, value] as const
    }),
  )
}

/** Adds up the columns of the chart's table: refused, asked, observed, passed. */
async function columnSums(page: Page): Promise<readonly number[]> {
  const rows = await page.evaluate<number[][]>(`
    [...document.querySelectorAll('.chart tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replaceAll(',', ''))))`)
  return rows.reduce<number[]>((sums, row) => row.map((value, index) => value + (sums[index] ?? 0)), [])
}

/** Returns the colours in the canvas of the first chart. */
const coloursOf = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const canvas = document.querySelector('.chart canvas')
    // A copy: the browser warns of reading what is drawn upon.
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    const colours = new Set()
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255) colours.add(data.slice(at, at + 3).join(','))
    return [...colours]
  })()`)

describe('the history', () => {
  it('shows what was decided, in its sums, charts and tables', async () => {
    const { page, problems, decide } = await openedPage(rules)
    await decide('git push --force')
    await decide('npm publish')
    await decide('npm test')
    await openHistory(page)
    expect(await keyFigures(page)).toMatchObject({ decided: '3', refused: '1', asked: '1', observed: '0', failed: '0' })
    expect(await page.locator('.chart').count()).toBe(1)
    expect(await columnSums(page)).toEqual([1, 1, 0, 1])
    await page.getByRole('button', { name: 'Leave out what passed' }).click()
    expect(await columnSums(page)).toEqual([1, 1, 0])
    await page.getByText('Nothing is recorded of the week before').waitFor()
    const [first = ''] = await page.getByRole('region', { name: 'Table of rules' }).locator('tbody tr').allInnerTexts()
    expect(first).toContain('permissions.deny')
    expect(await page.getByRole('region', { name: 'hooks and policies' }).innerText()).toContain('The whole decision')
    expect(await axe(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('draws the charts in the colours of the scheme, and again when that changes', async () => {
    const { page, problems } = await historyOf([recordWith(refusedBy('strict'))])
    const refused = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.swatch.refused')).backgroundColor`)
    const has = async (colour: string) =>
      (await coloursOf(page)).map((one) => `rgb(${one.replaceAll(',', ', ')})`).includes(colour)
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await refused()
    await expect.poll(() => has(light)).toBe(true)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await refused()
    expect(dark).not.toBe(light)
    await expect.poll(() => has(dark)).toBe(true)
    await page.setViewportSize({ width: 400, height: 800 })
    await expect.poll(() => page.evaluate<number>(`document.querySelector('.u-wrap').clientWidth`)).toBeLessThan(400)
    expect(problems).toEqual([])
  })

  it('is of the time, agent and project that the address names', async () => {
    const { page, problems } = await historyOf([
      recordWith({ ...refusedBy('strict'), agent: 'codex', project: '/b' }),
      recordWith(refusedBy('strict')),
      recordWith(refusedBy('strict'), Date.now() - 20 * dayMs),
      recordWith(refusedBy('strict'), Date.now() - 60 * dayMs),
    ])
    const refused = async () => (await keyFigures(page))['refused']
    expect(await refused()).toBe('2')
    await page.getByRole('link', { name: '30 days' }).click()
    await expect.poll(refused).toBe('3')
    await page.getByRole('link', { name: '90 days' }).click()
    await expect.poll(refused).toBe('4')
    expect(await columnSums(page)).toEqual([4, 0, 0, 0])
    await page.getByLabel('Agent', { exact: true }).selectOption('codex')
    await expect.poll(refused).toBe('1')
    await page.getByLabel('Agent', { exact: true }).selectOption('')
    await page.getByLabel('Project', { exact: true }).selectOption('/home/me/web')
    await expect.poll(refused).toBe('3')
    expect(page.url()).toMatch(/#\/history\?range=90d&project=%2Fhome%2Fme%2Fweb$/)
    expect(await page.locator('.command-line').innerText()).toMatch(
      /hookgate stats --since \d{4}-\d\d-\d\d --project \/home\/me\/web/,
    )
    await page.reload()
    await expect.poll(refused).toBe('3')
    await page.goBack()
    await expect.poll(refused).toBe('3')
    expect(problems).toEqual([])
  })

  it('says what changed since last week, by rules and agents that are new or silent', async () => {
    const { page, problems } = await historyOf([
      recordWith({ ...refusedBy('user:hooks.json/old/rule'), agent: 'cursor' }, Date.now() - 9 * dayMs),
      recordWith({}, Date.now() - 8 * dayMs),
      recordWith(refusedBy('user:hooks.json/new/rule')),
      recordWith(refusedBy('user:hooks.json/new/rule')),
      recordWith({ agent: 'codex' }),
    ])
    const week = page.getByRole('region', { name: 'What changed since last week' })
    await week.getByText('2 calls were refused, 1 more than before.').waitFor()
    expect(await week.getByRole('listitem').allInnerTexts()).toEqual([
      '3 calls were decided, 1 more than before.',
      '2 calls were refused, 1 more than before.',
      'Rules that objected this week and not the week before: new/rule (refused 2)',
      'Rules that objected the week before and not since: old/rule (refused 1)',
      'Agents that asked this week and not the week before: Codex (1 call)',
      'Agents that asked the week before and not since: Cursor (1 call)',
    ])
    await page.getByLabel('Agent', { exact: true }).selectOption('codex')
    await week.getByText('Nothing is recorded of the week before').waitFor()
    expect(await axe(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('says what failed, and leads to the last decision at which it did', async () => {
    const failing = (message: string) => ({
      evaluations: [{ ruleId: 'broken', durationMs: 1, failure: { code: 'nonzeroExit', message } }] as const,
    })
    const last = recordWith(failing('the second'))
    const { page, problems } = await historyOf([recordWith(failing('the first'), Date.now() - 1000), last])
    const table = page.getByRole('region', { name: 'Table of failures' })
    const text = await table.innerText()
    expect(text).toContain('broken')
    expect(text).toContain('the second')
    expect(text).not.toContain('the first')
    expect(await table.locator('td.number').innerText()).toBe('2')
    await table.locator('td a').click()
    expect(page.url()).toContain(`#/decision/${last.id}`)
    expect(problems).toEqual([])
  })

  it('says how long the gate, hooks and policies took, the slowest first', async () => {
    const time = (rule: string, ms: number, number: number) => ({ day: today(), rule, bucket: bucketOf(ms), number })
    const { page } = await historyOf([recordWith()], {
      times: [time('', 4, 10), time('quick', 0.5, 100), time('slow', 20, 90), time('slow', 2000, 10)],
    })
    const rows = await page.getByRole('region', { name: 'hooks and policies' }).locator('tbody tr').all()
    const texts = await Promise.all(
      rows.map(async (row) => (await row.locator('th, td.number').allInnerTexts()).join(' ')),
    )
    expect(texts[0]).toMatch(/^The whole decision 4\.\d ms 4\.\d ms 4\.\d ms 4\.\d ms 10$/)
    expect(texts[1]).toMatch(/^slow 2\d ms 2\.\d s 2\.\d s 2\.\d s 100$/)
    expect(texts[2]).toMatch(/^quick 0\.5 ms/)
    expect(await rows[1]?.locator('rect[height]').count()).toBeGreaterThan(1)
  })

  it('says which decisions are not among its figures', async () => {
    const counts = [
      {
        day: today(),
        agent: 'codex',
        project: '/b',
        event: 'PreToolUse',
        tool: 'shell',
        decision: 'abstain',
        number: 40,
      },
    ]
    const { page, problems } = await historyOf([recordWith(), '{}'], { counts }, 3)
    const notes = page.locator('.notes')
    expect(await notes.innerText()).toContain('40 decisions met no objection and were only counted')
    expect(await notes.innerText()).toContain('3 decisions could not be recorded')
    expect(await notes.innerText()).toContain('1 row of the record cannot be read')
    expect((await keyFigures(page))['decided']).toBe('42')
    expect(await columnSums(page)).toEqual([0, 0, 0, 2])
    await page.getByRole('link', { name: '30 days' }).click()
    await expect.poll(() => columnSums(page)).toEqual([0, 0, 0, 42])
    expect(problems).toEqual([])
  })

  it('says how there would be something where there is nothing', async () => {
    const { page, problems, places } = await openedPage({
      'home/.config/hookgate/hooks.json': { json: { record: 'off' } },
    })
    await openHistory(page)
    await page.getByText('Nothing is recorded yet.').waitFor()
    await page.getByText('Nothing is recorded now: the record is off').waitFor()
    mkdirSync(dirname(places.decisions), { recursive: true, mode: 0o700 })
    append(places.decisions, [recordWith({}, Date.now() - 20 * dayMs)])
    await page.getByRole('button', { name: 'Refresh' }).click()
    // Nobody has chosen a range, so it is that of the record, and begins where the record does.
    await expect.poll(async () => (await keyFigures(page))['decided']).toBe('1')
    expect(await page.getByRole('link', { name: '90 days' }).getAttribute('aria-current')).toBe('true')
    expect(await page.locator('.chart table').first().locator('tbody tr').count()).toBe(21)
    await page.getByRole('link', { name: '7 days' }).click()
    await page.getByText('Nothing was decided in the last 7 days.').waitFor()
    await page.getByRole('link', { name: 'Look at the last 90 days' }).click()
    await expect.poll(async () => (await keyFigures(page))['decided']).toBe('1')
    expect(problems).toEqual([])
  })

  it('says that the record cannot be read, and reads it again when it can', async () => {
    const { page, places } = await openedPage()
    mkdirSync(dirname(places.decisions), { recursive: true, mode: 0o700 })
    await page.getByRole('link', { name: 'History' }).waitFor()
    writeFileSync(places.decisions, 'no database at all\n'.repeat(100))
    await openHistory(page)
    await page.getByText('The record cannot be read').waitFor()
    rmSync(places.decisions)
    append(places.decisions, [recordWith()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(async () => (await keyFigures(page))['decided']).toBe('1')
  })
})
