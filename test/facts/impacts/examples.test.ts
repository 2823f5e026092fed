import { describe, expect, it } from 'vitest'
import { families } from '../../../src/facts/programs/families.ts'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { impactAreas } from '../../../src/model/impact.ts'
import { impactReason, impactText } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

it('each area has programs, but for those that are no table of programs', () => {
  const texts = ['sql', 'key-value-and-documents', 'http-requests']
  const withoutTable = [
    'git',
    'agents',
    'environment',
    'secret-searches',
    'protection',
    'privileges',
    'processes',
    'mcp-tools',
    'mcp-systems',
    'reaching-others',
    'fetched-code',
    'decoded-code',
    ...texts,
  ]
  const ofPrograms = families.flatMap(({ area, programs }) => [
    ...(area === undefined ? [] : [area]),
    ...Object.values(programs).flatMap(({ does = [] }) => [does].flat().flatMap((deeds) => deeds.area ?? [])),
  ])
  expect([...new Set([...ofPrograms, ...withoutTable])].toSorted()).toEqual([...impactAreas].toSorted())
})

it('no program is said twice', () => {
  const names = families.flatMap(({ programs }) => Object.keys(programs).flatMap((key) => key.trim().split(/\s+/)))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

const withDeeds = families.flatMap(({ area = 'no area of their own', examples }) =>
  examples === undefined ? [] : [{ area, examples }],
)

describe.each(withDeeds)('the programs of $area', ({ examples }) => {
  it('do what the examples beside them say', () => {
    const said = Object.keys(examples).map((command) => [
      command,
      impactsIn(factsOf(command)).map(impactText).join('; '),
    ])
    expect(Object.fromEntries(said)).toEqual(examples)
  })
})

/** What every example does, with the example. */
const done = families.flatMap(({ examples = {} }) =>
  Object.keys(examples).flatMap((command) => impactsIn(factsOf(command)).map((impact) => ({ command, impact }))),
)

it.each([
  ...new Set(done.map(({ command }) => command)),
  'systemctl disable nginx',
  'systemctl mask --now postgresql auditd',
  'systemctl kill -s TERM sshd',
  'service haproxy stop',
  'rc-service sshd stop',
  'sysctl -w vm.swappiness=1',
  'dotnet ef database drop --force',
  'vault $ACTION disable kv/',
  'nomad job run https://a.example/job.hcl',
  'npm $WHAT create',
  'aws s3 sync dist s3://shop-prod',
])('says each thing that %s does once', (command) => {
  const said = impactsIn(factsOf(command)).map(({ kind, thing, names, by }) => JSON.stringify([kind, thing, names, by]))
  expect(said).toEqual([...new Set(said)])
})

it('each family has five examples or more, and one of them is harmless', () => {
  const few = withDeeds.filter(({ examples }) => {
    const said = Object.values(examples)
    return said.length < 5 || !said.includes('')
  })
  expect(few.map(({ area }) => area)).toEqual([])
})

it('a reason fits on two lines, says to what it happens, and has one way out', () => {
  const wayOut = /: (?=(?:have|show|look|keep|name|say|save|leave|write|use|commit|add) )/g
  const bad = done.filter(({ impact }) => {
    const reason = impactReason(impact)
    const isNamed = impact.object !== undefined || impact.names.length > 0
    return reason.length > 160 || !isNamed || (reason.match(wayOut) ?? []).length !== 1
  })
  expect(bad.map(({ command, impact }) => `${command}: ${impactReason(impact)}`)).toEqual([])
})

it('the dry run that a reason names passes', () => {
  const held = done.flatMap(({ command, impact: { instead = '', words } }) => {
    const trial = /what `(.+)` says first/.exec(instead)?.[1]
    if (trial === undefined) return []
    const tried = trial.startsWith('-') ? `${command} ${trial}` : trial
    return impactsIn(factsOf(tried)).some((one) => one.words === words) ? [tried] : []
  })
  expect(held).toEqual([])
})

it('a place follows neither from ids nor from where something is copied from', () => {
  const whereOf = (command: string) => impactsIn(factsOf(command)).map(({ where }) => where)
  expect(whereOf('stripe products delete prod_1')).toEqual(['unknown'])
  expect(whereOf('dropdb test-data-prod')).toEqual(['production'])
  expect(whereOf('aws s3 sync s3://prod-logs s3://copies --delete')).toEqual(['unknown'])
})
