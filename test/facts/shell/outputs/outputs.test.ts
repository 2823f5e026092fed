import { describe, expect, it } from 'vitest'
import { unknownPart } from '../../../../src/model/shell.ts'
import { factsOf } from '../../../support/shell-facts.ts'

/** Returns what a command prints into a pipe, with `…` for unknown parts. */
const printed = (command: string): string | undefined =>
  factsOf(`${command} | reader`)
    .commands.find(({ program }) => program === 'reader')
    ?.stdin?.value.replaceAll(unknownPart, '…')

type Table = readonly (readonly [command: string, output: string])[]

const echo: Table = [
  ['echo a  b', 'a b\n'],
  ['echo', '\n'],
  ['echo -n a', 'a'],
  [`echo 'a\\nb'`, 'a\\nb\n'],
  [`echo -e 'a\\tb\\x41\\0101\\\\'`, 'a\tbAA\\\n'],
  [`echo -e 'a\\cb'`, 'a'],
  [`echo -eE 'a\\nb'`, 'a\\nb\n'],
  ['echo "$X" a', '… a\n'],
  ['echo *.log', '…\n'],
]

const printf: Table = [
  ['printf %s a', 'a'],
  ['printf "%s\\n" a b', 'a\nb\n'],
  ['printf "%s-%s " a b c', 'a-b c- '],
  ['printf "%5s|%-5s|%.2s" a b cde', '    a|b    |cd'],
  ['printf "%d %i %x %X %o" 10 010 255 255 8', '10 8 ff FF 10'],
  ['printf "%05d|%c|%%" 42 xyz', '00042|x|%'],
  [`printf "%b" 'a\\nb'`, 'a\nb'],
  [`printf "%q" 'a b'`, "'a b'"],
  ['printf "\\x41\\101\\u0042"', 'AAB'],
  ['printf "%*s" 3 a', '  a'],
  ['printf "a %s" "$X"', 'a …'],
  ['printf "$X" a', '…'],
]

const programs: Table = [
  ['pwd', '/home/u/proj\n'],
  ['basename /a/b.c .c', 'b\n'],
  ['dirname /a/b/c', '/a/b\n'],
  ['dirname a', '.\n'],
  ['seq 3', '1\n2\n3\n'],
  ['seq 1 2 5', '1\n3\n5\n'],
  ['realpath ../a', '/home/u/a\n'],
  ['which ls', '…/ls\n'],
  ['pyenv which python', '…/python\n'],
  ['asdf which node', '…/node\n'],
  ['xcrun --find clang', '…/clang\n'],
  ['uv python find 3.12', '…/python3\n'],
  ['pyenv versions', '…'],
  ['hostname', '…'],
  ['true', ''],
]

const filters: Table = [
  ['echo a | cat', 'a\n'],
  ['echo a | tee f', 'a\n'],
  ['echo a > f; cat f', 'a\n'],
  ['echo YQ== | base64 -d', 'a'],
  ['printf a | base64', 'YQ==\n'],
  ['echo ME====== | base32 -d', 'a'],
  ['echo YQ== | openssl base64 -d', 'a'],
  ['echo 61 | xxd -r -p', 'a'],
  ['printf abc | rev', 'cba'],
  ['printf abc | tr a-c A-C', 'ABC'],
  ['printf abc | tr -d b', 'ac'],
  ["printf abc | tr '[:lower:]' '[:upper:]'", 'ABC'],
  ['printf abc | sort', '…'],
  ['hostname | cat', '…'],
]

describe.each<readonly [what: string, table: Table]>([
  ['echo', echo],
  ['printf', printf],
  ['a program whose output is its words', programs],
  ['a filter', filters],
])('the output of %s', (_, table) => {
  it.each(table)('that is %s is %j', (command, output) => {
    expect(printed(command)).toBe(output)
  })
})
