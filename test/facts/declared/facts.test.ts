import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFacts } from '../../../src/facts/index.ts'
import type { FactDeclaration } from '../../../src/model/policy.ts'
import { limits } from '../../../src/model/limits.ts'
import { factIn, missingIn } from '../../support/facts.ts'
import { folderWith } from '../../support/workspace.ts'

describe('exists', () => {
  it.each([
    ['package.json', true],
    ['src', true],
    ['src/deep/a.ts', true],
    ['src/../package.json', true],
    ['.', true],
    ['..name', false],
    ['tsconfig.json', false],
    ['src/b.ts', false],
    ['none/at/all', false],
    ['package.json/below', false],
  ])('tells whether a path exists: %s', async (path, there) => {
    const root = folderWith({ 'package.json': '{}', 'src/deep/a.ts': '' })
    expect(await factIn(root, { exists: path })).toEqual({ value: there })
    expect(await factIn(`${root}/`, { exists: path })).toEqual({ value: there })
  })

  it('follows links that stay inside, even if the root itself is a link', async () => {
    const folder = folderWith({ 'work/src/a.ts': '' })
    symlinkSync('src', join(folder, 'work/link'))
    symlinkSync('work', join(folder, 'root'))
    const root = join(folder, 'root')
    expect(await factIn(root, { exists: 'link' })).toEqual({ value: true })
    expect(await factIn(root, { exists: 'link/a.ts' })).toEqual({ value: true })
    expect(await factIn(root, { exists: 'link/b.ts' })).toEqual({ value: false })
  })

  it('is false in a missing root', async () => {
    expect(await factIn(join(folderWith(), 'gone'), { exists: 'a/b' })).toEqual({ value: false })
  })
})

