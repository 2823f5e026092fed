import fc from 'fast-check'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { agentNames } from '../../src/agents/registry.ts'
import { replayFlags } from '../../src/cli/commands/replay/replay.ts'
import { questionOf, ReplayAsked, replayLine } from '../../src/ui/routes/replay.ts'

const nowMs = Date.parse('2026-11-29T10:00:00Z')
const cwd = '/home/mara/shop'
const home = '/home/mara'

const typed = fc.constantFrom('rules', './a b', '~/x.json', '/etc/y', '--run-hooks', '-', '~mara', '..')
const files = fc.record({ kind: fc.constant('files'), paths: fc.array(typed, { minLength: 1, maxLength: 3 }) })
const kind = (name: string) => fc.record({ kind: fc.constant(name) })
const asked = fc.record(
  {
    cwd: fc.constant(cwd),
    calls: fc.oneof(
      fc.record({ kind: fc.constant('sessions'), agents: fc.subarray([...agentNames]) }),
      kind('record'),
      files,
    ),
    since: fc.constantFrom('30d', '2h', '2026-11-01', '2026-11-01T09:00'),
    isOfProject: fc.boolean(),
    rules: fc.oneof(kind('current'), fc.record({ kind: fc.constant('preset'), name: fc.constant('strict') }), files),
    against: fc.oneof(
      kind('nothing'),
      kind('current'),
      files,
      fc.record({ kind: fc.constant('git'), revision: fc.constantFrom('main', '--run-hooks') }),
    ),
  },
  { requiredKeys: ['cwd', 'calls', 'isOfProject', 'rules', 'against'] },
)

/** What goes together is checked where a replay begins, and where its command line is read. */
const goTogether = ({ rules, against }: ReplayAsked) =>
  !(against.kind === 'git' && rules.kind === 'preset') && !(against.kind === 'current' && rules.kind === 'current')

it('the page’s replay and the command line that the page names ask the same', () => {
  fc.assert(
    fc.property(asked, (one) => {
      const request = ReplayAsked.parse(one)
      fc.pre(goTogether(request))
      const [command, ...argv] = replayLine(request, home)
      expect(command).toBe('replay')
      const { question } = replayFlags(['--json', ...argv], cwd, nowMs)
      const whole = (paths: readonly string[] | undefined) => paths?.map((path) => resolve(cwd, path))
      expect(questionOf(request, home, nowMs)).toEqual({
        ...question,
        sources: whole(question.sources),
        rules: whole(question.rules),
        against: whole(question.against),
      })
    }),
  )
})

it('the page asks for no time that the command line does not know', () => {
  const of = (since: string) =>
    ReplayAsked.safeParse({
      cwd,
      calls: { kind: 'record' },
      since,
      isOfProject: false,
      rules: { kind: 'current' },
      against: { kind: 'nothing' },
    }).success
  expect([of('30d'), of('last week'), of('30'), of('2026-13-40')]).toEqual([true, false, false, false])
})
