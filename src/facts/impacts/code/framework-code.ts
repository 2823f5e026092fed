import type { ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'

/** A command of a framework that runs code with the application, and so with its database. */
interface Runner {
  /** The words that stand first, one of several each. */
  readonly words: readonly RegExp[]
  /** Options whose value is code. */
  readonly options?: RegExp
  /** The words behind are code, or a file's name. */
  readonly operand?: true
  /** Without code it reads its stdin. */
  readonly stdin?: true
}

const django: Runner = { words: [/^shell(?:_plus)?$/], options: /^(?:-c|--command)$/, stdin: true }
const rails: readonly Runner[] = [
  { words: [/^r(?:unner)?$/], operand: true },
  { words: [/^c(?:onsole)?$/], stdin: true },
]

const runners: Readonly<Record<string, readonly Runner[]>> = {
  rails,
  'gitlab-rails': rails,
  manage: [django],
  'django-admin': [django],
  python: [{ ...django, words: [/^(?:.*\/)?manage\.py$/, ...django.words] }],
  flask: [{ words: [/^shell$/], stdin: true }],
  artisan: [{ words: [/^tinker$/], options: /^--execute$/, stdin: true }],
  php: [{ words: [/^(?:.*\/)?artisan$/, /^tinker$/], options: /^--execute$/, stdin: true }],
  mix: [{ words: [/^run$/], options: /^(?:-e|--eval)$/ }],
  iex: [{ words: [], options: /^(?:-e|--eval)$/, stdin: true }],
  wp: [
    { words: [/^eval$/], operand: true },
    { words: [/^shell$/], stdin: true },
  ],
  drush: [{ words: [/^(?:php:eval|php-eval|ev|eval)$/], operand: true }],
}

/** Returns the code that a command hands to a framework; `undefined` if it hands none. */
export function frameworkCode({ program, args, command }: Call): string | undefined {
  for (const { words, options, operand, stdin } of Object.hasOwn(runners, program) ? (runners[program] ?? []) : []) {
    const behind = behindWords(args, words)
    if (behind === undefined) continue
    const code = behind.flatMap(({ value }, at) => {
      const equals = value.indexOf('=')
      if (options?.test(behind[at - 1]?.value ?? '') === true) return [value]
      if (value.startsWith('--') && equals > 0 && options?.test(value.slice(0, equals)) === true)
        return [value.slice(equals + 1)]
      return operand === true && !value.startsWith('-') ? [value] : []
    })
    if (code.length > 0) return code.join('\n')
    if (stdin === true && command.stdin !== undefined) return command.stdin.value
  }
  return undefined
}

/** Returns the arguments behind words that stand in this order, options between. */
function behindWords(args: readonly ShellWord[], words: readonly RegExp[]): readonly ShellWord[] | undefined {
  let wanted = 0
  for (const [at, { value }] of args.entries()) {
    const word = words[wanted]
    if (word === undefined) return args.slice(at)
    if (word.test(value)) wanted++
    else if (!value.startsWith('-') && wanted > 0) return undefined
  }
  return wanted === words.length ? [] : undefined
}

/** Calls that empty a table, or drop it. */
const whole =
  /\b[A-Z]\w*(?:::[A-Z]\w*)*(?:\.(?:all|unscoped))?\.(?:delete_all|destroy_all)\b|\.objects(?:\.all\(\))?\.delete\(|\bRepo\.delete_all\(\s*[A-Z][\w.]*\s*\)|(?:::|->|\.)truncate\(|\b(?:drop_all|drop_table|drop_database|dropDatabase|delete_all_tables|truncate_tables|dropIfExists|dropAllTables)\b|::query\(\)\s*->\s*delete\(|\bdeleteMany\(\s*(?:\{\s*\})?\s*\)/
/** Calls that take some of it away. */
const some =
  /(?:\.|->|::)(?:delete|destroy|delete_all|destroy_all|forceDelete|deleteMany|purge|deleteOrFail|delete_by|destroy_by)(?:!|\(|\b)|\bRepo\.delete/

/** Returns what code deletes through an application's models: whole tables, or rows. */
export function deletedByModels(code: string): 'table' | 'row' | undefined {
  if (whole.test(code)) return 'table'
  return some.test(code) ? 'row' : undefined
}
