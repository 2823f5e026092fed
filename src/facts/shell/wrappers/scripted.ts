import { readOptions } from '../../../model/options.ts'
import type { Unwrap } from '../unwrap.ts'
import { emptyCommand } from './empty-command.ts'
import { assignmentsBefore, behind, joined, names } from './words.ts'

/** `watch`, whose operands make a script unless `-x` is given. */
const watch: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued: names('n interval q equexit s shotsdir'),
    flags: names(
      'beep color differences errexit chgexit exec no-title no-rerun no-wrap precise no-linewrap help version',
    ),
    abbreviations: true,
    operandsLast: true,
  })
  starts.wrapper()
  if (read.has('help', 'h', 'version', 'v') || read.operands.length === 0) return
  if (read.has('x', 'exec')) starts.words(read.operands)
  else starts.script(joined(read.operands))
}

/** `script [-c SCRIPT] [FILE]` of Linux, `script [FILE [COMMAND…]]` of the BSDs. */
const script: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued: names('c command E echo I log-in O log-out B log-io T log-timing m logging-format o output-limit t timing'),
    operandsLast: true,
  })
  const behindFile = readOptions(read.operands.slice(1), { valued: names('c command'), operandsLast: true })
  const text = read.value('c', 'command') ?? behindFile.value('c', 'command')
  // The BSDs' -q, -F and -t may stand with a file and a command behind them, where Linux knows a file alone.
  const words = read.operands.slice(1)
  if (text !== undefined) starts.script(text)
  else if (words.length > 0) starts.words(words)
  if (text !== undefined || words.length > 0 || read.has('help', 'version', 'V', 'h')) starts.wrapper()
}

/** `flock FILE COMMAND…`, `flock FILE -c SCRIPT`, `flock 9`. */
const flock: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, { valued: names('w wait timeout E conflict-exit-code c command'), operandsLast: true })
  const [, second, third] = read.operands
  starts.wrapper()
  const text =
    read.value('c', 'command') ?? (second?.value === '-c' || second?.value === '--command' ? third : undefined)
  if (text !== undefined) starts.script(text)
  else if (second !== undefined) starts.words(read.operands.slice(second.value === '--' ? 2 : 1))
}

/** Every operand is a script of its own. */
const hyperfine: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued:
      names(`w warmup m min-runs M max-runs r runs s setup reference p prepare C conclude c cleanup P parameter-scan D
      parameter-step-size L parameter-list S shell style u time-unit export-asciidoc export-csv export-json
      export-markdown export-orgmode output input n command-name reference-name`),
  })
  starts.wrapper()
  const around = names('s setup p prepare C conclude c cleanup reference').flatMap((name) => read.given.get(name) ?? [])
  for (const text of [...around, ...read.operands]) starts.script(text)
}

/** Lists of files on stdin, a command as operands, and `/_` for the file that changed. */
const entr: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, { operandsLast: true })
  if (read.operands.length === 0) return
  starts.wrapper()
  const [first] = read.operands
  if (read.has('s') && first !== undefined) starts.script(first)
  else starts.words(read.operands, { stdin: 'none' })
}

/** What stands on stdin is a script that is run some other time. */
const later: Unwrap = (command, starts) => {
  const read = readOptions(command.args, { valued: ['f', 'q', 't'] })
  if (read.has('l', 'r', 'd', 'c', 'V', 'f', 'b')) return
  if (command.stdin !== undefined) starts.script(command.stdin, { stdin: 'none' })
}

/** Each line of a crontab ends in a command; a line of five stars and dashes in front of it says when. */
const crontab: Unwrap = (command, starts) => {
  const read = readOptions(command.args, { valued: ['u'] })
  const [file] = read.operands
  for (const name of read.has('e') ? ['VISUAL', 'EDITOR'] : []) {
    const editor = starts.variable(name)
    if (editor !== undefined && editor.value !== '') starts.script(editor)
  }
  if (read.has('l', 'r', 'e', 'V', 'n') || (file !== undefined && file.value !== '-')) return
  for (const line of command.stdin?.value.split('\n') ?? []) {
    const text = /^[\s\uFDD0]*(?:@\w+|(?:[\d*/,\-A-Za-z]+\s+){4}[\d*/,\-A-Za-z]+)\s+(.+)$/.exec(line)?.[1]
    if (text !== undefined)
      starts.script(joined([{ ...command.stdin, value: text }]), { cwd: undefined, stdin: 'none' })
  }
}

/** `cross-env A=b COMMAND…`; the one that ends in `-shell` joins its words. */
const crossEnv =
  (shell: boolean): Unwrap =>
  ({ args }, starts) => {
    const { assignments, rest } = assignmentsBefore(args)
    if (rest.length === 0) return
    starts.wrapper()
    if (shell) starts.script(joined(rest), { assignments })
    else starts.words(rest, { assignments })
  }

