import { unwrapLimits } from '../../model/limits.ts'
import type { ShellCommand, ShellWord } from '../../model/shell.ts'
import { bounded, type ReportLeftOut } from '../bounds.ts'
import { type Certainty, isProse, isShellName, startsCommand, startsProgram, withoutVersion } from './command-text.ts'
import { isBuilder, isPlain, programNamed } from './table.ts'
import type { Starts, Unwrap } from './starts.ts'
import { changed, joined, withoutDashes, wordOf } from './words.ts'

/**
 * Returns the function that finds what a program may start that no row says it starts. A program without a row may be a
 * launcher, so each of its operands may be the program that it starts. One with a row starts what follows `--` or a
 * subcommand such as `exec`. Programs that only work on files and text start nothing: the result is `undefined`.
 */
export function mayStartFor(program: string): Unwrap | undefined {
  if (program === '') return undefined
  const known = programNamed(program)
  if (known === undefined) return (command, starts) => startSpelled(command, starts, !isPrompt(command))
  if (known.row.escapes === true) return ({ args, stdin }, starts) => startAllCalls(args, stdin, starts)
  return isPlain(program) ? undefined : (command, starts) => startSpelled(command, starts, false)
}

/** Subcommands that run what follows them: `opam exec`, `salt-call cmd.run`, `zellij action write-chars`. */
const runs =
  /^(?:[\w-]*[.:])?(?:exec|execute|run|cmd|command|shell|launch|spawn|do|lock|ssh|asuser|with|foreach|in|enter|watch|build-env|devenv|env|explore|write-chars|invoke|local)$/

/** Subcommands and options of agents whose operands are run, now or later, and are no prompt. */
const agentRuns = /^(?:mcp|sandbox|debug|server|hooks?|plugins?|extensions?)$/

/** Tells whether the operands of a command are a prompt for an agent. */
const isPrompt = ({ program, args }: ShellCommand): boolean =>
  agentNamed(program) !== undefined && !args.slice(0, 2).some(({ value }) => agentRuns.test(value))

/** Subcommands whose operands are names or texts, and options with a text for people. */
const describes =
  /^(?:install|add|in|it|remove|uninstall|upgrade|update|reinstall|search|find|info|show|describe|explain|help|man|which|list|ls|get|view|create|new|log|note|comment|title|open|edit|ask|chat|prompt|say|send|commit|tag|alias|completions?|remember|todo|lint|check|format|translate|-S|-Syu?)$/
const describesText =
  /^(?:m|p|t|b|d|n|q|msg|message|title|body|description|desc|summary|subject|comment|notes?|text|prompt|name|reason|label|query|question|input|content|data|json|search|pattern|grep|filter)$/

/** Options whose value is a command: `--on-success`, `--build.cmd`, `--run_under`, `--editor-cmd`. */
const command =
  /(?:^|[-_.])(?:cmds?|commands?|exec\w*|run|shell|script|wrap\w*|hooks?|on|pre|post|editor|pager|prog|program|launch\w*|handler|spawn|entrypoint|runner|callback|action|rsh)(?:$|[-_.])|^on[A-Z]/
const shortCommand = /^[cexsr]$/

/** Tells whether a program may run what is in its folder: scripts, build files, settings with commands. */
export const runsFolder = (program: string): boolean =>
  program !== '' && (programNamed(program) === undefined || isBuilder(program))

/** Returns the program that a path leads to, if it is one of the system's: `/usr/bin/git`, `/proc/self/exe`. */
export function programAt(path: string): string | undefined {
  if (/^\/proc\/[^/]+\/exe$/.test(path)) return 'sh'
  const [, name = ''] = /(?:^\uFDD0|\/s?bin)\/([^/]+)$/.exec(path) ?? []
  return programNamed(name) === undefined ? undefined : name
}

