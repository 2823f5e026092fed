import { isKnown, type Judge, type ProgramCall, type Looks, matchesTable, readLook } from '../look.ts'
import { optionsOf } from '../../programs/row.ts'
import { programNamed } from '../../programs/table.ts'
import { readPrepared } from '../../../words/options.ts'

/**
 * Programs whose own work is to start another. What they start is a command of the facts that is judged by itself, so
 * here only the presence of a command is checked, and that the program does nothing else.
 */
const startsAll: Judge = ({ starts = 0 }) => starts > 0

/** Reads the options in front of the first operand: what follows belongs to what is started. */
const ownOptions = ({ args }: ProgramCall, options: string) =>
  readPrepared(args, optionsOf({ options, wholeNames: true, operandsLast: true }))

const shellSafe = /^(?:[ceiluxvfmnoOpBCEHPT]|login|noprofile|norc|posix|verbose|restricted|r)$/

const shell: Judge = (look, judge) => {
  const { given } = ownOptions(look, 'o O c')
  return (
    startsAll(look, judge) && given.every(({ name }) => shellSafe.test(name)) && given.some(({ name }) => name === 'c')
  )
}

const time: Judge = (look, judge) =>
  startsAll(look, judge) && !ownOptions(look, 'f o').given.some(({ name }) => /^(?:o|ou.*|a|ap.*)$/.test(name))

/** xargs: without a program to start it echoes, which is hardly ever meant. */
const xargs: Judge = (look, judge) => {
  const { given, operands } = ownOptions(look, programNamed('xargs')?.row.options ?? '')
  return (
    startsAll(look, judge) &&
    operands.length > 0 &&
    !given.some(({ name }) => /^(?:p|o|open-tty)$/.test(name) || (name.length > 1 && 'interactive'.startsWith(name)))
  )
}

const script: Judge = (look) =>
  isKnown(look) &&
  (look.args[0]?.value === '-p' || ((look.starts ?? 0) > 0 && look.args.some(({ value }) => value === '/dev/null')))

const command: Judge = ({ program, args, starts = 0 }) =>
  starts > 0 || (program === 'command' && /^-p*[vV][vVp]*$/.test(args[0]?.value ?? ''))

/** Options with a value that may stand in front of the words of a container's or a cluster's command. */
const inFront = 'n namespace context cluster f file p project-name profile env-file project-directory H host c C dir'

/** Words behind which a program starts another, in an environment or a container. */
const entering: Readonly<Record<string, string>> = {
  'kubectl oc docker-compose podman-compose rbenv pyenv nodenv bundle pnpm': 'exec',
  'docker podman nerdctl': 'exec; compose exec',
  'uv poetry conda mamba micromamba': 'run',
}

/** Starts a program in a container or an environment, by words that are known. */
const enters =
  (lines: string): Judge =>
  (look) => {
    const { args, starts = 0 } = look
    const [first, second] = readLook(args, inFront).operands
    const last = lines.includes('compose') && first?.value === 'compose' ? second : first
    const place = last === undefined ? -1 : args.indexOf(last)
    // Of a single word, the one behind it has to be known: it may be an option.
    const isClear = args
      .slice(0, place + (last === first ? 2 : 1))
      .every((word) => word.unresolved !== true && word.several !== true)
    return starts > 0 && isClear && matchesTable(look, { options: inFront, lines })
  }

/** `npx` may fetch a program and run it, unless an option limits it to installed ones. */
const npx: Judge = ({ args, starts = 0 }) =>
  starts > 0 && /^--no(?:-install)?$/.test(args[0]?.value ?? '') && args[1]?.value.startsWith('-') === false

/** fd: its options besides what `-x` and `-X` start do not matter. */
const fd: Judge = ({ args, starts = 0 }) =>
  starts > 0 &&
  args.every((word) => word.several !== true) &&
  args.filter(({ value }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(value)).length === 1

/** Python modules that are programs of the same name, and are judged like them. */
const asPrograms =
  /^(?:pip|mypy|flake8|ruff|black|isort|pylint|pyflakes|pycodestyle|pydocstyle|pyright|vulture|bandit|radon|yamllint)$/
/** Python's own modules that print what they are given, without a second file to write. */
const printing = /^(?:json\.tool|ast|dis|tokenize|platform|site|sysconfig|calendar|tabnanny)$/

/** `python -m`: a module that only reads. Options of Python itself in front of it only take something away. */
const pythonModule: Judge = ({ args, starts = 0 }, isHarmlessText) => {
  const at = args.findIndex(({ value }) => value === '-m')
  const name = args[at + 1]?.value ?? ''
  const rest = args.slice(at + 2)
  if (at === -1 || !args.slice(0, at).every(({ value }) => /^-[BEIsSuP]+$/.test(value))) return false
  if (starts > 0) return asPrograms.test(name)
  if (rest.some(({ several }) => several === true)) return false
  const words = rest.map(({ value }) => value)
  if (asPrograms.test(name)) return isHarmlessText([name, ...words].join(' '))
  if (name === 'zipfile' || name === 'tarfile') return /^(?:-l|-t|--list|--test)$/.test(words[0] ?? '')
  return (
    printing.test(name) &&
    words.every((word) => word === '--' || !word.startsWith('-') || /^--?[a-z]+(?:-[a-z]+)*(?:=\d+)?$/.test(word)) &&
    words.filter((word) => !/^-./.test(word)).length <= 1
  )
}

/** rtk shortens what another program prints: called by that one's name, or behind `proxy`. */
const rtk: Judge = ({ args }, isHarmlessText) => {
  const words = args.map(({ value }) => value)
  const own = words[0] === 'proxy' ? words.slice(1) : words
  if (words.length === 1 && /^(?:gain|discover|--help|--version)$/.test(words[0] ?? '')) return true
  return (
    /^(?:ls|tree|find|grep|git|gh|docker|kubectl|cat|wc|head|tail|pwd)$/.test(own[0] ?? '') &&
    own.every((word) => /^[\w./-]+$/.test(word)) &&
    isHarmlessText(own.join(' '))
  )
}

/** Programs that start others. Those that also do something by themselves are in other families too. */
export const starters: Looks = {
  'bash sh zsh dash ksh': shell,
  'builtin command': command,
  env: (look, judge) => startsAll(look, judge) && look.command?.wrapper === true,
  'timeout gtimeout nice ionice stdbuf taskset chrt setsid unbuffer setarch linux32 linux64 arch caffeinate': startsAll,
  'time gtime': time,
  'xargs gxargs': xargs,
  script,
  'fd fdfind': fd,
  npx,
  python: pythonModule,
  rtk,
  ...Object.fromEntries(Object.entries(entering).map(([keys, lines]) => [keys, enters(lines)])),
}
