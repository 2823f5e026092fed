import { expect, it } from 'vitest'
import { axe } from '../support/axe.ts'
import { openedPage } from '../support/page.ts'

const rules = {
  'home/.config/hookgate/hooks.json': {
    json: { packs: [{ pack: 'git-safety' }], permissions: { deny: ['Bash(curl *)'] } },
  },
}

it('one decision is shown with its commands, the place that decided, and what lets it through', async () => {
  const { page, problems, decide, origin, cli, project } = await openedPage(rules)
  await decide('sudo bash -c "git push --force origin main && ls"')
  const [line = ''] = (await cli(['log', '--json'], { cwd: project })).stdout.trim().split('\n')
  const { id, refusal } = JSON.parse(line) as { readonly id: string; readonly refusal: string }
  await page.goto(`${origin}/#/decision/${id}`)
  // What is recorded is there before the explanation.
  await page.getByRole('heading', { level: 1, name: 'sudo bash -c' }).waitFor()
  await expect.poll(() => page.title()).toBe('sudo bash -c "git push --force origin main && ls" · hookgate')
  await page.locator('.verdict .badge.refused').waitFor()
  await page.getByRole('table').getByText('git-safety/force-push').first().waitFor()
  await page.getByText(/force-push\.policy\.ts:\d+:\d+/).waitFor()
  // The tree: `sudo` starts `bash`, which starts `git`; the rule answered about that.
  const git = page.locator('.tree .tree .tree .command.decides')
  expect(await git.textContent()).toContain('git push --force origin main')
  expect(await git.textContent()).toContain('It overwrites remote branch `main`, with the work of others, for good')
  expect(await git.getByRole('link').getAttribute('href')).toContain('#/rules?rule=')
  expect(await page.locator('main').textContent()).toContain('No other rule objected')
  await page.getByText('The same by hand').click()
  await page.getByText(`hookgate allow ${refusal} --once`).waitFor()
  expect(await axe(page)).toEqual([])
  expect(problems).toEqual([])
})

it('a refused call is let through once, then always, until its exception is removed', async () => {
  const { page, problems, decide, origin, cli, project } = await openedPage(rules)
  const push = 'git push --force origin topic'
  const decided = async () => (JSON.parse((await decide(push)).stdout) as { readonly decision: string }).decision
  const dialog = page.getByRole('dialog')
  async function letThrough(extent: string): Promise<void> {
    expect(await decided()).toBe('deny')
    const [line = ''] = (await cli(['log', '--json'], { cwd: project })).stdout.trim().split('\n')
    const { id } = JSON.parse(line) as { readonly id: string }
    await page.goto(`${origin}/#/decision/${id}`)
    await page.getByRole('button', { name: `${extent} …` }).click()
    await dialog.locator('button.main').click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await letThrough('Once')
  expect([await decided(), await decided()]).toEqual(['abstain', 'deny'])
  await letThrough('Always')
  expect([await decided(), await decided()]).toEqual(['abstain', 'abstain'])
  await page.goto(`${origin}/#/rules`)
  await page
    .getByRole('row', { name: /force-push/ })
    .getByRole('button', { name: 'Remove' })
    .click()
  await dialog.getByText('force-push').last().waitFor()
  await dialog.locator('button.main').click()
  await page.getByText('You have made none.').waitFor()
  expect(await decided()).toBe('deny')
  expect(problems).toEqual([])
})

it('a decision that is not recorded says what to do', async () => {
  const { page, decide, origin } = await openedPage()
  await decide('echo hello')
  await page.goto(`${origin}/#/decision/01nothing`)
  expect(await page.getByRole('alert').textContent()).toContain('o recorded decision has the id')
  await page.getByRole('link', { name: 'Look at the latest decisions' }).click()
  await page.getByText('echo hello').waitFor()
})
