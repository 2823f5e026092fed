import { readOptions } from '../../../model/options.ts'
import type { CodeLanguage, ShellWord } from '../../../model/shell.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { behind, joined, known, names } from './words.ts'

/** How an interpreter takes code. Letters in one word may be joined, the last one having the value: `-we CODE`. */
interface Interpreter {
  readonly language: CodeLanguage
  /** Options whose value is code. */
  readonly code: string
  /** Options whose value is something else. */
  readonly valued?: string
  /** Letters whose value can only be joined to them, or none: `-i.bak`, `-0777`. They end a cluster but for digits. */
  readonly joined?: string
  /** Options under which nothing is run. */
  readonly idle?: string
  /** Subcommands that take code as an operand, as `deno eval`. */
  readonly evaluate?: string
  /** Whether the code ends the options: what stands behind is the code's. */
  readonly codeLast?: boolean
}

interface CodeRead {
  readonly code: readonly ShellWord[]
  readonly idle: boolean
  readonly operands: readonly ShellWord[]
  readonly module?: ShellWord
}

function readCode(args: readonly ShellWord[], it: Interpreter): CodeRead {
  const code: ShellWord[] = []
  const codes = new Set(names(it.code))
  const valued = new Set(names(it.valued ?? ''))
  const idle = new Set(names(`help version ${it.idle ?? ''}`))
  let [at, stops] = [0, false]
  const give = (name: string, value: ShellWord | undefined): void => {
    if (codes.has(name)) code.push(value ?? known(''))
  }
  for (; at < args.length; at++) {
    const word = args[at] ?? known('')
    const text = word.value
    if (!text.startsWith('-') || text === '-') break
    if (text === '--') {
      at++
      break
    }
    if (text.startsWith('--')) {
      const equals = text.indexOf('=')
      const name = text.slice(2, equals === -1 ? undefined : equals)
      if (idle.has(name)) stops = true
      if (equals !== -1) give(name, behind(word, equals + 1))
      else if (codes.has(name) || valued.has(name)) give(name, args[++at])
      if (codes.has(name) && it.codeLast === true) return { code, idle: stops, operands: args.slice(at + 1) }
      continue
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = text.charAt(letter)
      const rest = letter + 1 < text.length ? behind(word, letter + 1) : undefined
      if (name === 'm' && it.language === 'python') {
        return { code, idle: stops, module: rest ?? args[++at] ?? known(''), operands: args.slice(at + 1) }
      }
      if (codes.has(name)) {
        // node's -pe is -p -e: both take the one piece of code.
        const more = rest !== undefined && codes.has(rest.value) && it.language === 'javascript'
        give(name, rest === undefined || more ? args[++at] : rest)
        if (it.codeLast === true) return { code, idle: stops, operands: args.slice(at + 1) }
        break
      }
      if (valued.has(name)) {
        if (rest === undefined) at++
        break
      }
      if (it.joined?.includes(name) === true) {
        const digits = /^(?:0x[\da-f]+|\d+)/i.exec(text.slice(letter + 1))?.[0].length ?? 0
        if (name === '0' || name === 'l' || name === 'C' || name === 'W' || name === 'T') letter += digits
        else break
      } else if (idle.has(name)) stops = true
    }
  }
  return { code, idle: stops, operands: args.slice(at) }
}

function interpreter(it: Interpreter): Unwrap {
  return (command, starts) => {
    const [sub] = command.args
    const evaluates = it.evaluate !== undefined && sub !== undefined && names(it.evaluate).includes(sub.value)
    const read = readCode(evaluates ? command.args.slice(1) : command.args, it)
    if (read.idle) {
      starts.wrapper()
      return
    }
    if (read.module !== undefined) {
      runModule(read.module, read.operands, starts)
      return
    }
    const [first, ...others] = read.operands
    if (read.code.length > 0) starts.code(it.language, joined(read.code, '\n'), { parameters: read.operands })
    else if (evaluates && first !== undefined) starts.code(it.language, first, { parameters: others })
    else {
      const isStdin = first === undefined || first.value === '-'
      const content = isStdin ? command.stdin : starts.content(first)
      const where = { parameters: others, ...(isStdin && { stdin: 'none' as const }) }
      if (content !== undefined) starts.code(it.language, content, where)
    }
  }
}

/** Modules that are programs of their own, and one that takes code. */
const programs: Readonly<Record<string, string>> = {
  pip: 'pip',
  'pip.__main__': 'pip',
  pipx: 'pipx',
  uv: 'uv',
  poetry: 'poetry',
  pipenv: 'pipenv',
  twine: 'twine',
  pytest: 'pytest',
  pre_commit: 'pre-commit',
  awscli: 'aws',
  ansible: 'ansible',
  virtualenv: 'virtualenv',
  conda: 'conda',
  ruff: 'ruff',
  black: 'black',
  mypy: 'mypy',
}

