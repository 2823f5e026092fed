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

it('the browser notifies of a call that begins to wait, once the person has allowed it there, and leads to it', async () => {
  const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }
  const { page, cli, places, project, origin } = await openedPage({
    'home/.config/hookgate/hooks.json': rules,
  })
  await cli(['up'])
  await page.getByRole('link', { name: 'Approvals' }).click()
  // A browser without a desktop shows none: what the page asks it to show is kept.
  await page.evaluate(`
    globalThis.shown = []
    globalThis.Notification = class extends EventTarget {
      static permission = 'default'
      static requestPermission = async () => (Notification.permission = 'granted')
      constructor(title, { body }) {
        super()
        shown.push({ title, body, notification: this })
      }
      close() {}
    }
    undefined`)
  await page.getByRole('link', { name: 'Now' }).click()
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByRole('button', { name: 'Notify me in this browser' }).click()
  await page.getByRole('button', { name: 'Notify me in this browser' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Rules' }).click()
  const wire = claudeShell('npm publish .', project, { turn_id: 't', model: 'm' })
  const calling = askGate(places, { path: '/v1/hook/codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
  await page.getByRole('navigation', { name: 'Views' }).getByText('1 waiting').waitFor()
  const shown = () =>
    page.evaluate<{ title: string; body: string }[]>('shown.map(({ title, body }) => ({ title, body }))')
  await expect.poll(shown).toEqual([{ title: 'Codex waits for you', body: 'npm publish .' }])
  await page.evaluate(`shown[0].notification.dispatchEvent(new Event('click'))`)
  await page.getByRole('region', { name: 'Bash: npm publish .' }).getByRole('button', { name: 'Deny' }).click()
  expect((await calling).headers['hookgate-exit-code']).toBe('2')
  expect(await shown()).toHaveLength(1)
  expect(page.url()).toBe(`${origin}/#/approvals`)
})
