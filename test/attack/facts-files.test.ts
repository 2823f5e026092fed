import { execFile, execFileSync } from 'node:child_process'
import { closeSync, constants, open, openSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFacts } from '../../src/facts/index.ts'
import { limits } from '../../src/model/limits.ts'
import type { FactDeclaration } from '../../src/model/policy.ts'
import { factIn, missingIn } from '../support/facts.ts'
import { folderWith } from '../support/workspace.ts'

// Whatever a repository has in place of a file must neither block the gate nor keep it busy, and a file's content must
// reach only the policy that declared the fact.

describe('a path that is not a regular file', () => {
  it('is not opened: the writer of a named pipe keeps waiting', async () => {
    const root = folderWith()
    execFileSync('mkfifo', [join(root, 'pipe')])
    expect(await factIn(root, { exists: 'pipe' })).toEqual({ value: true })
    expect(await missingIn(root, { text: 'pipe' })).toBe('`pipe` is not a regular file')
    expect(await missingIn(root, { json: 'pipe' })).toBe('`pipe` is not a regular file')
  })

  it.each(['/dev/zero', '/dev/tty', '/proc/self/environ'])('is not read through a link to %s', async (target) => {
    const root = folderWith()
    symlinkSync(target, join(root, 'a'))
    expect(await missingIn(root, { text: 'a' })).toBe('`a` cannot be followed within the workspace')
  })

  it('is not read even if the whole disk is the workspace', async () => {
    expect(await missingIn('/', { text: 'dev/zero' })).toBe('`dev/zero` is not a regular file')
    expect(await missingIn('/', { json: 'dev/tty' })).toBe('`dev/tty` is not a regular file')
  })
})

describe('a giant file', () => {
  it('is not parsed as JSON, and gives its beginning as text', async () => {
    const root = folderWith({ a: '[1, 2]' })
    truncateSync(join(root, 'a'), 2 ** 40)
    expect(await missingIn(root, { json: 'a' })).toBe(`\`a\` is larger than ${limits.factBytesMax} bytes`)
    expect(await factIn(root, { text: 'a', bytes: 6 })).toEqual({ value: '[1, 2]' })
  })

  it('is distinguished from a file of the maximum size by its last byte', async () => {
    const value = 'x'.repeat(limits.factBytesMax - 2)
    expect(await factIn(folderWith({ a: `"${value}"` }), { json: 'a' })).toEqual({ value })
    expect(await missingIn(folderWith({ a: `"${value}" ` }), { json: 'a' })).toMatch(/is larger than/)
  })

  it('that reports a wrong size is read exactly to its end', async () => {
    expect(await factIn('/proc/self', { text: 'comm' })).toMatchObject({ value: expect.stringMatching(/.\n$/) })
    expect(await factIn('/proc/sys/kernel', { json: 'pid_max' })).toEqual({ value: expect.any(Number) })
  })
})

