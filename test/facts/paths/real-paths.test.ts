import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placeOf, touchedPath } from '../../../src/facts/paths/index.ts'
import { realPaths, realPathsAtOnceMax } from '../../../src/facts/paths/real-paths.ts'
import { stuckRoots } from '../../../src/facts/timed-lookups.ts'
import type { PathAccess, TouchedPath } from '../../../src/model/shell.ts'

/** Far more than a look takes on a machine that does ten other things. */
const patientMs = 30_000

let base: string
let root: string
let home: string

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'hookgate-real-')))
  root = join(base, 'proj')
  home = join(base, 'home')
  await mkdir(join(root, 'src'), { recursive: true })
  await mkdir(join(home, '.ssh'), { recursive: true })
  await writeFile(join(home, '.ssh', 'id_rsa'), 'k')
  await writeFile(join(root, 'src', 'a'), '')
  await symlink(join(home, '.ssh'), join(root, 'keys'))
  await symlink('src', join(root, 'inside'))
  await symlink(join(home, '.profile'), join(root, 'dangling'))
  await symlink('loop-b', join(root, 'loop-a'))
  await symlink('loop-a', join(root, 'loop-b'))
  await symlink(root, join(base, 'alias'))
  await symlink(base, join(base, 'alias-of-base'))
})
afterAll(() => rm(base, { recursive: true }))

async function real(written: string, access: PathAccess = 'read', roots = [root]): Promise<TouchedPath | undefined> {
  const place = { cwd: roots[0] ?? root, home, workspaceRoots: roots }
  const path = touchedPath({ value: written }, access, placeOf(place))
  return (await realPaths([path], place, stuckRoots(), patientMs)).found[0]
}

describe('a path is resolved through its links', () => {
  it('to a file outside of the workspace', async () => {
    const path = await real('keys/id_rsa')
    expect(path).toMatchObject({
      absolute: join(root, 'keys/id_rsa'),
      real: join(home, '.ssh/id_rsa'),
      inHome: '.ssh/id_rsa',
    })
    expect(path).not.toHaveProperty('root')
    expect(path).not.toHaveProperty('inRoot')
  })

  it('within the workspace', async () => {
    expect(await real('inside/a')).toMatchObject({ real: join(root, 'src/a'), root, inRoot: 'src/a' })
  })

  it('to where a file would be created', async () => {
    expect(await real('keys/new/er', 'write')).toMatchObject({ real: join(home, '.ssh/new/er'), inHome: '.ssh/new/er' })
    expect(await real('dangling', 'write')).toMatchObject({ real: join(home, '.profile'), inHome: '.profile' })
  })

  it('but not if it is no link', async () => {
    expect(await real('src/a')).not.toHaveProperty('real')
    expect(await real('src/not/there')).not.toHaveProperty('real')
    expect(await real('src/not/there')).toMatchObject({ root, inRoot: 'src/not/there' })
    expect(await real('src/a/below-a-file')).toMatchObject({ inRoot: 'src/a/below-a-file' })
  })

  it('but not for a deletion, which removes the link itself', async () => {
    const path = await real('keys', 'delete')
    expect(path).toMatchObject({ root, inRoot: 'keys' })
    expect(path).not.toHaveProperty('real')
    expect(await real('keys/id_rsa', 'delete')).toMatchObject({ real: join(home, '.ssh/id_rsa') })
  })

  it('and stays as written if they form a loop', async () => {
    const path = await real('loop-a')
    expect(path).toMatchObject({ absolute: join(root, 'loop-a'), inRoot: 'loop-a' })
    expect(path).not.toHaveProperty('real')
  })

  it('with the workspace itself behind a link', async () => {
    const alias = join(base, 'alias')
    expect(await real('src/a', 'read', [alias])).toMatchObject({
      root: alias,
      inRoot: 'src/a',
      real: join(root, 'src/a'),
    })
    expect(await real(join(root, 'src/a'), 'read', [alias])).toMatchObject({ root: alias, inRoot: 'src/a' })
  })
})

describe('many folders that do not exist', () => {
  it('are looked at beyond what the gate looks at on its own thread', async () => {
    const deep = 'new/'.repeat(2 * realPathsAtOnceMax)
    expect(await real(`keys/${deep}er`)).toMatchObject({ real: join(home, '.ssh', deep, 'er') })
  })
})

describe('a home directory around the workspace', () => {
  const within = async (written: string) => {
    const place = { cwd: root, home: join(base, 'alias-of-base'), workspaceRoots: [join(base, 'alias-of-base/proj')] }
    const path = touchedPath({ value: written }, 'read', placeOf(place))
    return (await realPaths([path], place, stuckRoots(), patientMs)).found[0]
  }

  it('is known from a path below that is no link', async () => {
    const place = { cwd: root, home: base, workspaceRoots: [root] }
    const path = touchedPath({ value: 'src/a' }, 'read', placeOf(place))
    const { found } = await realPaths([path], place, stuckRoots(), patientMs)
    expect(found[0]).toMatchObject({ root, inRoot: 'src/a', inHome: 'proj/src/a' })
    expect(found[0]).not.toHaveProperty('real')
  })

  it('is looked up where it is behind a link', async () => {
    expect(await within(join(base, 'alias-of-base/proj/src/a'))).toMatchObject({
      real: join(root, 'src/a'),
      inRoot: 'src/a',
      inHome: 'proj/src/a',
    })
    expect(await within(join(base, 'alias-of-base/proj/keys/id_rsa'))).toMatchObject({ inHome: 'home/.ssh/id_rsa' })
  })
})

describe('a drive that does not answer', () => {
  it('is not queried again until it does', async () => {
    const stuck = stuckRoots()
    const back = Promise.withResolvers<void>()
    stuck.hold(root.split('/').slice(0, 3).join('/'), back.promise)
    const place = { cwd: root, home, workspaceRoots: [root] }
    const path = touchedPath({ value: 'keys/id_rsa' }, 'read', placeOf(place))
    expect((await realPaths([path], place, stuck)).found).toEqual([path])
    back.resolve()
    await back.promise
    await new Promise(setImmediate)
    expect((await realPaths([path], place, stuck)).found[0]).toHaveProperty('real')
  })
})
