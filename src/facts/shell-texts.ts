import { pathsHere, type ShellCommand, type ShellFacts } from '../model/shell.ts'
import type { FileTexts } from '../model/tool-facts.ts'

/** Returns the texts that commands put into files, and those that they replace there, as far as they are written out. */
export function shellTexts({ commands }: ShellFacts): readonly FileTexts[] {
  return commands.flatMap((one, at) => textsBy(one).map((texts) => Object.assign({ at }, texts)))
}

/** An editor of streams may change files that nobody knows before it runs. */
export const isStreamEditor = ({ program }: ShellCommand): boolean => /^(?:g?sed|perl)$/.test(program)

function textsBy(command: ShellCommand): readonly FileTexts[] {
  const files = pathsHere(command).flatMap(({ access, metadata, absolute, written, pattern }) =>
    access === 'write' && metadata !== true && pattern === undefined ? [absolute ?? written] : [],
  )
  if (files.length === 0) return []
  const texts = textsOf(command)
  if (texts.before === '' && texts.after === '') return []
  return files.map((path) => Object.assign({ path }, texts))
}

interface WrittenTexts {
  readonly before: string
  readonly after: string
  /** Set if it becomes the whole file. */
  readonly whole?: true
}

function textsOf({ program, args, stdin, code, redirections }: ShellCommand): WrittenTexts {
  const words = args.map(({ value }) => value)
  const appends =
    redirections.some(({ operator }) => /^(?:&>>|>>)$/.test(operator)) ||
    (program === 'tee' && words.some((word) => /^(?:-[^\Wa]*a\w*|--append)$/.test(word)))
  const whole = appends ? {} : { whole: true as const }
  switch (program) {
    case 'echo':
      return { before: '', after: unescaped(words.filter((word) => !/^-[neE]+$/.test(word)).join(' ')), ...whole }
    case 'printf':
      return { before: '', after: unescaped(words.join('\n')), ...whole }
    case 'cat':
    case 'tee':
    case 'sponge':
      return { before: '', after: stdin?.value ?? '', ...whole }
    case 'set-content':
    case 'add-content':
    case 'out-file':
    case 'new-item':
      return {
        before: '',
        after: words
          .filter((word) => !word.startsWith('-'))
          .slice(1)
          .join('\n'),
      }
    case 'sed':
    case 'gsed':
    case 'perl':
      return substituted(words.join('\n'))
    default:
      return code === undefined ? { before: '', after: '' } : replacedIn(code.text ?? '')
  }
}

const unescaped = (text: string) => text.replaceAll(/\\n/g, '\n').replaceAll(/\\t/g, '\t')

/** `s/old/new/`, with any delimiter; `/old/d`; `/old/c new`, `a new`, `i new`. */
const substitution = /(?<=^|[\s;{/\d$'",%])s([/|#,@!~:%])((?:\\.|(?!\1)[^\\\n])*)\1((?:\\[\s\S]|(?!\1)[^\\])*)\1/g
const deletion = /\/((?:\\.|[^/\\\n]){1,500})\/[^\n;]{0,40}?d(?=[;}\s]|$)/g
const insertion = /(?:^|\/|\d|\$)[ \t]*[aic]\\?\s+([^\n]+)/gm

export function substituted(script: string): WrittenTexts {
  const all = [...script.matchAll(substitution)]
  const deleted = [...script.matchAll(deletion)].map(([, old = '']) => old)
  const inserted = [...script.matchAll(insertion)].map(([, text = '']) => text)
  return {
    before: plain([...all.map(([, , old = '']) => old), ...deleted]),
    after: plain([...all.map(([, , , fresh = '']) => fresh), ...inserted]),
  }
}

/** Turns a pattern into about the text that it stands for. */
const plain = (patterns: readonly string[]) =>
  unescaped(patterns.join('\n')).replaceAll(/^\^|\.\*|(?<!\\)\$$|\\(?=\W)/gm, '')

/** Code that edits a file mostly has the texts as literals: `.replace('old', 'new')`, `re.sub(r'old', 'new')`. */
/** @param mark refers to the group of the literal's quote */
const literal = (mark: string) => String.raw`[rRbu]?("""|'''|["'${'`'}])((?:\\[\s\S]|(?!${mark})[^\\])*)${mark}`
const replacement = new RegExp(
  String.raw`\b(?:replace(?:All)?|g?sub!?)\(\s*${literal('\\1')}\s*,\s*${literal('\\3')}`,
  'g',
)
const writing = new RegExp(
  String.raw`\b(?:write(?:_text)?\(|(?:(?:write|append)File(?:Sync)?|(?:Write|Append)All(?:Text|Lines))\([^,\n]+,)\s*${literal('\\1')}\s*[,)]`,
  'g',
)

function replacedIn(code: string): WrittenTexts {
  const replaced = [...code.matchAll(replacement)]
  const written = [...code.matchAll(writing)].map(([, , text = '']) => text)
  return {
    before: unescaped(replaced.map(([, , old = '']) => old).join('\n')),
    after: unescaped([...replaced.map(([, , , , fresh = '']) => fresh), ...written].join('\n')),
  }
}
