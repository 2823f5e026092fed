import { type TouchedPath, wayWithin } from 'hookgate/policy'
import { inSomeHome } from './touched.ts'

const names: readonly string[] = [
  'hookgate',
  'nah',
  'dcg',
  'cc-safety-net',
  'hol-guard',
  'dippy',
  'kontext',
  'tirith',
  'prempti',
]

/** Programs that stand between agents and what they do; this gate, and others of its kind. */
export const guards = {
  type: 'strings',
  default: names,
  description: 'programs that guard agents; `~/.NAME`, `~/.config/NAME`, `/etc/NAME` and the like are guarded too',
} as const

/** The part of a guard that a path is: its settings, something deeper in its folders, or its program. */
export interface GuardPart {
  readonly guard: string
  readonly part: 'state' | 'content' | 'program'
}

/** Folders in which programs are kept, by the way from a home directory. */
const programFolders =
  /^(?:\.local(?:\/bin)?|\.cargo(?:\/bin)?|bin|go(?:\/bin)?|\.bun(?:\/bin)?|\.npm-global(?:\/bin)?|\.volta(?:\/bin)?|\.deno(?:\/bin)?)$/

export function guardPartOf(path: TouchedPath, guarding: readonly string[]): GuardPart | undefined {
  const { absolute = '', inRoot } = path
  const home = inSomeHome(path)
  const file = absolute.slice(absolute.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd|js|mjs)$/, '')
  for (const guard of guarding) {
    if (file === guard && /\/s?bin\/[^/]*$/.test(absolute) && inRoot === undefined) return { guard, part: 'program' }
    if (inRoot !== undefined) {
      const below = wayWithin(inRoot, `.${guard}`)
      if (below !== undefined) return { guard, part: guard === 'hookgate' ? 'state' : 'content' }
      continue
    }
    const ways = [
      `.${guard}`,
      `.config/${guard}`,
      `.local/state/${guard}`,
      `.local/share/${guard}`,
      `Library/Application Support/${guard}`,
    ]
    const below =
      home === undefined
        ? wayWithin(absolute, `/etc/${guard}`)
        : ways.map((way) => wayWithin(home, way)).find((one) => one !== undefined)
    if (below !== undefined) return { guard, part: guard === 'hookgate' || !below.includes('/') ? 'state' : 'content' }
    const settings = [`.${guard}.json`, `.${guard}.yaml`, `.${guard}.yml`, `.${guard}.toml`]
    if (home !== undefined && settings.includes(home.replace('.config/', '.'))) return { guard, part: 'state' }
  }
  return undefined
}

/** True if a folder holds programs of guards, as folders for programs usually do. */
export const holdsPrograms = (path: TouchedPath) =>
  programFolders.test(inSomeHome(path) ?? '') && path.inRoot === undefined
