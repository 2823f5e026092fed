import { dirname, join } from 'node:path'
import { isJsonObject, type Json, objectsIn } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import type { InstallSite } from './install.ts'

/** The environment variables of an agent with which it does not ask hookgate, and where it takes variables from. */
export interface SwitchVariables {
  readonly rows: readonly SwitchVariable[]
  /**
   * The places in which the agent looks for a variable of its hooks, the one that wins first. Default: its environment.
   */
  readonly places?: (site: InstallSite, registeredBy: RegisteredBy) => readonly VariablePlace[]
}

/** An environment variable with which an agent does not ask hookgate. */
export interface SwitchVariable {
  readonly name: string
  /** Matches the values that do so. Default: all but an empty one. */
  readonly when?: RegExp
  /** The effect on the agent, as a phrase that follows the agent's title: `runs no hook`. */
  readonly does: string
  /** The places in which the agent takes it for a switch. */
  readonly from: readonly VariableSource[]
  /** The registrations that it gets round: those of users and projects, those of administrators. */
  readonly passes: readonly RegisteredBy[]
}

type VariableSource = 'environment' | 'project' | 'user' | 'administrator'
export type RegisteredBy = 'own' | 'managed'

/** A place in which an agent looks for variables. */
export interface VariablePlace {
  /** `registration`: the entry of the hook itself. */
  readonly by: VariableSource | 'registration'
  /** A file of lines `NAME=VALUE`, or of settings; absent for the environment that the agent is started in. */
  readonly file?: string
  /** The variables themselves, in place of a file. */
  readonly values?: Readonly<Record<string, Json>>
  /** The key of the object in settings that holds the variables; absent in a file of lines. */
  readonly at?: string
  /** Variables that the agent does not take from it. */
  readonly without?: readonly string[]
}

export const environment: VariablePlace = { by: 'environment' }

/** Values that switch something on in Claude Code and Qwen Code. */
export const isOn = /^\s*(?:1|true|yes|on)\s*$/i

const endsEarly = 'starts a hook that can end before hookgate begins'
const inherited: readonly (Pick<SwitchVariable, 'name' | 'when' | 'does'> & Partial<SwitchVariable>)[] = [
  { name: 'LD_PRELOAD', does: endsEarly },
  { name: 'LD_AUDIT', does: endsEarly },
  { name: 'LD_TRACE_LOADED_OBJECTS', does: endsEarly },
  { name: 'LD_LIBRARY_PATH', does: endsEarly },
  { name: 'LD_DEBUG', when: /help/, does: endsEarly },
  { name: 'SHELLOPTS', when: /noexec/, does: endsEarly },
  { name: 'BASH_ENV', does: endsEarly },
  // An administrator's rules are always found.
  { name: 'XDG_CONFIG_HOME', when: /^\//, does: 'has hookgate look for rules elsewhere', passes: ['own'] },
]

/**
 * Variables of any agent that takes variables from files and hands them to its hooks: those of the dynamic loader and of
 * bash, with which a program runs other code or nothing, and the one by which hookgate finds a user's rules. In the
 * environment that the agent is started in they may have another purpose.
 */
export const inheritedVariables = (
  passes: readonly RegisteredBy[],
  from: readonly VariableSource[],
  /** Variables that the agent reads from none of its files, or ignores there. */
  except: readonly string[] = [],
): readonly SwitchVariable[] =>
  inherited.filter(({ name }) => !except.includes(name)).map((row) => Object.assign({ from, passes }, row))

/**
 * The variables that `enable` fixes in each entry of an agent that lets an entry have some: they win over those of any
 * file. `LD_TRACE_LOADED_OBJECTS` is not among them: it counts even where it is empty.
 */
export const fixedForHooks = { LD_PRELOAD: '', LD_AUDIT: '', LD_LIBRARY_PATH: '', LD_DEBUG: '', SHELLOPTS: '' } as const

/** Reads the variables that each entry of hookgate fixes, in files with groups of named hooks: no place if one fixes none. */
export function fixedIn(
  { settings }: InstallSite,
  files: readonly string[],
  hookName: string,
): readonly VariablePlace[] {
  const handlers = files
    .map((file) => settings.json(file, 'hooks'))
    .flatMap((events) => Object.values(isJsonObject(events) ? events : {}).flatMap(objectsIn))
    .flatMap(({ hooks }) => objectsIn(hooks).filter(({ name }) => name === hookName))
  const [first = {}, ...others] = handlers.map(({ env }) => (isJsonObject(env) ? env : {}))
  const values = Object.fromEntries(Object.entries(first).filter(([name]) => others.every((one) => name in one)))
  return [{ by: 'registration', values }]
}

/** A variable in force with which an agent does not ask hookgate. */
interface FoundVariable {
  /** The place, the value and what the agent does, as a phrase. */
  readonly what: string
  readonly remedy: string
}

/** Finds the variables in force with which an agent does not ask hookgate, though it is registered so. */
export function switchingVariables(
  { title, variables }: { readonly title: string; readonly variables?: SwitchVariables },
  site: InstallSite,
  registeredBy: RegisteredBy,
): readonly FoundVariable[] {
  const places = variables?.places?.(site, registeredBy) ?? [environment]
  return (variables?.rows ?? []).flatMap(({ name, when = /./s, does, from, passes }): readonly FoundVariable[] => {
    if (!passes.includes(registeredBy)) return []
    const found = places.find((place) => isSet(valueAt(place, name, site), place))
    const value = found === undefined ? undefined : valueAt(found, name, site)
    if (found === undefined || value === undefined || !when.test(value)) return []
    const { by, file } = found
    if (by === 'registration' || !from.includes(by)) return []
    const what = `${file ?? 'the environment'}: ${name} is ${quoted(value)}, with which ${title} ${does}`
    return [{ what, remedy: file === undefined ? 'unset it' : 'remove it' }]
  })
}

/** An empty value counts as none, but for one that an administrator or the entry has fixed. */
const isSet = (value: string | undefined, { by }: VariablePlace) =>
  value !== undefined && (value !== '' || by === 'administrator' || by === 'registration')

function valueAt(place: VariablePlace, name: string, site: InstallSite): string | undefined {
  const { file, at, values, without = [] } = place
  if (without.includes(name)) return undefined
  if (file === undefined && values === undefined) return site.env[name]
  if (file !== undefined && at === undefined) return valueInLines(site.settings.text(file) ?? '', name)
  const value = values === undefined ? site.settings.json(file ?? '', at ?? '', name) : values[name]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : undefined
}

/** Reads a variable of a file as `dotenv` does: the last line counts. */
function valueInLines(text: string, name: string): string | undefined {
  const line = /^[ \t]*(?:export[ \t]+)?([\w.-]+)(?:[ \t]*=|:[ \t])[ \t]*('[^']*'|"[^"]*"|`[^`]*`|[^#\r\n]*)/gm
  const [, , value] = [...text.matchAll(line)].findLast(([, key]) => key === name) ?? []
  return value?.trim().replace(/^(['"`])(.*)\1$/s, '$2')
}

/**
 * Returns the file of variables that Gemini CLI, or an agent derived from it, takes in a folder: the nearest, upwards from
 * the project, and in each folder first that in the agent's own.
 */
export function nearestEnvFile({ cwd, home, settings }: InstallSite, own: string): VariablePlace | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder === home) return undefined
    const file = [join(folder, own, '.env'), join(folder, '.env')].find((one) => settings.exists(one))
    if (file !== undefined) return { by: 'project', file }
    if (dirname(folder) === folder) return undefined
  }
}
