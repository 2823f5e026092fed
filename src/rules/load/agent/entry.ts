import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { CommandKey, HookFile } from '../../../model/hook-files.ts'
import type { JsonObject } from '../../../model/json.ts'
import { limits } from '../../../model/limits.ts'
import type { CommandHandler, Program } from '../../../model/rule.ts'

const text = z.string().regex(/^[^\0]*$/, { error: 'cannot contain a NUL character' })
const keepInAgent = 'leave it where it is: the agent runs it itself'

/** Refused by name: a guard that is passed over in silence is worse than a file that does not load. */
const type = z.string().superRefine((named, context) => {
  if (named === 'command') return
  const message =
    named === 'policy'
      ? 'an agent reads this file too, and does not support `policy` hooks'
      : `hookgate runs \`command\` hooks of this file, not \`${named}\` hooks`
  const remedy = named === 'policy' ? 'put it into a hooks.json of hookgate' : keepInAgent
  context.addIssue({ code: 'custom', message, params: { remedy } })
})

const timeout = z.number().positive().optional()

/** One hook, or a group of them, as any of the agents writes it. Later versions add keys. */
export const Entry = z.looseObject({
  type: type.optional(),
  matcher: text.nullish(),
  hooks: z.array(z.unknown()).optional(),
  sequential: z.boolean().optional(),
  name: z.string().optional(),
  env: z.record(z.string(), text).optional(),
  args: z.array(text).optional(),
  async: z.boolean().optional(),
  timeout,
  timeoutSec: timeout,
})
export type Entry = z.infer<typeof Entry>

export const File = z.looseObject({ hooks: z.record(z.string(), z.unknown()).optional() })

/** What a hook runs on this system; `undefined` where it names nothing. */
export function programOf(entry: Entry, { commands }: HookFile, platform: NodeJS.Platform): Program | undefined {
  const named = commands.filter(({ on }) => on === undefined || on === platform)
  const found = named.find(({ key }) => textIn(entry, key) !== undefined)
  return found && programBy(found, textIn(entry, found.key) ?? '', entry.args)
}

function programBy({ shell, program }: CommandKey, written: string, args: Entry['args']): Program {
  if (program === true) return { form: 'exec', file: written, args: args ?? [] }
  return { form: 'shell', shell, command: written }
}

/** Whether it names something for another system. */
export const runsElsewhere = (entry: Entry, { commands }: HookFile) =>
  commands.some(({ key }) => textIn(entry, key) !== undefined)

function textIn(entry: Entry, key: string): string | undefined {
  const value: unknown = entry[key]
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\0') ? value : undefined
}

/** How a hook of such a file is started and spoken to. */
export function handlerOf(
  entry: Entry,
  format: HookFile,
  program: Program,
  { file, home }: { readonly file: string; readonly home: string },
): CommandHandler {
  const folder = format.folder === undefined ? undefined : textIn(entry, format.folder)
  const beside = format.usersRunBesideIt === true && dirname(dirname(file)) === join(home) ? dirname(file) : undefined
  const runsIn = folder ?? beside
  return {
    kind: 'command',
    dialect: format.agent,
    program,
    env: entry.env ?? {},
    plainTextEvents: [],
    async: entry.async === true,
    ...(runsIn !== undefined && { folder: runsIn }),
  }
}

/** How long a hook may take, in ms, by its agent's own unit; `undefined` for the gate's default. */
export function timeoutOf(entry: Entry, { timeout: rules }: HookFile, spelled: string): number | undefined {
  const written = rules.keys.map((key): unknown => entry[key]).find((value) => typeof value === 'number')
  const shorter = rules.shorter?.[spelled]
  if (typeof written !== 'number') {
    const otherwise = shorter ?? rules.otherwise
    return otherwise === undefined ? undefined : otherwise * 1000
  }
  const isMs = rules.unit === 'ms' || (rules.unit === 'either' && written >= 1000)
  return Math.min(limits.hookTimeoutMsMax, Math.max(1, Math.round(isMs ? written : written * 1000)))
}

/** The value at a path into a file. */
export function valueIn(value: JsonObject, path: readonly string[]): unknown {
  return path.reduce((within: unknown, key) => {
    if (typeof within !== 'object' || within === null || !Object.hasOwn(within, key)) return undefined
    return Reflect.get(within, key)
  }, value)
}
