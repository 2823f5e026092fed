import { unknownPart } from 'hookgate/policy'

/**
 * The names that a path goes through, in lower case: on many disks `.ENV` is `.env`. What is not known of one is `*`. In a
 * pattern `\` quotes; in a path it may be what Windows has for `/`.
 */
export function namesOf(path: string, isPattern = false): readonly string[] {
  const names: string[] = []
  const text = path
    .toLowerCase()
    .replaceAll(unknownPart, '*')
    .replaceAll(/\$\{?\w+\}?/g, '*')
  for (const name of text.split(isPattern ? '/' : /[/\\]/)) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

/** More ways to read a pattern than this are not looked at: a pattern of a person has a handful. */
const readingsMax = 64

/** The patterns of `*`, `?` and `[…]` that one with `{a,b}` and `@(a|b)` stands for. */
export function readingsOf(pattern: string): readonly string[] {
  const open: string[] = [pattern]
  const plain: string[] = []
  for (let one = open.pop(); one !== undefined && plain.length + open.length < readingsMax; one = open.pop()) {
    const choice = /([@?+*!])\(([^()]*)\)|\{([^{}]*,[^{}]*)\}/.exec(one)
    if (choice === null) {
      plain.push(one)
      continue
    }
    const [whole, sign, choices, braced] = choice
    const before = one.slice(0, choice.index)
    const behind = one.slice(choice.index + whole.length)
    const between =
      braced !== undefined
        ? braced.split(',')
        : sign === '@'
          ? (choices ?? '').split('|')
          : sign === '?'
            ? ['', ...(choices ?? '').split('|')]
            : ['*']
    open.push(...between.map((text) => before + text + behind))
  }
  return plain
}

const isWild = (name: string) => /[*?[\\]/.test(name)

/** The parts of one name's pattern: letters, `?` for any one letter (a class too), `*` for any text. */
const partsOf = (name: string): readonly string[] =>
  [...name.matchAll(/\\(.)|\[[!^]?\]?[^\]]*\]|\*+|[^]/g)].map(([part, escaped]) =>
    escaped !== undefined
      ? /[*?]/.test(escaped)
        ? part
        : escaped
      : part.startsWith('*')
        ? '*'
        : part.length > 1
          ? '?'
          : part,
  )

/** Whether there is a name that both patterns mean. */
export function meet(one: string, other: string): boolean {
  if (!isWild(one) && !isWild(other)) return one === other
  const [left, right] = [partsOf(one), partsOf(other)]
  // Where in `right` one can stand after each part of `left`.
  let places = reach(new Set([0]), right)
  for (const part of left) {
    const next = new Set<number>()
    for (const at of places) {
      if (part === '*') for (let on = at; on <= right.length; on++) next.add(on)
      else {
        const here = right[at]
        if (here === '*') next.add(at)
        else if (here !== undefined && (here === part || here === '?' || part === '?')) next.add(at + 1)
      }
    }
    places = reach(next, right)
  }
  return places.has(right.length)
}

/** A `*` may be no text at all: whoever stands before it stands behind it, too. */
function reach(places: Set<number>, parts: readonly string[]): Set<number> {
  for (const at of places) if (parts[at] === '*') places.add(at + 1)
  return places
}

/** What a file may be called that a place with `*` in its name means. */
export const namesLike = (place: string): readonly string[] => {
  const named = place.replace(/^\*/, 'server').replaceAll('?', ' ')
  return [named.replaceAll('*', ''), named.replaceAll('*', '.local')]
}

/** What every project has: a pattern that means one of these means no secret in particular. */
const everyday = [
  'package.json',
  'readme.md',
  'config.yml',
  'values.yaml',
  'notes.txt',
  'makefile',
  'index.ts',
  'main.py',
  'app.config.js',
  '.gitignore',
  '.editorconfig',
  'settings.xml',
  'pyproject.toml',
  'server.log',
  'data.db',
  'dump.sqlite',
]

/** Whether a name says what it means: no pattern, or one that does not mean everyday files as well. */
export const isTelling = (name: string): boolean => !isWild(name) || !everyday.some((one) => meet(name, one))
