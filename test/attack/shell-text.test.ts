import { describe, expect, it } from 'vitest'
import { shellLimits } from '../../src/model/limits.ts'
import type { ShellCommand } from '../../src/model/shell.ts'
import { factsOf, linesOf } from '../support/shell-facts.ts'
import { brokenCommand, seeded } from '../support/shell-inputs.ts'

/** Lists the dangling references in a text's facts; facts must never throw, whatever the text is. */
function flaws(text: string): readonly string[] {
  const { commands, flows, uncertain } = factsOf(text)
  const isCommand = (index: number) => Number.isInteger(index) && index >= 0 && index < commands.length
  const isPlace = ({ start, end }: ShellCommand['place']) => start >= 0 && start <= end && end <= text.length
  const found = [
    ...uncertain.filter((what) => what.startsWith('the command cannot be followed')),
    ...(commands.length > shellLimits.commandsMax ? ['too many commands'] : []),
    ...commands
      .filter(({ startedBy }) => startedBy !== undefined && !isCommand(startedBy))
      .map(() => 'started by nothing'),
    ...commands.filter(({ place }) => !isPlace(place)).map(() => 'stands nowhere'),
    ...flows.filter(({ from, to }) => !isCommand(from) || !isCommand(to)).map(() => 'flows to nothing'),
  ]
  return found.map((what) => `${what}: ${text.slice(0, 200)}`)
}

describe('random text', () => {
  it.each([1, 2, 3, 4])('has consistent facts (seed %i)', (seed) => {
    const below = seeded(seed)
    const texts = Array.from({ length: 750 }, () => brokenCommand(below))
    expect(texts.flatMap(flaws)).toEqual([])
  })

  it('of arbitrary characters has consistent facts', () => {
    const below = seeded(5)
    for (let times = 0; times < 500; times++) {
      const text = String.fromCharCode(
        ...Array.from({ length: below(60) }, () => below(below(3) === 0 ? 0x10000 : 0x7f)),
      )
      expect(flaws(text)).toEqual([])
    }
  })
})

const nested = (open: string, close: string, times: number, inner = 'ls') =>
  open.repeat(times) + inner + close.repeat(times)
