import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { PolicyDefinition } from '../../src/model/policy.ts'
import { type PolicyReport, testPolicies } from '../../src/library/testing.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'policies')
/** Excludes the packs, which have a test of their own, and the presets. */
const names = readdirSync(folder).filter(
  (name) => !existsSync(join(folder, name, 'pack.json')) && existsSync(join(folder, name, `${name}.policy.ts`)),
)

/** Reads the policies' definitions by importing them into plain Node. */
function definitions(): ReadonlyMap<string, PolicyDefinition> {
  const program = `import { registerHooks } from 'node:module'
    const library = ${JSON.stringify(pathToFileURL(join(root, 'src/library/policy.ts')).href)}
    registerHooks({ resolve: (name, context, next) => next(name === 'hookgate/policy' ? library : name, context) })
    const policies = await Promise.all(process.argv.slice(1).map(async (file) => (await import(file)).default))
    console.log(JSON.stringify(policies))`
  const files = names.map((name) => pathToFileURL(join(folder, name, `${name}.policy.ts`)).href)
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', program, ...files], { encoding: 'utf8' })
  const parsed = PolicyDefinition.array().parse(JSON.parse(text))
  return new Map(parsed.map((definition) => [definition.id, definition]))
}

let defined: ReadonlyMap<string, PolicyDefinition> = new Map()
let reports: readonly PolicyReport[] = []
beforeAll(async () => {
  defined = definitions()
  const folders = names.map((name) => join(folder, name))
  reports = await testPolicies(folders, { cwd: root, mutants: false })
})

describe.each(names)('the shipped policy %s', (name) => {
  const definitionOf = () => {
    const definition = defined.get(name)
    if (definition === undefined) throw new Error('it is not called what its folder is')
    return definition
  }
  const report = () => reports.find(({ file }) => file === join(folder, name, `${name}.policy.ts`))

  it('is named like its folder and its file', () => {
    expect(definitionOf().id).toBe(name)
    expect(report()?.id).toBe(name)
  })

  it('loads, and passes its examples in the sandbox', () => {
    expect(report()?.problems).toEqual([])
    expect(report()?.examples.filter(({ passed }) => !passed)).toEqual([])
    expect(report()?.examples).toHaveLength(definitionOf().examples.length)
  })

  it('has examples on both sides: where it answers, and where it abstains', () => {
    const wants = definitionOf().examples.map(({ want }) => want)
    expect(wants).toContain('abstain')
    expect(wants.filter((want) => want !== 'abstain').length).toBeGreaterThan(1)
  })

  it('has an example for each of its events, tools, facts and params', () => {
    const definition = definitionOf()
    const given = definition.examples.map((example) => example.given)
    const listOf = <One>(one: One | readonly One[] | undefined) => [one ?? []].flat()
    const [firstEvent, ...events] = listOf(definition.on)
    const [firstTool, ...tools] = listOf(definition.tool)
    expect([firstEvent, ...given.map(({ event }) => event)]).toEqual(expect.arrayContaining(events))
    expect([firstTool, ...given.map(({ tool }) => tool)]).toEqual(expect.arrayContaining(tools))
    expect(given.flatMap(({ facts = {} }) => Object.keys(facts))).toEqual(
      expect.arrayContaining(Object.keys(definition.facts)),
    )
    expect(given.flatMap(({ params = {} }) => Object.keys(params))).toEqual(
      expect.arrayContaining(Object.keys(definition.params)),
    )
  })

  it('has a README with every param and its default, how to enable it, and what it does not catch', () => {
    const file = join(folder, name, 'README.md')
    expect(existsSync(file)).toBe(true)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(`# ${name}\n`)
    expect(text).toContain(`"policy": "hookgate/${name}"`)
    expect(text).toContain('## What it does not catch')
    for (const [param, { default: usual }] of Object.entries(definitionOf().params)) {
      expect(text).toContain(`\`${param}\``)
      // The README may paraphrase a standard, which is a sentence.
      const words = [usual].flat().filter((value) => !String(value).includes(' '))
      for (const value of words) expect(text).toContain(`\`${String(value)}\``)
    }
  })
})

describe('the rules of the packs', () => {
  it('judge an impact by its kind, thing, extent and the like, and by no word of its object', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    expect(files.length).toBeGreaterThan(100)
    const judging = files.filter((name) =>
      /\{[^{}]*\bobject\b[^{}]*\}|\.object\b/.test(
        readFileSync(join(folder, name), 'utf8').replaceAll(/\/\*\*[^]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, ''),
      ),
    )
    expect(judging).toEqual([])
  })
})
