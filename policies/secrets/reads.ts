import { type Impact, type PolicyTool, type ShellCommand, type ShellFacts, type TouchedPath } from 'hookgate/policy'
import { hidesValues, showsNoValue, showsPlainLines } from './line-filters.ts'
import { isHandedOver } from './handed-over.ts'
import { loadsFile } from './loaded.ts'
import { type Secret, secretAt } from './secret.ts'
import { secretsShown } from './shown.ts'

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
  const isCounted = found.some(({ secret }) => isCountable(secret)) && showsNoValue(command)
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
  { program }: ShellCommand,
  path: TouchedPath,
): boolean =>
  path.access === 'execute' &&
  (program === '.' || program === 'source') &&
  secretAt(path)?.kind === 'environment' &&
  !secretsShown(impacts).some(({ area, names }) => area === 'environment' && names.length === 0) &&
  !commands.some(traces)

/** True if a shell is told to print what it runs. */
const traces = ({ program, args }: ShellCommand): boolean =>
  /^(?:set|(?:ba|da|z|k|a)?sh)$/.test(program) &&
  args.some(({ value }) => /^-[a-z]*[xv]|^(?:xtrace|verbose)$/.test(value))

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
  const isCounted = readers.every(showsNoValue)
  return command.search.names
    .map(asPattern)
    .flatMap((path) => asRead(secretAt(path, allowed), { command: at }))
    .filter(({ secret }) => !isCounted || !isCountable(secret))
}

/** Options whose file is used to log in with, or handed to a program as its variables, and not shown. */
const identityOption =
  /^--?(?:i|E|identity|identity-file|[\w-]*(?:secret|token|pass(?:word|phrase)?|credentials?|key)-?file|key|cert|client-key|client-certificate|private-key|pem|kubeconfig|env-file|netrc-file|keystore|sslkey|tls-key|tlskey|inkey|CAfile|cacert|ca-certificate|certificate|keyring)$/i

/** Tells which files a command uses to log in with, or the like, and shows nothing of. */
export function identitiesOf({ sealed, network, args }: ShellCommand): (path: TouchedPath) => boolean {
  if (sealed === true || network?.kind === 'session') return () => true
  const used = new Map<string, boolean>()
  let option = ''
  for (const { value } of args) {
    const equals = value.indexOf('=')
    const [before, file] = equals > 0 ? [value.slice(0, equals), value.slice(equals + 1)] : [option, value]
    used.set(file, identityOption.test(before) && used.get(file) !== false)
    option = value
  }
  return ({ written }) => used.get(written) === true
}

/** Returns the name patterns that a tool searches for. */
function sought({ kind, input }: PolicyTool): readonly TouchedPath[] {
  if (kind !== 'list' && kind !== 'search') return []
  const keys = kind === 'list' ? ['pattern', 'glob', 'glob_pattern', 'include'] : ['glob', 'include', 'file_pattern']
  return keys.flatMap((key) => {
    const pattern = input[key]
    return typeof pattern === 'string' ? [{ written: pattern, access: 'read' as const, pattern }] : []
  })
}
