import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { overrulingCode } from '../../agents/install/hook-switches.ts'
import { switchingVariables } from '../../agents/install/switch-variables.ts'
import { isExecutable } from '../../files/is-executable.ts'
import { isJsonObject, type Json } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import { changeableBy } from '../../rules/index.ts'
import { type InstallContext, type Launcher, siteOf } from '../install-context.ts'
import { lookAt } from '../files/look-at.ts'
import { isPinMet } from './json-form.ts'
import type { ManagedFile, PluginFile } from './managed-file.ts'
import type { ManagedContent } from './managed-form.ts'
import { administrators } from './places.ts'
import { noStarter, startedBy, starterFor } from './starter.ts'

/** The kinds of ways past a registration by an administrator. */
type HoleCode =
  /** hookgate is not registered. */
  | 'notRegistered'
  /** The file cannot be read, and the agent says so or not. */
  | 'malformed'
  /** An event is missing. */
  | 'incomplete'
  /** Somebody else than an administrator can change the file. */
  | 'changeable'
  /** A setting that keeps hooks on is missing. */
  | 'unpinned'
  /** A setting in force switches these hooks off. */
  | 'switchedOff'
  /** A variable has the agent run no hook, or read another file. */
  | 'variable'
  /** Another means of administrators stands above the file. */
  | 'outranked'
  /** Code in the agent can overrule hooks. */
  | 'innerCode'
  /** A variable of the dynamic loader can end the hook before hookgate begins. */
  | 'loader'
  /** The program is missing, or somebody else than an administrator can change it. */
  | 'program'
  /** The program did not answer a harmless event. */
  | 'noAnswer'

/** A way past a registration that is open on this machine. */
export interface ManagedHole {
  readonly code: HoleCode
  readonly message: string
  readonly remedy: string
}

/** Finds the ways past a registration in a file that can be read, without starting anything. */
export function holesIn(one: ManagedFile, content: ManagedContent, context: InstallContext): readonly ManagedHole[] {
  const { agent, file, events, pins, managed } = one
  const again = `run \`hookgate enable --managed ${agent.name}\` again`
  const own = content.handlers.flatMap(({ event, handler }) => {
    const program = one.own(handler)
    return program === undefined ? [] : [{ event, program }]
  })
  const missing = events.filter((event) => !own.some((handler) => handler.event === event))
  const site = siteOf(context)
  return [
    ...changeableFile(file, context),
    ...(one.plugin === undefined ? [] : pluginHoles(one.plugin, context, again)),
    ...unknownKeys(one, content),
    ...(missing.length === 0 ? [] : [hole('incomplete', `it is not registered at ${missing.join(', ')}`, again)]),
    ...pins
      .filter(({ path, value }) => !isPinMet(valueAt(content.root, path), value))
      .map(({ path, value }) => {
        const setting = `\`${path.join('.')}\` ${Array.isArray(value) ? 'does not list' : 'is not'} ${JSON.stringify(value)}`
        return hole('unpinned', `${setting}, without which a user or a project can switch hooks off`, again)
      }),
    ...(managed.switchedOff?.(site) ?? []).map((found) =>
      hole('switchedOff', `${found.file}: ${found.setting}`, found.remedy ?? 'remove it'),
    ),
    ...switchingVariables(agent, site, 'managed').map(({ what, remedy }) => hole('variable', what, remedy)),
    ...(managed.above?.(site) ?? [])
      .filter((path) => existsSync(path))
      .map((path) =>
        hole(
          'outranked',
          `${path} may be read in place of this file`,
          `register hookgate there: \`--print\` shows what`,
        ),
      ),
    ...overrulingCode(agent, site).map((found) => hole('innerCode', found, 'see docs/agents.md')),
    ...starterHoles(one, content, context, again),
    ...programsOf(own.map(({ program }) => program)).flatMap((program) => programHoles(program, context, again)),
  ]
}

const hole = (code: HoleCode, message: string, remedy: string): ManagedHole => ({ code, message, remedy })

/** Finds whether its hooks can be started without the dynamic loader, and by whose program. */
function starterHoles(
  { managed, own }: ManagedFile,
  { handlers }: ManagedContent,
  context: InstallContext,
  again: string,
): readonly ManagedHole[] {
  if (starterFor(managed, context) === undefined) return []
  const started = handlers.flatMap(({ handler }) => (own(handler) === undefined ? [] : [startedBy(handler)?.starter]))
  const compile = `install a C compiler and a static C library (\`libc6-dev\`, \`glibc-static\`), then ${again}`
  return [...new Set(started)].flatMap((file) => {
    if (file === undefined) return [hole('loader', noStarter, compile)]
    if (!isExecutable(file)) return [hole('program', `it starts ${file}, which is gone: every call is refused`, again)]
    return changeableFile(file, context)
  })
}

function pluginHoles({ file, text }: PluginFile, context: InstallContext, again: string): readonly ManagedHole[] {
  const { present } = lookAt(file, undefined)
  if (present === undefined) return [hole('program', `${file} is gone: hookgate is not asked`, again)]
  const isAsWritten = belowVersion(present.bytes.toString()) === belowVersion(text)
  return [
    ...changeableFile(file, context),
    ...(isAsWritten ? [] : [hole('incomplete', `${file} is not the plugin that this hookgate writes`, again)]),
  ]
}

/** The first line of a plugin names the version that wrote it. */
const belowVersion = (text: string) => text.slice(text.indexOf('\n'))

function unknownKeys({ agent, managed, beside }: ManagedFile, { root }: ManagedContent): readonly ManagedHole[] {
  const keys = Object.keys(isJsonObject(root) ? root : {})
  const ignored = `${agent.title} ignores the whole file without a word`
  return [
    ...keys
      .filter((key) => managed.onlyKeys?.includes(key) === false)
      .map((key) => hole('malformed', `it has the key ${quoted(key)}, with which ${ignored}`, 'remove it')),
    ...Object.entries(beside)
      .filter(([key]) => !keys.includes(key))
      .map(([key, value]) => hole('malformed', `it lacks \`"${key}": ${value}\`, without which ${ignored}`, 'add it')),
  ]
}

/** Finds whether others than an administrator can change the file or replace it. */
export function changeableFile(file: string, context: InstallContext): readonly ManagedHole[] {
  const found = changeableBy(file, { managedFolder: dirname(file), managedOwners: administrators(context) })
  return found === undefined ? [] : [hole('changeable', `${found.path}: ${found.why}`, found.remedy)]
}

function programHoles({ node, bin }: Launcher, context: InstallContext, again: string): readonly ManagedHole[] {
  const gone = [node, bin].filter((file) => !existsSync(file))
  if (gone.length > 0) {
    const message = `it runs ${gone.join(' and ')}, which is gone: every call is refused`
    return [hole('program', message, `install hookgate again, then ${again}`)]
  }
  if (!isExecutable(node)) return [hole('program', `${node} may not be executed: every call is refused`, again)]
  return [node, bin].flatMap((file) => {
    const found = changeableBy(file, { managedFolder: dirname(file), managedOwners: administrators(context) })
    if (found === undefined) return []
    const message = `it runs ${file}, and ${found.path} can be changed: ${found.why}`
    return [hole('program', message, 'install Node and hookgate where only an administrator can write')]
  })
}

const programsOf = (programs: readonly Launcher[]): readonly Launcher[] =>
  programs.filter((one, at) => programs.findIndex((other) => isDeepStrictEqual(other, one)) === at)

const valueAt = (root: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root)
