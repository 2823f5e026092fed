import { describe, expect, it } from 'vitest'
import { shellFacts, type Spent } from '../../src/facts/shell/shell-facts.ts'
import { shellLimits } from '../../src/model/limits.ts'

const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] }
const many = (times: number, one: (at: number) => string, between = '') =>
  Array.from({ length: times }, (_, at) => one(at)).join(between)

/** Analyses a text. Returns what that took, and what came of it. */
function costOf(text: string) {
  let spent: Spent = { steps: 0, characters: 0, recorded: 0, recordedWords: 0 }
  const facts = shellFacts(text, around, (found) => {
    spent = {
      steps: found.steps,
      characters: found.characters,
      recorded: found.recorded,
      recordedWords: found.recordedWords,
    }
  })
  return { ...spent, commands: facts.commands.length, length: JSON.stringify(facts).length, facts }
}

const doubling = (times: number, one: (name: string, other: string) => string) =>
  many(times, (at) => one(`s${at}`, `s${at + 1}`), '; ')

const expensive: Readonly<Record<string, string>> = {
  'a script that runs itself': `echo 'bash d.sh' > d.sh; bash d.sh`,
  'a script that runs itself twice': `echo 'bash b.sh; bash b.sh' > b.sh; bash b.sh`,
  'a script that grows each time it runs itself': `echo 'echo x >> b.sh; bash b.sh; bash b.sh' > b.sh; bash b.sh`,
  'scripts that each run the next twice': `${doubling(30, (a, b) => `echo 'bash ${b}; bash ${b}' > ${a}`)}; bash s0`,
  'code that each time is twice as long': `x='eval "$x"; eval "$x"'; eval "$x"`,
  'values that each run the one before twice': `s0=ls; ${many(30, (at) => `s${at + 1}='eval "$s${at}"; eval "$s${at}"'`, '; ')}; eval "$s30"`,
  'functions that each call the next twice': `${many(2000, (at) => `f${at}(){ f${at + 1}; f${at + 1}; }`, ';')};f0`,
  'aliases that each stand for the next twice': `${many(1000, (at) => `alias a${at}='a${at + 1}; a${at + 1}'`, '\n')}\na0`,
  'references to references': `${many(2000, (at) => `declare -n a${at}=a${at + 1}`, ';')};echo $a0`,
  'a value that doubles': `a=x;${'a=${a//x/xx};'.repeat(40)}echo $a`,
  'a long value, replaced over and over': `a=${'x'.repeat(20_000)}; echo ${'${a//x/xx}'.repeat(200)}`,
  'braces in braces': `echo ${'{a,'.repeat(300)}${'}'.repeat(300)}`,
  'braces beside braces': `echo ${'{a,b}'.repeat(20)} {1..999999999}`,
  'deep substitutions': `${'$('.repeat(2000)}x${')'.repeat(2000)}`,
  'heredocs in heredocs': `bash <<E\n${'bash <<F\nls\nF\n'.repeat(500)}E`,
  'a pipeline of thousands': many(5000, () => 'cat', '|'),
  'a pipeline of subshells': many(1000, () => '(cat; cat)', '|'),
  'wrappers of wrappers': `${'env A=1 '.repeat(2000)}ls`,
  'builtins of builtins': 'command '.repeat(16_000),
  'evaluations of evaluations': 'eval '.repeat(26_000),
  'expansions in expansions': '${a//'.repeat(26_000),
  'quoted expansions in expansions': `"\${a:-'}'`.repeat(14_000),
  'a hundred thousand separators': ';'.repeat(100_000),
  'fifty thousand commands': 'a;'.repeat(50_000),
  'branches that each change a value': `${many(3000, (at) => `v${at}=a`, ';')};${many(3000, (at) => `if x; then v${at}=b; fi`, ';')}`,
  'thousands of words': `rm ${many(20_000, (at) => `f${at}`, ' ')}`,
  'hundreds of commands with hundreds of words': many(600, () => `echo ${'a '.repeat(100)}`, ';'),
  'a path that is longer than any': `cat ${'/a'.repeat(60_000)}`,
  'a search that starts a thousand programs': `find . ${'-exec rm {} \\; '.repeat(1000)}`,
}

