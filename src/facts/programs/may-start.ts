import { unwrapLimits } from '../../model/limits.ts'
import type { ShellCommand, ShellWord } from '../../model/shell.ts'
import { agentNamed } from './agents.ts'
import { bounded } from '../bounds.ts'
import { type Certainty, isProse, isShellName, startsCommand, startsProgram } from './command-text.ts'
import { mentionsIn, startCalls } from './mentions.ts'
import { isBuilder, isPlain, programNamed } from './table.ts'
import type { Starts, Unwrap } from './starts.ts'
import { changed } from './words.ts'

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
      const words = args.slice(at)
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
