import { type CodeLanguage, type PathAccess, unknownPart } from '../../../model/shell.ts'
import type { CodeEnvironment, Findings } from './findings.ts'
import { folderOfVariable } from './powershell-written.ts'
import {
  combine,
  eachText,
  either,
  firstOf,
  firstText,
  hasKind,
  isTrue,
  itemsOf,
  joinedTexts,
  joinPath,
  list,
  mapTexts,
  nameValue,
  sliced,
  text,
  textsOf,
  unknown,
  unknownText,
  unknownVariable,
  type Value,
  variablesIn,
} from './values.ts'
import { boundPath } from '../../paths/place.ts'

/** Options that say where a server listens, among those of a call. */
const addressNames = /^(?:path|uds|unix|local|address|bind|sock|host|endpoint)$/i

interface Listening {
  readonly args: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  readonly findings: Findings
}

/** Listens at a path, whichever argument names it. Ports, hosts and callbacks are none. */
function binds({ args, named, findings }: Listening): Value {
  const entries = args.flatMap((value) =>
    value.flatMap((form) => (form.kind === 'map' ? Array.from(form.entries) : [])),
  )
  const options = [...named, ...entries].flatMap(([name, value]) => (addressNames.test(name) ? [value] : []))
  for (const form of [...args, ...options].flat()) {
    const path = form.kind === 'text' ? boundPath(form.text) : undefined
    if (path !== undefined) findings.path(text(path), 'write')
  }
  return unknown
}

/** A call with evaluated arguments. The receiver of a method is its first argument. */
export interface CodeCall {
  readonly args: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  readonly language: CodeLanguage
  readonly findings: Findings
  readonly environment: CodeEnvironment
  /** Makes another call instead of this one. */
  readonly apply: (callee: Value, args: readonly Value[]) => Value
}

/** Records what a call does, and returns its value. */
export type CodeEffect = (call: CodeCall) => Value

const argument = ({ args, named }: CodeCall, at: number, ...names: readonly string[]): Value =>
  args[at] ?? names.map((name) => named.get(name)).find((one) => one !== undefined) ?? unknown

/** Returns a named argument, or an entry of a map among the others: `recursive=True`, `{ recursive: true }`. */
const option = ({ args, named }: CodeCall, name: string): Value =>
  named.get(name) ?? args.flat().flatMap((form) => (form.kind === 'map' ? (form.entries.get(name) ?? []) : []))

const flat = (values: readonly Value[]): readonly Value[] =>
  values.flatMap((value) => (hasKind(value, 'list') ? itemsOf(value) : [value]))

/** Starts a program: a list or several arguments are its words; `alone` says what a single text is. */
const starts =
  (alone: 'script' | 'words'): CodeEffect =>
  (call) => {
    const { findings } = call
    const others = option(call, 'args')
    const given = call.args.filter((value) => !hasKind(value, 'map', 'number'))
    const words = others.length > 0 ? [...given, others] : given
    const [first = unknown] = words
    const isAlone = words.length === 1 && !hasKind(first, 'list')
    if (isTrue(option(call, 'shell'))) findings.script(joinedTexts(' ', list(flat(words))))
    else if (isAlone && alone === 'script') findings.script(first)
    else if (isAlone && hasKind(first, 'text')) findings.words(firstText(first).split(/\s+/).map(text))
    else findings.words(words)
    return unknownText
  }

/** `os.execv(path, [name, …])`, `os.execl(path, name, …)`, `os.spawnv(mode, path, …)`, where `name` is `argv[0]`. */
const executes: CodeEffect = ({ args, findings }) => {
  const [program = unknown, ...words] = args.filter((value) => !hasKind(value, 'number'))
  findings.words([program, ...flat(words).slice(1)])
  return unknown
}

const pathNames = ['path', 'src', 'file', 'filename', 'name']

