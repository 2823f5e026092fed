import { hasShellTrait } from '../../model/shell-traits.ts'
import { resolve } from 'node:path'
import { limits } from '../../model/limits.ts'
import {
  type ShellCommand,
  type ShellFacts,
  type ShellProcesses,
  type ShellWord,
  unknownPart,
} from '../../model/shell.ts'
import { wordsBeside } from '../../words/options.ts'
import { isHookgate } from './own-commands.ts'
import { anyText, type ConditionGlob, folded, literal, meeting, pathGlob } from '../../rules/match/glob.ts'

/** The process of the resident gate. */
interface GateProcess {
  readonly pid: number | undefined
  /** Where it listens for HTTP hooks. */
  readonly port: number | undefined
  /** Files that start it. */
  readonly programs: readonly string[]
  /** The program that runs them. */
  readonly node: string
  /** With these options, where it runs the resident gate. */
  readonly nodeOptions: readonly string[]
  /** Returns true if one of hookgate's own state files is among a command's paths. */
  readsState(command: ShellCommand): boolean
  /** Returns true for a folder with hookgate's state files somewhere below it. */
  holdsState(folder: string): boolean
}

/** Returns true if a command would end the gate's process, hinder it, or keep calls from reaching it. */
export function endsGate(at: number, facts: ShellFacts, gate: GateProcess): boolean {
  const command = facts.commands[at]
  if (command === undefined) return false
  const words = command.args.map(({ value }) => value)
  if (command.processes?.ends === true)
    return (
      choosesGate(command, command.processes, gate) ||
      mayBecomeNumber(command, facts.commands, gate) ||
      getsGate(at, facts, gate)
    )
  if (hasShellTrait(command, 'managesServices'))
    return (
      words.some((word) => session.test(word)) ||
      (words.some((word) => ownUnit.test(word)) && words.some((word) => stops.test(word)))
    )
  if (hasShellTrait(command, 'filtersPackets'))
    return cutsOff(words.concat(command.stdin?.value.split(/\s+/) ?? []), gate)
  return namesProcess(command, gate)
}

/** The gate's unit, or one that holds all processes of a user or a session. */
const ownUnit = /hookgate|^(?:(?:user(?:-\d+)?|app|session|background)\.slice|user@\d+\.service|session-\w+\.scope)$/i
const stops =
  /^(?:stop|kill|restart|disable|mask|freeze|set-property|bootout|unload|remove|delete|down|try-restart|reload)$/
/** Ends all processes of a session, a user or a seat. */
const session = /^(?:kill|terminate)-(?:session|user|seat)$/

/** Returns true if the gate is among the processes that a command chooses, or may be. */
const choosesGate = (command: ShellCommand, { chosen }: ShellProcesses, gate: GateProcess): boolean =>
  chosen.some(({ by, word: { value } }): boolean => {
    switch (by) {
      case 'all':
      case 'owner':
        return true
      case 'found':
        return false
      case 'id':
        return value.split(',').some((one) => one === '-1' || Math.abs(Number(one)) === gate.pid)
      case 'name':
        return value.split(',').some((one) => isProcessName(one.slice(one.lastIndexOf('/') + 1)))
      case 'pattern':
        return fitsSome(value, processNames)
      case 'line':
        return fitsSome(value, commandLines(gate))
      case 'parent':
        // The system's first process is the gate's parent.
        return value === '1'
      case 'port':
        return namesPort([value], gate)
      case 'file':
      case 'mount': {
        const file = resolve(command.cwd ?? '/', value)
        return gate.readsState(command) || file === gate.node || (by === 'mount' && gate.holdsState(file))
      }
    }
  })

/** Returns true if nothing, or less, would reach the gate at its port: by the port, or by the loopback device. */
function cutsOff(words: readonly string[], gate: GateProcess): boolean {
  if (gate.port === undefined) return false
  const stopsSome = words.some((word) =>
    /^(?:drop|reject|deny|block|down|add|change|replace|netem|tarpit)$/i.test(word),
  )
  // `ip addr add 127.0.0.2/8 dev lo` takes nothing away.
  if (words.some((word) => /^addr(?:ess)?$/.test(word)))
    return words.some((word) => /^(?:del|delete|flush)$/.test(word))
  const isLocal = words.some((word) => /^(?:lo0?|localhost|127\..*|::1(?:\/\d+)?)$/.test(word))
  return (stopsSome && (isLocal || namesPort(words, gate))) || /\b(?:INPUT|OUTPUT) DROP\b/.test(words.join(' '))
}

