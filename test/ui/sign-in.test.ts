import { expect, it } from 'vitest'
import { openedPage, openIn, servedPage } from '../support/page.ts'

it('a link opens the page', async () => {
  const { page, problems, decide } = await openedPage()
  await decide('echo hello')
  await page.reload()
  await page.getByRole('heading', { name: 'Now' }).waitFor()
  await page.getByText('echo hello').waitFor()
  expect(problems).toEqual([])
  expect(page.url()).not.toContain('token')
})

it('a link opens the page once', async () => {
  const { served } = await servedPage()
  const link = served.link()
  await openIn(link)
  const { page } = await openIn(link)
  expect(await page.textContent('body')).toContain('this link was used already')
})
