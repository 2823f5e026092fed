import { z } from 'zod'
import { errorText } from '../../model/errors.ts'
import type { InstallContext } from '../install-context.ts'
import { lookAt } from '../files/look-at.ts'
import { parseDocument } from '../json/document.ts'
import { unloadable } from './unloadable.ts'
import { allSettings } from './settings-files.ts'

/** The settings that say which hooks run. Claude Code ignores a value of another type. */
const Switches = z.looseObject({
  disableAllHooks: z.boolean().optional().catch(undefined),
  allowManagedHooksOnly: z.boolean().optional().catch(undefined),
  strictPluginOnlyCustomization: z
    .union([z.boolean(), z.array(z.string())])
    .optional()
    .catch(undefined),
  allowedHttpHookUrls: z.array(z.string()).optional().catch(undefined),
})

interface Settings extends z.infer<typeof Switches> {
  readonly name: string
  readonly file: string
}

/** Settings that override any registration. */
export interface Overrides {
  /** Why no hook of a user or project runs. */
  readonly obstacles: readonly string[]
  /** True where an HTTP hook may be called at this address. */
  httpAllowed(url: string): boolean
}

export function readOverrides(context: InstallContext): Overrides {
  const obstacles: string[] = []
  const settings: Settings[] = []
  for (const { name, file } of allSettings(context)) {
    try {
      const { present } = lookAt(file, undefined)
      if (present === undefined) continue
      const document = parseDocument(present.bytes, file)
      const value: unknown = JSON.parse(document.text)
      settings.push({ ...Switches.parse(value), name, file })
      obstacles.push(...unloadable(value).map((why) => `${file}: ${why}: Claude Code ignores the whole file`))
    } catch (error) {
      obstacles.push(errorText(error))
    }
  }
  const off = settings.find(({ disableAllHooks }) => disableAllHooks !== undefined)
  if (off?.disableAllHooks === true) obstacles.push(`${off.file}: \`disableAllHooks\` keeps every hook from running`)
  for (const { name, file, allowManagedHooksOnly, strictPluginOnlyCustomization: strict } of settings) {
    if (name !== 'managed') continue
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
    httpAllowed: (url) => lists.length === 0 || lists.flat().some((pattern) => fits(pattern, url)),
  }
}

/** Matches a URL with a pattern in which `*` stands for anything. Never backtracks: the pattern is untrusted. */
function fits(pattern: string, url: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return pattern === url
  if (!url.startsWith(first) || !url.endsWith(last) || url.length < first.length + last.length) return false
  const end = url.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = url.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