describe('hostile JSON', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  it('may be nested as deep as the limit', async () => {
    expect(await factIn(folderWith({ a: nested(limits.jsonDepthMax) }), { json: 'a' })).toHaveProperty('value')
  })

  it.each([
    nested(limits.jsonDepthMax + 1),
    `${'{"a":'.repeat(limits.jsonDepthMax + 1)}1${'}'.repeat(limits.jsonDepthMax + 1)}`,
    `[1, {"a": ${nested(limits.jsonDepthMax - 1)}}]`,
    nested(limits.factBytesMax / 2),
  ])('is refused if it nests deeper: %.20s', async (text) => {
    const why = `\`a\` holds JSON that nests deeper than ${limits.jsonDepthMax} levels`
    expect(await missingIn(folderWith({ a: text }), { json: 'a' })).toBe(why)
  })

  it.each([
    '/constructor',
    '/__proto__',
    '/toString',
    '/a/length',
    '/a/constructor',
    '/a/__proto__',
    '/s/length',
    '/s/0',
  ])('does not lend what its values inherit: %s', async (pointer) => {
    const root = folderWith({ 'a.json': '{"a": [1], "s": "text"}' })
    expect(await missingIn(root, { json: 'a.json', pointer })).toMatch(/ finds nothing in /)
  })

  it.each([
    '/a/-',
    '/a/01',
    '/a/+1',
    '/a/1.0',
    '/a/1e0',
    '/a/ 1',
    '/a/-1',
    '/a/4294967295',
    `/a/${'9'.repeat(400)}`,
    '/a/',
  ])('is not indexed by %s', async (pointer) => {
    expect(await missingIn(folderWith({ 'a.json': '{"a": [1, 2]}' }), { json: 'a.json', pointer })).toMatch(
      /finds nothing/,
    )
  })

  it.each(['a', '/~2', '/~', '~0'])('is not resolved by %s, which is not a JSON pointer', async (pointer) => {
    const root = folderWith({ 'a.json': '{"~2": 1, "~": 2, "a": 3}' })
    expect(await missingIn(root, { json: 'a.json', pointer })).toMatch(/is not a JSON pointer/)
  })

  it('has keys that are only data', async () => {
    const text = '{"__proto__": {"polluted": true}, "constructor": 1, "a": 1, "a": 2}'
    const root = folderWith({ 'a.json': text })
    const fact = await factIn(root, { json: 'a.json' })
    expect(JSON.stringify(fact)).toBe('{"value":{"__proto__":{"polluted":true},"constructor":1,"a":2}}')
    expect(await factIn(root, { json: 'a.json', pointer: '/__proto__/polluted' })).toEqual({ value: true })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it.each(['TOP SECRET', '{"TOP SECRET"', '["TOP SECRET",]', '['.repeat(limits.factBytesMax)])(
    'is not quoted in the reason for being invalid: %.20s',
    async (text) => {
      expect(await missingIn(folderWith({ a: text }), { json: 'a' })).toBe('`a` is not JSON')
    },
  )
})

describe('a drive that does not answer', () => {
  /** Occupies every thread that Node reads files with, as a dead drive does, until the returned function is called. */
  async function deadDrive(): Promise<() => void> {
    const folder = folderWith()
    const pipes = Array.from({ length: 4 }, (_, index) => join(folder, `pipe${index}`))
    await promisify(execFile)('mkfifo', pipes)
    for (const pipe of pipes) open(pipe, constants.O_RDONLY, (error, file) => error ?? closeSync(file))
    let dead = true
    const revive = () => {
      if (dead) for (const pipe of pipes) closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
      dead = false
    }
    onTestFinished(revive)
    return revive
  }

  it('costs one bounded wait, and facts that do not need it are available', async () => {
    const root = folderWith({ a: 'text' })
    const revive = await deadDrive()
    const facts = openFacts({ env: { A: 'one' } })
    const ask = (...declarations: FactDeclaration[]) =>
      facts.gather(declarations.map((declaration) => ({ declaration, root, trusted: true })))
    const late = { missing: `took longer than ${limits.factsMs} ms` }
    const [text, variable, exists, branch] = await ask(
      { text: 'a' },
      { env: 'A' },
      { exists: 'a' },
      { gitBranch: true },
    )
    expect([text, variable, exists, branch]).toEqual([late, { value: 'one' }, late, late])
    const dead = { missing: 'was not looked up: an earlier lookup in the workspace has not finished' }
    expect(await ask({ text: 'a' }, { env: 'A' })).toEqual([dead, { value: 'one' }])
    revive()
    await expect.poll(() => ask({ text: 'a' })).toEqual([{ value: 'text' }])
  })

  it('does not keep a process alive just to wait for the timeout', () => {
    const facts = new URL('../../src/facts/index.ts', import.meta.url)
    const script = `import { openFacts } from '${facts.href}'
      const [fact] = await openFacts({ env: {} }).gather([{ declaration: { exists: 'a' }, root: '/', trusted: false }])
      console.log(JSON.stringify(fact), process.getActiveResourcesInfo().includes('Timeout'))`
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(text).toBe('{"value":false} false\n')
  })
})

describe('an excessive number of facts', () => {
  it('opens only a few files at once', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `f${index}`)
    const root = folderWith(Object.fromEntries(names.map((name) => [name, name])))
    const script = `ulimit -n 64 && exec "$0" --input-type=module -e "$1" "$2"`
    const facts = new URL('../../src/facts/index.ts', import.meta.url)
    const program = `import { openFacts } from '${facts.href}'
      const names = Array.from({ length: 3000 }, (_, index) => 'f' + index)
      const requests = names.map((text) => ({ declaration: { text }, root: process.argv[1], trusted: false }))
      const late = (fact) => fact.missing === 'took longer than ${limits.factsMs} ms'
      const facts = await openFacts({ env: {} }).gather(requests)
      const wrong = facts.filter((fact, index) => fact.value !== names[index] && !late(fact))
      console.log(facts.length, JSON.stringify(wrong))`
    const run = promisify(execFile)('sh', ['-c', script, process.execPath, program, root])
    expect((await run).stdout).toBe('3000 []\n')
  })
})
