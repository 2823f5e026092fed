import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEventFacts } from '../../src/facts/tool-call.ts'
import type { ToolUse, HookEvent } from '../../src/model/event.ts'
import type { TouchedPath } from '../../src/model/shell.ts'
import { limits } from '../../src/model/limits.ts'

let base: string
let root: string

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hookgate-touched-')))
  root = join(base, 'proj')
  mkdirSync(join(root, 'a', 'b'), { recursive: true })
  mkdirSync(join(base, 'home', '.ssh'), { recursive: true })
  writeFileSync(join(base, 'home', '.ssh', 'id_rsa'), '')
  writeFileSync(join(root, 'file'), '')
  symlinkSync(join(base, 'home'), join(root, 'h'))
  symlinkSync('.', join(root, 'self'))
  symlinkSync('round', join(root, 'round'))
  symlinkSync('pong', join(root, 'ping'))
  symlinkSync('ping', join(root, 'pong'))
  symlinkSync('not-there/../h/.ssh', join(root, 'half'))
  symlinkSync('/', join(root, 'é\u0301\u202E'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  // A chain longer than any system follows.
  for (let at = 0; at < 60; at++)
    symlinkSync(at === 59 ? join(base, 'home') : `chain${at + 1}`, join(root, `chain${at}`))
})
afterAll(() => rmSync(base, { recursive: true }))

const facts = () => openEventFacts(join(base, 'home'))
function eventOf(tool: ToolUse): HookEvent {
  const session = { id: 's', cwd: root }
  return { name: 'PreToolUse', agent: 'claude-code', session, workspaceRoots: [root], atMs: 0, tool, raw: {} }
}
async function written(path: string): Promise<TouchedPath | undefined> {
  return (await facts()(eventOf({ kind: 'write', name: 'Write', input: {}, paths: [path], path }), {})).paths[0]
}
async function ran(command: string): Promise<readonly TouchedPath[]> {
  return (await facts()(eventOf({ kind: 'shell', name: 'Bash', input: { command }, command }), {})).paths
}

describe('a path disguised as inside of the workspace', () => {
  it.each([
    ['through a link out of it', 'h/.ssh/id_rsa', '.ssh/id_rsa'],
    ['through a link to a new file', 'h/.bashrc', '.bashrc'],
    ['by `..` that the words take back', 'a/../../home/.ssh/id_rsa', '.ssh/id_rsa'],
    ['through links to itself', 'self/self/self/h/.ssh', '.ssh'],
    ['through `~`', '~/.ssh/id_rsa', '.ssh/id_rsa'],
  ])('%s', async (_, path, inHome) => {
    const touched = await written(path)
    expect(touched?.inHome).toBe(inHome)
    expect(touched).not.toHaveProperty('root')
  })

  it('through a name with odd characters', async () => {
    const touched = await written('é\u0301\u202E/etc/passwd')
    expect(touched).toMatchObject({ real: '/etc/passwd' })
    expect(touched).not.toHaveProperty('root')
  })

  it('with different case, or with a root as its prefix', async () => {
    expect(await written(`${root}x/file`)).not.toHaveProperty('root')
    expect(await written(`${root}/../proj/file`)).toMatchObject({ root, inRoot: 'file' })
  })
})

describe('a path that cannot be resolved has no real path', () => {
  it.each(['round', 'ping', 'round/x', 'chain0'])('%s', async (path) => {
    const touched = await written(path)
    expect(touched).toMatchObject({ absolute: join(root, path) })
    expect(touched).not.toHaveProperty('real')
  })

  it('while others of the same call do', async () => {
    const paths = await ran('cat ping h/.ssh/id_rsa round')
    expect(paths.map(({ inHome }) => inHome)).toEqual([undefined, '.ssh/id_rsa', undefined])
  })
})

describe('an invalid path', () => {
  it.each(['file\0/../../etc/passwd', '\0', 'h/\0'])('%j is unknown', async (path) => {
    expect(await written(path)).toMatchObject({ unresolved: true })
  })

  it('is below a pipe, whose writer is not waited for', async () => {
    expect(await written('pipe/x')).toMatchObject({ absolute: join(root, 'pipe/x') })
    expect(await written('pipe')).toMatchObject({ absolute: join(root, 'pipe') })
  })

  it('is longer than possible', async () => {
    const long = `${'x/'.repeat(limits.realPathCharactersMax)}y`
    expect((await written(long))?.inRoot).toBe(long)
    expect((await written(`${'../'.repeat(5000)}etc/passwd`))?.absolute).toBe('/etc/passwd')
    expect((await written(`h/${'y'.repeat(300)}`))?.absolute).toBe(join(root, 'h', 'y'.repeat(300)))
  })
})

it('of very many paths, those beyond the limit are compared as written', async () => {
  const names = Array.from({ length: 2 * limits.realPathsMax }, (_, at) => `h/f${at}`)
  const { paths } = await facts()(eventOf({ kind: 'read', name: 'Read', input: {}, paths: names }), {})
  expect(paths.length).toBe(names.length)
  expect(paths[0]).toHaveProperty('real')
  expect(paths.at(-1)).not.toHaveProperty('real')
})
