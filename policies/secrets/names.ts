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

/** The most expansions of a pattern to consider: a pattern that a person writes has a handful. */
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
    open.push(...choicesOf(sign, choices, braced).map((text) => before + text + behind))
  }
  return plain
}

function choicesOf(sign: string | undefined, choices = '', braced?: string): readonly string[] {
  if (braced !== undefined) return braced.split(',')
  if (sign === '@') return choices.split('|')
  return sign === '?' ? ['', ...choices.split('|')] : ['*']
}

export const isWild = (name: string) => /[*?[\\]/.test(name)

/** A name of the disk is no longer than this. */
export const nameCharactersMax = 255

/** A pattern with more wildcards than this is taken for one that means anything: to look closer may take for ever. */
const wildcardsMax = 6

/** Which names a pattern means: letters, `*`, `?`, `[…]`, and `\` before what is none of them. */
export function meaning(pattern: string): RegExp {
  const wildcards = pattern.match(/\*+|\[/g)?.length ?? 0
  if (wildcards > wildcardsMax) return /^/
  const source = pattern.replaceAll(
    /\\(.)|\*+|\?|\[([!^]?)(\]?[^\]]*)\]|[$()+./[\\\]^{|}]/gs,
    (part, quoted, not, range) => {
      if (typeof quoted === 'string') return escaped(quoted)
      if (part.startsWith('*')) return '[^/]*'
      if (part === '?') return '[^/]'
      return typeof range === 'string' ? classOf(Boolean(not), range) : escaped(part)
    },
  )
  return new RegExp(`^${source}$`, 's')
}

const escaped = (text: string) => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&')

/** A class is any letter of it; one with names in it (`[:alpha:]`), or out of order, any at all. */
const classOf = (not: boolean, range: string): string => {
  if (range.includes('[') || /(.)-(?!\1)(.)/s.test(range)) return '[^/]'
  return `[${not ? '^/' : ''}${range.replaceAll(/[\\\]^]/g, '\\$&')}]`
}

/** Names that every project has. A pattern that matches one of them is not aimed at secrets. */
const everyday = `package.json readme.md config.yml values.yaml notes.txt makefile index.ts main.py app.config.js
  index.php main.rb main.c app.java run.sh index.html style.css index.js .gitignore .editorconfig settings.xml pyproject.toml server.log data.db dump.sqlite main.go lib.rs nginx.conf`.split(
  /\s+/,
)

/** True for a name, or a pattern that matches no everyday files. */
export function isTelling(name: string): boolean {
  if (!isWild(name)) return true
  if (name.replaceAll(/[*?]/g, '').length < 2) return false
  const means = meaning(name)
  return !everyday.some((one) => means.test(one))
}
