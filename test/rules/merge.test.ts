import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OnFailure, type Scope, stricter } from '../../src/model/effect.ts'
import type { Rule, Source } from '../../src/model/rule.ts'
import { type Contribution, merge } from '../../src/rules/merge.ts'
import { planFor } from '../../src/rules/plan.ts'
import { ruleNamed, shellEvent } from '../support/plans.ts'

const scopes: readonly Scope[] = ['managed', 'explicit', 'user', 'project']

const sourceOf = (scope: Scope, name = 'hooks.json'): Source => ({
  id: `${scope}:${name}`,
  scope,
  file: `/${scope}/${name}`,
  workspaceRoot: scope === 'project' ? '/project' : undefined,
  pluginRoot: undefined,
})

function command(source: Source, text: string, more: Partial<Rule> = {}): Rule {
  const rule = ruleNamed(`${source.id}#${text}`)
  const program = { form: 'shell', shell: 'sh', command: text } as const
  return { ...rule, source, handler: { ...rule.handler, program }, ...more }
}

function contribution(
  scope: Scope,
  commands: readonly string[],
  more: Partial<Contribution> & { name?: string } = {},
): Contribution {
  const source = sourceOf(scope, more.name)
  const rules = commands.map((text) => command(source, text))
  return { source, rules, exceptions: [], notes: [], asking: [], disableAllHooks: false, trusted: true, ...more }
}

/** Returns one source of each scope, of which one disables the others. */
const disabledIn = (disabling: Scope, more: Partial<Contribution> = {}) =>
  scopes.map((scope) => contribution(scope, ['a'], scope === disabling ? { disableAllHooks: true, ...more } : {}))

const programOf = ({ handler }: Rule) => JSON.stringify(handler.kind === 'command' && handler.program)

/** Returns a source of a scope. Only workspace sources can be untrusted. */
function some(scope: Scope): fc.Arbitrary<Contribution> {
  const drawn = fc.record({
    commands: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    onFailure: fc.constantFrom(...OnFailure.options),
    disableAllHooks: fc.boolean(),
    trusted: scope === 'project' ? fc.boolean() : fc.constant(true),
  })
  return drawn.map(({ commands, onFailure, disableAllHooks, trusted }) => {
    const untrustedReason = trusted ? undefined : 'why'
    const rules = commands.map((text) => command(sourceOf(scope), text, { onFailure, untrustedReason }))
    return contribution(scope, [], { rules, disableAllHooks, trusted })
  })
}

const idsOf = (contributions: readonly Contribution[]) => merge(contributions, 'both').rules.map(({ id }) => id)

describe('merging sources', () => {
  it('takes the export of the file with the most authority as a whole', () => {
    const users = contribution('user', [], { export: { file: '/user', what: 'decisions' } })
    const managed = contribution('managed', [], { export: { file: '/managed' } })
    expect(merge([users, managed], 'both').export).toEqual({ file: '/managed' })
    expect(merge([users], 'both').export).toEqual({ file: '/user', what: 'decisions' })
    expect(merge([contribution('project', [])], 'both')).not.toHaveProperty('export')
  })

  it('keeps every rule, in the order of the sources', () => {
    expect(
      idsOf([contribution('managed', ['a', 'b']), contribution('user', ['c']), contribution('project', ['a'])]),
    ).toEqual(['managed:hooks.json#a', 'managed:hooks.json#b', 'user:hooks.json#c', 'project:hooks.json#a'])
  })

  it('freezes its result deeply', () => {
    const { rules, byEvent, notes } = merge([contribution('user', ['a'])], 'both')
    for (const part of [rules, notes, rules[0], rules[0]?.match, rules[0]?.handler, byEvent.get('PreToolUse')]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it('lists each rule under each of its events', () => {
    const both = command(sourceOf('user'), 'a', {
      match: { ...ruleNamed('').match, events: ['PostToolUse', 'PostToolUseFailure'] },
    })
    const { byEvent } = merge([contribution('user', [], { rules: [both] })], 'both')
    expect([...byEvent.keys()]).toEqual(['PostToolUse', 'PostToolUseFailure'])
    expect(byEvent.get('PostToolUseFailure')).toEqual([both])
  })
})

describe('`disableAllHooks`', () => {
  it.each([
    ['managed', []],
    ['explicit', ['managed']],
    ['user', ['managed', 'explicit']],
    ['project', ['managed', 'explicit', 'user']],
  ] as const)('in a %s source leaves %j', (disabling, left) => {
    expect(idsOf(disabledIn(disabling))).toEqual(left.map((scope) => `${scope}:hooks.json#a`))
  })

  it('is noted, with the disabling and the disabled source', () => {
    expect(merge(disabledIn('user'), 'both').notes).toEqual([
      'user:hooks.json is switched off by `disableAllHooks` in user:hooks.json',
      'project:hooks.json is switched off by `disableAllHooks` in user:hooks.json',
    ])
  })

  it('is noted first, once for each source, and separately', () => {
    const script = contribution('user', ['a'], { notes: ['a note'] })
    const { notes, switchedOff } = merge([script, contribution('user', ['b']), ...disabledIn('explicit')], 'both')
    const expected = ['user', 'explicit', 'project'].map(
      (scope) => `${scope}:hooks.json is switched off by \`disableAllHooks\` in explicit:hooks.json`,
    )
    expect(switchedOff).toEqual(expected)
    expect(notes).toEqual([...expected, 'a note'])
  })

  it('of an untrusted workspace switches off only itself', () => {
    const other = contribution('project', ['b'], { name: 'other.json' })
    const untrusted = contribution('project', ['a'], { disableAllHooks: true, trusted: false })
    expect(idsOf([other, untrusted])).toEqual(['project:other.json#b'])
    expect(idsOf([other, { ...untrusted, trusted: true }])).toEqual([])
  })

  it('that is false switches nothing back on', () => {
    expect(idsOf([contribution('managed', ['a'], { disableAllHooks: true }), contribution('project', ['b'])])).toEqual(
      [],
    )
  })
})

describe('a lower source', () => {
  it('never removes a rule of a higher one, nor loosens its `onFailure`', () => {
    fc.assert(
      fc.property(fc.tuple(some('managed'), some('explicit'), some('user')), some('project'), (higher, lower) => {
        const before = planFor(shellEvent, merge(higher, 'both')).rules
        const after = planFor(shellEvent, merge([...higher, lower], 'both')).rules
        for (const rule of before) {
          const same = after.find((other) => programOf(other) === programOf(rule))
          expect(same).toMatchObject({ id: rule.id, untrustedReason: undefined })
          expect(stricter(same?.onFailure ?? 'continue', rule.onFailure)).toBe(same?.onFailure)
        }
      }),
    )
  })

  it('adds its rules behind those of a higher one', () => {
    fc.assert(
      fc.property(fc.tuple(some('managed'), some('user'), some('project')), (sources) => {
        const { rules } = planFor(shellEvent, merge(sources, 'both'))
        const inOrder = scopes.flatMap((scope) => rules.filter(({ source }) => source.scope === scope))
        expect(rules).toEqual(inOrder)
      }),
    )
  })
})
