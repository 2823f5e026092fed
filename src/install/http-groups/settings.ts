import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type ClaudeSettings, configFolder, settingsFiles } from '../../agents/claude-code/settings-files.ts'
import { errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { isLike } from '../../words/paths.ts'
import { lookAt } from '../files/settings-file.ts'
import { onPath } from '../hook-files.ts'
import { type InstallContext, siteOf } from '../install-context.ts'
import { parseDocument } from '../json/edit.ts'

export const settingsFileOf = (context: InstallContext): string =>
  context.scope === 'user'
    ? join(configFolder(context), 'settings.json')
    : join(context.cwd, '.claude', 'settings.json')

/** The settings that say which hooks run, beside the switch of all. Claude Code ignores a value of another type. */
const Switches = z.looseObject({
  allowManagedHooksOnly: z.boolean().optional().catch(undefined),
  strictPluginOnlyCustomization: z
    .union([z.boolean(), z.array(z.string())])
    .optional()
    .catch(undefined),
  allowedHttpHookUrls: z.array(z.string()).optional().catch(undefined),
})

interface SwitchSettings extends z.infer<typeof Switches>, ClaudeSettings {}

/** Settings that override any registration. */
export interface Overrides {
  /** Why no hook of a user or project runs. */
  readonly obstacles: readonly string[]
  /** True where an HTTP hook may be called at this address. */
  httpAllowed(url: string): boolean
}

export function readOverrides(context: InstallContext): Overrides {
  const obstacles: string[] = []
  const settings: SwitchSettings[] = []
  for (const { by, file } of settingsFiles(siteOf(context))) {
    try {
      const { present } = lookAt(file, undefined)
      if (present === undefined) continue
      const document = parseDocument(present.bytes, file)
      const value: unknown = JSON.parse(document.text)
      settings.push({ ...Switches.parse(value), by, file })
      obstacles.push(...unloadable(value).map((why) => `${file}: ${why}: Claude Code ignores the whole file`))
    } catch (error) {
      obstacles.push(errorText(error))
    }
  }
  for (const { by, file, allowManagedHooksOnly, strictPluginOnlyCustomization: strict } of settings) {
    if (by !== 'administrator') continue
    if (allowManagedHooksOnly === true) obstacles.push(`${file}: \`allowManagedHooksOnly\` blocks users' own hooks`)
    if (strict === true || (Array.isArray(strict) && strict.includes('hooks'))) {
      obstacles.push(`${file}: \`strictPluginOnlyCustomization\` blocks hooks that do not come from a plugin`)
    }
  }
  const lists = settings.flatMap(({ allowedHttpHookUrls }) =>
    allowedHttpHookUrls === undefined ? [] : [allowedHttpHookUrls],
  )
  return {
    obstacles,
    httpAllowed: (url) => lists.length === 0 || lists.flat().some((pattern) => isLike(url, pattern)),
  }
}

/** One entry that does not load at these events voids the whole file: measured, and meant so by Claude Code. */
const guarded = ['PreToolUse', 'PermissionRequest', 'PreSkillShellCommand']

const common = {
  timeout: z.number().positive().optional(),
  if: z.string().optional(),
  statusMessage: z.string().optional(),
  onFailure: z.enum(['continue', 'block']).optional(),
}
const AnyHandler = z.discriminatedUnion('type', [
  z.looseObject({ ...common, type: z.literal('command'), command: z.string(), args: z.array(z.string()).optional() }),
  z.looseObject({ ...common, type: z.literal('http'), url: z.url() }),
  z.looseObject({
    ...common,
    onFailure: z.unknown(),
    type: z.literal('mcp_tool'),
    server: z.string(),
    tool: z.string(),
  }),
  z.looseObject({ ...common, type: z.literal('prompt'), prompt: z.string() }),
  z.looseObject({ ...common, type: z.literal('agent'), prompt: z.string() }),
])

const list = z.array(z.unknown()).catch([])
const Hooks = z.looseObject({ hooks: z.looseObject({}).optional() })
const Group = z.looseObject({ hooks: list })

/** Why Claude Code does not take a settings file, as far as its hooks are to blame. */
export function unloadable(settings: unknown): readonly string[] {
  const file = Hooks.safeParse(settings)
  if (!file.success) return ['`hooks` is not an object']
  return guarded.flatMap((event) =>
    list.parse(file.data.hooks?.[event]).flatMap((group, groupIndex) =>
      (Group.safeParse(group).data?.hooks ?? []).flatMap((handler, index) => {
        const [wrong] = AnyHandler.safeParse(handler).error?.issues ?? []
        if (wrong === undefined) return []
        const path = [`hooks.${event}[${groupIndex}].hooks[${index}]`, ...wrong.path.map(String)].join('.')
        return [`\`${path}\` does not load`]
      }),
    ),
  )
}

export type Version = readonly [major: number, minor: number, patch: number]

/** The versions from which on Claude Code does what we use: contracts and changelog. */
export const since = {
  /** `args`: without a shell. */
  execForm: [2, 1, 139],
  /** `onFailure: "block"`. */
  onFailure: [2, 1, 295],
} as const satisfies Record<string, Version>

/** The version that was measured. Newer ones may differ. */
export const measuredVersion: Version = [2, 1, 332]

export function isAtLeast(version: Version, least: Version): boolean {
  const differing = version.findIndex((part, index) => part !== least[index])
  return differing < 0 || (version[differing] ?? 0) > (least[differing] ?? 0)
}

export const versionText = (version: Version) => version.join('.')

/** The version of the Claude Code that is installed; `undefined` where none is found, or it does not say. */
export function readVersion(context: Pick<InstallContext, 'env' | 'home' | 'platform'>): Promise<Version | undefined> {
  const program = programOf(context)
  if (program === undefined) return Promise.resolve(undefined)
  const options = {
    env: { ...context.env, DISABLE_AUTOUPDATER: '1' },
    timeout: limits.versionCommandMs,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024,
    shell: program.endsWith('.cmd'),
  } as const
  return new Promise((resolve) => {
    execFile(program, ['--version'], options, (error, stdout) =>
      resolve(error === null ? parseVersion(stdout) : undefined),
    )
  })
}

/** `2.1.329 (Claude Code)` */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^\s*(\d{1,6})\.(\d{1,6})\.(\d{1,6})\b/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

function programOf({ env, home, platform }: Pick<InstallContext, 'env' | 'home' | 'platform'>): string | undefined {
  // Where its installers put it, which a shell may know only as an alias.
  const usual = [join(home, '.local', 'bin', 'claude'), join(home, '.claude', 'local', 'claude')]
  return onPath('claude', env['PATH'], platform) ?? usual.find((file) => existsSync(file))
}
