import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeDisk } from '../../../src/files/disk.ts'
import { type BuiltFiles, buildPolicies } from '../../../src/policy/compile/build-policies.ts'
import { readLibrary } from '../../../src/policy/compile/built-library.ts'
import { type BuiltCompilations, type BuiltPolicies, readPolicies } from '../../../src/policy/compile/built-policies.ts'
import { compiledLibrary } from '../../../src/policy/compile/compile-library.ts'
import { openCompileCache } from '../../../src/policy/compile/compile-cache.ts'
import { noBudget } from '../../../src/policy/compile/compile-budget.ts'
import { shippedFolder } from '../../../src/files/policy-files.ts'
import { openToolFacts } from '../../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../../src/policy/open-sandbox.ts'
import { testSandbox } from '../../support/sandbox.ts'
import { folderWith } from '../../support/workspace.ts'

const files = globSync('*/*.policy.ts', { cwd: shippedFolder }).map((file) => join(shippedFolder, file))
let built: BuiltFiles
let written: BuiltPolicies

beforeAll(async () => {
  const sandbox = openSandbox('process', openToolFacts())
  try {
    built = await buildPolicies(sandbox)
    written = built.policies
  } finally {
    await sandbox.close()
  }
}, 60_000)

/** Reads built policies from a file with this content. */
const readFrom = (text: string) => readPolicies(join(folderWith({ 'built.json': text }), 'built.json'))

function read(change: Partial<BuiltPolicies> = {}): BuiltCompilations {
  const whole = readFrom(JSON.stringify({ ...written, ...change }))
  if (whole === undefined) throw new Error('it is not understood')
  return whole
}

const ofFile = (whole: BuiltCompilations, file: string) => whole.compilation(file, dirname(file), makeDisk())

describe('what is built', () => {
  it('is, for every shipped policy, identical to compiling it', async () => {
    const whole = read()
    const cache = openCompileCache()
    const shared = { read: new Map(), budget: noBudget }
    const compiled = files.map((file) => cache.compile(file, dirname(file), makeDisk(), shared))
    const taken = files.map((file) => {
      const { policy, problems } = ofFile(whole, file) ?? {}
      const { definition: _, ...rest } = policy ?? {}
      return { policy: rest, problems }
    })
    expect(taken).toEqual(await Promise.all(compiled))
    expect(Object.keys(written.policies)).toHaveLength(files.length)
  })

  it('includes what policies import', () => {
    const library = readLibrary(join(folderWith({ 'built.json': { json: built.library } }), 'built.json'))
    const { modules, names } = compiledLibrary()
    expect(library).toEqual({ modules, names })
  })

  it('describes each policy as its source does, except for its examples', async () => {
    const cache = openPolicyLoader(testSandbox())
    const each = files.map((file) => ({ file, folder: dirname(file) }))
    const compiled = await cache.compile(each, makeDisk())
    const { policies: described } = await cache.load('all', compiled)
    const whole = read()
    const fromBuild = files.flatMap((file) => ofFile(whole, file)?.policy ?? [])
    const loaded = await cache.load('built', {
      ...compiled,
      compiled: new Map(fromBuild.map((policy) => [policy.file, policy])),
    })
    const definitions = described.map(({ definition }) => Object.assign(definition ?? {}, { examples: [] }))
    expect(loaded.policies.map(({ definition }) => definition)).toEqual(definitions)
  }, 60_000)

  it('contains a module that several policies share only once', () => {
    expect(new Set(written.modules.map(({ file }) => file)).size).toBe(written.modules.length)
  })
})

it('every file that a policy was built from is checked, so that its next change is noticed', () => {
  const file = join(shippedFolder, 'no-force-push/no-force-push.policy.ts')
  const disk = makeDisk()
  const seen = new Set<string>()
  const watching = { ...disk, sha256: (path: string) => disk.sha256(seen.add(path) && path) }
  const modules = read().compilation(file, dirname(file), watching)?.policy?.modules ?? []
  expect(modules.length).toBeGreaterThan(1)
  expect(seen).toEqual(new Set(modules.map((one) => one.file)))
})

it('a file that several policies are built from is checked once each time that rules are read', () => {
  const whole = read()
  const readOnce = () => {
    const disk = makeDisk()
    const asked: string[] = []
    const watching = { ...disk, sha256: (path: string) => (asked.push(path), disk.sha256(path)) }
    for (const file of files) whole.compilation(file, dirname(file), watching)
    return asked.toSorted()
  }
  const all = written.modules.map(({ file }) => join(shippedFolder, file)).toSorted()
  expect([readOnce(), readOnce()]).toEqual([all, all])
})

describe('the build is not used', () => {
  const [file = ''] = files

  it('only for a policy of which a file has changed since', () => {
    const places = new Set(written.policies['no-force-push/no-force-push.policy.ts']?.modules.map(([place]) => place))
    const modules = written.modules.map((one, at) => (places.has(at) ? { ...one, sha256: '0'.repeat(64) } : one))
    const whole = read({ modules })
    const unlike = files.filter((one) => ofFile(whole, one) === undefined)
    expect(unlike).toEqual([join(shippedFolder, 'no-force-push/no-force-push.policy.ts')])
  })

  it('for a policy whose imports must stay below another folder', () => {
    expect(read().compilation(file, shippedFolder, makeDisk())).toBeUndefined()
  })

  it('for a file that is not a shipped policy', () => {
    for (const other of [
      '/w/a.policy.ts',
      join(shippedFolder, '__proto__'),
      join(shippedFolder, '../../rules/load', 'x.policy.ts'),
    ]) {
      expect(ofFile(read(), other)).toBeUndefined()
    }
  })

  it.each<[string, (text: string) => string]>([
    ['is cut off', (text) => text.slice(0, -100)],
    ['is empty', () => ''],
    ['is no JSON', () => 'policies'],
    ['is of another shape', (text) => text.replace('{', '{"more":1,')],
    [
      'has an import that is no place',
      (text) => text.replace(/("imports":|\[\d+,)\{"[^"]+":\d+/, (one) => one.replace(/\d+$/, '-1')),
    ],
    ['has imports that are a list', (text) => text.replace(/(\[\d+,)\{[^{}]*\}/, '$1[]')],
  ])('where the file %s', (_, change) => {
    const text = JSON.stringify(written)
    expect(change(text)).not.toBe(text)
    expect(readFrom(change(text))).toBeUndefined()
    expect(readFrom(text)).toBeDefined()
  })

  it('where there is none, as in a source checkout', () => {
    expect(readPolicies(join(folderWith(), 'built.json'))).toBeUndefined()
  })
})