describe('json', () => {
  const manifest = { scripts: { test: 'vitest', 'a/b': 1, 'm~n': 2 }, files: ['dist', 'src'], none: null }
  const root = () => folderWith({ 'package.json': { json: manifest } })

  it.each([
    [undefined, manifest],
    ['', manifest],
    ['/scripts/test', 'vitest'],
    ['/files/1', 'src'],
    ['/none', null],
    ['/scripts/a~1b', 1],
    ['/scripts/m~0n', 2],
  ])('is the value at the pointer %j', async (pointer, value) => {
    expect(await factIn(root(), { json: 'package.json', pointer })).toEqual({ value })
  })

  it.each(['/absent', '/scripts/test/0', '/none/x', '/scripts/', '/files/2'])(
    'is missing, with the pointer and the file, where %j finds nothing',
    async (pointer) => {
      const why = `\`${pointer}\` finds nothing in \`package.json\``
      expect(await missingIn(root(), { json: 'package.json', pointer })).toBe(why)
    },
  )

  it.each([
    ['{"a": 1,}', 'is not JSON'],
    ['', 'is not JSON'],
    [Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
    [Buffer.from([0x22, 0xc3]), 'is not UTF-8'],
  ])('is missing where the file contains %j', async (text, why) => {
    const folder = folderWith()
    writeFileSync(join(folder, 'a.json'), text)
    expect(await missingIn(folder, { json: 'a.json' })).toBe(`\`a.json\` ${why}`)
  })

  it('is read after a byte order mark', async () => {
    expect(await factIn(folderWith({ 'a.json': '\ufeff{"a":1}' }), { json: 'a.json' })).toEqual({ value: { a: 1 } })
  })

  it('is missing without a readable file', async () => {
    const folder = folderWith({ 'src/a.ts': '' })
    expect(await missingIn(folder, { json: 'a.json' })).toBe('`a.json` does not exist')
    expect(await missingIn(folder, { json: 'src' })).toBe('`src` is a folder')
  })
})

describe('text', () => {
  it('is a short file completely', async () => {
    expect(await factIn(folderWith({ a: 'one\ntwo\n' }), { text: 'a' })).toEqual({ value: 'one\ntwo\n' })
    expect(await factIn(folderWith({ a: '' }), { text: 'a' })).toEqual({ value: '' })
  })

  it.each([
    [1, ''],
    [2, 'é'],
    [3, 'é'],
    [5, 'é'],
    [6, 'é😀'],
    [7, 'é😀z'],
    [99, 'é😀z'],
  ])('of %i bytes ends at the end of a character', async (bytes, value) => {
    expect(await factIn(folderWith({ a: 'é😀z' }), { text: 'a', bytes })).toEqual({ value })
  })

  it('is cut at the maximum size by default', async () => {
    const value = 'x'.repeat(limits.factBytesMax)
    expect(await factIn(folderWith({ a: value }), { text: 'a' })).toEqual({ value })
    expect(await factIn(folderWith({ a: `${value}y` }), { text: 'a' })).toEqual({ value })
    const cut = folderWith({ a: `${value.slice(1)}é` })
    expect(await factIn(cut, { text: 'a' })).toEqual({ value: value.slice(1) })
  })

  it('is missing where the bytes are not UTF-8, even at the very end of the file', async () => {
    const folder = folderWith()
    writeFileSync(join(folder, 'a'), Buffer.from([0x61, 0xff, 0x61]))
    writeFileSync(join(folder, 'b'), Buffer.from([0x61, 0xc3]))
    expect(await missingIn(folder, { text: 'a' })).toBe('`a` is not UTF-8')
    expect(await missingIn(folder, { text: 'b' })).toBe('`b` is not UTF-8')
    expect(await factIn(folder, { text: 'a', bytes: 1 })).toEqual({ value: 'a' })
  })
})

describe('env', () => {
  const ask = async (env: string, trusted: boolean) => {
    const [fact] = await openFacts({ env: { A: 'one', EMPTY: '' } }).gather([
      { declaration: { env }, root: '/', trusted },
    ])
    return fact
  }

  it('is a variable of the environment, for a trusted rule', async () => {
    expect(await ask('A', true)).toEqual({ value: 'one' })
    expect(await ask('EMPTY', true)).toEqual({ value: '' })
    expect(await ask('B', true)).toEqual({ missing: '`B` is not set in the environment' })
    expect(await ask('toString', true)).toEqual({ missing: '`toString` is not set in the environment' })
  })

  it('is missing for an untrusted rule', async () => {
    expect(await ask('A', false)).toEqual({ missing: 'only trusted rules can read the environment' })
  })
})

describe('secretVariables', () => {
  const declaration = { secretVariables: true } as const
  const namesIn = async (env: Record<string, string>, trusted = true) =>
    (await openFacts({ env }).gather([{ declaration, root: '/', trusted }]))[0]

  it('lists the variables whose name or value is a secret’s, and no value', async () => {
    const env = {
      PATH: '/usr/bin',
      GITHUB_TOKEN: 'x1',
      AWS_SECRET_ACCESS_KEY: 'y2',
      PGPASSWORD: 'horse',
      DATABASE_URL: 'postgres://shop:horse@db.example/shop',
      SETTINGS: `--header=${['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')}`,
    }
    const names = ['AWS_SECRET_ACCESS_KEY', 'DATABASE_URL', 'GITHUB_TOKEN', 'PGPASSWORD', 'SETTINGS']
    expect(await namesIn(env)).toEqual({ value: names })
  })

  it.each([
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', '32000'],
    ['PASSWORD_STORE_DIR', '/home/u/.password-store'],
    ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
    ['GIT_ASKPASS', '/usr/lib/git-askpass'],
    ['VSCODE_GIT_IPC_AUTH_TOKEN', '0f1e2d3c4b5a69788796a5b4c3d2e1f0'],
    ['REDIS_URL', 'redis://localhost:6379'],
    ['GITHUB_TOKEN', ''],
    ['USE_SECRET', 'true'],
    ['a "quoted" TOKEN', 'x1'],
  ])('does not list %s=%s', async (name, value) => {
    expect(await namesIn({ [name]: value })).toEqual({ value: [] })
  })

  it('is missing for an untrusted rule', async () => {
    expect(await namesIn({ GITHUB_TOKEN: 'x1' }, false)).toEqual({
      missing: 'only trusted rules can read the environment',
    })
  })
})

describe('gathering facts', () => {
  it('returns the facts in the order of their declarations, repeated ones too', async () => {
    const root = folderWith({ a: 'A', b: 'B', 'c.json': '{"x": [1]}' })
    const declarations: FactDeclaration[] = [
      { text: 'b' },
      { text: 'a' },
      { text: 'b' },
      { json: 'c.json', pointer: '/x/0' },
      { exists: 'a' },
      { text: 'none' },
      { json: 'c.json', pointer: '/x' },
      { text: 'b', bytes: 1 },
    ]
    const facts = await openFacts({ env: {} }).gather(
      declarations.map((declaration) => ({ declaration, root, trusted: false })),
    )
    const none = { missing: '`none` does not exist' }
    const values = ['B', 'A', 'B', 1, true, none, [1], 'B']
    expect(facts).toEqual(values.map((value) => (value === none ? none : { value })))
  })

  it('returns nothing for no declarations', async () => {
    expect(await openFacts({ env: {} }).gather([])).toEqual([])
  })

  it('reads from the root of each fact', async () => {
    const [one, two] = [folderWith({ a: '1' }), folderWith({ a: '2' })]
    const declaration = { text: 'a' }
    const facts = openFacts({ env: {} })
    expect(
      await facts.gather([
        { declaration, root: one, trusted: true },
        { declaration, root: two, trusted: true },
      ]),
    ).toEqual([{ value: '1' }, { value: '2' }])
    expect(await facts.gather([{ declaration, root: 'relative', trusted: true }])).toEqual([
      { missing: '`relative` is not an absolute path of a workspace' },
    ])
  })

  it('sees changes since the last one', async () => {
    const root = folderWith({ a: '1' })
    const facts = openFacts({ env: {} })
    const ask = async () => (await facts.gather([{ declaration: { text: 'a' }, root, trusted: false }]))[0]
    expect(await ask()).toEqual({ value: '1' })
    writeFileSync(join(root, 'a'), 'longer')
    expect(await ask()).toEqual({ value: 'longer' })
    rmSync(join(root, 'a'))
    expect(await ask()).toEqual({ missing: '`a` does not exist' })
    mkdirSync(join(root, 'a'))
    expect(await ask()).toEqual({ missing: '`a` is a folder' })
  })
})
