import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import { askGate } from '../../src/service/server/ask-gate.ts'
import { answerRequest, openRequests } from '../../src/service/server/ask-approvals.ts'
import { axe } from '../support/axe.ts'
import { openedPage, openIn } from '../support/page.ts'
import { residentUser } from '../support/resident.ts'
import { hasTerminals, startInTerminal } from '../support/terminal.ts'
import { claudeShell } from '../support/wire.ts'

it('the view Approvals turns them on, starts the gate, and refuses a call that waits with a reason that the model is told', async () => {
  const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] } } }
  const { page, places, project, folder } = await openedPage({ 'home/.config/hookgate/hooks.json': rules })
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByText('Approvals are off, so no call waits for you.').waitFor()
  await page.getByRole('button', { name: 'Turn approvals on …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('No gate runs, so no call can wait for you.').waitFor()
  const file = readFileSync(join(folder, 'home/.config/hookgate/hooks.json'), 'utf8')
  expect(JSON.parse(file)).toEqual({ ...rules.json, approvals: true })
  await page.getByRole('button', { name: 'Start the gate' }).click()
  await page.getByText('No call waits for you.').waitFor()
  const wire = claudeShell('npm publish .', project, { turn_id: 't', model: 'm' })
  const calling = askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
  const card = page.getByRole('region', { name: 'Bash: npm publish .' })
  await card.getByText(/^Codex, Bash, in .*; \d min left$/).waitFor()
  await card.getByRole('link', { name: 'permissions.ask' }).waitFor()
  await page.getByRole('navigation', { name: 'Views' }).getByText('1 waiting').waitFor()
  await expect.poll(() => page.title()).toBe('(1) Approvals · hookgate')
  expect(await axe(page)).toEqual([])
  await card.getByLabel('Reason, for the model').fill('the version is not final')
  await card.getByRole('button', { name: 'Deny' }).click()
  const { exitCode, stdout } = await calling
  expect(exitCode).toBe(2)
  expect(stdout).toMatch(/refused by .* on the page: the version is not final/)
  await page.getByText(/^\w{6} was refused\.$/).waitFor()
})

it.runIf(hasTerminals)(
  'a call that is approved three times passes twice more, one for half an hour as often as it comes, and after that it waits',
  async () => {
    const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }
    const { cli, places, folder, env } = residentUser({ 'home/.config/hookgate/hooks.json': rules, 'project/x': '' })
    await cli(['up'])
    const project = join(folder, 'project')
    // The gate takes an approval from the page of a person's terminal only.
    const terminal = startInTerminal(`'${process.execPath}' '${entryFile('cli/bin')}' ui`, { env, cwd: project })
    let shown = ''
    terminal.stdout.on('data', (text: string) => (shown += text))
    await expect.poll(() => shown, { timeout: 120_000 }).toMatch(/http:\S+\s/)
    const { page } = await openIn(/http:\S+/.exec(shown)?.[0] ?? '')
    const publish = (call: string, command = 'npm publish .') => {
      const wire = claudeShell(command, project, { turn_id: 't', model: 'm', tool_use_id: call })
      return askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
    }
    await page.getByRole('link', { name: 'Approvals' }).click()
    const first = publish('1')
    const card = page.getByRole('region', { name: 'Bash: npm publish .' })
    await card.getByLabel('What to approve').selectOption('this call 3 times')
    await card.getByRole('button', { name: 'Approve' }).click()
    await page.getByText(/^\w{6} was approved: this call 3 times\.$/).waitFor()
    for (const answer of [await first, await publish('2'), await publish('3')]) {
      expect(answer.exitCode).toBe(0)
    }
    const last = publish('4')
    await card.getByRole('button', { name: 'Deny' }).click()
    expect((await last).exitCode).toBe(2)

    const waiting = publish('5', 'npm publish ./a')
    const other = page.getByRole('region', { name: 'Bash: npm publish ./a' })
    await other.getByLabel('What to approve').selectOption('this call for 30 minutes')
    await other.getByRole('button', { name: 'Approve' }).click()
    await page.getByText(/^\w{6} was approved: this call for 30 minutes\.$/).waitFor()
    const answers = [waiting, ...['6', '7', '8', '9'].map((call) => publish(call, 'npm publish ./a'))]
    for (const answer of await Promise.all(answers)) expect(answer.exitCode).toBe(0)
    await cli(['down'])
  },
)

it('at three widths in both schemes, the calls that wait are read in full, and axe finds nothing serious', async () => {
  const rules = { json: { permissions: { ask: ['Bash(npm publish *)'] }, approvals: true } }
  const { page, cli, places, project, problems } = await openedPage({ 'home/.config/hookgate/hooks.json': rules })
  await cli(['up'])
  const commands = [
    'npm publish .',
    `npm run build -- ${'--flag=value '.repeat(12)}&& npm publish ./packages/${'a'.repeat(90)}`,
  ]
  const callings = commands.map((command, index) => {
    const wire = claudeShell(command, project, { turn_id: 't', model: 'm', tool_use_id: String(index) })
    return askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
  })
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.getByRole('navigation', { name: 'Views' }).getByText('2 waiting').waitFor()
  // Of several commands, each that would run is told apart.
  await page.getByText('runs', { exact: true }).nth(1).waitFor()
  /* oxlint-disable no-await-in-loop -- one page, one width after the other */
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect([width, colorScheme, ...(await axe(page))]).toEqual([width, colorScheme])
    }
    expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true)
    const clipped = `[...document.querySelectorAll('main .card *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && one.tagName !== 'INPUT').length`
    expect([width, await page.evaluate(clipped)]).toEqual([width, 0])
  }
  /* oxlint-enable no-await-in-loop */
  // Somebody else is faster: who it was is said, whether the page hears of it first or the person there.
  const [{ id, call } = { id: '', call: '' }, other = { id: '', call: '' }] = (await openRequests(places)) ?? []
  await answerRequest(places, { id: other.id, call: other.call, answer: 'deny', channel: 'terminal', by: 'bob' })
  await page
    .getByText(/waits no more: denied by bob in a terminal .*\. hookgate allow \w{6} lets it through when the agent/)
    .waitFor()
  await page.evaluate(
    `globalThis.fetch = ((whole) => (url, init) => String(url).includes('/api/approvals') ? new Promise(() => {}) : whole(url, init))(fetch)`,
  )
  await answerRequest(places, { id, call, answer: 'deny', channel: 'terminal', by: 'bob' })
  await page.getByRole('button', { name: 'Deny' }).first().click()
  await page.getByText(/^\w{6} had ended before: denied by bob in a terminal after .*\.$/).waitFor()
  await cli(['down'])
  await Promise.all(callings)
  expect(problems).toEqual([])
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
  const calling = askGate(places, { to: 'hook', agent: 'codex', body: JSON.stringify(wire), timeoutMs: 60_000 })
  await page.getByRole('navigation', { name: 'Views' }).getByText('1 waiting').waitFor()
  const shown = () =>
    page.evaluate<{ title: string; body: string }[]>('shown.map(({ title, body }) => ({ title, body }))')
  await expect.poll(shown).toEqual([{ title: 'Codex waits for you', body: 'npm publish .' }])
  await page.evaluate(`shown[0].notification.dispatchEvent(new Event('click'))`)
  await page.getByRole('region', { name: 'Bash: npm publish .' }).getByRole('button', { name: 'Deny' }).click()
  expect((await calling).exitCode).toBe(2)
  expect(await shown()).toHaveLength(1)
  expect(page.url()).toBe(`${origin}/#/approvals`)
})