const quotedInto = (program: string, times: number) => {
  let text = 'rm -rf /'
  for (let at = 0; at < times; at++) text = `${program} '${text.replaceAll("'", `'\\''`)}'`
  return text
}

/** Each would take for ever, or exhaust memory, if it were followed to its end. */
const hostile: readonly (readonly [what: string, text: string])[] = [
  ['substitutions in each other', nested('$(', ')', 5000)],
  ['substitutions in quotes in each other', nested('"$(', ')"', 500)],
  ['backticks in each other', '`'.repeat(5001)],
  ['subshells in each other', nested('( ', ')', 5000)],
  ['groups in each other', nested('{ ', '; }', 3000)],
  ['conditions in each other', nested('if x; then ', '; fi', 2000)],
  ['defaults in each other', nested('${x:-', '}', 3000, 'y')],
  ['arithmetic in itself', `echo $((${nested('(', ')', 3000, '1')}))`],
  ['a long sum', `echo $((${'1+'.repeat(50_000)}1))`],
  ['texts in texts', quotedInto('eval', 9)],
  ['shells in shells', quotedInto('bash -c', 9)],
  ['a value that doubles', `x=aaaaaaaa; ${'x=$x$x; '.repeat(60)}eval "$x"`],
  ['values that multiply', `${'if y; then x=1$x; else x=2$x; fi; '.repeat(40)}$x $x $x $x $x $x`],
  ['braces that multiply', `echo ${'{a,b}'.repeat(40)}`],
  ['a range without end', 'echo {1..1000000000000}'],
  ['loops in loops', `${'for i in {1..200}; do '.repeat(8)}echo $i; ${'done; '.repeat(8)}`],
  ['loops of unknown length in each other', `${'while x; do '.repeat(40)}i=$((i + 1)); ${'done; '.repeat(40)}`],
  [
    'functions that call two others',
    `f0() { ls; }; ${Array.from({ length: 30 }, (_, at) => `f${at + 1}() { f${at}; f${at}; }; `).join('')}f30`,
  ],
  ['a function that calls itself twice', 'f() { f $1x; f $1y; }; f a'],
  ['functions in a ring', 'a() { b; b; }; b() { c; c; }; c() { d; d; }; d() { a; a; ls; }; a'],
  ['a text that runs itself', `x='eval "$x"; eval "$x"'; eval "$x"`],
  ['a script that runs itself', 'echo "bash x.sh; bash x.sh" > x.sh; bash x.sh'],
  ['a script that sources itself', 'echo ". x.sh; . x.sh" > x.sh; . x.sh'],
  ['a handler that sets itself', `x='trap "$x" EXIT; eval "$x"'; eval "$x"`],
  ['aliases of each other', 'alias a="b; b" b="a; a"\na'],
  ['references of each other', 'declare -n a=b; declare -n b=a; a=1; echo $a'],
  ['a pattern that backtracks', `x=${'a'.repeat(500)}; echo \${x//${'*a'.repeat(60)}b/}`],
  ['a pattern of case that backtracks', `case ${'a'.repeat(4000)} in ${'*a'.repeat(60)}b) ls;; esac`],
  ['a format that is too wide', 'printf "%1000000000s" x | bash'],
  ['a long pipeline', `${'cat | '.repeat(3000)}cat`],
  ['folders without end', `${'cd a; '.repeat(3000)}ls`],
  ['many commands', 'ls;'.repeat(40_000)],
  ['many words', `echo ${'a '.repeat(60_000)}`],
  ['many variables in one word', `echo "${'$x'.repeat(60_000)}"`],
  ['many words that are read', `printf '%s\\n' ${'a '.repeat(40_000)} | while read -r x; do echo $x; done`],
  ['a long array, many times', `a=(${'x '.repeat(40_000)}); for i in "\${a[@]}"; do echo "\${a[@]}"; done`],
  [
    'many variables and subshells',
    `${Array.from({ length: 3000 }, (_, at) => `v${at}=1`).join(';')}${'\n(ls)'.repeat(3000)}`,
  ],
  ['many heredocs', Array.from({ length: 1000 }, (_, at) => `bash <<E${at}\nls\nE${at}`).join('\n')],
  ['many files that tee writes', `echo ls | tee ${'a '.repeat(60_000)}; sh a`],
  ['code that is one name after the other', `python3 -c '${'$.'.repeat(30_000)}'`],
  ['code that asks again and again', `python3 -c '${'isfile(('.repeat(10_000)}'`],
  ['code of nothing but blanks', `python3 -c '${' '.repeat(60_000)}'`],
  ['unterminated strings in code that is not analyzed', `guile ${`-e '${'system "'.repeat(500)}' `.repeat(25)}`],
  ['a megabyte of one word', `echo ${'a'.repeat(1_000_000)}`],
  ['a megabyte of commands', 'echo hello there;'.repeat(60_000)],
  ['a megabyte of quotes', '"$x"'.repeat(250_000)],
  ['a megabyte of backslashes', '\\'.repeat(1_000_000)],
  ['a megabyte of nothing', '\u0000'.repeat(1_000_000)],
  ['a megabyte of open brackets', '(['.repeat(500_000)],
]

describe('text that would take for ever', () => {
  it.each(hostile)('has consistent facts: %s', (_, text) => {
    expect(flaws(text)).toEqual([])
  })
})

describe('a script that runs itself', () => {
  it.each([
    ['as a file that a shell is given', "echo 'bash b.sh; bash b.sh' > b.sh; bash b.sh"],
    ['as a program', "echo './b.sh; ./b.sh' > b.sh; ./b.sh"],
    ['in its own shell', "echo '. ./b.sh; . ./b.sh' > b.sh; . ./b.sh"],
    ['with other words each time', "echo 'bash b.sh $1x; bash b.sh $1y' > b.sh; bash b.sh"],
    ['by way of another', "echo 'bash a.sh; bash a.sh' > b.sh; echo 'bash b.sh; bash b.sh' > a.sh; bash b.sh"],
    ['as a variable', `export X='bash -c "$X"; bash -c "$X"'; bash -c "$X"`],
    ['as text that is evaluated', `X='eval "$X"; eval "$X"'; eval "$X"`],
  ])('%s is followed twice inside of itself, and uncertain from there on', (_, text) => {
    const { commands, uncertain } = factsOf(text)
    expect(uncertain).toEqual(['a script runs itself, and is not followed to its end'])
    expect(commands.flatMap((one) => one.uncertain)).toContain('a script runs itself, and is not followed to its end')
    // Two scripts that each run both start 2 + 4 + 8 + 16 commands.
    expect(commands.length).toBeLessThan(40)
  })

  it('shows what it does with its own arguments', () => {
    expect(linesOf(`echo 'rm -rf "$1"; bash b.sh /' > b.sh; bash b.sh x`)).toContain('rm -rf /')
  })
})

describe('where the limits are reached', () => {
  it.each([
    ['the length of the text', `${' '.repeat(shellLimits.textCharactersMax)}rm -rf /`],
    ['the number of commands', 'ls;'.repeat(shellLimits.commandsMax + 1)],
    ['the number of steps', `: ${'"$x" '.repeat(shellLimits.stepsMax)}; rm -rf /`],
    ['the depth of nesting', nested('$(', ')', shellLimits.depthMax + 5)],
    ['the calls of a function in itself', 'f() { f; }; f'],
    ['the combinations of words', `${'for z in 1; do if y; then x=1$x; else x=2$x; fi; done; '.repeat(3)}$x $x $x`],
    ['the characters of all values', `x=${'a'.repeat(60_000)}; ${'y="$x"; '.repeat(300)}`],
  ])('an uncertainty is reported: %s', (_, text) => {
    expect(factsOf(text).uncertain).not.toEqual([])
  })

  it('facts found before the limit are still reported', () => {
    expect(linesOf(`rm -rf /; ${'ls;'.repeat(shellLimits.commandsMax + 1)}`)[0]).toBe('rm -rf /')
    expect(linesOf(`rm -rf /; ${nested('(', ')', 3000)}`)[0]).toBe('rm -rf /')
  })

  it('only values with too many possibilities are unknown', () => {
    const arms = Array.from({ length: 30 }, (_, at) => `${at}) x=v${at};;`).join(' ')
    const lines = linesOf(`case $kind in ${arms} esac; rm -rf "$x"`)
    expect(lines).toContain('rm -rf v0')
    expect(lines).toContain('rm -rf …')
  })

  it('loops over too many values run with an unknown one', () => {
    const lines = linesOf(`for i in {1..${shellLimits.numberRoundsMax + 5}}; do rm $i; done`)
    expect(lines).toContain('rm 1')
    expect(lines).toContain('rm …')
  })

  it('loops of many rounds repeat no command for ever, and have those of late rounds', () => {
    const rounds = shellLimits.wholeRoundsMax + 5
    const lines = linesOf(`for i in {1..${rounds}}; do ls; rm $i; done`)
    expect(lines.filter((line) => line === 'ls')).toHaveLength(shellLimits.wholeRoundsMax)
    expect(lines).toContain(`rm ${rounds}`)
  })
})
