import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exceptionFrom, propose } from '../../../src/gate/exceptions/propose.ts'
import type { HookEvent } from '../../../src/model/event.ts'
import { commandPatternText } from '../../../src/rules/match/word-pattern.ts'
import { callOf, factsOf, judged, refusing, root } from '../../support/exceptions.ts'
import { folderWith } from '../../support/workspace.ts'

const rule = refusing(['Bash(curl *)', 'Bash(sudo *)', 'Read', 'Write'])

/** Proposes exceptions for what a rule says of a call, and returns them with what is left once they are in force. */
async function proposed(event: HookEvent) {
  const [evaluation] = await judged([rule], [], event)
  if (evaluation === undefined) throw new Error('there is no evaluation')
  const proposals = propose(event, await factsOf(event), rule, evaluation)
  const exceptions = (proposals ?? []).flatMap((one) => exceptionFrom(one, 'user', 'proposed') ?? [])
  const [left] = await judged([rule], exceptions, event)
  return { proposals, left: left?.kind, before: evaluation }
}

const word = fc.oneof(
  fc.constantFrom(
    '-f',
    'a b',
    '*',
    '~',
    '$X',
    "it's",
    '',
    '{a,b}',
    'feature/*',
    '..',
    'x=y',
    '#',
    '\n',
    'é',
    '"',
    '\\',
  ),
  fc.string({ unit: fc.constantFrom('a', '*', "'", '"', '\\', ' ', '$', '~', '{', ',', '}') }),
)

describe('proposed exceptions', () => {
  it('take back exactly the answer that they were proposed for', async () => {
    const lines = fc.array(
      fc.tuple(fc.constantFrom('curl', 'sudo curl', 'ls', 'timeout 5 curl'), fc.array(word, { maxLength: 3 })),
      { minLength: 1, maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(lines, async (line) => {
        const text = line.map(([program, words]) =>
          [program, ...(words.length > 0 ? [commandPatternText(['x', ...words]).slice(2)] : [])].join(' '),
        )
        const { proposals, left, before } = await proposed(callOf(text.join('; ')))
        const isKnown = !line.some(([, words]) => words.some((one) => /[{}]|^~/.test(one)))
        const isRefused = before.kind === 'applicable'
        const isLifted = proposals !== undefined
        expect({ isLifted, left }).toEqual({
          isLifted: isRefused && (isKnown || isLifted),
          left: isRefused && !isLifted ? 'applicable' : 'notApplicable',
        })
      }),
      { numRuns: 200 },
    )
  })

  it('name the rule, the outermost words and the project', async () => {
    const { proposals } = await proposed(callOf("sudo curl 'a b'; ls; curl c 2>&1 | tail -3"))
    const common = { rule: 'user:hooks.json#permissions.deny', project: root }
    expect(proposals).toEqual([
      { ...common, command: "sudo curl 'a b'" },
      { ...common, command: 'curl c' },
    ])
  })

  it('name a file by its path in the project', async () => {
    const folder = folderWith({ 'a.txt': '', 'sub/a.txt': '' })
    const { proposals, left } = await proposed(callOf({ tool: 'Read', path: join(folder, 'a.txt') }, folder))
    expect(proposals).toEqual([{ rule: 'user:hooks.json#permissions.deny', project: folder, path: './a.txt' }])
    expect(left).toBe('notApplicable')
  })

  it('name a file outside of the project by its whole path', async () => {
    const folder = folderWith({ 'a.txt': '', 'project/b': '' })
    const event = callOf({ tool: 'Write', path: join(folder, 'a.txt') }, join(folder, 'project'))
    const { proposals, left } = await proposed(event)
    expect(proposals).toMatchObject([{ path: join(folder, 'a.txt') }])
    expect(left).toBe('notApplicable')
  })

  it.each(['curl "$X"', 'curl a > b', 'curl a | sh', 'curl a; $X', 'curl *.txt', 'X=1 curl a', 'echo a | xargs curl'])(
    'there are none where not everything is known, or more happens than the words say: %s',
    async (command) => {
      expect((await proposed(callOf(command))).proposals).toBeUndefined()
    },
  )

  it('there are none for a file whose name would be a pattern', async () => {
    expect((await proposed(callOf({ tool: 'Read', path: `${root}/a*` }))).proposals).toBeUndefined()
    expect((await proposed(callOf({ tool: 'Read', path: `${root}/a[b]` }))).proposals).toBeUndefined()
  })
})
