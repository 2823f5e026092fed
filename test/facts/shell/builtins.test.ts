import { describe, expect, it } from 'vitest'
import { unknownPart } from '../../../src/model/shell.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Lists the arguments of each `:` of a text, joined with a bar. */
const joinedArguments = (text: string): readonly string[] =>
  factsOf(text)
    .commands.filter(({ program }) => program === ':')
    .map(({ args }) => args.map(({ value }) => value.replaceAll(unknownPart, '…')).join('|'))

type Table = readonly (readonly [text: string, all: readonly string[]])[]

const cd: Table = [
  ['cd /tmp; : "$PWD" "$OLDPWD"', ['/tmp|/home/u/proj']],
  ['cd /tmp && cd - && : "$PWD"', ['/home/u/proj']],
  ['cd; : "$PWD"', ['/home/u']],
  ['cd -P -- /tmp; : "$PWD"', ['/tmp']],
  ['cd a && cd ../b && : "$PWD"', ['/home/u/proj/b']],
  ['cd "$X" && : "$PWD"', ['…']],
  ['pushd /tmp; : "$PWD"; popd; : "$PWD"', ['/tmp', '/home/u/proj']],
  ['popd; : "$PWD"', ['/home/u/proj']],
]

const read: Table = [
  [`read x <<< 'a b'; : "$x"`, ['a b']],
  [`read x y <<< 'a b c'; : "$x" "$y"`, ['a|b c']],
  [`read <<< a; : "$REPLY"`, ['a']],
  [`read -r x <<< 'a\\b'; read y <<< 'a\\b'; : "$x" "$y"`, ['a\\b|ab']],
  [`read -a x <<< 'a b'; : "\${x[1]}"`, ['b']],
  [`read -d : x <<< a:b; : "$x"`, ['a']],
  [`IFS=, read x y <<< a,b; : "$x" "$y"`, ['a|b']],
  [`read -u 3 x 3<<< a; : "$x"`, ['a']],
  [`hostname | { read x; : "$x"; }`, ['…']],
  [`mapfile -t x <<< $'a\\nb'; : "\${x[@]}"`, ['a|b']],
  [`readarray x <<< a; : "\${x[0]}"`, ['a\n']],
]

const test: Table = [
  ['x=0; [ a = a ] && x=1; : $x', ['1']],
  ['x=0; [ a != a ] && x=1; : $x', ['0']],
  ['x=0; test -n "" && x=1; : $x', ['0']],
  ['x=0; [ -z "" ] && x=1; : $x', ['1']],
  ['x=0; [ 10 -gt 9 ] && x=1; : $x', ['1']],
  ['x=0; [ ! a = a ] && x=1; : $x', ['0']],
  ['x=0; [ -f file ] && x=1; : $x', ['1', '0']],
  ['x=0; [ "$X" = a ] && x=1; : $x', ['1', '0']],
]

const variables: Table = [
  ['declare x=a; : $x', ['a']],
  ['declare -u x=a; declare -l y=B; : $x $y', ['A|b']],
  ['declare -a x=(a b); : ${x[1]}', ['b']],
  ['declare -n x=y; x=a; : $y', ['a']],
  ['x=a; declare x+=b; : $x', ['ab']],
  ['f() { declare x=a; }; x=b; f; : $x', ['b']],
  ['f() { declare -g x=a; }; x=b; f; : $x', ['a']],
  ['readonly x=a; : $x', ['a']],
  ['x=a; unset x; : "$x"', ['']],
  ['export x=a; bash -c \': "$x"\'', ['a']],
  ['export x=a; export -n x; bash -c \': "$x"\'', ['']],
  ['x=a; bash -c \': "$x"\'', ['']],
  ['set -- a b; shift; : "$1" $#', ['b|1']],
  ['set -- a; shift 2; : "$1"', ['a']],
  ['let x=1+2; : $x', ['3']],
  ['printf -v x %s-%s a b; : $x', ['a-b']],
  ['getopts ab o; : "$o" "$OPTARG"', ['…|…']],
]

const code: Table = [
  ["eval ': a'", ['a']],
  ["eval ':' a 'b c'", ['a|b|c']],
  ['x=1; eval "x=2"; : $x', ['2']],
  ['builtin : a', ['a']],
  ['command : a', ['a']],
  ['command -v :', []],
  ["echo ': $1' > f; . ./f a", ['a']],
  ["echo 'x=1; return; x=2' > f; source f; : $x", ['1']],
  ['exec : a; : b', ['a', 'b']],
  ["alias p=': a'\np b", ['a|b']],
  ["alias p=': a'\n\\p b", []],
  ['hash -p /bin/: p; p a', ['a']],
]

describe.each<readonly [name: string, table: Table]>([
  ['cd, pushd and popd', cd],
  ['read and mapfile', read],
  ['test', test],
  ['the builtins of variables', variables],
  ['the builtins that run code', code],
])('%s', (_, table) => {
  it.each(table)('make of %j: %j', (text, all) => {
    expect(joinedArguments(text)).toEqual(all)
  })
})
