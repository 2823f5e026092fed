import { describe, expect, it } from 'vitest'
import { unknownPart } from '../../../src/model/shell.ts'
import { shellFacts } from '../../../src/facts/shell/shell-facts.ts'
import { factsOf, linesOf } from '../../support/shell-facts.ts'

/** Lists what the `echo`s of a text print, in order, once for each value that their words may have. */
const echoed = (text: string): readonly string[] =>
  linesOf(text)
    .filter((line) => line.startsWith('echo '))
    .map((line) => line.slice(5))

type Table = readonly (readonly [what: string, text: string, echoed: readonly string[]])[]

const branches: Table = [
  ['runs both sides where the condition is not known', 'if x; then echo a; else echo b; fi', ['a', 'b']],
  ['joins what both sides assign', 'if x; then v=1; else v=2; fi; echo $v', ['1', '2']],
  ['keeps only the side that a known condition takes', 'v=0; if true; then v=1; else v=2; fi; echo $v', ['1']],
  ['decides a test of known words', 'v=a; if [ $v = a ]; then v=b; fi; echo $v', ['b']],
  ['decides a test of a pattern', 'v=0; [[ abc == a* ]] && v=1; echo $v', ['1']],
  ['decides a test of a pattern that does not match', 'v=0; [[ abc != b* ]] || v=1; echo $v', ['0']],
  ['takes a quoted pattern by its letters', 'v=0; [[ abc == "a*" ]] && v=1; echo $v', ['0']],
  ['leaves a test of an extended pattern open', 'v=0; [[ abc == @(a*|b) ]] && v=1; echo $v', ['1', '0']],
  ['decides a test of numbers', 'v=0; [ 2 -gt 10 ] && v=1; echo $v', ['0']],
  ['leaves a test of an unknown word open', 'v=0; [ "$X" = a ] && v=1; echo $v', ['1', '0']],
  ['negates', 'v=0; ! true || v=1; echo $v', ['1']],
  ['includes what is never reached', 'exit; echo a', ['a']],
  ['drops what only a shell that has ended assigns', 'v=1; (v=2; exit); echo $v', ['1']],
  ['goes on behind || exit only where all went well', 'v=0; x && v=1 || exit; echo $v', ['1']],
  ['ends at a failure under set -e', 'set -e; v=0; false; v=1; echo $v', ['1']],
  ['takes the arm of case that matches', 'case abc in a*) v=1;; *) v=2;; esac; echo $v', ['1']],
  [
    'takes every arm where the word is not known',
    'case $X in a) v=1;; b) v=2;; *) v=3;; esac; echo $v',
    ['1', '2', '3'],
  ],
  ['falls through an arm of case', 'case a in a) v=1;& b) v=${v}2;; esac; echo $v', ['12']],
]

const loops: Table = [
  ['takes each word', 'for i in a b; do echo $i; done', ['a', 'b']],
  ['keeps the last word behind it', 'for i in a b; do :; done; echo $i', ['b']],
  ['counts', 'for ((i = 0; i < 3; i++)); do echo $i; done', ['0', '1', '2']],
  [
    'stops at break, after which it runs once more',
    'for i in a b c; do [ $i = b ] && break; echo $i; done',
    ['a', 'b'],
  ],
  ['reads lines that are known', "while read -r l; do echo $l; done <<< $'a\\nb'", ['a', 'b']],
  ['runs a body that is not entered', 'while false; do echo a; done', ['a']],
  ['widens what grows without end', 'v=a; while x; do v=b$v; done; echo $v', ['a', 'ba', '…']],
  ['may be left out where its words are not known', 'v=a; for i in $X; do v=b; done; echo $v', ['a', 'b']],
]

const functions: Table = [
  ['has arguments of its own', 'set -- a; f() { echo $1; }; f b; echo $1', ['b', 'a']],
  ['changes variables of its caller', 'f() { v=1; }; v=0; f; echo $v', ['1']],
  ['keeps local ones to itself', 'f() { local v=1; }; v=0; f; echo $v', ['0']],
  ['returns', 'f() { v=1; return; v=2; }; f; echo $v', ['1']],
  ['may be one of two', 'f() { echo a; }; x && f() { echo b; }; f', ['b', 'a']],
  ['hides a program of its name', 'ls() { echo a; }; ls', ['a']],
  ['is bypassed by command', 'echo() { ls; }; command echo a', ['a']],
  ['is gone behind unset -f', 'f() { echo a; }; unset -f f; f', []],
]

const traps: Table = [
  ['runs its text', "trap 'echo a' EXIT", ['a']],
  ['runs with the values known where it is set', "v=1; trap 'echo $v' EXIT", ['1']],
  ['changes nothing behind it', "v=1; trap 'v=2' INT; echo $v", ['1']],
  ['does not exist without a signal, or once it is reset', "trap 'echo a'; trap - EXIT; trap '' INT", []],
]

describe.each<readonly [what: string, table: Table]>([
  ['a branch', branches],
  ['a loop', loops],
  ['a function', functions],
  ['a trap', traps],
])('%s', (_, table) => {
  it.each(table)('%s: %s', (__, text, lines) => {
    expect(echoed(text)).toEqual(lines)
  })
})

