import { readFileSync } from 'node:fs'
import { programRows } from '../../src/facts/programs/table.ts'

const rows = programRows()

/** A text and the way it was made, for the message about one that takes too long. */
export interface Large<Value = string> {
  readonly name: string
  readonly value: Value
}

/** Returns a random number from 0 to below the limit. */
export type Random = (limit: number) => number

/**
 * Productions of the languages that the facts read, by section: `shell`, `code LANGUAGE`, `reader PROGRAM` for the
 * command lines that hold code. `·` is the inside of a production, `№` the number of the repetition, so that names
 * differ. What is made of them is often no valid program, which is the point.
 */
const sections = readProductions(new URL('../fixtures/large-texts/productions.txt', import.meta.url))

function readProductions(file: URL): ReadonlyMap<string, readonly string[]> {
  const texts = readFileSync(file, 'utf8').trimEnd().split('\n\n')
  return new Map(
    texts.map((text) => {
      const [head = '', ...lines] = text.split('\n')
      const decoded = lines.map((line) =>
        line.replaceAll('⏎', '\n').replaceAll('⇥', '\t').replaceAll('␀', '\0').replaceAll('␣', ' '),
      )
      return [head.slice(1, -1), decoded]
    }),
  )
}

const productionsOf = (section: string): readonly string[] => sections.get(section) ?? []
const readers: readonly string[] = [...sections.keys()].filter((name) => name.startsWith('reader '))

/** Arguments that are repeated behind each known program. */
const repeatedArguments: readonly string[] =
  'a№ -a --o№=a a -- a=№ {} /a№/b a:№ -abc№ @f№ - ; \\; -o=№ ~/a№ *№ "$x" -e -c +№ a,b№ s/a/№/ http://h№/a u@h№:f'.split(
    ' ',
  )

const shapes = ['repeated', 'nested', 'unclosed', 'long'] as const
type Shape = (typeof shapes)[number]

const filled = (production: string, at: number, value: string): string =>
  production.replaceAll('№', String(at)).replaceAll('·', () => value)

/** Makes a text of about `size` characters of a production around a kernel. */
function grown(production: string, shape: Shape, kernel: string, size: number): string {
  const one = filled(production, 10_000, kernel).length
  if (one > size) return kernel
  if (shape === 'long') {
    const holes = Math.max(1, production.split('·').length - 1)
    return filled(production, 1, kernel.repeat(Math.floor((size - production.length) / kernel.length / holes)))
  }
  if (shape === 'repeated') return numbered(Math.floor(size / one), (at) => filled(production, at, kernel))
  const [open = '', ...rest] = production.split('·')
  const close = shape === 'nested' ? rest.join(kernel) : ''
  const times = Math.floor(size / (open.length + close.length + 4))
  return numbered(times, (at) => filled(open, at, '')) + kernel + numbered(times, (at) => filled(close, times - at, ''))
}

const numbered = (times: number, one: (at: number) => string): string =>
  Array.from({ length: times }, (_, at) => one(at)).join('')

const pick = <One>(random: Random, all: readonly One[]): One | undefined => all[random(all.length)]

/** Makes a text of productions in each other: the innermost is grown, or one around a few others is. */
export function largeText(random: Random, size: number): Large {
  const kind = random(10)
  if (kind < 6) return composed(random, productionsOf('shell'), size)
  if (kind < 9) return largeCode(random, size)
  const [program = ''] = pick(random, rows) ?? []
  const argument = pick(random, repeatedArguments) ?? ''
  const text = grown(`${argument} `, 'repeated', 'a', size - program.length - 1)
  return { name: `${program} ${argument} …`, value: `${program} ${text}` }
}

function largeCode(random: Random, size: number): Large {
  const reader = pick(random, readers) ?? ''
  const language = reader.slice('reader '.length)
  const line = pick(random, productionsOf(reader)) ?? ''
  const code = composed(
    random,
    [...productionsOf('code any'), ...productionsOf(`code ${language}`)],
    size - line.length,
  )
  return { name: `${JSON.stringify(line)} of ${code.name}`, value: line.replace('·', () => code.value) }
}

function composed(random: Random, productions: readonly string[], size: number): Large {
  const grownAt = pick(random, shapes) ?? 'repeated'
  const [outer, inner, core] = [0, 0, 0].map(() => pick(random, productions) ?? '')
  const kernel = pick(random, ['a', ' ', '$x', '"', '\n', '\\', '$(a)', 'a b']) ?? 'a'
  const name = [grownAt, outer, inner, core, kernel].map((part) => JSON.stringify(part)).join(' ')
  const value =
    random(2) === 0
      ? filled(outer ?? '', 1, grown(inner ?? '', grownAt, filled(core ?? '', 1, kernel), size))
      : grown(outer ?? '', grownAt, filled(inner ?? '', 1, filled(core ?? '', 2, kernel)), size)
  return { name, value }
}

/** Every production alone in every shape, as one text of about `size` characters each. */
export function everyLargeText(size: number): readonly Large[] {
  const each = (section: string, line: string): Large[] =>
    productionsOf(section).flatMap((production) =>
      shapes.map((shape) => ({
        name: `${JSON.stringify(line)} of ${shape} ${JSON.stringify(production)}`,
        get value() {
          return line.replace('·', () => grown(production, shape, 'a', size - line.length))
        },
      })),
    )
  const ofReader = (reader: string): Large[] =>
    productionsOf(reader).flatMap((line) =>
      ['any', reader.slice('reader '.length)].flatMap((language) => each(`code ${language}`, line)),
    )
  const ofProgram = ([program]: (typeof rows)[number]): Large[] =>
    repeatedArguments.map((argument) => ({
      name: `${program} ${argument} …`,
      get value() {
        return `${program} ${grown(`${argument} `, 'repeated', 'a', size - program.length - 1)}`
      },
    }))
  return [...each('shell', '·'), ...readers.flatMap(ofReader), ...rows.flatMap(ofProgram)]
}