/** Returns true if a text of Windows' programs has the gate's number, or a name that may be the gate's. */
const isOfImage = (text: string, { pid }: GateProcess) =>
  text.split(/[\s"'=:,]+/).some((part) => part === `${pid}` || (/^\w/.test(part) && isProcessName(part)))

/** True for code that ends the gate by its number or name, and for a write to a file by which the system controls it. */
function namesProcess(command: ShellCommand, gate: GateProcess): boolean {
  const { pid } = gate
  const { code, args, paths, stdin } = command
  const hasNumber = (text: string) => [...text.matchAll(/[0-9]+/g)].some(([number]) => Number(number) === pid)
  const text = code?.text ?? ''
  if (/kill|terminate|send_signal|suspend|stop-process|spps/i.test(text)) {
    const searches =
      searchesIn.test(text) && (ownSocket.test(text) || /\bnode\b/i.test(text) || namesPort([text], gate))
    const isNamed = code?.language === 'powershell' && isOfImage(text.replaceAll(/[|()]/g, ' '), gate)
    if (hasNumber(text) || searches || isNamed || endsMany(text, pid) || gate.readsState(command)) return true
  }
  return paths.some(({ access, absolute = '' }) => {
    if (access !== 'write') return false
    if (pid !== undefined && absolute.startsWith(`/proc/${pid}/`)) return true
    if (/^\/sys\/fs\/cgroup\/.*(?:cgroup\.(?:kill|freeze)|freezer\.state)$/.test(absolute)) return true
    const texts = [...args.map(({ value }) => value), stdin?.value ?? '']
    return /\/(?:cgroup\.procs|tasks)$/.test(absolute) && texts.some(hasNumber)
  })
}

/** Words by which inline code searches for processes. */
const searchesIn =
  /process_iter|psutil|ps-list|find-process|ProcTable|\/proc\b|net_connections|\b(?:pgrep|pidof|lsof|fuser|netstat|tasklist|ss|ps)\b|Get-(?:Process|NetTCPConnection)/i

/** True for code that ends every process, or those of a range of numbers that the gate's is in. */
const endsMany = (text: string, pid: number | undefined) =>
  /\bkill[^\n;]{0,20}[(,\s]-1\b/.test(text) ||
  (pid !== undefined &&
    [...text.matchAll(numberRange)].some(
      ({ index, 1: a, 2: b, 3: c = a, 4: d = b, 5: first = c, 6: last = d }) =>
        isBetween(pid, first, last) && mayEndCounted(text, index),
    ))

/** Returns false if a loop counts through the range in a variable that it neither assigns to another nor gives to `kill`. */
function mayEndCounted(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - loopHeadMax), at)
  const name = /\bfor(?:each)?\b[^;\n]{0,20}?(\w{1,40})\s{0,4}(?:\b(?:in|of)\s{1,4})?\(?$/.exec(before)?.[1]
  if (name === undefined) return true
  const ends = new RegExp(`\\b(?:kill|terminate|send_signal)[^;\\n]{0,80}\\b${name}\\b`, 'i')
  const hands = new RegExp(`(?<![=!<>])=(?!=)\\s{0,4}[\\w.$(]{0,20}?\\b${name}\\b`)
  return ends.test(text) || hands.test(text)
}
const loopHeadMax = 60
const numberRange =
  /range\w{0,20}\(\s*(?:(\d{1,9})\s*,\s*)?(\d{1,9})|(\d{1,9})\s*(?:\.{2,3}[=<]?|:|\.upto\()\s*(\d{1,9})|=\s*(\d{1,9})\s*;[^;\n]{0,40}?<=?\s*(\d{1,9})/g

/**
 * Returns true if a number that is partly unknown may be the gate's, as far as its known digits go. One without any may
 * be if it stands for more numbers than are listed, or for the later rounds of a loop whose first rounds name numbers.
 */
function mayBecomeNumber(command: ShellCommand, all: readonly ShellCommand[], { pid }: GateProcess): boolean {
  if (!hasShellTrait(command, 'endsProcesses')) return false
  return idsIn(command).some(({ value, unresolved, variable, from }) => {
    if (unresolved !== true) return false
    const digits = value.replaceAll(unknownPart, '')
    if (digits !== '') return new RegExp(`^${value.replaceAll(/\D+/g, '\\d*')}$`).test(`${pid}`)
    if (from !== undefined) return false
    if (variable === undefined) return value === unknownPart
    return all.some(
      (other) =>
        other.processes?.ends === true &&
        other.place.start === command.place.start &&
        idsIn(other).some((one) => isNumber(one)),
    )
  })
}

/** Returns the words by which a command chooses processes by their numbers. */
const idsIn = ({ processes }: ShellCommand): readonly ShellWord[] =>
  processes?.chosen.flatMap(({ by, word }) => (by === 'id' ? [word] : [])) ?? []
const isNumber = ({ value }: ShellWord) => /^\d{1,9}$/.test(value)

/** Returns true if a command gets its numbers from hookgate's state, or from a search for its name. */
function getsGate(at: number, { commands, flows }: ShellFacts, gate: GateProcess): boolean {
  const seen = new Set([at])
  for (const one of seen) {
    const { startedBy } = commands[one] ?? {}
    if (startedBy !== undefined) seen.add(startedBy)
    for (const { from, to } of flows) if (to === one) seen.add(from)
  }
  seen.delete(at)
  // A loop over the numbers in `/proc` finds the gate by what is read there.
  if (commands[at]?.processes?.chosen.every(({ by, word }) => by === 'id' && !isNumber(word)) === true)
    for (const [other, { paths, args }] of commands.entries())
      if (
        [...args.map(({ value }) => value), ...paths.map(({ written }) => written)].some((word) => ofProcess.test(word))
      )
        seen.add(other)
  return [...seen].some((one) => {
    const command = commands[one]
    if (command === undefined || command.wrapper === true) return false
    return isHookgate(command) || gate.readsState(command) || findsGate(command, gate)
  })
}

const ofProcess = /^\/proc\/|\/(?:cmdline|comm)$/

/** Node names its main thread in its own way on some systems. */
const processNames: readonly string[] = ['node', 'node-mainthread', 'mainthread', 'hookgate']

/** Returns the command lines of the gate, of the page, and of the processes that work for them. */
const commandLines = ({ programs, node, nodeOptions }: GateProcess) =>
  [...programs, '/node_modules/hookgate/dist/cli/bin.js'].flatMap((bin) => {
    const folder = bin.replace(/cli[\\/]bin\.\w+$/, '')
    return [
      `${node} ${nodeOptions.join(' ')} ${bin} serve`,
      `${node} ${bin} serve`,
      `${node} ${bin} up`,
      `${node} ${bin} ui`,
      `${node} ${folder}policy/sandbox/thread/sandbox-main.js`,
      `${node} ${folder}hooks/companion.js`,
    ].map(folded)
  })

/** Returns true if the gate's process has this name, or one that the wildcards in it match. */
function isProcessName(name: string): boolean {
  const meets = meeting(pathGlob('/', folded(name).replace(/\.exe$/, '')))
  return processNames.some((one) => meets(literal(`/${one}`)))
}

/** Returns true if the gate is among what a search of processes, or of their list, finds. */
function findsGate(command: ShellCommand, gate: GateProcess): boolean {
  const words = command.args.map(({ value }) => value)
  const listed = [...commandLines(gate), socket]
  if (namesPort(words, gate)) return true
  if (hasShellTrait(command, 'counts')) return countsTo(words, gate)
  const { processes } = command
  if (processes !== undefined)
    return choosesGate(command, processes, gate) || words.some((word) => ownSocket.test(word))
  if (hasShellTrait(command, 'greps')) return wordsBeside(command.args).some((word) => fitsSome(word, listed))
  return (
    hasShellTrait(command, 'scripted') &&
    words.some(
      (word) =>
        ownSocket.test(word) || [...word.matchAll(betweenSlashes)].some(([, one = '']) => fitsSome(one, listed)),
    )
  )
}
const socket = '/hookgate/gate.sock'
const ownSocket = /hookgate|gate\W{1,2}(?:sock|json|lock)/i
/** A pattern in the code of `awk` and the like. Shorter texts are left out: they are separators. */
const betweenSlashes = /\/((?:[^/\\\n]|\\.){3,200})\//g

/** Returns true if one of the words has the gate's port, or a range with it: `-i:8080`, `sport = :8080`, `8080/tcp`. */
const namesPort = (words: readonly string[], { port }: GateProcess): boolean =>
  port !== undefined &&
  words.some((word) =>
    [...word.matchAll(/(?<![\w.])(\d{1,5})(?:-(\d{1,5}))?(?!\w)/g)].some(([, from, to = from]) =>
      isBetween(port, from, to),
    ),
  )

/** Returns true if a row of numbers may have the gate's process among them: a count may stand beside its ends. */
function countsTo(words: readonly string[], { pid }: GateProcess): boolean {
  const numbers = words.filter((word) => /^\d{1,12}$/.test(word)).map(Number)
  const first = numbers.length > 1 ? Math.min(...numbers) : 1
  return (
    pid !== undefined &&
    isBetween(
      pid,
      first,
      numbers.reduce((sum, number) => sum + number, 0),
    )
  )
}

const isBetween = (number: number, from: string | number = 0, to: string | number = 0): boolean =>
  number >= Number(from) && number <= Number(to)

/** Returns true if a regular expression may match one of the texts. It is not run, since the model wrote it. */
const fitsSome = (expression: string, texts: readonly string[]) =>
  expression.length > limits.conditionSubjectCharactersMax ||
  expression.split('|').some((one) => texts.some((text) => meeting(looseGlob(one))(literal(text))))

/** Turns a regular expression into a glob: its plain letters, with any text in place of all else. */
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