function startSpelled(starter: ShellCommand, starts: Starts, isOpen: boolean): void {
  const { args, assignments, stdin } = starter
  const isPrompted = isPrompt(starter)
  const found: (() => void)[] = []
  const addScript = (word: ShellWord, value: string) => found.push(() => starts.script(changed(word, value)))
  let behind: 'dashes' | 'verb' | undefined
  let isDescribed = false
  let option: string | undefined
  for (const [at, word] of args.entries()) {
    const { value } = word
    const before = option
    option = undefined
    const isExpected = !isPrompted && (behind !== undefined || (isOpen && !isDescribed))
    if (value === '--') behind = 'dashes'
    else if (value.startsWith('-') && value.length > 1) {
      const [, name = '', given] = /^--?D?([^=]*)(?:=([^]*))?$/.exec(value) ?? []
      if (given === undefined) option = name
      else if (takesCommand(name, isOpen)) for (const text of commandsIn(given, starts)) addScript(word, text)
    } else if (/\s/.test(value)) {
      const isCommand = before === undefined || behind === 'dashes' ? isExpected : takesCommand(before, isOpen)
      if (isCommand && !isProse(value) && startsCommand(value)) addScript(word, value)
      else if (before !== undefined && setsCommand(value))
        for (const text of commandsIn(value, starts)) addScript(word, text)
    } else if (isExpected && startsProgram(args, at, certainty(behind, isOpen))) {
      const isShell = isShellName(value)
      // A shell alone needs a text to run; the name of an interpreter alone is as likely a format.
      const isAlone = at === args.length - 1
      if (isAlone && !(isShell && (stdin !== undefined || behind !== undefined) && before === undefined)) continue
      // `proto run gh -- pr list`: what is behind the dashes is the program's.
      const rest = behind === 'verb' ? withoutDashes(args.slice(at + 1)) : args.slice(at + 1)
      const words = [withoutVersion(word), ...rest]
      found.push(() => starts.words(words, isShell || behind !== undefined ? {} : { stdin: 'none' }))
    } else if (runs.test(value)) behind ??= 'verb'
    else if (describes.test(value)) isDescribed = true
  }
  for (const { name, value } of assignments) {
    const given = value.value.replace(/^-[\w-]+=/, '')
    if (!describesText.test(name.toLowerCase()) && !isProse(given) && startsCommand(given)) addScript(value, given)
  }
  if (found.length === 0 && !isPrompted) startAllCalls(isDescribed ? [] : args, isOpen ? stdin : undefined, starts)
  const few = bounded(found, unwrapLimits.mayStartMax, 'it starts more commands than are analyzed', starts.leftOut)
  for (const start of few) start()
}

function startAllCalls(args: readonly ShellWord[], stdin: ShellWord | undefined, starts: Starts): void {
  for (const word of args) {
    if (/\s/.test(word.value)) startCalls(word.value, starts)
    // The file is code, whatever language it is in: `<(echo 'system("ls")')`.
    const content = word.value.startsWith('/dev/fd/') ? starts.content(word) : undefined
    if (content !== undefined && content.unresolved !== true) startCalls(content.value, starts)
  }
  if (stdin !== undefined && stdin.unresolved !== true) startCalls(stdin.value, starts)
}

function certainty(behind: 'dashes' | 'verb' | undefined, isOpen: boolean): Certainty {
  if (behind === 'dashes') return 'certain'
  return behind === undefined || isOpen ? 'likely' : 'unlikely'
}

const takesCommand = (option: string, isOpen: boolean): boolean =>
  !describesText.test(option) && (command.test(option) || (isOpen && shortCommand.test(option)))

