/* oxlint-disable no-await-in-loop -- one page after the other */
import { expect, it } from 'vitest'
import { createGate } from '../../src/gate/gate.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { openedPage } from '../support/page.ts'
import { claudeShell } from '../support/wire.ts'
import { closeRecorded } from '../support/recorded.ts'

/** Each with a piece that must be read on the page. `pwned` is what markup and scripts in them would leave. */
const hostile: readonly (readonly [name: string, text: string, seen: string])[] = [
  ['a script', '<script>window.pwned = 1</script>', '<script>window.pwned = 1</script>'],
  ['an end of a script', '</script><script class=pwned>alert(1)</script>', '</script><script class=pwned>'],
  ['an image', '<img src=x class=pwned onerror="alert(1)">', '<img src=x class=pwned onerror='],
  ['an SVG', '<svg class=pwned onload=alert(1)><animate onbegin=alert(1)>', '<svg class=pwned onload='],
  ['a frame', '<iframe class=pwned srcdoc="<script>alert(1)</script>"></iframe>', '<iframe class=pwned srcdoc='],
  ['an end of an attribute', `" class="pwned" autofocus onfocus="alert(1)' x='`, '" class="pwned" autofocus'],
  [
    'an end of a comment and a title',
    '--></title></style></textarea><b class=pwned>',
    '--></title></style></textarea>',
  ],
  ['an address with a script', 'javascript:alert(document.domain)//pwned', 'javascript:alert(document.domain)'],
  ['a style', '<style>*{display:none}</style>body{background:url(//evil.example)}', '<style>*{display:none}</style>'],
  ['a template', '{{constructor.constructor("alert(1)")()}} ${alert(1)} <%= pwned %>', '{{constructor.constructor('],
  ['encoded markup', '&lt;img class=pwned&gt; %3Cscript%3E \\u003cb\\u003e', '&lt;img class=pwned&gt; %3Cscript%3E'],
  ['marks of direction', 'rm -rf / \u202E# cod.elif\u2066 \u200F', 'rm -rf / U+202E# cod.elif'],
  ['text from right to left', 'echo שלום עולם مرحبا && rm -rf build', 'echo שלום עולם مرحبا && rm -rf build'],
  ['what has no width', 'git pu\u200Bsh\u2060 --fo\u00ADrce\u{E0041}', 'git puU+200BshU+2060 --foU+00ADrce'],
  ['control characters', 'echo \u0007\u001b[2J\u001b]0;pwned\u0007\r\b', 'U+001B[2J'],
  ['a NUL', 'cat a\u0000b', 'cat aU+0000b'],
  ['halves of pairs', 'echo \ud800 and \udfff end', 'echo'],
  ['a flood of marks', `echo Z${'\u0301\u0335'.repeat(5000)}algo`, 'U+0335 U+0301'],
  ['a long line', `echo ${'A'.repeat(1_000_000)}`, 'AAAAAAAA'],
  ['a long line of nothing', `echo ${'\u200B'.repeat(100_000)} end`, 'echo'],
  ['look-alikes', 'curl https://gіthub.com/раypal', 'curl https://gіthub.com/раypal'],
]

const policy = `import { definePolicy, deny } from 'hookgate/policy'
export default definePolicy({
  id: 'echoes', description: 'Says what it is asked', on: 'PreToolUse', tool: 'shell',
  decide: ({ tool }) => deny('not this: ' + tool.command.slice(0, 2000)),
  examples: [{ name: 'any', given: { input: { command: 'x' } }, want: 'deny' }],
})
`

it('whatever an agent sends is shown as text', async () => {
  const { page, problems, folder, places, project, origin } = await openedPage(
    { 'rules/echoes.policy.ts': policy },
    { viewport: { width: 360, height: 740 } },
  )
  const records: DecisionRecord[] = []
  const gate = createGate({
    rules: [`${folder}/rules/echoes.policy.ts`],
    discover: false,
    placement: 'caller',
    record: places.decisions,
    onRecord: (record) => void records.push(record),
  })
  for (const [, text] of hostile) await gate.answer(claudeShell(text, project), { agent: 'claude-code' })
  // The names of tools, projects and sessions are the agent's words as well.
  const name = '<img src=x class=pwned onerror=alert(1)>\u202E'
  await gate.answer(
    { ...claudeShell('ls', `/${name}`), tool_name: `mcp__${name}`, session_id: name },
    { agent: 'claude-code' },
  )
  await closeRecorded(gate, hostile.length + 1)
  expect(records).toHaveLength(hostile.length + 1)

  // So high that the list has all of them in sight.
  await page.setViewportSize({ width: 1280, height: 2400 })
  await page.goto(`${origin}/#/now`)
  await page.reload()
  await page.getByText('<script>window.pwned').first().waitFor()
  await expectHarmless()
  const session = `session/${encodeURIComponent(name)}?agent=claude-code`
  for (const view of ['sessions', session, 'history', 'rules', 'agents', 'replay']) {
    await page.goto(`${origin}/#/${view}`)
    await page.locator('h1').waitFor()
    await page.waitForTimeout(300)
    await expectHarmless()
  }
  for (const [at, [what, , seen]] of hostile.entries()) {
    const began = performance.now()
    await page.goto(`${origin}/#/decision/${records[at]?.id}`)
    await page.locator('main').getByText(seen).first().waitFor()
    expect([what, performance.now() - began < 5000]).toEqual([what, true])
    await expectHarmless()
  }
  await page.goto(`${origin}/#/decision/${records.at(-1)?.id}`)
  await page.locator('main h1').waitFor()
  await expectHarmless()
  expect(problems).toEqual([])

  async function expectHarmless(): Promise<void> {
    const found = await page.evaluate<unknown>(`({
      elements: document.querySelectorAll('.pwned, main script, main iframe, main style').length,
      scripts: 'pwned' in window,
      links: [...document.querySelectorAll('a')].filter((a) => !a.href.startsWith('${origin}/#/') && a.className !== 'skip').map((a) => a.href),
      hidden: [...document.querySelectorAll('main *')].flatMap((element) => [...element.attributes])
        // What a choice stands for is not shown.
        .filter(({ name, value }) => name !== 'value' && /[\\u202e\\u200b\\u0000\\u001b]/.test(value)).map(({ name, value }) => name + '=' + value.slice(0, 80)),
      wide: document.scrollingElement.scrollWidth > innerWidth,
    })`)
    expect([page.url(), found]).toEqual([
      page.url(),
      { elements: 0, scripts: false, links: [], hidden: [], wide: false },
    ])
  }
})