/** Touches the first argument that is neither number nor map, and all texts and lists after it. */
const touchAll =
  (access: PathAccess, how: { recursive?: boolean; metadata?: boolean } = {}): CodeEffect =>
  (call) => {
    const recursive = how.recursive === true || isTrue(option(call, 'recursive'))
    const [first, ...others] = call.args.filter((value) => !hasKind(value, 'number', 'map'))
    const files = [first ?? argument(call, -1, ...pathNames), ...others.filter(hasTexts)]
    for (const value of files) call.findings.path(fromHome(value, call), access, { ...how, recursive })
    return unknown
  }
/** R's functions for files take `~` for the home directory; those of other languages do not. */
const fromHome = (value: Value, call: CodeCall): Value => (call.language === 'r' ? expandHome(value, call) : value)
const expandHome = (value: Value, { environment }: Pick<CodeCall, 'environment'>): Value =>
  value.flatMap((form) =>
    form.kind === 'list'
      ? list(form.items.map((item) => expandHome(item, { environment })))
      : mapTexts([form], (one) => one.replace(/^~(?=\/|$)/, () => environment.home ?? unknownPart)),
  )
const hasTexts = (value: Value): boolean => hasKind(value, 'text', 'list', 'leftOut')

const touch =
  (access: PathAccess, at = 0): CodeEffect =>
  (call) => {
    call.findings.path(fromHome(argument(call, at, ...(at === 0 ? pathNames : ['file'])), call), access)
    return access === 'read' ? unknownText : unknown
  }

/** Touches the first path, writes the second, and returns the second. */
const towards =
  (access: PathAccess, how: { metadata?: boolean; recursive?: boolean } = {}): CodeEffect =>
  (call) => {
    call.findings.path(argument(call, 0, ...pathNames), access, how)
    const target = argument(call, 1, 'dst', 'target')
    call.findings.path(target, 'write', { recursive: how.recursive === true })
    return target
  }

/** Opens a file in the second argument's mode. Perl and ruby start a program for `| x`; php and ruby fetch URLs. */
const opens: CodeEffect = (call) => {
  const { findings } = call
  const mode = argument(call, 1, 'mode', 'open')
  const modes = mode.length === 0 ? ['r'] : textsOf(mode)
  const target = argument(call, 0, ...pathNames)
  for (const form of target.length === 0 ? unknownText : target) {
    const written = form.kind === 'text' ? form.text : ''
    if (written.startsWith('|')) findings.script(text(written.slice(1).trim()))
    else if (/^(?:https?|ftp):/.test(written)) {
      findings.network([form])
      noteSent(call, target)
    } else {
      if (modes.some((one) => /[wax+>]/i.test(one))) findings.path([form], 'write')
      if (modes.some((one) => !/[wax>]/i.test(one) || one.includes('+'))) findings.path([form], 'read')
    }
  }
  return unknown
}

/** `open(FH, '>', path)`, `open(FH, '>path')`, `open(FH, '-|', 'command')`, `open(FH, 'command |')`. */
const perlOpens: CodeEffect = ({ args: [, mode = unknown, target, ...more], findings }) => {
  for (const one of textsOf(mode)) {
    const whole = one.trim()
    const sign = /^(?:\+?[<>]{1,2}|\|)/.exec(whole)?.[0] ?? ''
    const rest = whole.slice(sign.length)
    const name = rest.replace(/-?\|$/, '').trim()
    if (sign === '|' || rest.endsWith('|')) {
      if (target !== undefined && more.length > 0) findings.words([target, ...more])
      else findings.script(target ?? text(name))
    } else findings.path(target ?? text(name), /[>+]/.test(sign) ? 'write' : 'read')
  }
  return unknown
}

/** `os.open(path, os.O_WRONLY | os.O_CREAT)`, and perl's `sysopen`, which has a handle before the path. */
const opensByFlags =
  (at: number): CodeEffect =>
  ({ args, findings }) => {
    const flags = args[at + 1] ?? unknown
    const reads = flags.every((form) => form.kind === 'name' && form.name.endsWith('O_RDONLY'))
    findings.path(args[at] ?? unknown, reads ? 'read' : 'write')
    return unknown
  }

/** `[IO.FileStream]::new(path, mode, access)`: only a file that is opened to be read is. */
const opensStream: CodeEffect = ({ args: [path = unknown, mode = unknown, access = unknown], findings }) => {
  findings.path(path, isOnly(mode, 'open') && isOnly(access, 'read') ? 'read' : 'write')
  return unknown
}