describe('the facts of', () => {
  it.each(Object.entries(expensive))('%s take a bounded number of steps', (_, text) => {
    const { steps, characters, recorded, recordedWords, commands, length } = costOf(text)
    // What is counted last may exceed a limit once: a statement, a value, or the words of a command.
    expect(steps).toBeLessThanOrEqual(2 * shellLimits.stepsMax + shellLimits.textCharactersMax)
    expect(characters).toBeLessThanOrEqual(shellLimits.charactersMax + 64 * shellLimits.valueCharactersMax)
    expect(recorded).toBeLessThanOrEqual(shellLimits.recordedCharactersMax)
    expect(recordedWords).toBeLessThanOrEqual(shellLimits.recordedWordsMax)
    expect(commands).toBeLessThanOrEqual(shellLimits.commandsMax + 1)
    expect(length).toBeLessThanOrEqual(4 * shellLimits.recordedCharactersMax)
  })
})

describe('the end of a branch', () => {
  const values = many(10 * shellLimits.valuesPerStep, (at) => `v${at}=a`, ' ')

  it('takes more steps the more values it has changed', () => {
    const [branch, list] = [costOf(`if x; then ${values}; fi`), costOf(`x; ${values}`)]
    expect(branch.steps - list.steps).toBeGreaterThanOrEqual(10)
  })

  it('takes no steps for values that it has not changed', () => {
    const branches = many(50, () => 'if x; then y=b; fi', ';')
    const [together, before] = [costOf(`${values};${branches}`), costOf(values)]
    expect(together.steps - before.steps - costOf(branches).steps).toBeLessThan(10)
  })
})

describe('a text whose commands are too large together', () => {
  const big = `x=${'a'.repeat(60_000)}; `
  const { facts } = costOf(`${big}${'rm $x; '.repeat(20)}`)

  it('is uncertain, and keeps what each recorded command starts', () => {
    expect(facts.uncertain).toContain('the commands are too large to be analyzed together')
    const last = facts.commands.at(-1)
    expect(last?.program).toBe('rm')
    expect(last?.args).toEqual([{ value: '\uFDD0', unresolved: true, several: true }])
    expect(last?.uncertain).toContain('the commands are too large to be analyzed together')
  })

  it('has the words of those that are not too large', () => {
    expect(facts.commands[1]?.args[0]?.value).toHaveLength(60_000)
  })
})

describe('a command with more words than are recorded', () => {
  const { facts } = costOf(`rm -rf / ${'a '.repeat(20_000)}`)
  const [command] = facts.commands

  it('is uncertain, and keeps its first words', () => {
    expect(facts.uncertain).toContain('the commands are too large to be analyzed together')
    expect(command?.uncertain).toContain('the commands are too large to be analyzed together')
    expect(command?.args).toHaveLength(shellLimits.recordedWordsMax + 1)
    expect(command?.args.slice(0, 2)).toEqual([{ value: '-rf' }, { value: '/' }])
  })

  it('may have any words behind them', () => {
    expect(command?.args.at(-1)).toEqual({ value: '\uFDD0', unresolved: true, several: true })
  })
})

it('a path that is longer than any system accepts is unknown', () => {
  const { facts } = costOf(`rm -rf ${'/a'.repeat(60_000)}`)
  expect(facts.commands[0]?.paths).toEqual([{ written: '\uFDD0', access: 'delete', recursive: true, unresolved: true }])
  expect(facts.uncertain).toContain('it touches more paths than are analyzed')
})

it.each([
  ['in one line', '<<E '],
  ['in one line that goes on', '<<E \\\n'],
])(
  'here-documents that begin %s are uncertain where there are many: the parser goes through all for each',
  (_, one) => {
    const { facts } = costOf(`cat ${one.repeat(2 * shellLimits.heredocsOnOneLineMax)}`)
    expect(facts.uncertain).toContain('the command has too many here-documents to be read')
  },
)

describe('expansions in each other', () => {
  const nested = (depth: number, between: string) => `${'${a:-'.repeat(depth)}${between}${'}'.repeat(depth)}`

  it('are uncertain where the parser would read a long text over and over', () => {
    const { facts } = costOf(`echo ${nested(40, 'x'.repeat(120_000))}`)
    expect(facts.uncertain).toContain('the command has too many expansions in each other to be read')
  })

  it.each([
    `echo ${nested(40, 'x')}; rm -rf /`,
    `echo "${'${a} it\'s ${b:-"x}"} '.repeat(300)}${'x'.repeat(2000)}"; rm -rf /`,
    `cat > f <<'E'\n${'it\'s ${a} a " ${b}\n'.repeat(6000)}E\nrm -rf /`,
  ])('are followed in a text like any other', (text) => {
    expect(costOf(text).facts.commands.at(-1)?.program).toBe('rm')
  })
})
