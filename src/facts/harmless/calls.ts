import { type ShellWord, unknownPart } from '../../model/shell.ts'
import type { ProgramCall, TextReaders } from '../programs/looks/look.ts'
import { onlyPrints } from '../shell/code/awk.ts'
import { looksOf } from './registry.ts'

/** True if all words are exact texts. */
const areAllKnown = (args: readonly ShellWord[]) =>
  args.every((word) => word.unresolved !== true && word.several !== true && word.pattern === undefined)

/** Programs whose long options have one dash. */
const oneDash = /^(?:terraform|tofu|packer|vault|consul|nomad)$/

/** Programs that pass `--help` on to a program that they start. */
const startsOthers =
  /^(?:sudo|doas|su|env|xargs|exec|eval|nohup|time|timeout|nice|ssh|npx|uvx|pipx|source|\.|test|\[|echo|printf|kill|set|trap|bash|sh|zsh)$/

/** True if a call asks a program only for help: no option before it could take `--help` for its value. */
function asksForHelp({ program, args }: ProgramCall): boolean {
  const words = args.map(({ value }) => value)
  const last = words.at(-1) ?? ''
  if (!areAllKnown(args)) return false
  if (/^(?:docker|podman|nerdctl)$/.test(program) && /^(?:run|exec) --help$/.test(words.join(' '))) return true
  if (words.slice(0, -1).some((word) => word.startsWith('-') || /^(?:run|exec|x|dlx|start|tool)$/.test(word)))
    return false
  return words.length === 1
    ? /^(?:--help|--version|-h|-help|-version|-\?|-V|--usage)$/.test(last)
    : (last === '--help' || (last === '-help' && oneDash.test(program))) &&
        words.length <= 4 &&
        !startsOthers.test(program)
}

/** True for `--help` or `--version` as the only word: unknown programs that follow conventions only print for it. */
const asksForHelpAlone = ({ program, args }: ProgramCall): boolean =>
  args.length === 1 &&
  /^--(?:help|version)$/.test(args[0]?.value ?? '') &&
  areAllKnown(args) &&
  /^[a-zA-Z][\w.+-]*$/.test(program) &&
  !startsOthers.test(program) &&
  !/^(?:reboot|poweroff|halt|shutdown|init|telinit|startx|login|logout|exit|\w*sh)$/.test(program)

/** Strips the toolchain, which precedes all arguments: `cargo +nightly check`. */
const withoutToolchain = (look: ProgramCall): ProgramCall =>
  /^(?:cargo|rustc|rustfmt)$/.test(look.program) && /^\+[\w.-]+$/.test(look.args[0]?.value ?? '')
    ? { ...look, args: look.args.slice(1) }
    : look

/** True unless a call has code that is neither checked by its text nor has its commands in the facts. */
const hasReadCode = ({ command }: ProgramCall): boolean =>
  command?.code === undefined ||
  command.code.language === 'awk' ||
  command.code.language === 'sql' ||
  (command.code.language === 'shell' && command.code.text !== undefined)

/** Returns whether a call of a program is known to only look. */
export function onlyLooks(given: ProgramCall): boolean {
  const look = withoutToolchain(given)
  const judges = looksOf(look.program)
  if (!hasReadCode(look)) return false
  if (judges === undefined) return asksForHelpAlone(look)
  return judges.some((judge) => judge(look, readers)) || asksForHelp(look)
}

const readers: TextReaders = { isHarmlessText, awkOnlyPrints: onlyPrints }

/** True if a command in the text of an option only looks, and has no characters that a shell would interpret. */
function isHarmlessText(text: string): boolean {
  if (/[;&|<>`$\\\n()*?!]/.test(text.replaceAll('{}', ''))) return false
  const [program = '', ...rest] = text.trim().replaceAll(/['"]/g, '').split(/\s+/)
  const args = rest.map((value) =>
    value.startsWith('{') ? { value: unknownPart, unresolved: true as const } : { value },
  )
  return /^[\w-]+$/.test(program) && onlyLooks({ program, args })
}
