import {
  codePrintsEnvironment,
  codeShows,
  type Impact,
  type PolicyTool,
  type ShellCommand,
  type ShellFacts,
  type TouchedPath,
  lineOf,
} from 'hookgate/policy'
import { hidesValues, showsPlainLines } from './line-filters.ts'
import { type Secret, secretAt } from './secret.ts'
import { passesOn, secretsShown, showsAnyVariable } from './shown.ts'
import { isNear } from './belonging.ts'
import { isProvider, logsInAt } from './sent-variable.ts'

/** A secret whose content a tool call comes by. */
export interface SecretRead {
  readonly secret: Secret
  /** Index of the command, of a shell tool. */
  readonly command?: number
  /** Not its content yet, but another name for it. */
  readonly alias?: true
}

interface Sees {
  readonly tool: PolicyTool
  readonly shell: ShellFacts
  readonly paths: readonly TouchedPath[]
  readonly impacts: readonly Impact[]
}

/** Returns every secret that a tool call reads, directly or through an alias. */
export function secretReads({ tool, shell, paths, impacts }: Sees, allowed: readonly string[]): readonly SecretRead[] {
  if (tool.kind === 'shell') {
    return shell.commands.flatMap((command, at) => [
      ...readsOf(shell, impacts, command, at, allowed),
      ...foundToRead(shell, at, allowed),
    ])
  }
  // A tool of unknown behaviour may read every path that it is given.
  const mayRead = tool.kind === 'mcp' || tool.kind === 'other'
  const found = paths.filter(({ access }) => mayRead || access === 'read')
  const reads = [...found, ...sought(tool)].flatMap((path) =>
    asRead(secretAt(path.access === 'write' ? { ...path, recursive: true } : path, allowed)),
  )
  return tool.kind === 'list' || (tool.kind === 'search' && showsLittle(tool.input))
    ? reads.filter(({ secret }) => !isCountable(secret))
    : reads
}

/** True if a tool's search answers with names of files and numbers alone, or with variables that hold no secret. */
function showsLittle({ output_mode, pattern, ...input }: PolicyTool['input']): boolean {
  if (output_mode === 'files_with_matches' || output_mode === 'count') return true
  return typeof pattern === 'string' && showsPlainLines(pattern) && !Object.keys(input).some((key) => around.test(key))
}
/** Keys by which a search shows other lines as well. */
const around = /^-+[ABC]$|context|before|after|multiline|invert/i

const asRead = (secret: Secret | undefined, more: Omit<SecretRead, 'secret'> = {}): readonly SecretRead[] =>
  secret === undefined ? [] : [{ secret, ...more }]

function readsOf(
  shell: ShellFacts,
  impacts: readonly Impact[],
  command: ShellCommand,
  at: number,
  allowed: readonly string[],
): readonly SecretRead[] {
  // Who reads by the other name reads the file.
  if (command.output === 'names') {
    const from = command.paths.filter(({ access }) => access !== 'write')
    const named = from.length > 0 ? from : command.args.slice(0, 1).map(({ value }) => asPath(value))
    return named.flatMap((path) => asRead(secretAt(path, allowed), { command: at, alias: true }))
  }
  const isIdentity = identitiesOf(command)
  const read = command.paths.filter(
    (path) => (path.access === 'read' || path.access === 'execute') && path.metadata !== true && !isIdentity(path),
  )
  const shown = command.output === 'public' ? [] : read
  // A search of whole folders reads the files that it is narrowed to.
  const searched = isSearch(command) ? (command.search?.names ?? []).map(asPattern) : []
  const found = [...shown, ...searched].flatMap((path) =>
    sources(shell, impacts, command, path) || joins(command, path)
      ? []
      : asRead(unsureIfRun(secretAt(path, allowed), path.access), { command: at }),
  )
  if (copiesVariables(command)) {
    const copied = ({ secret }: SecretRead) => secret.kind === 'environment'
    return found.map((one) => (copied(one) ? { ...one, alias: true } : one))
  }
  const isCounted = found.some(({ secret }) => isCountable(secret)) && command.output === 'counts'
  if (isCounted) return found.filter(({ secret }) => !isCountable(secret))
  const isVariables = ({ secret }: SecretRead) => secret.kind === 'environment' || secret.kind === 'likely'
  if (!found.some(isVariables)) return found
  if (isHandedOver(shell, impacts, at)) return found.filter((one) => !isVariables(one))
  const isKept = hidesValues(shell, at, command) || loadsFile(command)
  return isKept ? found.filter(({ secret }) => secret.kind !== 'environment') : found
}

/** Files of which a count, or whether a name is in them, gives nothing away. */
const isCountable = ({ kind, sure }: Secret) => kind === 'environment' || kind === 'likely' || !sure

/** True if a project's keys are joined in another file of it that is kept as secret as they are. */
const joins = ({ output, paths, redirections }: ShellCommand, { root }: TouchedPath): boolean =>
  output === 'lines' &&
  root !== undefined &&
  redirections.some(({ operator, descriptor, target }) => {
    if (!/^>[>|]?$/.test(operator) || descriptor !== 1) return false
    const kept = paths.find(({ access, written }) => access === 'write' && written === target?.value)
    return kept?.root !== undefined && secretAt(kept)?.kind === 'key'
  })

