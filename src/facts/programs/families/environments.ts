import { startsAll } from '../looks/starts.ts'
import type { Family } from '../program.ts'
import { readPrepared } from '../../../words/options.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import { optionsOf, type Row } from '../row.ts'
import { splitWords, assignmentsBefore, withoutDashes } from '../words.ts'
import type { Starts } from '../starts.ts'
import { folderFrom } from '../unwrap.ts'

const env: Row = {
  options:
    'u C S a P L U unset chdir split-string argv0 +ignore-environment +null +block-signal +default-signal +ignore-signal +list-signal-handling +debug +help +version',
  operandsLast: true,
  operands: 'none',
  // Of a program that it starts, that puts it out.
  output: ({ operands }) => (operands.every(({ value }) => value.includes('=')) ? 'variables' : undefined),
  starts: (_, starts, command) => startWithEnvironment(starts, command),
}
const envOptions = optionsOf(env)

/** Programs that run a command with a changed environment. */
export const environments: Family = {
  programs: {
    env: { ...env, looks: (look) => startsAll(look) && look.command?.wrapper === true },
    genv: env,
    dotenv: { options: 'f=read file=read e c v p', starts: {}, idle: 'p' },
    'env-cmd': { options: 'f=read file=read r rc-file e environments x', starts: {} },
    envchain: { starts: { own: 1 } },
  },
}

/** A function that bash takes from its environment, under the name of any command: `BASH_FUNC_ls%%=() { …; }`. */
const exportedFunction = /^BASH_FUNC_[^=]*(?:%%|\(\))=\(\)\s*\{([\s\S]*)\}\s*$/

function startWithEnvironment(starts: Starts, { args, cwd }: ShellCommand): void {
  const read = readPrepared(splitStrings(args, starts), envOptions)
  if (read.has('help', 'version')) return starts.wrapper()
  const emptied = read.operands[0]?.value === '-'
  const bodies = read.operands.map(({ value }) => exportedFunction.exec(value)?.[1])
  const operands = read.operands.filter((_, at) => bodies[at] === undefined)
  const { assignments, rest } = assignmentsBefore(emptied ? operands.slice(1) : operands)
  const words = withoutDashes(rest)
  if (words.length === 0) return
  for (const body of bodies) if (body !== undefined) starts.script({ value: body })
  const folder = read.value('C', 'chdir')
  // With `PATH` unset, programs are still found, by the system's default path.
  const unset = read.values('u', 'unset').filter((name) => name.value !== 'PATH')
  const gone = unset.map((name) => ({ name: name.value, value: { value: '' } }))
  starts.wrapper()
  starts.words(words, {
    ...((emptied || read.has('i', 'ignore-environment')) && { emptyEnvironment: true }),
    ...(folder !== undefined && { cwd: folderFrom(cwd, folder) }),
    ...(assignments.length + gone.length > 0 && { assignments: [...gone, ...assignments] }),
  })
}

/** Replaces `-S 'a b'` with the words of its value, which may be options again. */
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
