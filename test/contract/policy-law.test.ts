import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Gate, type GateOptions, type HookEvent, type Verdict } from '../../src/library/index.ts'
import { sampleEvent } from '../support/samples.ts'
import { folderWith } from '../support/workspace.ts'

/** Policies for every way in which evaluations might differ: decisions, state, errors, time and randomness. */
const decisions: Readonly<Record<string, string>> = {
  refuses: `if (/\\brm\\b/.test(tool.command ?? '')) return deny('no rm')`,
  asks: `if ((tool.command ?? '').length > 12) return ask('that is long')`,
  allows: `if (tool.command === 'ls') return allow('harmless')`,
  tells: `return [context('agent ' + event.agent), notice(tool.command ?? '')]`,
  throws: `if ((tool.command ?? '').includes('boom')) throw new TypeError('boom')`,
  counts: `let was = seen.n; try { seen.n += 1 } catch {} if (was > 0 || seen.n > 0) return deny('this was run before')`,
  remembers: `try { cache.push(tool.command) } catch {} if (cache.length > 0) return deny('this was run before')`,
  matches: `const pattern = /a/g; if (pattern.test(tool.command ?? '') !== new RegExp(pattern.source, 'g').test(tool.command ?? '')) return deny('lastIndex was kept')`,
  dates: `return context(new Date().toString() + Date.now() + new Date(2020, 1, 1).toISOString())`,
  sorts: `return context([...(tool.command ?? '')].sort((a, b) => a.localeCompare(b)).join(''))`,
  rewrites: `if ((tool.command ?? '').startsWith('git')) return rewrite({ command: tool.command + ' --dry-run' })`,
  talks: `if ((tool.command ?? '').includes('talk')) return 'nonsense'`,
}

const source = (id: string, body: string) => `
import { allow, ask, context, definePolicy, deny, notice, rewrite } from 'hookgate/policy'
const seen = { n: 0 }
const cache = []
export default definePolicy({
  id: '${id}',
  description: 'part of a law',
  on: 'PreToolUse',
  decide({ event, tool }) { ${body} },
})
`

/** Policies with tables at the top level, and one that tries to store state in them. */
const tableDecisions: Readonly<Record<string, string>> = {
  'looks-up': `if (words.has(tool.command)) return deny(texts.get(tool.command) ?? 'no such text')`,
  'matches-a-table': `if (looks.test(tool.command)) return context(looks.lastIndex + tool.command.replace(looks, '-'))`,
  keeps: `for (const [one, key] of [[list, 0], [list, 'length'], [looks, 'lastIndex'], [keep, 'kept'], [keep.prototype, 'kept'], [words, 'kept']]) {
      const was = one[key]
      try { Reflect.set(one, key, 7); one[key] = 7 } catch {}
      if (one[key] !== was) return deny('something was kept')
    }
    return context(JSON.stringify(list))`,
}

const tableSource = (id: string, body: string) => `
import { allow, ask, context, definePolicy, deny, mapOf, notice, rewrite, setOf } from 'hookgate/policy'
const words = setOf('ls banana')
const texts = mapOf([['ls', 'a list'], ['banana', 'a fruit']])
const looks = /an|[^a-z]+/
const list = [[], {}]
function keep() {}
export default definePolicy({
  id: '${id}',
  description: 'part of a law',
  on: 'PreToolUse',
  decide({ event, tool }) { ${body} },
})
`

const sources = [
  ...Object.entries(decisions).map(([id, body]) => [id, source(id, body)] as const),
  ...Object.entries(tableDecisions).map(([id, body]) => [id, tableSource(id, body)] as const),
]
const ids = sources.map(([id]) => id)
const files = Object.fromEntries(sources.map(([id, text]) => [`${id}.policy.js`, text]))

function gateWith(folder: string, policies: readonly string[], placement: GateOptions['placement'] = 'process'): Gate {
  const rules = policies.map((id) => join(folder, `${id}.policy.js`))
  const gate = createGate({ rules, discover: false, placement })
  onTestFinished(() => gate.close())
  return gate
}

const command = fc.oneof(
  fc.constantFrom('ls', 'rm -rf /', 'git push', 'boom', 'talk to me', 'banana'),
  fc.string({ maxLength: 30 }),
)

const eventWith = (text: string): HookEvent => ({
  ...sampleEvent('PreToolUse', 'claude-code'),
  tool: { kind: 'shell', name: 'Bash', input: { command: text }, command: text },
})

/** Removes the durations from a verdict. */
function timeless(verdict: Verdict): Verdict {
  const evaluations = verdict.evaluations.map((evaluation) => ({ ...evaluation, durationMs: 0 }))
  return { ...verdict, slowest: null, evaluations }
}

describe('policies are deterministic: the same event and policies give the same verdict', () => {
  it('after any history, on any worker, at any concurrency, in both placements', async () => {
    const folder = folderWith(files)
    const gates = [gateWith(folder, ids), gateWith(folder, ids, 'caller')]
    const known = new Map<string, Verdict>()
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 20 }), async (commands) => {
        const pending = commands.flatMap((text) =>
          gates.map((gate) => ({ text, verdict: gate.decide(eventWith(text)) })),
        )
        for (const { text, verdict } of pending) {
          // oxlint-disable-next-line no-await-in-loop -- all of them are under way already
          const answer = timeless(await verdict)
          const first = known.get(text) ?? answer
          known.set(text, first)
          expect(answer).toEqual(first)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('in any order of the policies, and each by itself', async () => {
    const folder = folderWith(files)
    const alone = new Map(ids.map((id) => [id, gateWith(folder, [id], 'caller')]))
    await fc.assert(
      fc.asyncProperty(
        // What is rewritten is judged by the others too: `rewrite-law.test.ts`.
        fc.shuffledSubarray(
          ids.filter((id) => id !== 'rewrites'),
          { minLength: 1 },
        ),
        fc.array(command, { maxLength: 4 }),
        async (set, commands) => {
          const gate = createGate({
            rules: set.map((id) => join(folder, `${id}.policy.js`)),
            discover: false,
            placement: 'caller',
          })
          try {
            const verdicts = commands.map(async (text) => {
              const together = timeless(await gate.decide(eventWith(text)))
              const single = await Promise.all(
                set.map(async (id) => timeless((await alone.get(id)?.decide(eventWith(text))) ?? noGateFor(id))),
              )
              expect(together.evaluations).toEqual(single.flatMap(({ evaluations }) => evaluations))
              expect(together.decision).toBe(strongest(single.map(({ decision }) => decision)))
            })
            await Promise.all(verdicts)
          } finally {
            await gate.close()
          }
        },
      ),
      { numRuns: 15 },
    )
  })
})

function noGateFor(id: string): never {
  throw new Error(`there is no gate for ${id}`)
}

function strongest(among: readonly Verdict['decision'][]): Verdict['decision'] {
  const order: readonly Verdict['decision'][] = ['deny', 'defer', 'ask', 'allow']
  return order.find((decision) => among.includes(decision)) ?? 'abstain'
}
