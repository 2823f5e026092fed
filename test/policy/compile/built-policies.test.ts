import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeDisk } from '../../../src/files/disk.ts'
import { type BuiltFiles, buildPolicies } from '../../../src/policy/compile/build-policies.ts'
import { readLibrary } from '../../../src/policy/compile/built.ts'
import { compiledLibrary } from '../../../src/policy/compile/compile-library.ts'
import { openCompileCache } from '../../../src/policy/compile/compile-cache.ts'
import {
  areUnchanged,
  openShippedPolicies,
  type PolicyStore,
  type StoredPolicies,
} from '../../../src/policy/compile/policy-stores.ts'
import { noBudget } from '../../../src/policy/compile/compile-budget.ts'
import { shippedFolder } from '../../../src/files/policy-files.ts'
import { openToolFacts } from '../../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../../src/policy/compile/policy-loader.ts'
import { compileMarked } from '../../../src/policy/testing/answer-marks.ts'
import { openSandbox } from '../../../src/policy/open-sandbox.ts'
import { testSandbox } from '../../support/sandbox.ts'
import { folderWith } from '../../support/workspace.ts'

const files = globSync('*/*.policy.ts', { cwd: shippedFolder }).map((file) => join(shippedFolder, file))
let built: BuiltFiles

beforeAll(async () => {
  const sandbox = openSandbox('process', openToolFacts())
  try {
    built = await buildPolicies(sandbox, compileMarked)
  } finally {
    await sandbox.close()
  }
})

/** A pack with one policy, which has a module of its own. */
const packFile = 'read-only-allow.json'
const packedFile = join(shippedFolder, 'read-only-allow/read-only-allow.policy.ts')

const textsOf = (change: (text: string, name: string) => string = (text) => text) =>
  Object.fromEntries([...built.policies].map(([name, stored]) => [name, change(JSON.stringify(stored), name)] as const))

const storeOf = (texts: Readonly<Record<string, string>>): PolicyStore => openShippedPolicies(folderWith(texts))

/** Returns what the store has of a policy whose files are unchanged, as a cache uses it. */
function fromStore(store: PolicyStore, file: string, folder = dirname(file), disk = makeDisk()) {
  const found = store.find(file, folder)
  return found !== undefined && areUnchanged(found.reads, folder, disk) ? found.result : undefined
}

describe('what is built', () => {
  it('is, for every shipped policy, identical to compiling it', async () => {
    const store = storeOf(textsOf())
    const cache = openCompileCache()
    const shared = { read: new Map(), budget: noBudget }
    const compiled = files.map((file) => cache.compile(file, dirname(file), makeDisk(), shared))
    const taken = files.map((file) => {
      const { policy, ...result } = fromStore(store, file) ?? {}
      const { definition: _, warnings, ...rest } = policy ?? {}
      expect(warnings).toEqual([])
      return { ...result, policy: rest }
    })
    expect(taken).toEqual(await Promise.all(compiled))
    const stored = [...built.policies.values()].flatMap(({ policies }) => Object.keys(policies))
    expect(stored).toHaveLength(files.length)
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
    const store = storeOf(textsOf())
    const fromBuild = files.flatMap((file) => fromStore(store, file)?.policy ?? [])
    const loaded = await cache.load('built', {
      ...compiled,
      compiled: new Map(fromBuild.map((policy) => [policy.file, policy])),
    })
    const definitions = described.map(({ definition }) => Object.assign(definition ?? {}, { examples: [] }))
    expect(loaded.policies.map(({ definition }) => definition)).toEqual(definitions)
  })

  it('has each policy a second time, with marks that tell where an answer is made, for `hookgate why`', () => {
    const stored = [...built.marked.values()]
    expect(stored.flatMap(({ policies }) => Object.keys(policies))).toHaveLength(files.length)
    for (const { modules, policies } of stored)
      expect(modules.filter(({ code }) => code.includes('hookgate:counters')).length).toBeGreaterThanOrEqual(
        Object.keys(policies).length,
      )
  })

  it('contains a module that several policies share only once', () => {
    const modules = [...built.policies.values()].flatMap((stored) =>
      stored.modules.map(({ file }) => stored.files[file]?.[1]),
    )
    expect(modules.length).toBeGreaterThan(100)
    expect(new Set(modules).size).toBe(modules.length)
  })
})

