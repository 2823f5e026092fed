import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeDisk } from '../../../src/files/disk.ts'
import { writeEntry } from '../../../src/files/key-value-store.ts'
import { openToolFacts } from '../../../src/facts/tool-call.ts'
import { noBudget } from '../../../src/policy/compile/compile-budget.ts'
import { openCompileCache } from '../../../src/policy/compile/compile-cache.ts'
import { openKeptPolicies, type WritableStore, keptPolicyBytesMax } from '../../../src/policy/compile/policy-stores.ts'
import { openPolicyLoader } from '../../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../../src/policy/open-sandbox.ts'
import type { CompiledPolicy } from '../../../src/model/policy.ts'
import type { CheckedPolicy, CompileBudget } from '../../../src/model/policy-loading.ts'
import { policyText } from '../../support/policies.ts'
import { folderWith, writeFiles } from '../../support/workspace.ts'

const name = 'a.policy.ts'
const withImport = `import { word } from './word.ts'\n${policyText('a', '', 'return deny(word)')}`

/** Compiles as a process of its own does: with nothing in memory. */
async function compiled(folder: string, kept: WritableStore | undefined, disk = makeDisk()) {
  const cache = openCompileCache({ kept })
  const { policy, problems } = await cache.compile(join(folder, name), folder, disk)
  expect(problems).toEqual([])
  if (policy === undefined) throw new Error('it does not compile')
  return { policy, keep: (more: Partial<CheckedPolicy> = {}) => cache.keep({ ...good(policy), ...more }) }
}

const good = (policy: CompiledPolicy): CheckedPolicy => ({
  compiled: policy,
  definition: { id: 'a', description: 'A', on: 'PreToolUse', facts: {}, params: {}, state: {}, examples: [] },
  problems: [],
})

/** A policy with an import, kept in a folder by a program called `1`. */
async function keptPolicy() {
  const folder = folderWith({ [name]: withImport, 'word.ts': "export const word: string = 'no'\n" })
  const store = join(folderWith(), 'compiled')
  const first = await compiled(folder, openKeptPolicies(store, '1'))
  first.keep()
  const entry = join(store, readdirSync(store)[0] ?? '')
  /** Whether the next process finds it, instead of compiling it. */
  const isFound = async (program = '1') =>
    (await compiled(folder, openKeptPolicies(store, program))).policy.definition !== undefined
  return { folder, store, entry, first, isFound }
}

describe('a policy that was compiled, and whose examples passed', () => {
  it('is found by the next process as it was, with its definition, in a file for its owner only', async () => {
    const { folder, store, entry, first } = await keptPolicy()
    const { policy } = await compiled(folder, openKeptPolicies(store, '1'))
    const { definition, warnings, ...rest } = policy
    expect(rest).toEqual(first.policy)
    expect(JSON.parse(definition ?? '')).toMatchObject({ id: 'a' })
    expect(warnings).toEqual([])
    expect([statSync(store).mode & 0o777, statSync(entry).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it('is charged to the budget of its source like one that is compiled', async () => {
    const { folder, store } = await keptPolicy()
    const charged = async (kept: WritableStore | undefined) => {
      const charges = { policies: [] as string[], files: {} as Record<string, number>, units: 0 }
      const budget: CompileBudget = {
        ...noBudget,
        policy: (file) => void charges.policies.push(file),
        policyFile: (file, bytes) => void (charges.files[file] = bytes),
        code: (units) => void (charges.units += units),
      }
      await openCompileCache({ kept }).compile(join(folder, name), folder, makeDisk(), {
        read: new Map(),
        budget,
      })
      return charges
    }
    const first = await charged(undefined)
    expect(first.units).toBeGreaterThan(100)
    expect(await charged(openKeptPolicies(store, '1'))).toEqual(first)
  })

  it('has each of its files read, so that their next change is noticed', async () => {
    const { folder, store } = await keptPolicy()
    const read = async (kept: WritableStore | undefined) => {
      const paths = new Set<string>()
      const disk = makeDisk()
      const noted = (path: string) => paths.add(path) && path
      await compiled(folder, kept, {
        ...disk,
        read: (path, bytesMax) => disk.read(noted(path), bytesMax),
        sha256: (path, bytesMax) => disk.sha256(noted(path), bytesMax),
      })
      return paths
    }
    expect(await read(openKeptPolicies(store, '1'))).toEqual(new Set([join(folder, name), join(folder, 'word.ts')]))
    expect(await read(undefined)).toEqual(await read(openKeptPolicies(store, '1')))
  })

  it.each([
    ['its own file', { [name]: `${withImport}// more\n` }],
    ['a file that it imports', { 'word.ts': "export const word = 'never'\n" }],
  ])('is compiled again after a change of %s', async (_, change) => {
    const { folder, isFound } = await keptPolicy()
    expect(await isFound()).toBe(true)
    writeFiles(folder, change)
    expect(await isFound()).toBe(false)
  })

  it.each<[string, { readonly text?: string; readonly link: string; readonly to: string }]>([
    ['its own name', { link: name, to: 'word.ts' }],
    ['the name of a module', { text: `export { default } from './word.ts'\n`, link: 'word.ts', to: 'word.ts' }],
    [
      'a second name of a module',
      { text: `import './one/word.ts'\nexport { default } from './again.ts'\n`, link: 'again.ts', to: 'word.ts' },
    ],
    ['the folder of a module', { text: `export { default } from './inner/word.ts'\n`, link: 'inner', to: '' }],
  ])('is compiled again after %s, a link, leads elsewhere', async (_, { text, link, to }) => {
    const same = "import { leaf } from './leaf.ts'\n" + policyText('a', '', 'return deny(leaf)')
    const folder = folderWith({
      ...(text !== undefined && { [name]: text }),
      'one/word.ts': same,
      'one/leaf.ts': "export const leaf = 'one'\n",
      'two/word.ts': same,
      'two/leaf.ts': "export const leaf = 'two'\n",
    })
    const lead = (target: string) => {
      rmSync(join(folder, link), { force: true })
      symlinkSync(join(folder, target, to), join(folder, link))
    }
    const cache = openCompileCache()
    const leafOf = async () => {
      const { policy } = await cache.compile(join(folder, name), folder, makeDisk())
      const [own, again] = policy?.modules.flatMap(({ code }) => /leaf = '(\w+)'/.exec(code)?.[1] ?? []) ?? []
      return again ?? own
    }
    lead('one')
    expect(await leafOf()).toBe('one')
    lead('two')
    expect(await leafOf()).toBe('two')
  })

  it('is compiled again by another build of hookgate', async () => {
    const { isFound } = await keptPolicy()
    expect(await isFound('2')).toBe(false)
    expect(await isFound('1')).toBe(true)
  })

  it.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, -10)],
    ['empty', () => ''],
    ['changed in its code', (text) => text.replace('deny(word)', 'allow("")')],
    ['no entry at all', () => 'x'.repeat(1000)],
  ])('is compiled again where the entry is %s', async (_, change) => {
    const { entry, isFound } = await keptPolicy()
    const text = readFileSync(entry, 'utf8')
    expect(change(text)).not.toBe(text)
    writeFileSync(entry, change(text))
    expect(await isFound()).toBe(false)
    writeFileSync(entry, text)
    expect(await isFound()).toBe(true)
  })

  it.skipIf(process.platform === 'win32')('is compiled again where others can write the entry', async () => {
    const { entry, isFound } = await keptPolicy()
    chmodSync(entry, 0o622)
    expect(await isFound()).toBe(false)
  })
})

