import { quoted, setOf, type ShellCommand, type ShellOutput, type TouchedPath } from 'hookgate/policy'

/** Folders of build output and fixtures, which are meant for others. */
const built =
  /(?:^|\/)(?:dist|build|out|public|coverage|target|site|_site|\.next|release|artifacts|fixtures|testdata|__snapshots__|mocks|samples)(?:\/|$)/
/** Files that are a manifest, the body of a request, a picture, a report, a package or a key to log in with, and not what the project is made of. */
const forOthers =
  /^\.?[^.]*$|\.(?:jsonl?|xml|ya?ml|toml|lock|mod|graphql|gql|proto|md|txt|png|jpe?g|gif|svg|webp|ico|bmp|mp[34]|wav|webm|mov|woff2?|ttf|lcov|info|sarif|apk|aab|ipa|whl|jar|deb|rpm|wasm|pem|crt|cer|key|p12)$/i

export const isBuilt = (inRoot: string) => built.test(inRoot)

/** True for the name of a file that holds what a project is made of or keeps: its source, its data, its archives. */
export const isSubstance = (path: string) => !built.test(path) && !forOthers.test(path.slice(path.lastIndexOf('/') + 1))

/** The outputs of a program that gives out what is in the files that it is given, as it is or in another form. */
const gives = setOf<ShellOutput>([
  'lines',
  'form',
  'decoded',
  'unpacked',
  'matches',
  'parts',
  'files',
  'names',
  'archive',
])

/** True if a filter puts out parts of lines: a version, an address, a field. */
function picksParts({ filter }: ShellCommand): boolean {
  switch (filter?.by) {
    case 'fields':
      return true
    case 'edits':
      return filter.only === true && /^s(.).*\1p?$/.test(filter.text)
    case 'rules':
      return /\{\s*print \$[1-9]/.test(filter.text)
    case 'pattern':
      return filter.only === true
    case 'characters':
    case 'query':
    case undefined:
      return false
  }
}

/** Code that hands something to the other end of a connection. */
const hands =
  /\b(?:post|put|patch|send(?:all|mail|_message)?|upload\w*|urlopen|method|data|body|files|storbinary)\b|\.request\(|\bcontent'?\s*=>|-(?:infile|body|form|attachments)\b/i

/** True if a command sends something itself, where it is code: one that only asks does not. */
export const handsOver = ({ code }: ShellCommand) => code === undefined || hands.test(code.text ?? '')

/** Returns what a command gives out of the files of its project: a file by its name, or a change. */
export function substanceOf(command: ShellCommand, isGoal: boolean): string | undefined {
  const { output, sealed, paths, redirections, code } = command
  if (output === 'history') return 'what is in files of the project'
  // A script of the project may do anything with them.
  const isGiven = (sealed === true || (output !== undefined && gives.has(output))) && !paths.some(isRun)
  const isOpen = isGoal || isGiven || code !== undefined || redirections.some(({ operator }) => operator === '<')
  if (!isOpen || output === 'counts' || picksParts(command)) return undefined
  const held = paths.find((path) => path.access === 'read' && path.metadata !== true && isOfProject(path))
  return held === undefined ? undefined : quoted(held.written)
}

const isRun = ({ access }: TouchedPath) => access === 'execute'

/** The name of a folder does not say what is in it, and that of an unknown file says so by its end at most. */
function isOfProject({ inRoot = '', written, recursive, pattern, unresolved }: TouchedPath): boolean {
  if (inRoot === '' || built.test(inRoot)) return false
  if (recursive === true || pattern !== undefined) return true
  return unresolved === true ? !/\.\w+$/.test(written) || isSubstance(written) : isSubstance(inRoot)
}