/** True if all that a command copies to is a file of variables of a project, which is kept as secret as what it copies. */
function copiesVariables({ output, paths }: ShellCommand): boolean {
  const written = paths.filter(({ access }) => access === 'write')
  return (
    output === 'files' &&
    written.length > 0 &&
    written.every(
      (path) =>
        path.inRoot !== undefined &&
        !served.test(path.inRoot) &&
        path.pattern === undefined &&
        secretAt(path)?.kind === 'environment',
    )
  )
}
/** Folders whose files everybody may fetch, or that are sent as a whole. */
const served = /(?:^|\/)(?:public|static|assets|dist|build|www|htdocs|public_html)\//i

/** True if a shell takes a file of variables as its own, and nothing in the call shows them. */
const sources = (
  { commands }: ShellFacts,
  impacts: readonly Impact[],
  { output }: ShellCommand,
  path: TouchedPath,
): boolean =>
  path.access === 'execute' &&
  output === 'kept' &&
  secretAt(path)?.kind === 'environment' &&
  !secretsShown(impacts).some(({ area, names }) => area === 'environment' && names.length === 0) &&
  !commands.some((one) => one.output === 'traces')

/** To run a file of variables is what it is for. */
const unsureIfRun = (secret: Secret | undefined, access: TouchedPath['access']): Secret | undefined =>
  secret !== undefined && access === 'execute' ? { ...secret, sure: false } : secret

const asPath = (written: string): TouchedPath => ({ written, access: 'read' })
const asPattern = (written: string): TouchedPath => ({ ...asPath(written), pattern: written })

const isSearch = ({ output }: ShellCommand): boolean => output === 'matches' || output === 'counts'

/** The secrets among the files that a command finds to have them read by another. */
function foundToRead({ commands, flows }: ShellFacts, at: number, allowed: readonly string[]): readonly SecretRead[] {
  const command = commands[at]
  if (command?.search === undefined || isSearch(command)) return []
  const givers = new Set([at, ...flows.flatMap(({ from, to }) => (from === at ? [to] : []))])
  const readers = commands.filter(({ paths }) =>
    paths.some(
      ({ access, metadata, from }) => access === 'read' && metadata !== true && from?.some((one) => givers.has(one)),
    ),
  )
  if (readers.length === 0) return []
  const isCounted = readers.every(({ output }) => output === 'counts')
  return command.search.names
    .map(asPattern)
    .flatMap((path) => asRead(secretAt(path, allowed), { command: at }))
    .filter(({ secret }) => !isCounted || !isCountable(secret))
}

/** Tells which files a command uses to log in with, or the like, and shows nothing of. */
export const identitiesOf =
  ({ sealed, network }: ShellCommand) =>
  (path: TouchedPath): boolean =>
    sealed === true || network?.kind === 'session' || path.sealed === true

/** Returns the name patterns that a tool searches for. */
function sought({ kind, input }: PolicyTool): readonly TouchedPath[] {
  if (kind !== 'list' && kind !== 'search') return []
  const keys = kind === 'list' ? ['pattern', 'glob', 'glob_pattern', 'include'] : ['glob', 'include', 'file_pattern']
  return keys.flatMap((key) => {
    const pattern = input[key]
    return typeof pattern === 'string' ? [{ written: pattern, access: 'read' as const, pattern }] : []
  })
}

/** True for a filter that passes on what it is given, or a part of it, or has another program get it as words. */
const isFilter = (command: ShellCommand) =>
  (passesOn(command) &&
    (command.code === undefined || command.filter !== undefined) &&
    !command.paths.some(({ access }) => access === 'write')) ||
  command.wrapper === true

/** True if a command only looks at a value that it is given, or keeps it in a variable. */
const keeps = ({ output, written }: ShellCommand) => output === 'kept' || output === 'counts' || written === undefined

/** Names of variables, and of keys of JSON, of which a filter picks one. */
const picked = /(?<![A-Za-z0-9_])(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![A-Za-z0-9_])/

/** True if a command hands what it is given to a program of the project as a variable, and not as a word. */
const isGivenAsVariable = (command: ShellCommand) =>
  command.assignments.some(({ value }) => value.unresolved === true) &&
  command.args.every(({ unresolved }) => unresolved !== true)

