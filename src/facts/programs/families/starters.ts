import type { Family } from '../program.ts'
import { isKnown, type Judge, type ProgramCall, matchesTable, readLook } from '../looks/look.ts'
import { optionsOf } from '../row.ts'
import { readPrepared } from '../../../words/options.ts'

/**
 * Judges programs that do nothing but start another. The started command is in the facts and is judged by itself, so
 * only its presence is checked here.
 */
export const startsAll = ({ starts = 0 }: ProgramCall): boolean => starts > 0

/** Reads the options in front of the first operand: further words belong to the started command. */
const ownOptions = ({ args }: ProgramCall, options: string) =>
  readPrepared(args, optionsOf({ options, wholeNames: true, operandsLast: true }))

const shellSafe = /^(?:[ceiluxvfmnoOpBCEHPT]|login|noprofile|norc|posix|verbose|restricted|r)$/

export const shell: Judge = (look) => {
  const { given } = ownOptions(look, 'o O c')
  return startsAll(look) && given.every(({ name }) => shellSafe.test(name)) && given.some(({ name }) => name === 'c')
}

export const time: Judge = (look) =>
  startsAll(look) && !ownOptions(look, 'f o').given.some(({ name }) => /^(?:o|ou.*|a|ap.*)$/.test(name))

export const script: Judge = (look) =>
  isKnown(look) &&
  (look.args[0]?.value === '-p' || ((look.starts ?? 0) > 0 && look.args.some(({ value }) => value === '/dev/null')))

export const command: Judge = ({ program, args, starts = 0 }) =>
  starts > 0 || (program === 'command' && /^-p*[vV][vVp]*$/.test(args[0]?.value ?? ''))

/** Options with a value that may stand in front of the words of a container's or a cluster's command. */
const inFront = 'n namespace context cluster f file p project-name profile env-file project-directory H host c C dir'

/** By program, the words behind which it starts another in an environment or a container. */
const entering: Readonly<Record<string, string>> = {
  'kubectl oc docker-compose podman-compose rbenv pyenv nodenv bundle pnpm': 'exec',
  'docker podman nerdctl': 'exec; compose exec',
  'uv poetry conda mamba micromamba': 'run',
}

/** Judges a program that starts another in a container or an environment, behind words that must be known. */
const enters =
  (lines: string): Judge =>
  (look) => {
    const { args, starts = 0 } = look
    const [first, second] = readLook(args, inFront).operands
    const last = lines.includes('compose') && first?.value === 'compose' ? second : first
    const place = last === undefined ? -1 : args.indexOf(last)
    // Behind a single word such as `exec`, the next word has to be known too: it may be an option.
    const isClear = args
      .slice(0, place + (last === first ? 2 : 1))
      .every((word) => word.unresolved !== true && word.several !== true)
    return starts > 0 && isClear && matchesTable(look, { options: inFront, lines })
  }

/** Judges `npx`, which may fetch the program that it runs, unless an option limits it to installed programs. */
export const npx: Judge = ({ args, starts = 0 }) =>
  starts > 0 && /^--no(?:-install)?$/.test(args[0]?.value ?? '') && args[1]?.value.startsWith('-') === false

/** Judges an `fd` whose `-x` or `-X` starts a command: the command is judged by itself, and other options do not matter. */
export const fd: Judge = ({ args, starts = 0 }) =>
  starts > 0 &&
  args.every((word) => word.several !== true) &&
  args.filter(({ value }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(value)).length === 1

/** Python modules that are judged like the programs of the same name. */
const asPrograms =
  /^(?:pip|mypy|flake8|ruff|black|isort|pylint|pyflakes|pycodestyle|pydocstyle|pyright|vulture|bandit|radon|yamllint)$/
/** Python's own modules that only print, if they get no second file, to which they would write. */
const printing = /^(?:json\.tool|ast|dis|tokenize|platform|site|sysconfig|calendar|tabnanny)$/

/** Judges `python -m`. In front of it may stand options of Python that only turn features off. */
export const pythonModule: Judge = ({ args, starts = 0 }, { isHarmlessText }) => {
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

/** Judges `rtk`, which shortens the output of a program whose name is its first word, or follows `proxy`. */
const rtk: Judge = ({ args }, { isHarmlessText }) => {
  const words = args.map(({ value }) => value)
  const own = words[0] === 'proxy' ? words.slice(1) : words
  if (words.length === 1 && /^(?:gain|discover|--help|--version)$/.test(words[0] ?? '')) return true
  return (
    /^(?:ls|tree|find|grep|git|gh|docker|kubectl|cat|wc|head|tail|pwd)$/.test(own[0] ?? '') &&
    own.every((word) => /^[\w./-]+$/.test(word)) &&
    isHarmlessText(own.join(' '))
  )
}

/** Programs that start others. Programs that also do something by themselves are in other families too. */
export const starters: Family = {
  programs: {
    gtimeout: {
      looks: startsAll,
    },

    rtk: { looks: rtk },
    ...Object.fromEntries(Object.entries(entering).map(([keys, lines]) => [keys, { looks: enters(lines) }])),
  },
}
