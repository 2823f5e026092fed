/* oxlint-disable no-await-in-loop -- one view after the other */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/gate/gate.ts'
import { axe } from '../support/axe.ts'
import { openedPage } from '../support/page.ts'
import { claudeShell } from '../support/wire.ts'
import { closeRecorded } from '../support/recorded.ts'

const rules = {
  'home/.config/hookgate/hooks.json': {
    json: {
      permissions: { deny: ['Bash(git push *)'], ask: ['Bash(npm publish *)'] },
      packs: [{ pack: 'git-safety', mode: 'observe' }],
    },
  },
}

/** Opens the page of a user with a refusal, a question, something observed and something let through. */
async function pageOfADay(options: Parameters<typeof openedPage>[1] = {}) {
  const opened = await openedPage(rules, options)
  const { folder, page, places, project } = opened
  const gate = createGate({
    rules: [`${folder}/home/.config/hookgate/hooks.json`],
    discover: false,
    placement: 'caller',
    record: places.decisions,
  })
  const commands = ['git push --force', 'npm publish', 'git reset --hard', 'npm test']
  for (const command of commands) {
    await gate.answer(claudeShell(command, project), { agent: 'claude-code' })
  }
  await closeRecorded(gate, commands.length)
  await page.reload()
  await page.getByText('git push --force').first().waitFor()
  return opened
}

const views = ['Now', 'Approvals', 'Sessions', 'History', 'Rules', 'Agents', 'Replay'] as const

/** Opens a view, and waits until it has what it asks for. */
async function open(page: Page, view: (typeof views)[number]): Promise<void> {
  const isThere = (await page.getByRole('main', { name: view }).count()) === 1
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
  if (!isThere) await expect.poll(() => focused(page)).toBe('content')
  await settled(page)
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.locator('.state.waiting, [aria-busy=true]').count(), { timeout: 120_000 }).toBe(0)
}

const focused = (page: Page) =>
  page.evaluate<string>(`document.activeElement?.id || document.activeElement?.textContent.trim()`)

/** Returns the parts of names and paths that stand on two lines although they would fit on one. */
const brokenNames = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main .text')].flatMap((one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
    const places = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < node.data.length; at += 1) places.push([node, at])
    const broken = []
    for (const { 0: word, index } of one.textContent.matchAll(/[^\\s"'\`,;()<>|&=]+/g)) {
      if (!word.includes('/')) continue
      for (const { 0: part, index: from } of word.matchAll(/[^/]*-[^/]*/g)) {
        const range = document.createRange()
        range.setStart(...places[index + from])
        const [node, at] = places[index + from + part.length - 1]
        range.setEnd(node, at + 1)
        const rects = [...range.getClientRects()]
        const width = rects.reduce((sum, rect) => sum + rect.width, 0)
        const isBroken = rects.some((rect) => rect.top > rects[0].bottom - 2)
        if (isBroken && width < one.parentElement.clientWidth) broken.push(part)
      }
    }
    return broken
  })`)

it("axe finds what is wrong, under the page's own policy", async () => {
  const { page, problems } = await openedPage()
  await page.getByRole('heading', { name: 'Now' }).waitFor()
  await page.evaluate(
    `document.querySelector('h1').append(document.createElement('img'), document.createElement('button'))`,
  )
  const found = (await axe(page)).join('\n')
  expect(found).toContain('critical button-name')
  expect(found).toContain('critical image-alt')
  expect(problems).toEqual([])
})

it('axe finds nothing serious in any view, and nothing is wider than the window, at three widths in both schemes', async () => {
  const { page, problems } = await pageOfADay()
  for (const view of [...views, 'Decision', 'Session'] as const) {
    if (view === 'Decision' || view === 'Session') {
      await open(page, view === 'Decision' ? 'Now' : 'Sessions')
      await page.locator(`main a[href*="#/${view.toLowerCase()}/"]`).first().click()
      await settled(page)
    } else await open(page, view)
    for (const width of [360, 820, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await settled(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect([view, width, colorScheme, ...(await axe(page))]).toEqual([view, width, colorScheme])
      }
      const isNarrow = await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')
      expect([view, width, isNarrow]).toEqual([view, width, true])
      expect([view, width, ...(await brokenNames(page))]).toEqual([view, width])
    }
  }
  expect(problems).toEqual([])
})

describe('by keyboard', () => {
  it('the first key leads past the navigation, and the next ones through it in its order', async () => {
    const { page } = await pageOfADay()
    await page.keyboard.press('Tab')
    const skip = page.locator('.skip')
    expect(await focused(page)).toBe('Skip to the content')
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    expect(await focused(page)).toBe('content')
    expect(page.url()).not.toContain('#content')
    await page.reload()
    await page.getByText('git push --force').first().waitFor()
    const order: string[] = []
    for (let at = 0; at < views.length + 2; at += 1) {
      await page.keyboard.press('Tab')
      order.push(await focused(page))
    }
    expect(order).toEqual(['Skip to the content', 'hookgate', ...views])
  })

  it('every view is reached, the focus moves to what is new, and it says where it is', async () => {
    const { page, problems } = await pageOfADay()
    for (const view of views.slice(1)) {
      await page.getByRole('link', { name: view, exact: true }).first().focus()
      await page.keyboard.press('Enter')
      await page.getByRole('main', { name: view }).waitFor()
      await expect.poll(() => focused(page)).toBe('content')
      await settled(page)
      expect(await page.title()).toBe(`${view} · hookgate`)
      expect(await page.locator('[aria-current=page]').textContent()).toBe(view)
    }
    await page.goBack()
    await page.getByRole('main', { name: 'Agents' }).waitFor()
    await expect.poll(() => page.title()).toBe('Agents · hookgate')
    expect(problems).toEqual([])
  })

  it('nothing keeps the focus in it, and everything that has it shows it', async () => {
    const { page } = await pageOfADay()
    let all = 0
    for (const view of views) {
      await open(page, view)
      const seen = new Set<string>()
      for (let at = 0; at < 150; at += 1) {
        await page.keyboard.press('Tab')
        const [key, outline] = await page.evaluate<[string, string]>(`(() => {
          const one = document.activeElement
          // A link may be shown by the line that it stands in.
          const shown = (up) => [up, up.parentElement, up.closest('[role=row]')].map((box) => box && getComputedStyle(box).outlineStyle).find((style) => style && style !== 'none') ?? 'none'
          const path = []
          for (let up = one; up?.parentElement; up = up.parentElement) path.unshift([...up.parentElement.children].indexOf(up))
          return [one === document.body ? 'out' : path.join('/') + ' ' + one.className, shown(one)]
        })()`)
        if (key === 'out') break
        expect(`${view} ${key}: ${outline}`).not.toMatch(/: none$/)
        if (seen.has(key)) break
        seen.add(key)
      }
      all += seen.size
    }
    expect(all).toBeGreaterThan(5)
  })
})

it('nothing moves for those who want no motion', async () => {
  const { page } = await pageOfADay({ reducedMotion: 'reduce' })
  for (const view of views) {
    await page.getByRole('link', { name: view, exact: true }).first().click()
    expect([view, await page.evaluate('document.getAnimations().length')]).toEqual([view, 0])
    await settled(page)
  }
})

it('with colours that a person has forced, the current view is still told apart', async () => {
  const { page } = await pageOfADay({ forcedColors: 'active' })
  const current = await page.evaluate(`getComputedStyle(document.querySelector('nav [aria-current]')).outlineStyle`)
  expect(current).toBe('solid')
})
