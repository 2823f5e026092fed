import { describe, expect, it } from 'vitest'
import { optionsOf, prepareRow } from '../../../src/facts/programs/row.ts'
import { programNamed, programRows } from '../../../src/facts/programs/table.ts'
import { unwrapOf } from '../../../src/facts/programs/unwrap.ts'
import { readPrepared } from '../../../src/words/options.ts'

const words = (text: string) => text.split(' ').map((value) => ({ value }))

describe('the table of programs', () => {
  it('has one row for each program', () => {
    const names = programRows().map(([name]) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('has no row that cannot be read', () => {
    expect(programRows().filter(([name]) => programNamed(name) === undefined)).toEqual([])
  })

  it.each([
    ['python3.12', 'python'],
    ['bash-5.2', 'bash'],
    ['mkfs.ext4', 'mkfs.'],
  ])('finds %s by the name without its version or type', (name, bare) => {
    expect(programNamed(name)).toBe(programNamed(bare))
  })

  it('refuses an unknown role', () => {
    expect(() => prepareRow({ options: 'o=wriet' }, unwrapOf)).toThrow('`wriet`')
  })
})

describe('the options of a row', () => {
  const line = (options: string, text: string) => {
    const { given, operands } = readPrepared(words(text), optionsOf({ options }))
    return [...given.map(({ name, value }) => `${name}:${value.value}`), ...operands.map(({ value }) => value)].join(
      ' ',
    )
  }
  it.each([
    ['have a value, joined or not', 'o output', '-oa -o b --output=c --output d e', 'o:a o:b output:c output:d e'],
    ['have one only where it is joined', 'i?', '-i a -i.b', 'i: i:.b a'],
    ['have a number before further letters', '0# e', '-0777ne a', '0: n: e:a'],
    ['have two values, of which the second counts', 'arg:2', '--arg a b c', 'arg:b c'],
    ['end the options', 'c!', '-xc a -b --d', 'x: c:a -b --d'],
    ['may be cut short', 'output +over', '--out a --ove b', 'output:a over: b'],
    ['may not be cut short where that means two', 'output +outer', '--out a', 'out: a'],
  ])('%s', (_, options, text, read) => {
    expect(line(options, text)).toBe(read)
  })
})