/** Programs all of whose operands are scripts. */
const scripts =
  (row: string): Unwrap =>
  ({ args }, starts) => {
    const read = readOptions(args, { valued: names(row) })
    starts.wrapper()
    if (!read.has('help', 'h', 'version', 'V', 'v')) for (const text of read.operands) starts.script(text)
  }

/** Start a command again whenever a file changes. */
const onChange =
  (row: string, option: string): Unwrap =>
  ({ args }, starts) => {
    const read = readOptions(args, { valued: names(`${row} ${option}`), operandsLast: true })
    starts.wrapper()
    const text = read.value(...names(option))
    if (text !== undefined) starts.script(text)
    else if (read.operands.length > 0) starts.words(read.operands)
  }

/** `arch -x86_64 COMMAND…` of macOS; on Linux it has no operands. */
const arch: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, { valued: names('arch e d'), oneDash: true, operandsLast: true })
  if (read.operands.length === 0) return
  starts.wrapper()
  starts.words(read.operands)
}

const setarch: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, { valued: names('p pid'), operandsLast: true })
  if (read.has('help', 'h', 'version', 'V', 'list', 'p', 'pid')) return
  const [first, second] = read.operands
  const named =
    first !== undefined &&
    /^(?:x86_64|i[3-6]86|linux(?:32|64)|aarch64|armv\w+|ppc\w*|s390x?|mips\w*|sparc\w*|athlon|uname26)$/.test(
      first.value,
    )
  const words = named ? read.operands.slice(second?.value === '--' ? 2 : 1) : read.operands
  starts.wrapper()
  if (words[0]?.value.startsWith('-') === true) setarch({ ...emptyCommand, args: words }, starts)
  else if (words.length > 0) starts.words(words)
}

export const scripted: Readonly<Record<string, Unwrap>> = {
  watch,
  script,
  flock,
  hyperfine,
  entr,
  at: later,
  batch: later,
  crontab,
  arch,
  setarch,
  'cross-env': crossEnv(false),
  'cross-env-shell': crossEnv(true),
  concurrently: scripts(
    'n names c prefix-colors p prefix l prefix-length t timestamp-format m max-processes s success',
  ),
  'start-server-and-test': scripts('expect'),
  nodemon: onChange('w watch e ext i ignore d delay s signal config cwd', 'x exec'),
  watchexec: onChange('w watch e exts f filter i ignore d debounce s signal shell o on-busy-update E env workdir', ''),
  reflex: onChange('r regex g glob R inverse-regex G inverse-glob d decoration', ''),
  chokidar: onChange('d debounce t throttle i ignore', 'c command'),
  perf: ({ args }, starts) => {
    const [first, ...rest] = args
    if (!/^(?:stat|record|trace|mem|c2c|kvm)$/.test(first?.value ?? '')) return
    const read = readOptions(rest, {
      valued: names(
        'e event p pid t tid o output F freq C cpu r repeat c count m mmap-pages I interval-print D delay G',
      ),
      operandsLast: true,
    })
    const words = read.operands[0]?.value === '--' ? read.operands.slice(1) : read.operands
    if (words.length > 0) starts.words(words)
  },
  zellij: ({ args }, starts) => {
    const at = args.findIndex(({ value }) => value === 'run' || value === 'r')
    const rest = at === -1 ? [] : args.slice(at + 1)
    const dashes = rest.findIndex(({ value }) => value === '--')
    if (dashes !== -1 && dashes + 1 < rest.length) starts.words(rest.slice(dashes + 1))
  },
  gdb: argsBehind(['--args', '-args']),
  lldb: argsBehind(['--']),
  'start-stop-daemon': ({ args }, starts) => {
    const read = readOptions(args, {
      valued: names(
        'a startas x exec p pidfile n name u user c chuid g group k umask d chdir r chroot s signal R retry N nicelevel',
      ),
    })
    const program = read.value('a', 'startas', 'x', 'exec')
    if (!read.has('S', 'start') || program === undefined) return
    starts.wrapper()
    starts.words([program, ...read.operands])
  },
}

/** What a debugger is to run, behind a mark of its own. Its scripts start processes as well. */
function argsBehind(marks: readonly string[]): Unwrap {
  return ({ args }, starts) => {
    const at = args.findIndex(({ value }) => marks.includes(value))
    const own = at === -1 ? args : args.slice(0, at)
    const read = readOptions(own, {
      valued: names('ex eval-command iex init-eval-command o one-line O one-line-before-file x'),
      oneDash: true,
    })
    for (const text of names('ex eval-command iex init-eval-command o one-line O').flatMap(
      (name) => read.given.get(name) ?? [],
    )) {
      const shell = /^\s*(?:!|shell\s|platform\s+shell\s|pipe\s[^|]*\|)\s*/.exec(text.value)
      if (shell !== null) starts.script(behind(text, shell[0].length))
      const python = /^\s*(?:python(?:-interactive)?|pi|py|script)\s+/.exec(text.value)
      if (python !== null) starts.code('python', behind(text, python[0].length))
    }
    if (at !== -1 && args.length > at + 1) starts.words(args.slice(at + 1))
  }
}
