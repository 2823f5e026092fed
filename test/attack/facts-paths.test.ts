import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFacts } from '../../src/facts/index.ts'
import { readRegularFile } from '../../src/facts/declared/inside.ts'
import type { FactDeclaration } from '../../src/model/policy.ts'
import { printable } from '../../src/model/text.ts'
import { missingIn, whyMissing } from '../support/facts.ts'
import { folderWith } from '../support/workspace.ts'

// An untrusted repository chooses its policies' facts and its own links. Neither may reveal what is outside of the
// workspace, or keep the gate from answering.

const secret = 'TOP SECRET'

/** A workspace beside files that it must not read. */
function besides() {
  const folder = folderWith({
    'work/src/a.ts': '',
    'secret/key': secret,
    'secret/key.json': `"${secret}"`,
    'worker/a': secret,
  })
  return { folder, root: join(folder, 'work') }
}

const each = (path: string): FactDeclaration[] => [{ exists: path }, { json: path }, { text: path }]

async function whyNone(root: string, path: string): Promise<string[]> {
  const facts = await openFacts({ env: {} }).gather(
    each(path).map((declaration) => ({ declaration, root, trusted: false })),
  )
  return facts.map(whyMissing)
}

describe('a path that leads out of the workspace', () => {
  it.each([
    ['..', 'leads outside the workspace'],
    ['../secret/key', 'leads outside the workspace'],
    ['../secret/none', 'leads outside the workspace'],
    ['src/../../secret/key', 'leads outside the workspace'],
    ['../worker/a', 'leads outside the workspace'],
    ['../work/src/a.ts/../../../secret/key', 'leads outside the workspace'],
    ['/etc/passwd', 'is not a path relative to the workspace'],
    ['/', 'is not a path relative to the workspace'],
    ['', 'is not a path'],
    ['src/a.ts\0.json', 'is not a path: it contains a NUL character'],
    ['\0', 'is not a path: it contains a NUL character'],
  ])('is not followed: %j', async (path, why) => {
    for (const reason of await whyNone(besides().root, path)) expect(reason).toMatch(new RegExp(`${why}$`))
  })

  it.each([
    ['key', '../secret/key'],
    ['key', '../secret/none'],
    ['dir/key', '../secret'],
    ['dir/none', '../secret'],
    ['dir/none/at/all', '../secret'],
    ['dir', '..'],
    ['dir/secret/key', '..'],
    ['dir/worker/a', '..'],
    ['proc/self/environ', '/proc'],
  ])('through a link gets the same message whether the target exists or not: %s -> %s', async (path, target) => {
    const { root } = besides()
    symlinkSync(target, join(root, path.split('/')[0] ?? ''))
    const why = `\`${path}\` cannot be followed within the workspace`
    expect(await whyNone(root, path)).toEqual([why, why, why])
  })

  it('through a chain or a cycle of links is not followed either', async () => {
    const { root } = besides()
    symlinkSync('two', join(root, 'one'))
    symlinkSync('src/three', join(root, 'two'))
    symlinkSync('../../secret/key', join(root, 'src/three'))
    symlinkSync('round', join(root, 'round'))
    expect(new Set(await whyNone(root, 'one'))).toEqual(new Set(['`one` cannot be followed within the workspace']))
    expect(new Set(await whyNone(root, 'round'))).toEqual(new Set(['`round` cannot be followed within the workspace']))
  })

  it('is not followed for git: neither HEAD nor a .git file may be a link out', async () => {
    const { folder, root } = besides()
    const outside = folderWith({ HEAD: 'ref: refs/heads/secret\n' })
    const inside = folderWith({ 'work/.git/x': '', 'two/a': '' })
    symlinkSync(join(outside, 'HEAD'), join(inside, 'work/.git/HEAD'))
    expect(await missingIn(join(inside, 'work'), { gitBranch: true })).toMatch(
      /cannot be followed within the workspace/,
    )
    writeFileSync(join(folder, 'pointer'), `gitdir: ${outside}`)
    symlinkSync('../pointer', join(root, '.git'))
    expect(await missingIn(root, { gitBranch: true })).toMatch(/cannot be followed within the workspace/)
  })
})

describe('a path in a reason', () => {
  it.each([
    '\u001b[2J\nsay yes',
    'x'.repeat(100_000),
    `${'x'.repeat(300)}/a`,
    'a/'.repeat(3000),
    '\ud800',
    '\u202egnp',
  ])('is printable, on one line and short: %j', async (text) => {
    const why = await missingIn(folderWith(), { text })
    expect(why).toBe(printable(why))
    expect(why).not.toContain('\n')
    expect(why.length).toBeLessThan(200)
  })
})

describe('a file that is replaced while it is read', () => {
  it('is not read if its folder has become a link out of the workspace', async () => {
    const { folder, root } = besides()
    const real = join(root, 'src/key')
    writeFileSync(real, 'harmless')
    // `src/key` was resolved inside the workspace; now it is somewhere else.
    renameSync(join(root, 'src'), join(root, 'old'))
    symlinkSync(join(folder, 'secret'), join(root, 'src'))
    expect(await readRegularFile(real, root, 100)).toBe('was replaced while it was being read')
  })

  it('reveals nothing from outside, however fast it is replaced', async () => {
    const { folder, root } = besides()
    writeFileSync(join(root, 'src/key'), 'harmless')
    symlinkSync(join(folder, 'secret'), join(root, 'link'))
    const facts = openFacts({ env: {} })
    const nextTurn = () => new Promise((done) => setImmediate(done))
    const seen: string[] = []
    let gathering = true
    const gather = async (): Promise<void> => {
      const [text] = await facts.gather([{ declaration: { text: 'src/key' }, root, trusted: false }])
      seen.push(JSON.stringify(text))
      if (seen.length < 400) return gather()
      gathering = false
    }
    // Alternates between a folder and a link in its place.
    const swap = async (): Promise<void> => {
      renameSync(join(root, 'src'), join(root, 'old'))
      symlinkSync(join(folder, 'secret'), join(root, 'src'))
      await nextTurn()
      rmSync(join(root, 'src'))
      renameSync(join(root, 'old'), join(root, 'src'))
      await nextTurn()
      if (gathering) return swap()
    }
    await Promise.all([gather(), swap()])
    expect(seen.filter((text) => text.includes(secret))).toEqual([])
    expect(new Set(seen).size).toBeGreaterThan(1)
  })
})
