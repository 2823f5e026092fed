import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEventFacts, openToolFacts } from '../../src/facts/tool-call.ts'
import type { HookEvent } from '../../src/model/event.ts'
import { noToolFacts } from '../../src/model/tool-facts.ts'
import { folderWith } from '../support/workspace.ts'

const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] }
const find = openToolFacts()

describe('what a file tool touches', () => {
  it.each([
    ['read', 'a.ts', { access: 'read', absolute: '/home/u/proj/a.ts', inRoot: 'a.ts', inHome: 'proj/a.ts' }],
    ['write', '/etc/passwd', { access: 'write', absolute: '/etc/passwd' }],
    ['edit', '../x', { access: 'write', absolute: '/home/u/x', inHome: 'x' }],
    ['search', '.', { access: 'read', recursive: true, inRoot: '' }],
    ['list', '/', { access: 'read', metadata: true, absolute: '/' }],
    ['read', '~/.ssh/id_rsa', { written: '~/.ssh/id_rsa', absolute: '/home/u/.ssh/id_rsa', inHome: '.ssh/id_rsa' }],
    ['read', '~', { absolute: '/home/u', inHome: '' }],
    ['read', 'a~/b', { absolute: '/home/u/proj/a~/b' }],
    ['mcp', 'a', { access: 'write' }],
  ] as const)('%s %s', async (kind, path, touched) => {
    const facts = await find({ kind, paths: [path] }, around)
    expect(facts.paths).toMatchObject([touched])
    expect(facts.shell).toMatchObject({ commands: [], flows: [], uncertain: [] })
  })

  it('is empty for a tool that names no file, and for an empty command', async () => {
    expect(await find({ kind: 'fetch', paths: [] }, around)).toBe(noToolFacts)
    expect(await find({ kind: 'shell', paths: [], command: '' }, around)).toBe(noToolFacts)
  })
})

it('a shell tool has its commands, and the paths of all of them', async () => {
  const { shell, paths } = await find({ kind: 'shell', paths: [], command: 'cat a; rm b' }, around)
  expect(shell.commands.map(({ program }) => program)).toEqual(['cat', 'rm'])
  expect(paths).toEqual(shell.commands.flatMap((one) => one.paths))
  expect(paths).toMatchObject([
    { access: 'read', inRoot: 'a' },
    { access: 'delete', inRoot: 'b' },
  ])
})

const event = (cwd: string, more: Partial<HookEvent> = {}): HookEvent => ({
  name: 'PreToolUse',
  agent: 'claude-code',
  session: { id: 's', cwd },
  workspaceRoots: [cwd],
  atMs: 0,
  raw: {},
  tool: { kind: 'read', name: 'Read', input: {}, paths: ['link'], path: 'link' },
  ...more,
})

describe('the facts of a real event', () => {
  it('resolve links, and use the user’s home', async () => {
    const folder = folderWith({ 'home/.ssh/key': '' })
    const cwd = join(folder, 'work')
    mkdirSync(cwd)
    symlinkSync(join(folder, 'home/.ssh/key'), join(cwd, 'link'))
    const facts = await openEventFacts('/elsewhere')(event(cwd), { HOME: join(folder, 'home') })
    expect(facts.paths).toMatchObject([{ real: join(folder, 'home/.ssh/key'), inHome: '.ssh/key' }])
    expect(facts.paths[0]?.root).toBeUndefined()
  })

  it.each([undefined, '', 'relative'])('use the gate’s own home where the environment names none: %j', async (HOME) => {
    const read = { kind: 'read', name: 'Read', input: {}, paths: ['~/x'], path: '~/x' } as const
    const facts = await openEventFacts('/the/home')(event('/w', { tool: read }), { HOME })
    expect(facts.paths).toMatchObject([{ absolute: '/the/home/x', inHome: 'x' }])
  })

  it('are empty for an event without a tool', async () => {
    const { tool: _, ...prompt } = event('/w')
    expect(await openEventFacts()(prompt, {})).toBe(noToolFacts)
  })
})

describe('the pattern of a listing or search', () => {
  const globbed = (kind: 'list' | 'search' | 'write', input: Record<string, string>, paths: readonly string[]) =>
    openEventFacts('/home/u')(event('/home/u/proj', { tool: { kind, name: 'x', input, paths } }), {})

  it.each([
    ['list', { pattern: '.env' }, ['src'], 'src/.env', { metadata: true }],
    ['list', { pattern: '**/*.pem' }, [], '**/*.pem', { metadata: true }],
    ['search', { glob: '.env*', pattern: 'KEY' }, [], '**/.env*', { recursive: true }],
    ['search', { file_pattern: 'a/*.ts', regex: 'x' }, ['[b]'], '\\[b\\]/a/*.ts', { recursive: true }],
  ] as const)('%s %j in %j', async (tool, input, paths, pattern, how) => {
    const facts = await globbed(tool, input, paths)
    expect(facts.paths.at(-1)).toMatchObject({ access: 'read', pattern: `/home/u/proj/${pattern}`, ...how })
  })

  it('may lead out of the project', async () => {
    expect((await globbed('list', { pattern: '~/.ssh/*' }, [])).paths).toMatchObject([
      { pattern: '/home/u/.ssh/*', inHome: '.ssh' },
    ])
    expect((await globbed('list', { pattern: '../../.ssh/*' }, [])).paths).toMatchObject([{ pattern: '/home/.ssh/*' }])
  })

  it('is ignored for a tool that writes, or if there is none', async () => {
    expect((await globbed('write', { pattern: '*' }, [])).paths).toEqual([])
    const [whole, ...others] = (await globbed('search', { pattern: '/etc/*' }, [])).paths
    expect([whole?.inRoot, whole?.recursive, others]).toEqual(['', true, []])
  })
})
