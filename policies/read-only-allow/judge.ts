import type { ShellCommand, ShellFacts, ShellRedirection, ShellWord } from 'hookgate/policy'
import { type Call, isKnown, leadingWords } from './call.ts'
import { isPlain, ruleOf } from './families.ts'
import { isOutside, isSecretWord } from './places.ts'
import { matchesTable } from './table.ts'
import { fd } from './tables/search.ts'
import { special } from './tables/special.ts'
import { wrappers } from './tables/wrappers.ts'
import { isPlainVariable } from './variables.ts'

/** What the person has said of commands: the first words of some that are harmless, and of some that are not. */
export interface Vouched {
  readonly also: readonly string[]
  readonly not: readonly string[]
}

/** Why a shell command is not known to be harmless, for people; `undefined`: it is. */
export function whyNotHarmless(
  text: string,
  shell: ShellFacts,
  roots: readonly string[],
  vouched: Vouched,
): string | undefined {
  const [unsure] = shell.uncertain
  if (unsure !== undefined) return unsure
  if (shell.forkBomb === true) return 'it starts itself without end'
  if (hidden.test(text)) return 'a part of it is written in numbers'
  const name = [...text.matchAll(setting)]
    .map((found) => found[1] ?? found[2] ?? '')
    .find((one) => !isPlainVariable(one))
  if (name !== undefined) return `${name} changes what programs do`
  for (const [index, command] of shell.commands.entries()) {
    const own = text.slice(command.place.start, command.place.end)
    if (command.written !== undefined && madeUp.test(own) && (/^\s*\S*(\$\(|`)/.test(own) || !isPlain(command.program)))
      return 'a word that decides what is run is made by another command'
    const why = whyNot(command, index, shell, roots, vouched, own)
    if (why !== undefined) return why
  }
  return undefined
}

/** `$'\x72\x6d'`: nobody writes so who wants to be read. */
const hidden = /\$'(?:[^'\\]|\\.)*?\\(?:[xuU][0-9a-fA-F]|[0-7]{2})/

/** What sets a variable besides an assignment: a loop, and `${NAME:=…}`. */
const setting = /\b(?:for|select)\s+(\w+)|\$\{(\w+):?=/g

/** What another command prints, in one of the first two words: the program, or its subcommand. */
const madeUp = /^\s*(?:\S+\s+)?[^\s'"]*(?:\$\(|`)/

function whyNot(
  command: ShellCommand,
  index: number,
  shell: ShellFacts,
  roots: readonly string[],
  vouched: Vouched,
  own: string,
): string | undefined {
  const [unsure] = command.uncertain
  const name = command.program === '' ? 'a command' : `\`${command.program}\``
  if (unsure !== undefined) return unsure
  if (!command.redirections.every(isHarmlessRedirection)) return `${name} writes to a file, or reads what is not known`
  const telling = command.assignments.find((assignment) => !isPlainVariable(assignment.name))
  if (telling !== undefined) return `${telling.name} changes what programs do`
  if (command.written === undefined && command.args.length === 0) return undefined
  if (!isPlainProgram(command)) return `which program ${name} is, is not known`
  if (readsSecret(command)) return `${name} reads what may be secret`
  if (readsEverything(command)) return `${name} reads what may be secret`
  if (readsOutside(command, roots, own)) return `what ${name} reads from elsewhere goes on as a value`
  const call: Call = {
    program: command.program,
    args: command.args,
    command,
    starts: shell.commands.filter(
      (one) =>
        one.startedBy === index && !one.reach.some(({ through }) => through === 'substitution') === !isInner(command),
    ).length,
    isFed: shell.flows.some((flow) => flow.to === index),
  }
  if (isVouchedFor(call, vouched.not)) return `${name} is on the list of those that are not`
  if (isVouchedFor(call, vouched.also) && isKnown(call)) return undefined
  if (
    isPlain(command.program) &&
    command.paths.some(
      ({ access, absolute, written }) => access !== 'read' && access !== 'execute' && !isNowhere(absolute ?? written),
    )
  )
    return `${name} writes`
  return isHarmless(call) ? undefined : `${name} is not known to only read, called like this`
}

const isNowhere = (path: string) => /^\/dev\/(null|std(out|err|in)|tty|fd\/[012])$/.test(path)

function isHarmlessRedirection({ operator, target }: ShellRedirection): boolean {
  if (operator === '<<' || operator === '<<<' || target === undefined) return true
  // Bash opens connections at these paths.
  if (target.unresolved === true || target.several === true || /^\/dev\/(tcp|udp)\//.test(target.value)) return false
  return operator === '<' ? !isSecretWord(target.value) : isNowhere(target.value)
}

/** A program by its name, or in a folder that belongs to the system: `./ls` may be anything. */
function isPlainProgram({ program, written }: ShellCommand): boolean {
  if (written === undefined || written.unresolved === true || written.several === true || written.pattern !== undefined)
    return false
  const { value } = written
  const name = value.slice(value.lastIndexOf('/') + 1)
  return (
    (name === program || name === `${program}.exe`) &&
    (name === value || /^(\/usr|\/usr\/local|\/opt\/homebrew|)\/s?bin\/[^/]+$/.test(value))
  )
}

/** Programs that print their words, or only look at names: they read no file. */
const wordsOnly = ' echo printf ls stat test [ true false : basename dirname which type command '

/** Programs whose words are patterns and code, besides files: which are which is known to the facts. */
const patternsFirst =
  ' jq yq xq gojq jaq grep egrep fgrep rg ag ack awk gawk mawk nawk sed gsed openssl security codesign '

/** Programs that use keys and certificates without printing them. */
const withKeys = ' openssl curl security codesign wget '

const readsSecret = ({ program, args, paths, redirections }: ShellCommand): boolean => {
  const isSecret = (word: string) =>
    isSecretWord(withKeys.includes(` ${program} `) ? word.replace(/[^/=:]*\.(pem|key)$/i, '') : word)
  if (
    paths.some(
      (path) =>
        path.access === 'read' &&
        path.metadata !== true &&
        [path.written, path.absolute ?? '', path.real ?? ''].some(isSecret),
    )
  )
    return true
  if (
    redirections.some(({ operator, target }) => operator === '<' && target !== undefined && isSecretWord(target.value))
  )
    return true
  return (
    !wordsOnly.includes(` ${program} `) &&
    !patternsFirst.includes(` ${program} `) &&
    args.some((word) => isSecret(word.value) && looksLikeFile(program, word))
  )
}

/** Whether a word may be a file for a program: those of clouds and of packages have resources that are called secrets. */
const looksLikeFile = (program: string, { value }: ShellWord): boolean =>
  !/^(aws|az|gcloud|gh|kubectl|helm|vault|docker|podman|auth0|security|brew|npm|yarn|pnpm|pip3?|uv|cargo|ansible-vault|find|fd|fzf|git)$/.test(
    program,
  ) || /(^|[/:=@])\.[a-z]|\.(pem|key|p12|pfx)$|^id_|\/id_|shadow|sudoers/.test(value)

/** Whether what a command prints becomes a part of another's words. */
const isInner = ({ reach }: ShellCommand): boolean => reach.some(({ through }) => through === 'substitution')

/** All of a home, or of the machine: somewhere in it are keys. */
const readsEverything = ({ paths }: ShellCommand): boolean =>
  paths.some(
    ({ access, metadata, recursive, unresolved, absolute, root, inHome }) =>
      access === 'read' &&
      metadata !== true &&
      (recursive === true || unresolved === true) &&
      absolute !== undefined &&
      root === undefined &&
      (inHome === undefined ? isOutside(absolute, []) : inHome === ''),
  )

/** What is read from the system or from the network, and becomes words that nobody has seen; or a path that nobody has. */
function readsOutside(command: ShellCommand, roots: readonly string[], own: string): boolean {
  const isUnseen = (path: string) => isOutside(path, roots) && (isInner(command) || !own.includes(path))
  const files = command.redirections.flatMap(({ operator, target }) => (operator === '<' ? (target ?? []) : []))
  return (
    (isInner(command) && /^(curl|wget|dig|host|nslookup|gh|aws|az|gcloud)$/.test(command.program)) ||
    [...command.args, ...files].some(({ value }) => isUnseen(value)) ||
    command.paths.some(
      ({ access, written, absolute = '' }) =>
        access === 'read' && (isUnseen(written) || (isInner(command) && isOutside(absolute, roots))),
    )
  )
}

const startsWith = (words: readonly string[], prefix: readonly string[]) =>
  prefix.length > 0 && prefix.every((word, at) => words[at] === word)

/** Whether a command begins as one of a list does: its program, and the first of its words that are no options. */
function isVouchedFor({ program, args }: Call, list: readonly string[]): boolean {
  if (list.length === 0) return false
  const words = [program, ...args.map((word) => word.value)]
  const operands = [program, ...args.flatMap((word) => (word.value.startsWith('-') ? [] : [word.value]))]
  return list.some((one) => {
    const prefix = one.trim().split(/\s+/)
    return startsWith(words, prefix) || startsWith(operands, prefix)
  })
}

/** Asks a program for its help, and nothing else: there is no other option that could take this for its value. */
function asksForHelp({ program, args }: Call): boolean {
  const words = args.map((word) => word.value)
  const last = words.at(-1) ?? ''
  if (
    !isKnownAll(args) ||
    words.slice(0, -1).some((word) => word.startsWith('-') || /^(run|exec|x|dlx|start|tool)$/.test(word))
  )
    return false
  return words.length === 1
    ? /^(--help|--version|-h|-help|-version|-\?|-V|--usage)$/.test(last)
    : last === '--help' && words.length <= 4 && !startsOthers.test(program)
}

const isKnownAll = (args: readonly ShellWord[]) =>
  args.every((word) => word.unresolved !== true && word.several !== true && word.pattern === undefined)

/** Whether a program asks nobody but itself for its help: others would be started with `--help`. */
const startsOthers =
  /^(sudo|doas|su|env|xargs|exec|eval|nohup|time|timeout|nice|ssh|npx|uvx|pipx|source|\.|test|\[|echo|printf|kill|set|trap|bash|sh|zsh)$/

function isHarmless(call: Call): boolean {
  const rule = ruleOf(call.program)
  const own = special(call.program, isHarmlessText) ?? wrappers(call.program)
  if (call.command?.code !== undefined && !hasOwnCode(call)) return false
  if (own?.(call) === true) return true
  if ((rule !== undefined || own !== undefined) && asksForHelp(call)) return true
  if (rule === undefined) return false
  if ((call.starts ?? 0) > 0 && (isEnter(call) || ((call.program === 'fd' || call.program === 'fdfind') && fd(call))))
    return true
  return typeof rule === 'function' ? rule(call) : matchesTable(call, rule)
}

/** Code that is judged by its text, or whose commands are listed. */
const hasOwnCode = ({ command }: Call): boolean =>
  command?.code?.language === 'awk' ||
  command?.code?.language === 'sql' ||
  (command?.code?.language === 'shell' && command.code.text !== undefined)

/** Programs that start another one besides what else they do, in a container or an environment of their own. */
function isEnter(call: Call): boolean {
  const [verb = ''] = leadingWords(call.args)
  return (
    ((call.program === 'kubectl' || call.program === 'docker' || call.program === 'podman') && verb === 'exec') ||
    (call.program === 'uv' && verb === 'run')
  )
}

/** A command as the text of an option, with nothing in it that a shell would see as more than words. */
function isHarmlessText(text: string): boolean {
  if (/[;&|<>`$\\\n()*?!]/.test(text.replaceAll('{}', ''))) return false
  const words = text.trim().replaceAll(/['"]/g, '').split(/\s+/)
  const [program = '', ...rest] = words
  return (
    /^[\w-]+$/.test(program) &&
    isHarmless({
      program,
      args: rest.map((value) => (value.startsWith('{') ? { value: '\uFDD0', unresolved: true } : { value })),
    })
  )
}
