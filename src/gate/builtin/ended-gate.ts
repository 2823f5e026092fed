import { limits } from '../../model/limits.ts'
import type { ShellCommand, ShellFacts } from '../../model/shell.ts'
import { anyText, type ConditionGlob, folded, literal, meeting } from '../../rules/match/glob.ts'

/** The process of the resident gate. */
interface GateProcess {
  readonly pid: number | undefined
  /** Files that start it. */
  readonly programs: readonly string[]
  /** Returns true if one of hookgate's own state files is among a command's paths. */
  readsState(command: ShellCommand): boolean
}

/** Returns true if a command would end the gate's process: by its number, by its name, or by all processes. */
export function endsGate(at: number, facts: ShellFacts, gate: GateProcess): boolean {
  const command = facts.commands[at]
  if (command === undefined) return false
  const words = command.args.map(({ value }) => value)
  switch (command.program) {
    case 'kill':
      return numbersIn(words).some((pid) => pid === -1 || Math.abs(pid) === gate.pid) || isToldGate(at, facts, gate)
    case 'killall':
      if (endsUser(words)) return true
      return words.includes('-r') || words.includes('--regexp')
        ? namesAmong(words).some((name) => fitsSome(name, processNames))
        : namesAmong(words).some((name) => processNames.includes(folded(name)))
    case 'pkill':
    case 'skill':
      return endsUser(words) || namesGate(words, gate)
    case 'fuser':
      return words.some((word) => /^-\w*k|^--kill$/.test(word)) && gate.readsState(command)
    case 'taskkill':
    case 'stop-process':
    case 'spps':
      return words.some((word) => word === `${gate.pid}` || /^(?:node|hookgate)(?:\.exe|\*)?$/i.test(word))
    case 'killall5':
      return true
    case 'loginctl':
      return words.some((word) => /^(?:kill|terminate)-(?:session|user|seat)$/.test(word))
    case 'systemctl':
    case 'launchctl':
    case 'service':
      return words.some((word) => ownUnit.test(word)) && words.some((word) => stops.test(word))
    default:
      if (hinders.test(command.program))
        return words.some((word) => numberAtEnd(word) === gate.pid) || isToldGate(at, facts, gate)
      return namesProcess(command, gate)
  }
}

/** The gate's unit, or one that holds all processes of a user or a session. */
const ownUnit = /hookgate|^(?:user(?:-\d+)?\.slice|user@\d+\.service|session-\w+\.scope)$/i
const stops = /^(?:stop|kill|restart|disable|mask|freeze|bootout|unload|remove|try-restart|reload)$/
/** Programs that take a running process's number and slow it down, limit, stop or change it. */
const hinders =
  /^(?:renice|snice|ionice|gdb|lldb|strace|ltrace|dtrace|taskset|prlimit|chrt|cpulimit|choom|reptyr|perf|gcore|pyrasite|node-inspect|criu|bpftrace|schedtool|uclampset|cgclassify)$/
const numberAtEnd = (word: string) => Number(/^(?:-\w|--?[a-z-]+=)?([0-9]{1,9})$/.exec(word)?.[1])

/** True for code that ends a process by the gate's number, and for a write to what the system keeps of it. */
function namesProcess(command: ShellCommand, gate: GateProcess): boolean {
  const { pid } = gate
  const { code, args, paths, stdin } = command
  const hasNumber = (text: string) => [...text.matchAll(/[0-9]+/g)].some(([number]) => Number(number) === pid)
  const text = code?.text ?? ''
  if (/kill|terminate|send_signal/i.test(text)) {
    const searches = /process_iter|psutil|ps-list|find-process|ProcTable/.test(text) && /hookgate|\bnode\b/i.test(text)
    if (hasNumber(text) || searches || gate.readsState(command)) return true
  }
  return paths.some(({ access, absolute = '' }) => {
    if (access !== 'write') return false
    if (pid !== undefined && absolute.startsWith(`/proc/${pid}/`)) return true
    if (/^\/sys\/fs\/cgroup\/.*(?:cgroup\.(?:kill|freeze)|freezer\.state)$/.test(absolute)) return true
    const texts = [...args.map(({ value }) => value), stdin?.value ?? '']
    return /\/(?:cgroup\.procs|tasks)$/.test(absolute) && texts.some(hasNumber)
  })
}