/** Tells whether a value is this word, or the member of this name: `'Open'`, `[IO.FileMode]::Open`. */
const isOnly = (value: Value, word: string) =>
  value.length > 0 &&
  value.every((form) => {
    const written = form.kind === 'name' ? form.name : form.kind === 'text' ? form.text : ''
    return written.slice(written.lastIndexOf('.') + 1).toLowerCase() === word
  })

/** Arguments of a request, and entries of its headers, by which it logs in. */
const loginNames = /^(?:headers?|auth|authorization|cookies?|cert|credentials|username|user|password)$/i

/** Records the variables of the environment in what a request sends: those of its address, and of all that goes along. */
function noteSent({ args, named, findings }: CodeCall, url: Value): void {
  const [address = ''] = textsOf(url)
  const host = /^\w+:\/\/(?:[^/@]*@)?([\w.-]+)(?=[/:?#]|$)/.exec(address)?.[1]?.toLowerCase()
  for (const [key, value] of [...args.map((one) => ['', one] as const), ...named])
    eachText(value, (one, keys) => {
      const as = [key, ...keys].some((name) => loginNames.test(name)) ? 'login' : 'data'
      // An address that begins with a variable is that of a server.
      const sent = value === url ? one.replace(beginning, '') : one
      for (const variable of variablesIn(sent)) findings.sends({ variable, as, ...(host !== undefined && { host }) })
    })
}
const beginning = new RegExp(`^(?:\\w+://)?${unknownVariable('[^/]*')}(?=$|[/?#:])`)

const evaluates =
  (at: number): CodeEffect =>
  ({ args, findings, language }) => {
    const value = args.at(at) ?? unknown
    // A block of code is scanned in place, with the code around it.
    if (args.length > 0 && !hasKind(value, 'list', 'map')) findings.code(language, value)
    return unknown
  }

const decodes =
  (encoding?: 'base64' | 'hex'): CodeEffect =>
  ({ args, findings }) => {
    findings.does('decodes')
    if (encoding === undefined) return unknownText
    return mapTexts(args[0], (one) => {
      if (one.includes(unknownPart)) return unknownPart
      const plain = Buffer.from(one.replaceAll('-', '+').replaceAll('_', '/'), encoding).toString('utf8')
      return plain === '' && one !== '' ? unknownPart : plain
    })
  }

/** Decodes by the encoding at index `at`: `Buffer.from(x, 'base64')`, `x.unpack1('m')`, perl's `pack('H*', x)`. */
const decodesBy =
  (at: number): CodeEffect =>
  (call) => {
    const encoding = firstText(call.args[at])
    const others = { ...call, args: call.args.filter((_, place) => place !== at) }
    if (/^(?:base64|m)/.test(encoding)) return decodes('base64')(others)
    return /^(?:hex|H)/.test(encoding) ? decodes('hex')(others) : (others.args[0] ?? unknown)
  }

export const variableOf = (name: Value | undefined, { home, variable }: CodeEnvironment): Value =>
  mapTexts(
    name,
    (one) =>
      (one === 'HOME' ? home : (variable?.(one) ?? folderOfVariable(one, home ?? unknownPart))) ??
      (one.includes(unknownPart) ? unknownPart : unknownVariable(one)),
  )

/** Substitutes arguments for `%s` and `{}`, in order. */
export function formatted(pattern: Value, args: readonly Value[]): Value {
  return mapTexts(pattern, (one) => {
    let next = 0
    return one.replaceAll(/%[-\d.]*[sdir]|\{\}/g, () => firstOf(args[next++]))
  })
}

/** Replaces the parts of a path that have wildcards, since the names they match are unknown. */
const withoutPatterns = (value: Value): Value =>
  mapTexts(value, (one) => one.replaceAll(/(?<![^/])[^/]*[*?[{][^/]*/g, unknownPart))

const joinsPaths: CodeEffect = ({ args }) =>
  flat(args).reduce((left, right) => combine(left, right, joinPath), args.length === 0 ? unknownText : text(''))

/** The effects that calls can have, by the names that the languages' rows use. */
export const effects = {
  deletes: touchAll('delete'),
  deletesTree: touchAll('delete', { recursive: true }),
  moves: towards('delete'),
  copies: towards('read'),
  /** Moves or unpacks all that a folder or an archive holds. */
  movesTree: towards('delete', { recursive: true }),
  copiesTree: towards('read', { recursive: true }),
  links: towards('write', { metadata: true }),
  writes: touch('write'),
  writesSecond: touch('write', 1),
  writesAll: touchAll('write'),
  reads: touch('read'),
  /** Changes modes, owners or times. */
  marks: touchAll('write', { metadata: true }),
  binds,
  opens,
  perlOpens,
  opensByFlags: opensByFlags(0),
  sysopens: opensByFlags(1),
  opensStream,
  /** `path.replace(target)` moves a file; `text.replace(a, b)` makes another text. */
  movesOrReplaces: (call) => (call.args.length === 2 ? towards('delete')(call) : unknownText),

  /** The first argument is a shell script, whatever arguments follow. */
  scripts: (call) => {
    const script = argument(call, 0, 'command', 'cmd', 'args')
    if (hasKind(script, 'list')) call.findings.words([script])
    else call.findings.script(script)
    return unknownText
  },
  starts: starts('script'),
  startsProgram: starts('words'),
  /** The second argument is the rest of the command line. */
  startsLine: ({ args, findings }) => {
    findings.script(joinedTexts(' ', list(flat(args))))
    return unknownText
  },
  /** A program that is described, and started later: what describes it stands for the program. */
  describesLine: ({ args, findings }) => {
    if (args.length > 0) findings.script(joinedTexts(' ', list(flat(args))))
    return args[0] ?? unknown
  },
  executes,
  /** `os.spawnlp(mode, program, name, …)`. */
  spawns: (call) => executes({ ...call, args: call.args.slice(1) }),
  /** `spawn({ file: '/bin/sh', args: ['sh', '-c', 'ls'] })`, where the first argument is `argv[0]`. */
  startsDescribed: (call) => executes({ ...call, args: [option(call, 'file'), ...itemsOf(option(call, 'args'))] }),
  startsBehindHandles: (call) => starts('script')({ ...call, args: call.args.slice(2) }),
  evaluates: evaluates(0),
  evaluatesLast: evaluates(-1),

  connects: (call) => {
    const url = call.args.find((value) => firstText(value).includes('://')) ?? argument(call, 0, 'url')
    call.findings.network(hasKind(url, 'list') ? itemsOf(url)[0] : url)
    noteSent(call, url)
    return unknownText
  },
  /** Sends by a connection that stands there already, or to an address. */
  sends: (call) => {
    const url = call.args.find((value) => firstText(value).includes('://'))
    if (url !== undefined) call.findings.network(url)
    noteSent(call, url ?? unknown)
    return unknown
  },
  downloads: (call) => {
    touch('write', 1)(call)
    call.findings.network(argument(call, 0, 'url'))
    return unknownText
  },
  /** `client.uploadFile(url, file)`. */
  uploads: (call) => {
    call.findings.path(argument(call, 1), 'read')
    call.findings.network(argument(call, 0, 'url'))
    return unknownText
  },
  decodes: decodes(),
  decodesBase64: decodes('base64'),
  decodesBySecond: decodesBy(1),
  decodesByFirst: decodesBy(0),

  returnsFirst: ({ args }) => args[0] ?? unknown,
  /** `parse(text = 'x')`. */
  returnsText: ({ named }) => named.get('text') ?? unknownText,
  lists: ({ args }) => list(args),
  joinsTexts: ({ args }) => joinedTexts('', list(args)),
  /** `' '.join(list)`, `join(' ', list)`. */
  joinsBy: ({ args: [between, ...parts] }) =>
    joinedTexts(firstText(between), parts.length === 1 && parts[0] !== undefined ? parts[0] : list(parts)),
  /** `list.join(' ')`. */
  joinsListBy: ({ args: [parts = unknown, between = text('')] }) => joinedTexts(firstText(between), parts),
  /** `'{} {1} {name}'.format(a, b, name=c)`. */
  formats: ({ args: [pattern = unknown, ...given], named }) => {
    let next = 0
    const part = (name: string): Value | undefined => named.get(name) ?? given[name === '' ? next++ : Number(name)]
    return mapTexts(pattern, (one) =>
      one.replaceAll(/\{(\w*)(?:[^\w{}][^{}]*)?\}/g, (_, name: string) => firstOf(part(name))),
    )
  },
  joinsPaths,
  withName: ({ args: [path = unknown, name = unknown] }) =>
    combine(path, name, (one, other) => one.replace(/[^/]*$/, () => other)),
  /** Returns the names in a folder, which are unknown. */
  listsNames: () => list([unknownText]),
  listsFolder: ({ args: [folder = text('.')] }) => list([combine(folder, unknownText, joinPath)]),
  /** `for folder, folders, files in os.walk(top)`. */
  walksFolder: ({ args: [top = text('.')] }) => {
    const names = list([unknownText])
    return list([list([either(top, combine(top, unknownText, joinPath)), names, names])])
  },
  // Perl and R expand `~` in patterns, and a folder that is called so is rare.
  matchesFiles: (call) => list([withoutPatterns(expandHome(joinsPaths(call), call))]),
  home: ({ environment }) => text(environment.home ?? unknownPart),
  expandsHome: (call) => expandHome(call.args[0] ?? unknown, call),
  here: () => text('.'),
  variable: ({ args: [name], environment }) => variableOf(name, environment),
  module: ({ args }) => nameValue(firstText(args[0])),
  member: ({ args: [object = unknown, name] }) =>
    object.flatMap((form) => (form.kind === 'name' ? nameValue(`${form.name}.${firstText(name)}`) : [])),
  /** `send(:system, 'ls')`, `call_user_func('system', 'ls')`. */
  applies: ({ args: [callee = unknown, ...args], apply }) => apply(callee, flat(args)),
  /** `Reflect.apply(exec, undefined, ['ls'])`. */
  appliesTo: ({ args: [callee = unknown, , ...args], apply }) => apply(callee, flat(args)),
  /** A pickle that is written out has calls in it; one that is read from a file is data. */
  unpickles: ({ args: [pickle = unknown], findings }) => {
    if (textsOf(pickle).some((one) => !one.includes(unknownPart))) findings.script(unknownText)
    return unknown
  },
  slices: ({ args: [from = unknown, start = unknown] }) => sliced(from, start),
} satisfies Readonly<Record<string, CodeEffect>>

const starters: ReadonlySet<CodeEffect> = new Set<CodeEffect>([
  effects.scripts,
  effects.starts,
  effects.startsProgram,
  effects.startsLine,
  effects.startsDescribed,
  effects.startsBehindHandles,
  effects.executes,
  effects.spawns,
])

/** Tells whether an effect starts a process. */
export const isStarter = (effect: CodeEffect | undefined): boolean => effect !== undefined && starters.has(effect)

type EffectName = keyof typeof effects

/** The names of calls by their effect, separated by white space: `{ deletes: 'os.remove os.unlink' }`. */
export type EffectRows = Readonly<Partial<Record<EffectName, string>>>

export function effectsByName(rows: EffectRows): ReadonlyMap<string, CodeEffect> {
  const callsOf = new Map(Object.entries(rows))
  const named = Object.entries(effects).flatMap(([name, effect]) =>
    (callsOf.get(name)?.split(/\s+/) ?? []).map((call): [string, CodeEffect] => [call, effect]),
  )
  return new Map(named)
}

/** Makes a call for a language of commands and operands, such as PowerShell. */
export const commandCall = (
  operands: readonly string[],
  recursive: boolean,
  around: Pick<CodeCall, 'language' | 'findings' | 'environment'>,
): CodeCall => ({
  ...around,
  args: operands.map(text),
  named: new Map(recursive ? [['recursive', [{ kind: 'number', number: 1 }]]] : []),
  apply: () => unknown,
})
