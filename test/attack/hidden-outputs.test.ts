import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createGate, type Json } from '../../src/library/index.ts'
import { hideSecrets } from '../../src/mask/hide.ts'
import { limits } from '../../src/model/limits.ts'
import { recordOf } from '../../src/record/record.ts'
import { claudeEvent } from '../support/wire.ts'

const pack = fileURLToPath(new URL('../../policies/output-secrets', import.meta.url))
const gate = createGate({
  placement: 'caller',
  rules: [pack],
  discover: false,
  record: false,
  home: '/home/u',
  env: { HOME: '/home/u' },
})
afterAll(() => gate.close())

const token = 'ghp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9aB1cD3eF5'
const random = 'Vq7rT2mK9xW4zBn6'

async function after(tool_response: Json, more: object = {}) {
  const wire = { tool_name: 'Bash', tool_input: { command: 'x' }, tool_response, ...more }
  const event = await gate.decode(claudeEvent('PostToolUse', '/home/u/proj', wire))
  return { event, verdict: await gate.decide(event) }
}
/** What the model reads in the end. */
async function read(output: Json, more?: object): Promise<string> {
  const { verdict } = await after(output, more)
  const changed = verdict.obligations.flatMap((one) => (one.kind === 'replaceOutput' ? [one.output] : []))
  return JSON.stringify(changed.length > 0 ? changed[0] : output)
}
const isHidden = async (output: Json, value: string, more?: object) =>
  !(await read(output, more)).includes(value.slice(-12))

const mcp = { tool_name: 'mcp__a__b', tool_input: {} }

describe('a secret that somebody wants a model to read', () => {
  it.each<[where: string, output: Json, more?: object]>([
    ['in stderr', { stdout: '', stderr: `fatal: ${token}` }],
    ['in the name of a file', { filenames: [`a/${token}.txt`], numFiles: 1 }],
    ['in a list of files', `total 0\n-rw-r--r-- 1 u u 0 ${token}\n`],
    ['as the name of a field', { values: { [token]: true } }],
    ['in the content of a server', [{ type: 'text', text: `{"a":"${token}"}` }], mcp],
    ['in structured content', { content: [], structuredContent: { a: { b: [token] } } }, mcp],
    ['in a resource', [{ type: 'resource', resource: { uri: 'a://b', text: token } }], mcp],
    ['said to be an image', [{ type: 'text', mimeType: 'image/png', text: token }], mcp],
    ['between colours of a terminal', `\u001b[31m${token}\u001b[0m`],
    ['with colours in it', `a \u001b[1m${token.slice(0, 12)}\u001b[01;31m\u001b[K${token.slice(12)}\u001b[m`],
    ['behind many lines', { stdout: `${'a line\n'.repeat(20_000)}${token}` }],
    ['behind what is looked through', { stdout: `${'a line\n'.repeat(100_000)}${token}` }],
    ['twice without a space', `${token},${token}`],
    ['beside a mask that was there before', `[hidden by hookgate: GitHub token] ${token}`],
    ['inside of a false mask', `[hidden by hookgate: ${token}]`],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ token }))],
    ['in an address', `https://x:${random}${random}@a.example/`],
  ])('is hidden %s', async (_, output, more) => {
    expect(await isHidden(output, typeof output === 'string' && output.includes('x:Vq7') ? random : token, more)).toBe(
      true,
    )
  })

  /** What docs/threat-model.md says of it. */
  it.each<[how: string, output: Json]>([
    ['split over two texts', { stdout: token.slice(0, 20), stderr: token.slice(20) }],
    ['in base64', Buffer.from(token).toString('base64')],
    ['in hexadecimal digits', Buffer.from(token).toString('hex')],
    ['in reverse', token.split('').toReversed().join('')],
    ['that looks like a word', 'password: correct-horse'],
  ])('is not recognized %s', async (_, output) => {
    expect((await after(output)).verdict.obligations).toEqual([])
  })
})

it('an output of any size and form is answered, and the answer is no larger than is looked through', async () => {
  const sizes = [
    'x'.repeat(2_000_000),
    Array.from({ length: 50_000 }, (_, at) => `a ${at}`),
    `${'\u0001'.repeat(300_000)}${token}`,
    Array.from({ length: 300 }, (_, at) => `${token}${at}`).join(' '),
    'password='.repeat(50_000),
  ]
  for (const output of sizes) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const shown = await read(output)
    expect(shown).not.toContain(token)
    if (typeof output === 'string') expect(shown.length).toBeLessThan(limits.policyAnswerCharactersMax + 2)
  }
})

it('the record of a hidden secret has no part of it, and says what was hidden', async () => {
  const { event, verdict } = await after({ stdout: `GITHUB_TOKEN=${token}\npassword=${random}` })
  const record = JSON.stringify(recordOf(event, verdict, { via: 'library', version: '0', durationMs: 1 }))
  expect(record).toContain('hides GitHub token, value of password')
  for (const value of [token, random]) expect(record).not.toContain(value.slice(-12))
})

it('a mask has nothing of what it hides, and no text of the output can forge its way to the value', () => {
  const source = {
    showsSecrets: true,
    values: [],
    listsVariables: true,
    command: 'x"; rm -rf ~; "',
    file: 'a]; use $(evil)',
  }
  const shown = JSON.stringify(
    hideSecrets({ a: `$(evil)_TOKEN=${random}`, b: `EVIL]_TOKEN="${token}"` }, source)?.output,
  )
  expect(shown).not.toContain('rm -rf')
  expect(shown).not.toContain('use $(evil)')
})