/** Node names its main thread in its own way on some systems. */
const processNames: readonly string[] = ['node', 'node-mainthread', 'mainthread', 'hookgate']
const commandLines = (programs: readonly string[]) =>
  [...programs, '/hookgate/dist/cli/bin.js'].flatMap((bin) =>
    ['serve', 'up'].map((name) => folded(`/bin/node ${bin} ${name}`)),
  )

/** The first word with a dash is a signal; after it, a dash means a process group, and `-1` every process. */
function numbersIn(words: readonly string[]): readonly number[] {
  const operands = words[0]?.startsWith('-') === true ? words.slice(1) : words
  return operands.filter((word) => /^-?[0-9]{1,9}$/.test(word)).map(Number)
}

const namesAmong = (words: readonly string[]) => words.filter((word) => word !== '' && !word.startsWith('-'))
/** Returns true for a choice of processes by their owner, terminal or session alone. */
function endsUser(words: readonly string[]): boolean {
  const at = words.findIndex((word) => /^(?:-[uUgGst]|--(?:user|e?uid|terminal|session|p?group))(?:=|$)/.test(word))
  const owner = words[at]?.includes('=') === true ? at : at + 1
  return at !== -1 && namesAmong(words.filter((_, index) => index !== owner)).length === 0
}

const isOnCommandLine = (words: readonly string[]) => words.some((word) => /^-\w*f|^--full$/.test(word))

/** Returns true if a regular expression may match a text. It is not run: the model wrote it. */
const fitsSome = (expression: string, texts: readonly string[]) =>
  expression.length > limits.conditionSubjectCharactersMax ||
  expression.split('|').some((one) => texts.some((text) => meeting(looseGlob(one))(literal(text))))

/** Returns true if `pkill` or `pgrep` finds the gate by these words. */
const namesGate = (words: readonly string[], { programs }: GateProcess) =>
  namesAmong(words).some((name) => fitsSome(name, isOnCommandLine(words) ? commandLines(programs) : processNames))

/** Turns a regular expression into a glob of its plain letters, and any text for everything else. */
function looseGlob(expression: string): ConditionGlob {
  const parts = [...folded(expression).matchAll(/([\w /@:=,~-])(?![*?{])|\\([^\w])|\[[^\]]*(?:\]|$)|[^]/g)]
  return [
    anyText,
    ...parts.flatMap(([, plain, escaped]) =>
      plain === undefined && escaped === undefined ? anyText : literal(plain ?? escaped ?? ''),
    ),
    anyText,
  ]
}

/** Returns true if the numbers come from hookgate's state, or from a search for its name. */
function isToldGate(at: number, { commands, flows }: ShellFacts, gate: GateProcess): boolean {
  const seen = new Set([at])
  for (const one of seen) {
    const { startedBy } = commands[one] ?? {}
    if (startedBy !== undefined) seen.add(startedBy)
    for (const { from, to } of flows) if (to === one) seen.add(from)
  }
  seen.delete(at)
  // A loop over the numbers in `/proc` finds the gate by what is read there.
  if (numbersIn(commands[at]?.args.map(({ value }) => value) ?? []).length === 0)
    for (const [other, { paths, args }] of commands.entries())
      if (
        [...args.map(({ value }) => value), ...paths.map(({ written }) => written)].some((word) => ofProcess.test(word))
      )
        seen.add(other)
  return [...seen].some((one) => {
    const command = commands[one]
    if (command === undefined || command.program === 'xargs') return false
    const words = command.args.map(({ value }) => value)
    return command.program === 'hookgate' || gate.readsState(command) || findsGate(command.program, words, gate)
  })
}

const ofProcess = /^\/proc\/|\/(?:cmdline|comm)$/

/** Returns true if the gate is among what a search of processes, or of their list, finds. */
function findsGate(program: string, words: readonly string[], gate: GateProcess): boolean {
  if (/^(?:pgrep|pidof)$/.test(program)) return namesGate(words, gate)
  if (/^(?:[ef]?grep|rg|ag)$/.test(program))
    return namesAmong(words).some((name) => fitsSome(name, [...commandLines(gate.programs), socket]))
  return /^(?:awk|gawk|sed|lsof|ss)$/.test(program) && words.some((word) => /hookgate|gate\W{1,2}sock/i.test(word))
}
const socket = '/hookgate/gate.sock'
