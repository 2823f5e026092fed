import { expect, it } from 'vitest'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { axe } from '../support/axe.ts'
import { openedPage } from '../support/page.ts'
import { claudeShell } from '../support/wire.ts'

it('the view Approvals shows a call that waits, and refuses it with a reason that the model is told', async () => {
  const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }
  const { page, places, project } = await openedPage({ 'home/.config/hookgate/hooks.json': rules })
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByText('No gate runs, so no call can wait for you.').waitFor()
  await page.getByRole('button', { name: 'Start the gate' }).click()
  await page.getByText('No call waits for you.').waitFor()
  await page.getByRole('button', { name: 'Copy the setting' }).waitFor()
  expect(await axe(page)).toEqual([])
  const wire = claudeShell('npm publish .', project, { turn_id: 't', model: 'm' })
  const calling = askGate(places, { path: '/v1/hook/codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
  const card = page.getByRole('region', { name: 'Bash: npm publish .' })
  await card.getByText(/^Codex, Bash, in /).waitFor()
  await page.getByRole('navigation', { name: 'Views' }).getByText('1 waiting').waitFor()
  await expect.poll(() => page.title()).toBe('(1) Approvals · hookgate')
  expect(await axe(page)).toEqual([])
  await card.getByLabel('Reason, for the model').fill('the version is not final')
  await card.getByRole('button', { name: 'Deny' }).click()
  const { headers, body } = await calling
  expect(headers['hookgate-exit-code']).toBe('2')
  expect(body.toString()).toMatch(/refused by .* on the page: the version is not final/)
  await page.getByText(/^\w{6} was refused\.$/).waitFor()
})
