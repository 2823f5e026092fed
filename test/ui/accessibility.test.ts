import { describe, expect, it } from 'vitest'
import { axe } from '../support/axe.ts'
import { openedPage } from '../support/page.ts'

describe('axe', () => {
  it("finds what is wrong, under the page's own policy", async () => {
    const { page, problems } = await openedPage()
    await page.getByRole('heading', { name: 'Now' }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.evaluate(
      `document.querySelector('h1').append(document.createElement('img'), document.createElement('button'))`,
    )
    const found = await axe(page)
    expect(found.join('\n')).toContain('critical button-name')
    expect(found.join('\n')).toContain('critical image-alt')
    expect(problems).toEqual([])
  })
})