it('every file that a policy was built from is checked, so that its next change is noticed', () => {
  const disk = makeDisk()
  const seen = new Set<string>()
  const watching = { ...disk, sha256: (path: string) => disk.sha256(seen.add(path) && path) }
  const modules = fromStore(storeOf(textsOf()), packedFile, dirname(packedFile), watching)?.policy?.modules ?? []
  expect(modules.length).toBeGreaterThan(1)
  expect(seen).toEqual(new Set(modules.map((one) => one.file)))
})

it('a file that several policies are built from is checked once each time that rules are read', () => {
  const store = storeOf(textsOf())
  const readOnce = () => {
    const disk = makeDisk()
    const asked: string[] = []
    const watching = { ...disk, sha256: (path: string) => (asked.push(path), disk.sha256(path)) }
    for (const file of files) fromStore(store, file, dirname(file), watching)
    return asked.toSorted()
  }
  const [first, second] = [readOnce(), readOnce()]
  expect(first.length).toBeGreaterThan(files.length)
  expect(first).toEqual([...new Set(first)])
  expect(second).toEqual(first)
})

describe('the build is not used', () => {
  const changed = (text: string, change: (stored: StoredPolicies) => unknown) => {
    const stored: StoredPolicies = JSON.parse(text)
    change(stored)
    return JSON.stringify(stored)
  }

  it('only for the policies of which a file has changed since', () => {
    const store = storeOf(
      textsOf((text, name) =>
        name === packFile ? changed(text, ({ files: read }) => read.forEach((one) => (one[1] = 'another'))) : text,
      ),
    )
    expect(files.filter((one) => fromStore(store, one) === undefined)).toEqual([packedFile])
  })

  it('for a policy whose imports must stay below another folder', () => {
    expect(fromStore(storeOf(textsOf()), packedFile, shippedFolder)).toBeUndefined()
  })

  it('for a file that is not a shipped policy', () => {
    for (const other of [
      '/w/a.policy.ts',
      join(shippedFolder, '__proto__'),
      join(shippedFolder, 'read-only-allow', '__proto__'),
      join(shippedFolder, '../../rules/load', 'x.policy.ts'),
    ]) {
      expect(fromStore(storeOf(textsOf()), other)).toBeUndefined()
    }
  })

  it.each<[string, (text: string) => string]>([
    ['is cut off', (text) => text.slice(0, -100)],
    ['is empty', () => ''],
    ['is no JSON', () => 'policies'],
    ['is of another shape', (text) => text.replace('{', '{"more":1,')],
    [
      'has a module whose file is not among those that are checked',
      (text) => changed(text, ({ policies }) => Object.values(policies).forEach((one) => (one.files = [0]))),
    ],
    [
      'has an import that is no index',
      (text) => text.replace(/("imports":|\[\d+,)\{"[^"]+":\d+/, (one) => one.replace(/\d+$/, '-1')),
    ],
    ['has imports that are a list', (text) => text.replace(/(\[\d+,)\{[^{}]*\}/, '$1[]')],
  ])('where the file %s', (_, change) => {
    const text = JSON.stringify(built.policies.get(packFile))
    expect(change(text)).not.toBe(text)
    expect(fromStore(storeOf({ [packFile]: change(text) }), packedFile)).toBeUndefined()
    expect(fromStore(storeOf({ [packFile]: text }), packedFile)).toBeDefined()
  })

  it('where there is none, as in a source checkout', () => {
    expect(fromStore(storeOf({}), packedFile)).toBeUndefined()
  })
})
