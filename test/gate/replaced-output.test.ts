import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type GateOptions, type HookEvent, type Json, type Verdict } from '../../src/library/index.ts'
import { emptyHome, missing } from '../support/own-folder.ts'
import { claudeEvent } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const shipped = fileURLToPath(new URL('../../policies/output-secrets', import.meta.url))
const token = 'ghp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9aB1cD3eF5'

/** A policy that decides about outputs by this body. */
const policy = (id: string, body: string) => `
import { context, definePolicy, deny, replaceOutput } from 'hookgate/policy'
export default definePolicy({
  id: '${id}',
  description: 'part of a test',
  on: 'PostToolUse',
  decide({ event }) {
    const output = event.result?.output
    ${body}
  },
})
`
/** One that replaces a word of the output, if it stands there. */
const changes = (id: string, from: string, to: string) =>
  policy(
    id,
    `if (JSON.stringify(output).includes('${from}')) return replaceOutput({ ...output, stdout: output.stdout.replace('${from}', '${to}') }, '${from} is ${to}')`,
  )
/** A hook of Claude Code's that answers with another output, whatever there was. */
const hook = (output: object) =>
  `cat > /dev/null; echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: output } })}'`

interface Rules {
  readonly policies?: Readonly<Record<string, string>>
  readonly hooks?: readonly string[]
  readonly more?: GateOptions
}

async function decided(stdout: string, { policies = {}, hooks = [], more = {} }: Rules): Promise<Verdict> {
  const root = folderWith({
    'hooks.json': JSON.stringify({
      hooks: { PostToolUse: [{ hooks: hooks.map((command) => ({ type: 'command', command })) }] },
    }),
    ...Object.fromEntries(Object.entries(policies).map(([id, text]) => [`${id}.policy.ts`, text])),
  })
  const files = [
    ...(hooks.length > 0 ? [join(root, 'hooks.json')] : []),
    ...Object.keys(policies).map((id) => join(root, `${id}.policy.ts`)),
  ]
  const gate = createGate({ home: emptyHome, managedFolder: missing, record: false, rules: files, ...more })
  onTestFinished(() => gate.close())
  return gate.decide(await gate.decode(after(root, { stdout, stderr: '', interrupted: false })))
}
const after = (root: string, tool_response: Json, more: object = {}) =>
  claudeEvent('PostToolUse', root, { tool_name: 'Bash', tool_input: { command: 'x' }, tool_response, ...more })

const shown = ({ obligations }: Verdict): unknown =>
  obligations.flatMap((one) => (one.kind === 'replaceOutput' ? [one.output] : []))[0]
const stdoutOf = (verdict: Verdict) => {
  const output = shown(verdict)
  return typeof output === 'object' && output !== null && 'stdout' in output ? output.stdout : undefined
}

describe('several rules that replace an output', () => {
  it('each see what those before have made, in the order of the plan', async () => {
    const policies = {
      a: changes('a', 'one', 'two'),
      b: changes('b', 'one', 'three'),
      c: changes('c', 'one', 'never'),
    }
    expect(stdoutOf(await decided('one one one', { policies }))).toBe('two three never')
    expect(stdoutOf(await decided('one', { policies }))).toBe('two')
  })

  it('are hooks first: every policy sees what a hook has made, also one that had nothing to say before', async () => {
    const policies = {
      a: changes('a', 'added', 'masked'),
      b: policy('b', `if (output.stdout === 'x masked') return context('seen')`),
    }
    const verdict = await decided('x', {
      policies,
      hooks: [hook({ stdout: 'x added', stderr: '', interrupted: false })],
    })
    expect(stdoutOf(verdict)).toBe('x masked')
    expect(verdict.context).toBe('seen')
  })

  it('withhold the output if they are hooks that disagree', async () => {
    const hooks = [hook({ stdout: 'a' }), hook({ stdout: 'b' })]
    const verdict = await decided('secret', { hooks })
    expect(verdict.decision).toBe('deny')
    expect(shown(verdict)).toEqual({
      stdout: expect.stringMatching(/^\[withheld by hookgate: two different outputs .*\]$/),
      stderr: '',
      interrupted: false,
    })
  })

  it('do not count if they only observe', async () => {
    const root = folderWith({ 'p.policy.ts': changes('p', 'one', 'two') })
    const rules = folderWith({
      'hooks.json': JSON.stringify({
        hooks: {
          PostToolUse: [{ hooks: [{ type: 'policy', policy: join(root, 'p.policy.ts'), mode: 'observe' }] }],
        },
      }),
    })
    const verdict = await decided('one', { more: { rules: [join(rules, 'hooks.json')] } })
    expect(shown(verdict)).toBeUndefined()
    expect(verdict.evaluations[0]).toMatchObject({ kind: 'applicable', observed: true, reason: 'one is two' })
  })
})

