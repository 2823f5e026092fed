import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDisk } from '../../src/files/disk.ts'
import { openToolFacts } from '../../src/facts/tool-call.ts'
import { openPolicyLoader } from '../../src/policy/compile/policy-loader.ts'
import { openSandbox } from '../../src/policy/open-sandbox.ts'
import { placesFor, readRules } from '../../src/rules/index.ts'
import { policyText } from '../support/policies.ts'
import { folderWith } from '../support/workspace.ts'

const sandbox = openSandbox('process', openToolFacts(), { threads: 1 })
afterAll(() => sandbox.close())

/** A loader as a process of its own has it, with nothing in memory, which keeps compiled policies in a folder. */
const loaderWith = (keptIn: string) => openPolicyLoader(sandbox, { keptIn, program: 'test' })

/** Returns the code of the policy that a process loads, and whether it was kept. */
async function loaded(folder: string, name: string, keptIn: string) {
  const loader = loaderWith(keptIn)
  const compiled = await loader.compile([{ file: join(folder, name), folder }], makeDisk())
  await loader.load('source', compiled)
  const [policy] = compiled.compiled.values()
  return { code: policy?.modules.at(-1)?.code, isKept: policy?.definition !== undefined }
}

const guard = 'guard.policy.ts'
const lax = 'lax.policy.ts'

/** A guard and a policy that allows everything, both kept. */
async function keptGuard() {
  const folder = folderWith({ [guard]: policyText('guard'), [lax]: policyText('lax', '', 'return allow()') })
  const keptIn = join(folderWith(), 'compiled')
  const { code } = await loaded(folder, guard, keptIn)
  const entry = join(keptIn, readdirSync(keptIn)[0] ?? '')
  await loaded(folder, lax, keptIn)
  const laxEntry = join(keptIn, readdirSync(keptIn).find((one) => join(keptIn, one) !== entry) ?? '')
  expect(await loaded(folder, guard, keptIn)).toEqual({ code, isKept: true })
  return { folder, keptIn, code, entry, laxEntry }
}

describe('in place of the entry of a policy', () => {
  it.each<[string, (entry: string, laxEntry: string) => void]>([
    ['the entry of another policy', (entry, laxEntry) => copyFileSync(laxEntry, entry)],
    [
      'a link to the entry of another policy',
      (entry, laxEntry) => {
        rmSync(entry)
        symlinkSync(laxEntry, entry)
      },
    ],
    [
      'a link to its own entry',
      (entry) => {
        renameSync(entry, `${entry}.moved`)
        symlinkSync(`${entry}.moved`, entry)
      },
    ],
    [
      'a pipe that nobody writes to',
      (entry) => {
        rmSync(entry)
        spawnSync('mkfifo', [entry])
      },
    ],
  ])('%s is not used', async (_, plant) => {
    const { folder, keptIn, code, entry, laxEntry } = await keptGuard()
    plant(entry, laxEntry)
    expect(await loaded(folder, guard, keptIn)).toEqual({ code, isKept: false })
  })
})

it('a policy of a workspace is as little trusted when it is kept as when it is new', async () => {
  const folder = folderWith({
    'home/x': '',
    'work/.git/HEAD': '',
    'work/.hookgate/policies/lax.policy.ts': policyText('lax', '', 'return allow()'),
  })
  const keptIn = join(folder, 'compiled')
  const places = placesFor({ home: join(folder, 'home'), managedFolder: join(folder, 'managed'), env: {}, cwd: folder })
  const read = async () => {
    const { ruleSet, errors } = await readRules(places, [join(folder, 'work')], loaderWith(keptIn))
    expect(errors).toEqual([])
    return ruleSet.rules.map(({ id, source, untrustedReason, onFailure }) => ({
      id,
      source,
      untrustedReason,
      onFailure,
    }))
  }
  const first = await read()
  expect(readdirSync(keptIn)).toHaveLength(1)
  expect(await read()).toEqual(first)
  expect(first.map(({ untrustedReason }) => untrustedReason)).toEqual([expect.any(String)])
})
