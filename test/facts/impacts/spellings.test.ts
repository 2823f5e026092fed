import { describe, expect, it } from 'vitest'
import { families } from '../../../src/facts/programs/families.ts'
import { deedsOf } from '../../../src/facts/impacts/by-deeds.ts'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import type { Impact } from '../../../src/model/impact.ts'
import { callsIn } from '../../../src/words/calls.ts'
import { lineIn } from '../../../src/words/loose-line.ts'
import { factsOf } from '../../support/shell-facts.ts'

// The law: however somebody writes the options of a command, it has the impact of the plain spelling, or one that is not
// certain, and never none.

/** An example of the registry that has impacts, in words: without quotes, pipes and the like. */
interface Example {
  readonly command: string
  /** The assignments before it, which every spelling keeps. */
  readonly assignments: readonly string[]
  readonly words: readonly string[]
  /** Each option of it, with its value where that is the next word. */
  readonly options: readonly { readonly at: number; readonly length: 1 | 2 }[]
}

const oneDash = (program: string): boolean => deedsOf(program).some(({ deeds }) => deeds.oneDash === true)

const windowsOf = (program: string) => deedsOf(program).find(({ deeds }) => deeds.windows !== undefined)?.deeds.windows

const examples: readonly Example[] = families.flatMap(({ examples: own = {} }) =>
  Object.entries(own).flatMap(([command, said]) => {
    if (said === '' || /["'`$|;&<>(){}\\]/.test(command)) return []
    const words = command.split(' ')
    const call = callsIn(factsOf(command)).at(-1)
    const first = words.findIndex((word) => !/^\w+=/.test(word))
    if (call === undefined || words[first] !== call.program || words.includes('--')) return []
    // What any family takes for an option without a value has none.
    const lines = deedsOf(call.program).map(({ rules }) => lineIn(call, rules).options)
    const given = words.flatMap((word, at) => {
      if (!/^-./.test(word) && !(windowsOf(call.program) === 'slashes' && /^\/[a-z]/i.test(word))) return []
      if (at < first) return []
      const next = words[at + 1]
      // Of joined short options, the last may take the next word.
      const names = [word.replace(/^(?:-+|\/)/, ''), ...(/^-\w+$/.test(word) ? [word.slice(-1)] : [])]
      const takesNext =
        next !== undefined && lines.every((options) => names.some((name) => options.get(name)?.includes(next) === true))
      return [{ at, length: takesNext ? (2 as const) : (1 as const) }]
    })
    return [
      {
        command,
        assignments: words.slice(0, first),
        words: words.slice(first),
        options: given.map(({ at, length }) => ({ at: at - first, length })),
      },
    ]
  }),
)

/** Writes every option of a program of Windows differently. */
const optionsOfWindows =
  (style: 'slashes' | 'parameters', write: (option: string) => string): Spelling =>
  ({ words }) =>
    windowsOf(words[0] ?? '') === style
      ? [joined(words.map((word) => ((style === 'slashes' ? /^\/[a-z]/ : /^-/).test(word) ? write(word) : word)))]
      : []

type Spelling = (example: Example) => readonly string[]

const joined = (words: readonly string[]) => words.join(' ')
/** Programs that refuse a subcommand's option before it. */
const refusing = /^(?:aws|az|pd|security|docker compose) /

/** Writes each option differently, one at a time. */
const eachOption =
  (write: (words: readonly string[], rest: readonly string[], program: string) => string | undefined): Spelling =>
  ({ words, options }) =>
    options.flatMap(({ at, length }) => {
      const rest = words.toSpliced(at, length)
      const written = write(words.slice(at, at + length), rest, words[0] ?? '')
      return written === undefined ? [] : [written]
    })

const spellings: Readonly<Record<string, Spelling>> = {
  'with a value joined to its long option': ({ words, options }) =>
    options.flatMap(({ at, length }) =>
      length === 2 && /^--\w/.test(words[at] ?? '')
        ? [joined(words.toSpliced(at, 2, `${words[at]}=${words[at + 1]}`))]
        : [],
    ),
  'with a value joined to its short option': ({ words, options }) =>
    options.flatMap(({ at, length }) =>
      length === 2 && /^-\w$/.test(words[at] ?? '') && !oneDash(words[0] ?? '')
        ? [joined(words.toSpliced(at, 2, `${words[at]}${words[at + 1]}`))]
        : [],
    ),
  'with a joined value as a word of its own': ({ words }) =>
    words.flatMap((word, at) => {
      const [, option, value] = /^(--[\w-]+)=(.+)$/.exec(word) ?? []
      return option === undefined || value === undefined ? [] : [joined(words.toSpliced(at, 1, option, value))]
    }),
  'with an option before the subcommand': eachOption((option, [program = '', ...rest]) =>
    refusing.test(joined([program, ...rest])) ? undefined : joined([program, ...option, ...rest]),
  ),
  'with an option at the end': eachOption((option, rest) => joined([...rest, ...option])),
  'with an option twice': eachOption((option, rest) => joined([...rest, ...option, ...option])),
  'with an option that says more': ({ words }) => [joined([...words, '--verbose'])],
  'with an option of its own before the subcommand': ({ words: [program = '', ...rest] }) => [
    joined([program, '--verbose', ...rest]),
  ],
  'with a dry run that is taken back': ({ words }) => [
    joined([...words, '--dry-run=false']),
    joined([...words, '--dry-run', '--no-dry-run']),
    joined([...words, '--dry-run', '--dry-run=false']),
  ],
  'with options that only the run knows': ({ words }) => [joined([...words, '$FLAGS'])],
  'with slashes and capital letters': optionsOfWindows('slashes', (option) => option.toUpperCase()),
  'with dashes for slashes': optionsOfWindows('slashes', (option) => option.replace('/', '-')),
  'with two slashes, as Git Bash needs them': optionsOfWindows('slashes', (option) => `/${option}`),
  'with letters joined to each option': optionsOfWindows('slashes', (option) =>
    /^\/[a-z]$/.test(option) ? `/q${option}` : option,
  ),
  'with parameters in capital letters': optionsOfWindows('parameters', (option) => option.toUpperCase()),
  'with parameters that are cut short': optionsOfWindows('parameters', (option) =>
    option.length > 4 && !option.includes(':') ? option.slice(0, -1) : option,
  ),
  'with parameters that are switched on': optionsOfWindows('parameters', (option) =>
    /^-(?:recurse|force)$/.test(option) ? `${option}:1` : option,
  ),
  'in quotes': ({ words }) => [words.map((word) => `'${word}'`).join(' '), words.map((word) => `"${word}"`).join(' ')],
  'with empty quotes between': ({ words }) => [words.map((word) => `${word.slice(0, 2)}''${word.slice(2)}`).join(' ')],
  'by its path': ({ words }) => [`/usr/local/bin/${joined(words)}`],
  'by another program': ({ words }) => [
    `sudo ${joined(words)}`,
    `env A=1 ${joined(words)}`,
    `timeout 5 ${joined(words)}`,
    `echo x | xargs -I% ${joined(words)}`,
    `sh -c '${joined(words)}'`,
  ],
}

const has = (all: readonly Impact[], wanted: Impact): boolean =>
  all.some(
    ({ kind, thing, area, unsure }) =>
      unsure === true || (kind === wanted.kind && thing === wanted.thing && area === wanted.area),
  )

/** Puts the assignments before the program, which may stand behind a pipe. */
const withAssignments = ({ assignments }: Example, text: string): string =>
  text.replace(/^(?:echo x \| )?/, (pipe) => joined([...(pipe === '' ? [] : [pipe.trim()]), ...assignments, '']))

describe.each(Object.entries(spellings))('a command %s', (_, spelled) => {
  it('has the impact of the plain command', () => {
    const cases = examples.flatMap((example) =>
      spelled(example).map((text) => [example.command, withAssignments(example, text)] as const),
    )
    expect(cases).not.toEqual([])
    const lost = cases.filter(([plain, text]) => {
      const found = impactsIn(factsOf(text))
      return !impactsIn(factsOf(plain)).every((wanted) => has(found, wanted))
    })
    expect(lost.map(([plain, text]) => `${plain} → ${text}`)).toEqual([])
  })
})