describe('a policy is not kept', () => {
  it.each<[string, Partial<CheckedPolicy>]>([
    [
      'of which an example fails',
      { problems: [{ severity: 'error', place: { file: name }, message: '', remedy: '' }] },
    ],
    ['without a valid definition', { definition: undefined }],
  ])('%s', async (_, outcome) => {
    const folder = folderWith({ [name]: policyText('a') })
    const store = join(folderWith(), 'compiled')
    const { keep } = await compiled(folder, openKeptPolicies(store, '1'))
    keep(outcome)
    expect(() => readdirSync(store)).toThrow('ENOENT')
  })

  it('where the folder cannot be made, which costs only time', async () => {
    const folder = folderWith({ [name]: policyText('a'), file: '' })
    const kept = openKeptPolicies(join(folder, 'file', 'compiled'), '1')
    const { keep } = await compiled(folder, kept)
    keep()
    expect((await compiled(folder, kept)).policy.definition).toBeUndefined()
  })

  it('beyond a number, of which the oldest go first', () => {
    const folder = join(folderWith(), 'compiled')
    const entriesMax = 10
    for (let at = 0; at < 3 * entriesMax; at += 1) writeEntry(folder, `${at}`, '', { entriesMax, msMax: Infinity })
    expect(readdirSync(folder).length).toBeLessThanOrEqual(entriesMax)
    expect(readdirSync(folder)).toContain(`${3 * entriesMax - 1}`)
  })

  it('that is large', async () => {
    const folder = folderWith({ [name]: `${policyText('a')}// ${'x'.repeat(keptPolicyBytesMax)}\n` })
    const store = join(folderWith(), 'compiled')
    const { keep } = await compiled(folder, openKeptPolicies(store, '1'))
    keep()
    expect(() => readdirSync(store)).toThrow('ENOENT')
  })
})

it('a kept policy decides without being described or tried again, and keeps its warnings', async () => {
  const folder = folderWith({ [name]: policyText('a', 'examples: []') })
  const store = join(folderWith(), 'compiled')
  const load = async () => {
    const sandbox = openSandbox('process', openToolFacts(), { threads: 1 })
    onTestFinished(() => sandbox.close())
    let asked = 0
    const port = {
      ...sandbox,
      load: async (...given: Parameters<typeof sandbox.load>) => {
        asked += given[0].filter(({ definition }) => definition === undefined).length
        return sandbox.load(...given)
      },
    }
    const loader = openPolicyLoader(port, { keptIn: store, program: '1' })
    const domain = await loader.load('source', await loader.compile([{ file: join(folder, name), folder }], makeDisk()))
    const [{ definition, problems } = { definition: undefined, problems: [] }] = domain.policies
    return { asked, definition, problems }
  }
  const first = await load()
  const second = await load()
  expect([first.asked, second.asked]).toEqual([1, 0])
  expect(first.problems.map(({ severity }) => severity)).toEqual(['warning'])
  expect(second).toEqual({ ...first, asked: 0 })
})

it('thousands of untrusted policies are refused before any is read', async () => {
  const folder = folderWith({ [name]: policyText('a') })
  const policies = Array.from({ length: 3000 }, (_, at) => ({ file: join(folder, `p${at}.policy.ts`), folder }))
  const reads: string[] = []
  const disk = makeDisk()
  const counting = {
    ...disk,
    read: (...given: Parameters<typeof disk.read>) => {
      reads.push(given[0])
      return disk.read(...given)
    },
  }
  const loader = openPolicyLoader(openSandbox('process', openToolFacts()))
  const source = {
    id: 'project:',
    scope: 'project',
    file: folder,
    workspaceRoot: folder,
    pluginRoot: undefined,
  } as const
  const { problems } = await loader.compile(policies, counting, loader.openBudgets(() => false)(source))
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('there are more than 500 policies')])
  expect(reads).toEqual([])
  await loader.compile([{ file: join(folder, name), folder }], counting)
  expect(reads).not.toEqual([])
})
