import { readOptions } from '../../../model/options.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { folderFrom, prefix, withoutDashes } from './prefix.ts'
import { splitWords } from './split.ts'
import { assignmentsBefore, names } from './words.ts'
import type { ShellWord } from '../../../model/shell.ts'

const envOptions = {
  valued: names('u C S a P L U unset chdir split-string argv0'),
  flags: names(
    'ignore-environment null block-signal default-signal ignore-signal list-signal-handling debug help version',
  ),
  abbreviations: true,
  operandsLast: true,
}

const env: Unwrap = ({ args, cwd }, starts) => {
  const read = readOptions(splitStrings(args, starts), envOptions)
  if (read.has('help', 'version')) {
    starts.wrapper()
    return
  }
  const emptied = read.operands[0]?.value === '-'
  const { assignments, rest } = assignmentsBefore(emptied ? read.operands.slice(1) : read.operands)
  const words = withoutDashes(rest)
  if (words.length === 0) return
  const folder = read.value('C', 'chdir')
  const unset = [...(read.given.get('u') ?? []), ...(read.given.get('unset') ?? [])]
  // Without a PATH programs are found as ever, by the system's own.
  const gone = unset.filter((name) => name.value !== 'PATH').map((name) => ({ name: name.value, value: { value: '' } }))
  starts.wrapper()
  starts.words(words, {
    ...((emptied || read.has('i', 'ignore-environment')) && { emptyEnvironment: true }),
    ...(folder !== undefined && { cwd: folderFrom(cwd, folder) }),
    ...(assignments.length + gone.length > 0 && { assignments: [...gone, ...assignments] }),
  })
}

/** `-S 'a b'` stands for the words of its value, which may be options again. */
function splitStrings(args: readonly ShellWord[], { variable }: Pick<Starts, 'variable'>): readonly ShellWord[] {
  for (const [at, { value }] of args.entries()) {
    if (!value.startsWith('-') || value === '--' || value === '-') return args
    const long = /^--s[a-z-]*=/.exec(value)
    const short = /^-[iv0]*S/.exec(value)
    const apart = value === '--split-string' || (short !== null && short[0].length === value.length)
    if (long === null && short === null && !apart) {
      if (/^(?:-[iv0]*[uCPaLU]|--(?:unset|chdir|argv0))$/.test(value))
        return [...args.slice(0, at + 2), ...splitStrings(args.slice(at + 2), { variable })]
      continue
    }
    const text = apart ? args[at + 1] : { value: value.slice((long ?? short)?.[0].length) }
    const flags = short === null || short[0].length === 2 ? [] : [{ value: short[0].slice(0, -1) }]
    const split = splitWords(text?.value ?? '', { variable, comments: true })
    return [...args.slice(0, at), ...flags, ...split, ...args.slice(at + (apart ? 2 : 1))]
  }
  return args
}

export const environments: Readonly<Record<string, Unwrap>> = {
  env,
  genv: env,
  dotenv: prefix({ valued: names('f file e c v p'), idle: ['p'] }),
}