/** A setting with a command in it: cargo's `--config 'target.x.runner="sh -c …"'`. */
function setsCommand(value: string): boolean {
  const [, name = ''] = /^([\w."'()-]*)\s*=/.exec(value) ?? []
  return /runner|command|cmd|exec|hook|script/.test(name.slice(name.lastIndexOf('.') + 1))
}

/** Returns the commands in an option's value: itself, or those that it quotes. */
function commandsIn(value: string, { leftOut }: Starts): readonly string[] {
  if (startsCommand(value)) return [value]
  return mentionsIn(value, leftOut).flatMap((one) => ('script' in one ? [one.script.value] : []))
}

/** A command that a text of another language mentions: a shell script, or a program with its arguments. */
export type Mention = { readonly script: ShellWord } | { readonly words: readonly ShellWord[] }

/**
 * Finds the commands that a text mentions, whatever its language: known programs with arguments at the beginning of a
 * line, of a quoted text or of a value, and lists of quoted words that begin with one. Takes time linear in the length.
 *
 * @param behind matches the text before a mention; others are left out
 */
export function mentionsIn(text: string, leftOut: ReportLeftOut, behind?: RegExp): readonly Mention[] {
  if (text.length > unwrapLimits.mentionTextMax) leftOut('its code is longer than is analyzed')
  const source = text.slice(0, unwrapLimits.mentionTextMax)
  const settings = settingsIn(source)
  const found: Mention[] = []
  let looked = 0
  for (const { index, 0: lead, 1: name = '' } of source.matchAll(candidates)) {
    const from = index + lead.length - name.length
    if (behind?.test(source.slice(Math.max(0, from - callMax), from)) === false) continue
    const open = source.charAt(from - 1)
    const quote = quotes.includes(open) ? open : undefined
    const words = quote === undefined ? undefined : quotedWords(source, from - 1)
    if (words !== undefined && words.length > 1 && !/\s/.test(words[0]?.value ?? '')) {
      if (startsProgram(words, 0, 'likely')) found.push(startOf(words))
      continue
    }
    const line = lineFrom(source, from, quote)
    looked += line.length
    // A line is read from each place in it at which a command may begin.
    if (looked > rereadsMax * unwrapLimits.mentionTextMax) {
      leftOut('its code is longer than is analyzed')
      break
    }
    if (line.length > mentionMax) leftOut('its code is longer than is analyzed')
    const script = filledIn(line.slice(0, mentionMax).replace(nextKey, ''), settings)
    if (startsCommand(script)) found.push({ script: wordOf(script) })
    if (found.length > mentionsMax) {
      leftOut('it starts more commands than are analyzed')
      break
    }
  }
  return found
}
/** UTF-16 units of one mentioned command. */
const mentionMax = 2048
/** Commands that one text mentions: a long script has fifty lines of them. */
const mentionsMax = 64

/** Makes one line of a program and all its arguments in one text, as .NET takes them: `Process.Start("rm", "-r a")`. */
const startOf = (words: readonly ShellWord[]): Mention =>
  words.length === 2 && /^-\S*\s/.test(words[1]?.value ?? '') ? { script: joined(words) } : { words }

const quotes = `"'\``
/** Matches the rest of a flow mapping behind a value: `, language: system}` in `{entry: x a, language: system}`. */
const nextKey = /,\s{1,8}["']?[\w-]{1,64}["']?:\s[^]*$/

/**
 * Starts the commands that a text hands to a function or escape that runs commands, in a language that has no scanner:
 * `system("…")`, `(shell-command "…")`, `esyscmd(…)`, `$`…``, `shell …`, `!…`.
 */
function startCalls(text: string, starts: Starts): void {
  for (const mention of mentionsIn(text, starts.leftOut, calls)) startMention(mention, starts)
}

export function startMention(mention: Mention, starts: Starts): void {
  if ('script' in mention) starts.script(mention.script, { guessed: true })
  else starts.words(mention.words, { guessed: true })
}

const calls =
  /(?:(?:sys|system|shell|exec\w*|spawn\w*|popen|cmd|process|command|run|sh|bash|pipe)\b(?:::?\w|[\w.-]){0,16}!?[\s([{"'`,\\]{1,8}|pipe\b[^|\n]*\|\s?|(?:^|[\s;'"`([])!\s?|%s?h?[({]\s?|\$`|s" )$/i

/** A script reads hardly a line of its text twice. */
const rereadsMax = 4

/** Longer names of functions before a command are not known. */
const callMax = 64

/**
 * Matches where a command may begin: at the start of a line or value, behind a quote, a bracket or an operator, behind a
 * setting's name (`ProxyCommand …`), also after assignments. A comment begins none, but Go's `//go:generate` does. A name
 * that gets a value (`render := func() …`) is no program.
 */
const candidates =
  /(?:^|\\[nt]|[\n"'`({[=,;:|&>!$]|(?:\n|^)\+|(?:^|\n)[\d$,/]*[aic]\\?\s|\/\/go:generate\s|\bshell\s|\bRUN\s|(?:^|\\n|\n)[ \t]*[A-Z][a-z]+[A-Z]\w{2,40}[ \t]+|- )[ \t@+!-]{0,16}(?!shell\s)(?:[A-Za-z_]\w{0,60}=[^\s"'`]{0,200} +)?([a-z/][\w./+-]*)(?![ \t]{1,8}(?::=|=>|[+|]?=[ \t]))(?=[ \t]|["'`]\s?(?:,|\)\s{0,8}\.args?\())/g

/** Reads the quoted words from an index on that only commas, brackets and blanks separate. */
function quotedWords(source: string, from: number): readonly ShellWord[] {
  const words: ShellWord[] = []
  const end = Math.min(source.length, from + mentionMax)
  let at = from
  while (at < end && quotes.includes(source.charAt(at))) {
    const mark = source.charAt(at)
    let value = ''
    for (at++; at < end && source.charAt(at) !== mark; at++) {
      if (source.charAt(at) === '\\') at++
      value += source.charAt(at)
    }
    words.push(wordOf(value))
    at++
    at = behindSeparators(source, at, end)
  }
  return words
}

/** Skips what separates the words of a list, or of a command that is built word by word: `.arg("-r").arg("a")`. */
function behindSeparators(source: string, from: number, end: number): number {
  let at = from
  while (at < end) {
    if (source.startsWith('.arg', at)) at += 4 + (source.charAt(at + 4) === 's' ? 1 : 0)
    else if (/[\s,[\](){}]/.test(source.charAt(at))) at++
    else break
  }
  return at
}

/** Returns the rest of a line of code that belongs to a command: up to the closing quote, or a bracket that closes more. */
function lineFrom(source: string, from: number, quote: string | undefined): string {
  const end = Math.min(source.length, from + mentionMax + 1)
  let line = ''
  let depth = 0
  let inside: string | undefined
  for (let at = from; at < end; at++) {
    const char = source.charAt(at)
    if (char === '\\' && at + 1 < end) {
      const next = source.charAt(++at)
      if (next === 'n' || next === 'r') break
      line += quote !== undefined && quotes.includes(next) ? next : next === '\n' ? ' ' : char + next
      continue
    }
    if (char === '\n' || char === quote) break
    if (quote === undefined) {
      if (inside === undefined && quotes.includes(char)) inside = char
      else if (char === inside) inside = undefined
      else if (inside === undefined && '([{'.includes(char)) depth++
      else if (inside === undefined && ')]}'.includes(char) && --depth < 0) break
      else if (inside === undefined && char === '<' && source.charAt(at + 1) === '/') break
    }
    line += char
  }
  return line
}

/** Collects the values of a build file's own variables: `BUILD = out`. */
function settingsIn(source: string): ReadonlyMap<string, string> {
  return new Map(
    [...source.matchAll(/^[ \t]*([A-Za-z_]\w*)[ \t]*[:?+]?=[ \t]*(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  )
}

/** Replaces a build file's variables with their values. An unknown one is taken for a plain name. */
const filledIn = (line: string, settings: ReadonlyMap<string, string>): string =>
  line.replaceAll(/\$[({](\w+)[)}]|\{\{\s*([\w.]+)\s*\}\}|\$[@<^*?%](?!\w)/g, (_, one?: string, other?: string) => {
    const name = one ?? other ?? ''
    return settings.get(name) ?? (name === 'HOME' ? '$HOME' : '_')
  })

/**
 * By the program of each agent, options that start it without its hooks, or without any question. Its operands are a
 * prompt, and no commands.
 */
export const agents: Readonly<Record<string, string>> = {
  agy: '',
  aider: '--yes|--yes-always',
  amp: '',
  auggie: '',
  claude:
    '--bare|--setting-sources|--plugin-dir|--plugin-dir-no-mcp|--plugin-url|--permission-mode=bypasspermissions|--disable-slash-commands',
  cline: '-y|--auto-approve-all',
  cn: '--auto',
  codex: '--sandbox=danger-full-access|-s=danger-full-access|--ignore-user-config',
  copilot: '--allow-all|--allow-all-tools|--allow-all-paths',
  crush: '-y',
  'cursor-agent': '-f|--force',
  devin: '',
  droid: '--skip-permissions-unsafe|--auto=high',
  gemini: '-y|--approval-mode=yolo|-e=none|--extensions=none',
  goose: '--no-session-guard',
  grok: '--always-approve|--permission-mode=bypasspermissions',
  hermes: '--accept-hooks',
  kilo: '--pure|--auto',
  kimi: '-y|--yes|--auto-approve',
  'kiro-cli': '-a|--trust-all-tools',
  llm: '',
  openclaw: '--profile|--dev',
  opencode: '--pure',
  pi: '-ne|--no-extensions|-e|--extension',
  q: '--trust-all-tools',
  qwen: '-y|--approval-mode=yolo|-e=none|--extensions=none',
  roo: '',
}

/** By a package's name under which an agent can be started too (`npx claude-code`), the agent's program. */
const packages: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  'copilot-cli': 'copilot',
  'gemini-cli': 'gemini',
  'opencode-ai': 'opencode',
  'pi-coding-agent': 'pi',
  'qwen-code': 'qwen',
}

/** Returns the agent that a program starts; `undefined` if it starts none. */
export function agentNamed(program: string): string | undefined {
  const name = Object.hasOwn(packages, program) ? (packages[program] ?? program) : program
  return Object.hasOwn(agents, name) ? name : undefined
}
