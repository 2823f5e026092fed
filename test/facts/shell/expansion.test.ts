import { describe, expect, it } from 'vitest'
import { unknownPart } from '../../../src/model/shell.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Lists the words of the last `:`: `…` for unknown parts, `several` for a word that may become any number. */
function wordsOf(text: string): readonly string[] {
  const command = factsOf(text).commands.findLast(({ program }) => program === ':')
  return (command?.args ?? []).map(({ value, several }) => value.replaceAll(unknownPart, '…') + (several ? ' …' : ''))
}

type Table = readonly (readonly [text: string, words: readonly string[]])[]

const quoting: Table = [
  [`: 'a b'"c d"e\\ f`, ['a bc de f']],
  [`: '' ""`, ['', '']],
  [`: $'a\\tb\\x41\\u0042'`, ['a\tbAB']],
  [`x=1; : "$x" '$x' \\$x "\\$x"`, ['1', '$x', '$x', '$x']],
]

const parameters: Table = [
  [`x=a; : $x \${x} "\${x}b"`, ['a', 'a', 'ab']],
  [`unset x; : $x "$x" end`, ['', 'end']],
  [`x='a b'; : $x`, ['a', 'b']],
  [`: "$X" $X`, ['…', '… …']],
  [`unset x; : \${x-a} \${x:-b} \${x+c} "\${x:+d}"`, ['a', 'b', '']],
  [`x=; : "\${x-a}" \${x:-b} \${x+c} "\${x:+d}"`, ['', 'b', 'c', '']],
  [`unset x; : \${x:=a} $x`, ['a', 'a']],
  [`x=abcabc; : \${#x} \${x#a} \${x##*b} \${x%c} \${x%%b*}`, ['6', 'bcabc', 'c', 'abcab', 'a']],
  [`x=abcabc; : \${x/b/X} \${x//b/X} \${x/#a/X} \${x/%c/X} \${x//b}`, ['aXcabc', 'aXcaXc', 'Xbcabc', 'abcabX', 'acac']],
  [`x=abcdef; : \${x:2} \${x:1:2} \${x: -2} \${x:0:-4}`, ['cdef', 'bc', 'ef', 'ab']],
  [`x=aBc; : \${x^} \${x^^} \${x,,} \${x@U} \${x@L}`, ['ABc', 'ABC', 'abc', 'ABC', 'abc']],
  [`x="a b"; : \${x@Q}`, [`'a`, `b'`]],
  [`y=a; x=y; : \${!x}`, ['a']],
  [
    `a=(x y z); : $a \${a[1]} \${a[-1]} \${#a[@]} "\${a[@]:1}" "\${!a[@]}"`,
    ['x', 'y', 'z', '3', 'y', 'z', '0', '1', '2'],
  ],
  [`a=(x 'y z'); : "\${a[@]}" "\${a[*]}" \${a[@]}`, ['x', 'y z', 'x y z', 'x', 'y', 'z']],
  [`declare -A a=([k]=v); : \${a[k]} "\${a[l]}"`, ['v', '']],
  [`set -- a 'b c'; : $# $1 "$2" "$@" "$*"`, ['2', 'a', 'b c', 'a', 'b c', 'a b c']],
  [`set -- a b; : "\${@:2}" x"$@"y`, ['b', 'xa', 'by']],
  [`IFS=:; x=a:b; : $x "$x"`, ['a', 'b', 'a:b']],
]

const braces: Table = [
  [': a{b,c}d', ['abd', 'acd']],
  [': {a,b}{1..3}', ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']],
  [': {a,{b,c}}', ['a', 'b', 'c']],
  [': {3..1} {a..e..2} {01..03}', ['3', '2', '1', 'a', 'c', 'e', '01', '02', '03']],
  [': {a} {a,b "{a,b}" \\{a,b}', ['{a}', '{a,b', '{a,b}', '{a,b}']],
  [': {1..1000000}', ['…']],
]

const arithmetic: Table = [
  [': $((7 - 3)) $((1 + 2 * 3)) $(((1 + 2) * 3)) $((7 / 2)) $((7 % 4)) $((2 ** 5))', ['4', '7', '9', '3', '3', '32']],
  [': $((1 < 2)) $((1 == 2)) $((!0)) $((~0)) $((1 && 0)) $((1 || 0))', ['1', '0', '1', '-1', '0', '1']],
  [': $((6 & 3)) $((6 | 3)) $((6 ^ 3)) $((1 << 4)) $((16 >> 2))', ['2', '7', '5', '16', '4']],
  [': $((0x10)) $((010)) $((2#101))', ['16', '8', '5']],
  [': $((1 ? 2 : 3)) $((1, 2))', ['2', '2']],
  ['x=4; : $((x + 1)) $((x++)) $x $((--x)) $((x += 2)) $x', ['5', '4', '5', '4', '6', '6']],
  ['unset x; : $((x + 1)) $((X + 1)) $((1 / 0))', ['1', '…', '…']],
]

const patterns: Table = [
  [`x='*'; : "*" $x '*'`, ['*', '*', '*']],
  [': /srv/*.log', ['/srv/*.log']],
]

const substitutions: Table = [
  [': $(echo a) `echo b` "$(echo c d)"', ['a', 'b', 'c d']],
  [`: $(echo 'a b') "$(printf 'a\\n\\n')"`, ['a', 'b', 'a']],
  [': x$(true)y "$(true)"', ['xy', '']],
  [': "$(hostname)" $(hostname)', ['…', '… …']],
  [': <(ls) >(cat)', ['/dev/fd/63', '/dev/fd/62']],
  [`: $(echo $(echo a))`, ['a']],
]

const tildes: Table = [
  [': ~ ~/a ~root/b ~other/c "~" a~', ['/home/u', '/home/u/a', '/root/b', '/home/other/c', '~', 'a~']],
]

describe.each<readonly [what: string, table: Table]>([
  ['quoting', quoting],
  ['parameters', parameters],
  ['braces', braces],
  ['arithmetic', arithmetic],
  ['patterns', patterns],
  ['substitutions', substitutions],
  ['tildes', tildes],
])('the expansion of %s', (_, table) => {
  it.each(table)('makes of %s the words %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })
})

it('has a pattern only for what is not quoted', () => {
  const command = factsOf(`ls a*b 'a*b' "$(echo 'c*')" [xy]? {m,n}*`).commands.find(({ program }) => program === 'ls')
  expect(command?.args.map(({ pattern }) => pattern)).toEqual(['a*b', undefined, undefined, '[xy]?', 'm*', 'n*'])
})