it.each([
  [
    'an unknown list',
    'for f in $(git ls-files); do echo "$f"; done',
    [{ value: unknownPart, unresolved: true, variable: 'f', from: [0] }],
  ],
  ['a pattern', 'for f in src/*.ts; do echo "$f"; done', [{ value: 'src/*.ts', pattern: 'src/*.ts' }]],
  ['known words', 'for f in a b; do echo "$f"; done', [undefined, undefined]],
])('a loop over %s says what its variable stands for in each round', (_, text, over) => {
  const echoes = factsOf(text).commands.filter(({ program }) => program === 'echo')
  expect(echoes.map(({ reach }) => reach.find((one) => one.through === 'loop')?.over)).toEqual(over)
})

/** What a text runs, and what flows between its commands: each once, whichever round it is from. `:` is left out. */
function ranIn(text: string) {
  const { commands, flows, uncertain } = factsOf(text)
  const sourcesOf = (from: unknown) => [from].flat().map((at) => commands[Number(at)]?.program)
  const keys = commands.map((command) =>
    JSON.stringify({ ...command, place: undefined, startedBy: sourcesOf(command.startedBy) }, (key, value: unknown) =>
      key === 'from' ? [...new Set(sourcesOf(value))] : value,
    ),
  )
  const isCounted = (at: number) => commands[at]?.program !== ':'
  const flowing = flows.filter(({ from, to }) => isCounted(from) && isCounted(to))
  return {
    commands: [...new Set(keys.filter((__, at) => isCounted(at)))].toSorted(),
    flows: [...new Set(flowing.map(({ from, to, via, as }) => [keys[from], keys[to], via, as].join(' ')))].toSorted(),
    uncertain,
  }
}

describe('a loop whose body does not name its variable', () => {
  it.each([
    ['a program', 'make', ''],
    ['one that may end it', 'curl -sf localhost:1 && break; sleep 1', 'echo $i'],
    ['one that may go on with the next word', 'x || continue; y', 'echo $i'],
    ['an assignment', 'v=1; echo $v', 'echo $v $i'],
    ['what grows', 'v=a$v; echo $v', 'echo $v'],
    ['a value of the round before', 'echo $v; v=b', 'echo $v'],
    ['a value of the round before that', 'echo $w; w=$v; v=b', 'echo $w'],
    ['a folder that changes', 'cd a; ls', 'ls'],
    ['a folder that may change', 'cd a && ls', 'ls'],
    ['a file that grows', 'echo a >> f', 'sh f'],
    ['a file that is made anew', 'echo "rm x" > f; sh f', 'echo $i'],
    ['a pipe', 'a | b', ''],
    ['a background', 'x & sleep 1', 'wait'],
    ['an exit', 'x && exit 1; y', 'echo $i'],
    ['a subshell that ends', '(x && exit 1); y', 'echo $i'],
    ['a loop inside, which is left with it', 'for j in 1 2; do x && break 2; y $j; done', 'echo $i $j'],
    ['a function that reads it', 'f', 'echo $i', 'f() { echo $i; }; '],
    ['a text that reads it', `eval 'echo $''i'`, 'echo $i'],
    ['a name that leads to it', 'echo ${!n}', 'echo $i', 'n=i; '],
    ['a reference to it', 'echo $n', 'echo $i', 'declare -n n=i; '],
    ['a change of it', 'i=x; y', 'echo $i'],
    ['an export of it', 'x', 'sh -c "echo $i"', 'export i; '],
    ['an array with it as key', 'echo ${a[i]}', 'echo $i', 'a=(x y z); '],
    ['a child that gets it', `sh -c 'echo $''i'`, 'echo $i', 'export i; '],
  ])('runs the same as one that reads it: %s', (_, body, after, before = '') => {
    const lists = ['$(seq 12)', '1 2 3', 'a b', '1 2 "$X"', '*.ts b', '{1..40}']
    const ranOver = (inside: string) =>
      lists.map((words) => [words, ranIn(`${before}for i in ${words}; do ${inside}; done; ${after}`)])
    expect(ranOver(body)).toEqual(ranOver(`: "$i"; ${body}`))
  })

  it.each([
    'f() { for i in 1 2 3; do @x && return; y; done; }; f; echo $i',
    'for j in a b; do for i in 1 2 3; do @x && break 2; y; done; done; echo $i',
    'for j in a b; do for i in 1 2 3; do @x && continue 2; y; done; done; echo $i',
  ])('runs the same as one that reads it, and keeps each word where it is left: %s', (text) => {
    expect(ranIn(text.replace('@', ''))).toEqual(ranIn(text.replace('@', ': "$i"; ')))
  })

  it('is followed no longer for thirty words than for three', () => {
    const stepsFor = (words: string) => {
      let steps = 0
      shellFacts(
        `for i in ${words}; do curl -sf localhost:1 && break; sleep 1; done`,
        { cwd: '/', workspaceRoots: [] },
        (spent) => {
          steps = spent.steps
        },
      )
      return steps
    }
    // A word more takes a step, and its value is joined with those before it where `break` leaves.
    expect(stepsFor('{1..30}')).toBeLessThan(stepsFor('1 2 3') + 3 * 27)
  })
})