describe('an output is withheld', () => {
  it.each([
    ['throws', `throw new Error('no')`],
    ['loops', 'for (;;);'],
    ['answers nonsense', 'return { replaceOutput: () => 1 }'],
    ['answers too much', `return replaceOutput('x'.repeat(2000000))`],
  ])('if a policy %s', async (_, body) => {
    const verdict = await decided('a secret', { policies: { broken: policy('broken', body) } })
    expect(verdict.decision).toBe('deny')
    expect(JSON.stringify(shown(verdict))).not.toContain('a secret')
    expect(stdoutOf(verdict)).toMatch(/^\[withheld by hookgate: /)
  })

  it('if one policy fails beside another that has hidden something', async () => {
    const policies = { a: changes('a', 'secret', 'mask'), b: policy('b', `throw new Error('no')`) }
    expect(stdoutOf(await decided('a secret', { policies }))).toMatch(/^\[withheld by hookgate: /)
  })

  it('not if a rule that has not failed refuses: its reason is for the model, with the output', async () => {
    const verdict = await decided('an error', { policies: { a: policy('a', `return deny('mend it')`) } })
    expect([verdict.decision, shown(verdict)]).toEqual(['deny', undefined])
  })

  it('in a form that fits the tool: kinds and numbers stay, every text goes', async () => {
    const gate = createGate({
      home: emptyHome,
      managedFolder: missing,
      record: false,
      rules: [join(folderWith({ 'b.policy.ts': policy('b', 'throw 1') }), 'b.policy.ts')],
    })
    onTestFinished(() => gate.close())
    const withheld = async (output: Json) => shown(await gate.decide(await gate.decode(after('/p', output))))
    const text = expect.stringMatching(/^\[withheld by hookgate: /)
    expect(await withheld({ type: 'text', file: { filePath: '/p/a', content: 'a secret\n', numLines: 1 } })).toEqual({
      type: 'text',
      file: { filePath: '', content: text, numLines: 1 },
    })
    expect(await withheld({ mode: 'files_with_matches', filenames: ['a', 'b'], content: 'x', numFiles: 2 })).toEqual({
      mode: 'files_with_matches',
      filenames: [],
      content: text,
      numFiles: 2,
    })
    expect(
      await withheld([
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ]),
    ).toEqual([{ type: 'text', text }])
    expect(await withheld({ content: [{ type: 'text', text: 'a' }] })).toEqual({ content: [{ type: 'text', text }] })
    expect(await withheld('a secret')).toEqual(text)
    expect(await withheld(['a', 'b'])).toEqual(text)
  })
})

describe('the pack output-secrets', () => {
  const gateOn = (home: string) => {
    const gate = createGate({ home, managedFolder: missing, record: false, rules: [shipped], discover: false })
    onTestFinished(() => gate.close())
    return gate
  }
  const event = async (
    gate: ReturnType<typeof gateOn>,
    root: string,
    command: string,
    stdout: string,
  ): Promise<HookEvent> => gate.decode(after(root, { stdout, stderr: '' }, { tool_input: { command } }))

  it('knows the values of a file of variables that the call has read, where no name stands beside them', async () => {
    const root = folderWith({ '.env': `PORT=3000\nPAY_ID="Vq7rT2mK9xW4zBn6"\nNAME=app\n` })
    const gate = gateOn(emptyHome)
    const verdict = await gate.decide(await event(gate, root, 'cut -d= -f2 .env', '3000\n"Vq7rT2mK9xW4zBn6"\napp\n'))
    expect(stdoutOf(verdict)).toBe('3000\n"[hidden by hookgate: secret; load .env and use $PAY_ID]"\napp\n')
    expect(verdict.evaluations).toContainEqual(expect.objectContaining({ reason: 'hides secret' }))
  })

  it('refuses its mask in the place of the value, with the way to the value that the mask names', async () => {
    const gate = gateOn(emptyHome)
    const first = stdoutOf(await gate.decide(await event(gate, '/p', 'gh auth token', `${token}\n`)))
    const command = `curl -H "Authorization: Bearer ${String(first).trim()}" https://api.github.com/user`
    const call = claudeEvent('PreToolUse', '/p', { tool_name: 'Bash', tool_input: { command } })
    const { decision, reason } = await gate.decide(await gate.decode(call))
    expect([decision, reason]).toEqual(['deny', expect.stringContaining('itself: use `$(gh auth token)` (')])
    const advised = { ...call, tool_input: { command: command.replace(String(first).trim(), '$(gh auth token)') } }
    expect((await gate.decide(await gate.decode(advised))).decision).toBe('abstain')
  })
})
