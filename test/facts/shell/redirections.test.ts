import { describe, expect, it } from 'vitest'
import { unknownPart } from '../../../src/model/shell.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Finds the only `cmd` of a text. */
function cmdOf(text: string) {
  const found = factsOf(text).commands.filter(({ program }) => program === 'cmd')
  expect(found).toHaveLength(1)
  return found[0]
}

type Table = readonly (readonly [text: string, opened: readonly string[]])[]

const files: Table = [
  ['cmd > out', ['1>out']],
  ['cmd >> out', ['1>>out']],
  ['cmd >| out', ['1>out']],
  ['cmd < in > out', ['0<in', '1>out']],
  ['cmd <> file', ['0<>file']],
  ['cmd 2> err', ['2>err']],
  ['cmd &> all', ['1>all', '2>all']],
  ['cmd &>> all', ['1>>all', '2>>all']],
  ['cmd >& all', ['1>all', '2>all']],
  ['cmd > "a b"', ['1>a b']],
  ['cmd > $X', ['1>…']],
  ['> first cmd', ['1>first']],
  ['f() { cmd; }; f > out', ['1>out']],
  ['if true; then cmd; fi > out', ['1>out']],
]

const descriptors: Table = [
  ['cmd > out 2>&1', ['1>out', '2>out']],
  ['cmd 2>&1 > out', ['1>out']],
  ['cmd 3> out >&3', ['3>out', '1>out']],
  ['exec > out; cmd', ['1>out']],
  ['exec 3> out; cmd >&3', ['1>out']],
  ['exec 3> out; exec 3>&-; cmd >&3', []],
  ['exec 3> out 4>&3-; cmd >&4', ['1>out']],
  ['exec {fd}> out; cmd >&$fd', ['1>out']],
  ['exec 3> out; cmd > /dev/fd/3', ['1>out']],
  ['exec 3> out; cmd /dev/fd/3', ['3>out']],
  ['{ cmd; } 3> out >&3', ['1>out']],
  ['cmd >&$X', ['1>…']],
]

describe.each<readonly [what: string, table: Table]>([
  ['the files', files],
  ['the descriptors', descriptors],
])('%s of a command', (_, table) => {
  it.each(table)('are opened by %s: %j', (text, opened) => {
    const all = cmdOf(text)?.redirections.map(
      ({ operator, descriptor, target }) => `${descriptor}${operator}${target?.value.replaceAll(unknownPart, '…')}`,
    )
    expect(all).toEqual(opened)
  })
})

describe('stdin', () => {
  it.each([
    ['cmd <<< "a $HOME"', 'a /home/u\n'],
    ['cmd <<E\na $HOME $(echo b)\nE', 'a /home/u b\n'],
    ["cmd <<'E'\na $HOME\nE", 'a $HOME\n'],
    ['cmd <<E\n\\$a \\`b\\` \\\\ \\c \\\nd\nE', '$a `b` \\ \\c d\n'],
    ["cmd <<'E'\n\\$a \\\\\nE", '\\$a \\\\\n'],
    ['cmd <<-E\n\t\ta\n\tE', 'a\n'],
    ['cmd < /dev/null', ''],
    ['cmd <&-', ''],
    ['echo a > f; echo b >> f; cmd < f', 'a\nb\n'],
    ['echo a | tee f > /dev/null; cmd < f', 'a\n'],
    ['cmd < <(echo a)', 'a\n'],
    ['echo a | { cmd; }', 'a\n'],
    ['exec 3<<< a; cmd <&3', 'a\n'],
  ])('of %j is %j', (text, stdin) => {
    expect(cmdOf(text)?.stdin).toEqual({ value: stdin })
  })

  it.each([['cmd'], ['cmd < f'], ['cmd 3<<< a'], ['cmd <<< a < f']])('of %j is unset', (text) => {
    expect(cmdOf(text)?.stdin).toBeUndefined()
  })

  it.each([['hostname | cmd'], ['hostname > f; cmd < f'], ['cmd <<< "$X"']])('of %j is unknown', (text) => {
    expect(cmdOf(text)?.stdin).toMatchObject({ unresolved: true })
  })
})