/** True if one variable is picked out of a file, and goes nowhere but to its own provider, or to a program of the project. */
function isHandedOver({ commands, flows }: ShellFacts, impacts: readonly Impact[], at: number): boolean {
  const reached = new Set([at])
  const receivers: ShellCommand[] = []
  let name: string | undefined
  for (const one of reached) {
    const command = commands[one]
    const onward = flows.filter(({ from }) => from === one)
    if (command === undefined || !isFilter(command) || onward.length === 0) return false
    for (const { value } of command.args) name ??= picked.exec(value)?.[0]
    for (const { to, via } of onward) {
      const receiver = commands[to]
      if (receiver === undefined || via === 'file' || via === 'descriptor') return false
      if (via === 'pipe') reached.add(to)
      else receivers.push(receiver)
    }
  }
  const variable = name?.toUpperCase()
  if (
    variable === undefined ||
    receivers.length === 0 ||
    commands.some(({ output }) => output === 'variables') ||
    showsAnyVariable(impacts)
  )
    return false
  return receivers.every((receiver) => {
    if (keeps(receiver)) return true
    if (isGivenAsVariable(receiver)) return true
    if (receiver.logsIn === true) return /UR[IL]|DSN|CONN|HOST|USER|PASS/.test(variable)
    const host = receiver.network?.host?.toLowerCase() ?? ''
    return logsInAt(receiver) && receiver.echoes !== true && (isNear(host) || isProvider(variable, host))
  })
}

/** A variable of the environment that code sets. */
const sets =
  /\bprocess\.env\[[^=;\n]+?\]\s*(?:\?\?|\|\|)?=(?!=)|\bObject\.assign\(\s*process\.env\b|\bos\.environ(?:\[[^=;\n]+?\]\s*=(?!=)|\.(?:update|setdefault)\s*\()|\bos\.putenv\(|\bENV\[[^=;\n]+?\]\s*(?:\|\|)?=(?!=)|\bENV\.(?:update|merge!|store)\b|\bputenv\(|\$_ENV\[[^=;\n]+?\]\s*=|\$ENV\{[^}]+\}\s*=|\bDeno\.env\.set\(/
const file = /\.env\b/
/** Calls that show, send or keep a value, with the rest of their statement. */
const gives = () =>
  /\b(?:console\.\w+|print\w*|puts|pp?|pprint|echo|var_dump|export|dump\w*|write\w*|append\w*|stdout\.\w+|stderr\.\w+|log\w*|logger\.\w+|send\w*|post|put|fetch|request\w*|urlopen|exec\w*|spawn\w*|system|popen|run|die|throw|raise|exit)\b([^;\n]*)/g
const names = () => /[A-Za-z_$][\w$]*/g
/** Words that are no variable of the code. */
const language = /^(?:const|let|var|my|our|for|in|of|with|as|open|if|not|and|or|await|lambda|require|import)$/

/** The environment itself: what it holds is shown by its own means. */
const environment = () => /\b(?:process\.env|os\.environ|Deno\.env|import\.meta\.env)\b|\bENV\b/g

/** Statements that bind names: what is bound, and what to. */
const bindings = [
  /(?:\b(?:const|let|var|my|our)\b|^)\s*([^=;()]{1,80}?)\s*=(?![=>~])([^;\n]*)/,
  /\bfor\b[\s(]*(?:const|let|var|my)?\s*([\w$,\s[\]]+?)\s+(?:in|of)\s+([^\n]*)/,
]

/** Returns the names in code that hold something of a file of variables. */
function holdersIn(code: string): ReadonlySet<string> {
  const holders = new Set<string>()
  const holds = (text: string) => file.test(text) || (text.match(names()) ?? []).some((name) => holders.has(name))
  const add = (text = '') => {
    for (const name of text.match(names()) ?? []) if (!language.test(name)) holders.add(name)
  }
  const statements = code.split(/[;\n]/).slice(0, statementsMax)
  // A name may be bound before what it is made of is known to hold something.
  for (let round = 0; round < 3; round++)
    for (const statement of statements) {
      for (const binding of bindings)
        for (const [, bound, to = ''] of statement.matchAll(new RegExp(binding.source, 'g'))) if (holds(to)) add(bound)
      if (!holds(statement)) continue
      for (const [, one] of statement.matchAll(/\bas\s+([\w$]+)/g)) add(one)
      for (const [, several, one] of statement.matchAll(/(?:\(([^()]*)\)|\b([\w$]+))\s*=>/g)) add(several ?? one)
      for (const [, several] of statement.matchAll(/\|([\w\s,]+)\|/g)) add(several)
      for (const [, several] of statement.matchAll(/\blambda\s+([\w\s,]+):/g)) add(several)
    }
  return holders
}
/** Nobody loads a file of variables by more. */
const statementsMax = 200

/** True if code takes a file of variables as its own environment, and hands none of it to anybody: dotenv by hand. */
function loadsFile(command: ShellCommand): boolean {
  const { code } = command
  const text = code?.text ?? ''
  if (!sets.test(text) || !file.test(text) || text.length > charactersMax) return false
  if (lineOf(command)?.has('p', 'print') === true) return false
  if (codePrintsEnvironment(command) || codeShows(command).length > 0) return false
  const own = text.replaceAll(environment(), '')
  const holders = holdersIn(own)
  return [...own.matchAll(gives())].every(
    ([whole, rest = '']) =>
      !(rest.match(names()) ?? []).some((name) => holders.has(name)) && !/\.env\b['"]/.test(whole),
  )
}
const charactersMax = 8000
