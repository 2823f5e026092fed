import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolFacts } from '../../../src/facts/tool-facts.ts'
import { folderWith } from '../../support/workspace.ts'

/** Applies a patch in a folder by the program itself, and compares the files that it changed with those that facts name. */
async function compared(command: string, text: string) {
  const cwd = folderWith({ a: 'x\n', 'd/b': 'x\n', 'd/e e': 'x\n', 'e/a': 'x\n' })
  execFileSync('git', ['init', '-q'], { cwd })
  const before = contents(cwd)
  const line = `${command} <<'END'\n${text}END\n`
  spawnSync('sh', ['-c', line], { cwd })
  const after = contents(cwd)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (file) => before.get(file) !== after.get(file),
  )
  const { paths, changes } = await toolFacts(
    { kind: 'shell', command: line, paths: [] },
    { cwd, home: '/home/nobody', workspaceRoots: [cwd] },
  )
  const written = paths.flatMap(({ access, recursive, inRoot }) =>
    access !== 'read' && recursive !== true && inRoot !== undefined ? [inRoot] : [],
  )
  return { changed: changed.toSorted(), written, texts: changes.map(({ removed, added }) => [removed, added]) }
}

const contents = (folder: string) =>
  new Map(
    globSync('**/*', { cwd: folder, exclude: ['.git', '**/*.{orig,rej}'], withFileTypes: true }).flatMap((entry) => {
      const file = join(entry.parentPath, entry.name)
      return entry.isFile() ? [[file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const] : []
    }),
  )

const hunk = '@@ -1 +1 @@\n-x\n+y\n'
const named = (from: string, to = from) => `--- ${from}\n+++ ${to}\n${hunk}`

/** The name of a case, the program, what it is given, and the files that it changes. */
type Case = readonly [name: string, command: string, text: string, changed: readonly string[]]

const gitCases: readonly Case[] = [
  ['prefixes', 'git apply', named('a/d/b', 'b/d/b'), ['d/b']],
  ['a number of folders', 'git apply -p2 -', named('x/y/d/b'), ['d/b']],
  ['no folders', 'git apply -p0', named('d/b'), ['d/b']],
  ['two files', 'git apply', named('a/a', 'b/a') + named('a/d/b', 'b/d/b'), ['a', 'd/b']],
  ['a blank in a name', 'git apply', named('a/d/e e', 'b/d/e e'), ['d/e e']],
  ['a tab and a date', 'git apply', named('a/d/b\t2026-01-01 10:00:00', 'b/d/b\t2026-01-01 10:00:00'), ['d/b']],
  ['a date alone', 'git apply', named('a/d/b 2026-01-01 10:00:00.0 +0000'), ['d/b']],
  ['quoted names', 'git apply', named('"a/\\144/b"', '"b/d/\\142"'), ['d/b']],
  ['another old name', 'git apply', named('a/d/b.orig', 'b/d/b'), ['d/b']],
  ['a folder', 'git apply --directory=e', named('a/a', 'b/a'), ['e/a']],
  ['another working directory', 'git -C d apply', named('a/d/b', 'b/d/b'), ['d/b']],
  ['a working directory below the top', 'cd d && git apply', named('a/d/b', 'b/d/b'), ['d/b']],
  ['a new name', 'git apply', 'diff --git a/a b/f\nsimilarity index 100%\nrename from a\nrename to f\n', ['a', 'f']],
  ['a copy', 'git apply', 'diff --git a/a b/f\nsimilarity index 100%\ncopy from a\ncopy to f\n', ['f']],
  ['an empty file', 'git apply', 'diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n', ['f']],
  [
    'a deletion',
    'git apply',
    'diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    ['a'],
  ],
  ['text before it', 'git apply', `1a\nhello\n- x\n${named('a/d/b', 'b/d/b')}`, ['d/b']],
  ['the reverse', 'git apply -R', named('a/a', 'b/a').replace('-x\n+y', '-y\n+x'), ['a']],
  ['nothing, as it is only checked', 'git apply --check', named('a/a', 'b/a'), []],
]

const patchCases: readonly Case[] = [
  ['no number', 'patch -f', named('q/r/a'), ['a']],
  ['a number of folders', 'patch -f -p1', named('a/d/b', 'b/d/b'), ['d/b']],
  ['doubled slashes', 'patch -f -p1', named('a//d/b', 'b//d/b'), ['d/b']],
  ['only a new name', 'patch -f -p0', `+++ d/b\n${hunk}`, ['d/b']],
  ['only an old name', 'patch -f -p0', `--- d/b\n${hunk}`, ['d/b']],
  ['a blank and a date', 'patch -f -p0', named('d/b Thu Jan 1 2026'), ['d/b']],
  ['an indented patch', 'patch -f -p0', named('d/b').replaceAll(/^(?=.)/gm, '\t '), ['d/b']],
  ['a patch behind crosses', 'patch -f -p0', named('d/b').replaceAll(/^(?=.)/gm, 'XX'), ['d/b']],
  ['a context diff', 'patch -f -p0', '*** d/b\n--- d/b\n***************\n*** 1 ****\n! x\n--- 1 ----\n! y\n', ['d/b']],
  ['a normal diff', 'patch -f -p0', 'Index: d/b\n1c1\n< x\n---\n> y\n', ['d/b']],
  ['commands of ed', 'patch -f -p0 -e', 'Index: d/b\n1c\ny\n.\n', ['d/b']],
  ['its own file', 'patch -f d/b', named('q'), ['d/b']],
  ['its own folder', 'patch -f -d d', named('q/b'), ['d/b']],
  ['its own output', 'patch -f -o f d/b', named('q'), ['f']],
  [
    'a new name of git',
    'patch -f -p1',
    'diff --git a/a b/f\nsimilarity index 100%\nrename from a\nrename to f\n',
    ['a', 'f'],
  ],
  ['nothing, as it is only tried', 'patch -f --dry-run -p0', named('d/b'), []],
]

const lineCases: readonly Case[] = [
  ['the file that is open', 'ed -s a', ',s/x/y/\nw\nq\n', ['a']],
  ['a named file', 'ed -s a', 'a\ny\n.\nw f\nq\n', ['f']],
  ['a range', 'ed -s a', '1,$w f\nq\n', ['f']],
  ['a file that is opened later', 'ed -s a', 'e d/b\ns/x/y/\nwq\n', ['d/b']],
  ['another default name', 'ed -s a', 'f f\nw\nq\n', ['f']],
  ['what is appended', 'ed -s a', 'W d/b\nq\n', ['d/b']],
]

const exCases: readonly Case[] = [
  ['the file that is open', 'ex -s a', '%s/x/y/\nx\n', ['a']],
  ['a named file', 'ex -s a', 'silent! %s/x/y/|w! f\nq!\n', ['f']],
  ['the lines of a pattern', 'ex -s a', 'g/x/s//y/\n1,$ write f\nq!\n', ['f']],
  ['a file below another folder', 'ex -s', 'cd d\ne b\ns/x/y/\nwq\n', ['d/b']],
  ['commands among its words', `vim -es a -c 's/x/y/' -c 'saveas f' -c q`, '', ['f']],
]

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

describe.each([
  ['git', gitCases],
  ['patch', patchCases],
  ['ed', lineCases],
  ['vim', exCases],
])('the files that %s changes are known', (program, cases) => {
  it.skipIf(!has(program)).each(cases)('for %s', async (_name, command, text, expected) => {
    const { changed, written } = await compared(command, text)
    expect(changed).toEqual(expected)
    expect(written).toEqual(expect.arrayContaining([...expected]))
  })
})

describe('the texts that a patch takes out and puts in are known', () => {
  it.each([
    ['git apply', named('a/a', 'b/a'), 'x', 'y'],
    ['git apply -R', named('a/a', 'b/a'), 'y', 'x'],
    ['patch -p0', named('a').replaceAll(/^(?=.)/gm, '  '), 'x', 'y'],
    ['patch -p0', '*** a\n--- a\n***************\n*** 1 ****\n! x\n--- 1 ----\n! y\n', 'x', 'y'],
    ['patch a', '1c1\n< x\n---\n> y\n', 'x', 'y'],
    ['apply_patch', '*** Begin Patch\n\t*** Update File: a\n@@\n-x\n+y\n*** End Patch\n', 'x', 'y'],
    ['ex -s a', '%s/x/y/\nx\n', 'x', 'y'],
  ])('%s', async (command, text, removed, added) => {
    expect((await compared(command, text)).texts).toContainEqual([removed, added])
  })
})