function runModule(module: ShellWord, operands: readonly ShellWord[], starts: Starts): void {
  const program = programs[module.value]
  if (program !== undefined) starts.words([known(program), ...operands])
  if (module.value === 'timeit') {
    const read = readOptions(operands, { valued: names('n number r repeat s setup u unit') })
    for (const text of [...(read.given.get('s') ?? []), ...(read.given.get('setup') ?? []), ...read.operands]) {
      starts.code('python', text)
    }
  }
}

const python = interpreter({
  language: 'python',
  code: 'c',
  valued: 'W X Q check-hash-based-pycs',
  idle: 'h V',
  codeLast: true,
})
const node = interpreter({
  language: 'javascript',
  code: 'e eval p print',
  valued: `r require import loader experimental-loader input-type C conditions env-file stack-trace-limit title
    max-old-space-size inspect-port icu-data-dir openssl-config redirect-warnings disable-warning es-module-specifier-resolution`,
  idle: 'h v c check',
})
const perl = interpreter({ language: 'perl', code: 'e E', valued: 'I M m F', joined: 'i0lCDxdV', idle: 'h v V c' })
const ruby = interpreter({
  language: 'ruby',
  code: 'e',
  valued: 'r I C E F encoding external-encoding internal-encoding require',
  joined: 'i0KWTx',
  idle: 'h',
})
const php = interpreter({
  language: 'php',
  code: 'r B R E run process-begin process-code process-end',
  valued: 'd c f F S t z define file process-file server docroot zend-extension',
  idle: 'h v i m l',
})
const lua = interpreter({ language: 'lua', code: 'e', valued: 'l j b', idle: 'v' })
const rscript = interpreter({ language: 'r', code: 'e eval', valued: 'f file g gui d debugger' })
const julia = interpreter({
  language: 'julia',
  code: 'e eval E print',
  valued: 'L load H home C cpu-target J sysimage p procs t threads machine-file project m module',
  idle: 'h v',
})
const osascript: Unwrap = (command, starts) => {
  const read = readOptions(command.args, { valued: names('e l s'), operandsLast: true })
  const code = read.given.get('e')
  const language = read.value('l')?.value.toLowerCase() === 'javascript' ? 'javascript' : undefined
  const text = code === undefined ? command.stdin : joined(code, '\n')
  if (text === undefined || (code === undefined && read.operands.some(({ value }) => value !== '-'))) return
  if (language !== undefined) starts.code(language, text)
  for (const script of text.value.matchAll(
    /\bdo\s+shell\s+script\s+"((?:[^"\\]|\\.)*)"|\bdoShellScript\(\s*["']((?:[^"'\\]|\\.)*)["']/g,
  )) {
    starts.script({ ...text, value: (script[1] ?? script[2] ?? '').replaceAll(/\\(.)/gs, '$1') })
  }
}

/** The program is the first operand, unless it comes from a file. */
const awk: Unwrap = ({ args }, starts) => {
  const read = readOptions(args, {
    valued: names('F f v e i l E L D field-separator file assign source include load exec lint'),
    operandsLast: true,
  })
  if (read.has('help', 'version', 'V', 'h')) {
    starts.wrapper()
    return
  }
  const sources = [...(read.given.get('e') ?? []), ...(read.given.get('source') ?? [])]
  const program =
    sources.length > 0 ? joined(sources, '\n') : read.has('f', 'file', 'E', 'exec') ? undefined : read.operands[0]
  if (program !== undefined) starts.code('awk', program)
}

const table: Readonly<Record<string, Unwrap>> = {
  python,
  py: python,
  pypy: python,
  ipython: python,
  pythonw: python,
  bpython: python,
  micropython: python,
  node,
  nodejs: node,
  tsx: node,
  'ts-node': node,
  bun: interpreter({ language: 'javascript', code: 'e eval p print', valued: 'r preload c config cwd', idle: 'h v' }),
  deno: interpreter({
    language: 'javascript',
    code: 'none',
    valued: 'c config import-map ext L log-level',
    evaluate: 'eval',
    idle: 'h V',
  }),
  qjs: interpreter({ language: 'javascript', code: 'e eval', valued: 'I include', idle: 'h q' }),
  perl,
  ruby,
  jruby: ruby,
  php,
  lua,
  luajit: lua,
  texlua: lua,
  rscript,
  r: rscript,
  littler: rscript,
  julia,
  osascript,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  goawk: awk,
  'original-awk': awk,
}

/** Those whose names may end in a version: `python3.12`, `perl5.38.2`, `lua5.4`. */
export function interpreterFor(program: string): Unwrap | undefined {
  const [, name] = /^([a-z-]+?)-?[\d.]*$/.exec(program) ?? []
  return table[program] ?? (name === undefined ? undefined : table[name])
}
