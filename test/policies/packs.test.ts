import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DescribedPack, describedPacks, placesFor, readRules } from '../../src/rules/index.ts'
import { isError, problemText } from '../../src/model/errors.ts'
import { openToolFacts } from '../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../src/policy/open-sandbox.ts'

const root = fileURLToPath(new URL('../../policies', import.meta.url))
const names = readdirSync(root).filter((name) => existsSync(join(root, name, 'pack.json')))

const sandbox = openSandbox('process', openToolFacts())
afterAll(() => sandbox.close())
const policies = openPolicyLoader(sandbox, { proving: true })
let packs: ReadonlyMap<string, DescribedPack> = new Map()
beforeAll(async () => {
  packs = new Map((await describedPacks([], root, policies)).map((pack) => [pack.name, pack]))
})

it('hookgate ships these packs, and no other', () => {
  const named = [
    'data-flow',
    'destructive-commands',
    'git-safety',
    'infrastructure',
    'output-secrets',
    'protected-paths',
    'read-only-allow',
  ]
  expect(names).toEqual([...named, 'remote-execution', 'secrets', 'supply-chain'])
})

it('rules that only a person at this machine may approve are critical ones, and docs/approvals.md lists them', () => {
  const all = [...packs.values()].flatMap(({ name, rules }) => rules.map((rule) => ({ name, rule })))
  const marked = all.filter(({ rule }) => rule.terminalOnly === true)
  expect(marked.filter(({ rule }) => rule.severity !== 'critical')).toEqual([])
  const page = readFileSync(join(root, '../docs/approvals.md'), 'utf8')
  const lines = [...page.matchAll(/^- `([\w-]+)`: ((?:`[\w-]+`[,\s]*)+)/gm)]
  const listed = lines.flatMap(([, pack, ids = '']) =>
    [...ids.matchAll(/`([\w-]+)`/g)].map(([, id]) => `${pack}/${id}`),
  )
  expect(listed.toSorted()).toEqual(marked.map(({ name, rule }) => `${name}/${rule.id}`).toSorted())
  expect(listed.length).toBeGreaterThan(0)
  // No rule of hookgate's has its refusals approved where the user did not say so.
  expect(all.filter(({ rule }) => rule.approvable === true)).toEqual([])
})

describe.each(names)('the pack %s', (name) => {
  const pack = () => {
    const found = packs.get(name)
    if (found === undefined) throw new Error('it does not load')
    return found
  }

  it('loads, and passes the examples of its rules in the sandbox', async () => {
    const folder = join(root, name)
    const read = await readRules(placesFor({ explicit: [folder], discover: false, env: {} }), [], policies)
    const files = readdirSync(folder).filter((file) => file.endsWith('.policy.ts'))
    expect(read.problems.filter(isError).map(problemText)).toEqual([])
    expect(read.ruleSet.rules.map(({ id }) => id.split('/').at(-1))).toEqual(
      files.map((file) => file.replace('.policy.ts', '')),
    )
    read.release()
  })

  it('has a severity for each rule', () => {
    expect(pack().rules.flatMap(({ id, severity }) => (severity === undefined ? [id] : []))).toEqual([])
  })

  it('has for each rule an example where it answers, and one where it abstains', () => {
    const effects = (want: unknown): unknown =>
      typeof want !== 'object' || want === null
        ? want
        : 'effect' in want
          ? want.effect
          : 'output' in want
            ? 'replaceOutput'
            : want
    const oneSided = pack().rules.filter(({ examples }) => {
      const wants = examples.map(({ want }) => effects(want))
      return (
        !wants.includes('abstain') ||
        !wants.some((want) => ['deny', 'ask', 'allow', 'replaceOutput'].includes(String(want)))
      )
    })
    expect(oneSided.map(({ id }) => id)).toEqual([])
  })

  it('has distinct example names in each rule, since failures are reported by name', () => {
    const twice = pack().rules.filter(({ examples }) => new Set(examples.map((one) => one.name)).size < examples.length)
    expect(twice.map(({ id }) => id)).toEqual([])
  })

  it('has a README with its purpose, how to enable it, its rules and params, and what it does not catch', () => {
    const text = readFileSync(join(root, name, 'README.md'), 'utf8')
    expect(text).toContain(`# ${name}\n`)
    for (const heading of ['## Why', '## Turn it on', '## Rules', '## What it does not catch']) {
      expect(text).toContain(`\n${heading}\n`)
    }
    expect(text).toContain(`"pack": "${name}"`)
    const rules = pack().rules.flatMap(({ id, params }) => [id].concat(Object.keys(params)))
    expect(rules.filter((word) => !text.includes(`\`${word}\``))).toEqual([])
  })
})
