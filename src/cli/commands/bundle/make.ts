import { counted } from '../../../words/counted.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { bundleError } from '../../../bundle/names.ts'
import { packBundle, readBundle } from '../../../bundle/document.ts'
import { homeFolder } from '../../../files/home-folder.ts'
import { parseJson } from '../../../files/parse-json.ts'
import { replaceFile } from '../../../files/replace-file.ts'
import { version } from '../../../files/program-files.ts'
import { problemText } from '../../../model/errors.ts'
import { whyFailed } from '../../../files/disk.ts'
import { limits } from '../../../model/limits.ts'
import { printable } from '../../../model/text.ts'
import { checkBundle } from '../../../rules/bundle-rules.ts'
import { placesFor } from '../../../rules/places.ts'
import { parseFlags } from '../../args/flags.ts'
import { withPolicies } from '../../../install/with-policies.ts'
import { type CommandOutput, type Invocation, jsonText, printed, usage } from '../../command.ts'

const flags = {
  name: { type: 'string' },
  revision: { type: 'string' },
  out: { type: 'string' },
  params: { type: 'string' },
  'min-gate': { type: 'string' },
  json: { type: 'boolean' },
} as const

/** `hookgate bundle make`: packs a folder of rules once they load and all examples of its policies pass. */
export async function bundleMake({ argv, env, cwd }: Invocation): Promise<CommandOutput> {
  const { values, positionals } = parseFlags('bundle', argv, flags, true)
  const [folder, ...surplus] = positionals
  if (folder === undefined || surplus.length > 0) throw usage('bundle make takes one folder', 'bundle')
  const { name, revision } = values
  if (name === undefined || revision === undefined) throw usage('make needs --name and --revision', 'bundle')
  const top = resolve(cwd, folder)
  const bytes = packBundle({
    format: 1,
    name,
    revision,
    files: filesIn(top),
    rules: jsonAt(join(top, 'hooks.json')) ?? {},
    params: values.params === undefined ? {} : (jsonAt(resolve(cwd, values.params)) ?? {}),
    minGate: values['min-gate'] ?? version(),
  })
  const bundle = readBundle(bytes)
  const { managedFolder } = placesFor({ env, cwd })
  const home = homeFolder(env['HOME'])
  const wrong = await withPolicies((policies) => checkBundle(bundle, policies, { home, managedFolder }))
  if (wrong.length > 0) {
    // Their places are where a machine would have them; people have them in the folder.
    const shown = wrong.map((line) => line.replaceAll(join(managedFolder, 'bundle', revision), top))
    const report = { made: null, problems: shown }
    const text = values.json === true ? jsonText(report, 2) : shown.map((line) => `${printable(line)}\n`).join('')
    return { stdout: text, stderr: 'hookgate: nothing was made: the rules do not load\n', exitCode: 1 }
  }
  const file = resolve(cwd, values.out ?? `${name}-${revision}.bundle.json.gz`)
  try {
    replaceFile(file, bytes, { mode: 0o644 })
  } catch (error) {
    const message = `the bundle cannot be written: ${whyFailed(error)}`
    throw bundleError('bundleMalformed', message, 'name another file with `--out`', file)
  }
  const files = Object.keys(bundle.files)
  const text = `made ${file}: the rules${files.length === 0 ? '' : ` and ${counted(files.length, 'file')}`}, ${counted(bytes.length, 'byte')}\n`
  return printed(values.json === true ? jsonText({ made: file, files, bytes: bytes.length }, 2) : printable(text))
}

/** Returns the texts of a folder that rules can be made of, by their paths. What is hidden, or a link, is left out. */
function filesIn(top: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  const search = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      if (entry.isDirectory()) search(path)
      else if (entry.isFile() && isOfRules(path, top)) texts[relative(top, path).split(sep).join('/')] = textAt(path)
    }
  }
  try {
    search(top)
  } catch (error) {
    const message = `the folder of rules cannot be read: ${whyFailed(error)}`
    throw bundleError('bundleMalformed', message, 'name a folder with a hooks.json, or with policies', top)
  }
  return texts
}

const isOfRules = (path: string, top: string) =>
  /(?:\.m?[jt]s|(?:^|[\\/])pack\.json)$/.test(path) &&
  !/\.(?:test|d)\.m?[jt]s$/.test(path) &&
  path !== join(top, 'hooks.json')

function textAt(file: string): string {
  const bytes = readFileSync(file)
  if (bytes.length <= limits.policyFileBytesMax) return bytes.toString('utf8')
  const message = `it is larger than ${limits.policyFileBytesMax} bytes`
  throw bundleError('bundleMalformed', message, 'move it out of the folder', file)
}

/** Reads a JSON file; `undefined` if there is none. @throws HookgateError `bundleMalformed` */
function jsonAt(file: string): unknown {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch {
    return undefined
  }
  const { value, problems } = parseJson(bytes, file)
  const [first] = problems
  if (first !== undefined) throw bundleError('bundleMalformed', problemText(first), 'mend it', file)
  return value
}
