import type { Rule, Source } from '../../model/rule.ts'
import { placeText } from '../../model/errors.ts'
import { printable, quoted } from '../../model/text.ts'
import { type Disk, isUnreadable, realPath } from '../disk.ts'
import { filesOf, pinName } from './pinned-files.ts'
import type { Places } from '../places.ts'
import type { Pins, TrustStore } from './trust-store.ts'

/** Decides what of a workspace is trusted: what is pinned, and still has the content that was pinned. */
export interface Trust {
  /** Why a source is not trusted, and what to do; `undefined` for one that is. */
  ofSource(source: Source): string | undefined
  ofRule(rule: Rule): string | undefined
}

const everything: Trust = { ofSource: () => undefined, ofRule: () => undefined }

export function trustBy(store: TrustStore, places: Places, disk: Disk): Trust {
  if (places.trustWorkspace) return everything
  const distrusted = (root: string, files: readonly string[] | undefined) =>
    store.problem === undefined
      ? distrustOf(root, files, store.pins, disk)
      : `nothing is trusted, because ${placeText(store.problem.place)} is broken: ${store.problem.message}`
  return {
    ofSource: ({ workspaceRoot, file }) =>
      // Cline's folders are not read: each script stands for itself.
      workspaceRoot === undefined ? undefined : distrusted(workspaceRoot, [file]),
    ofRule: (rule) => {
      const { workspaceRoot } = rule.source
      return workspaceRoot === undefined ? undefined : distrusted(workspaceRoot, filesOf(rule, workspaceRoot, disk))
    },
  }
}

function distrustOf(root: string, files: readonly string[] | undefined, all: Pins, disk: Disk): string | undefined {
  const shown = printable(root)
  const remedy = `look at it, then run \`hookgate trust ${/^[\w./@+-]+$/.test(root) ? root : `'${shown}'`}\``
  if (files === undefined) return 'its command has too many words to tell which files it runs; put them into a script'
  const real = realPath(root)
  const pins = Object.hasOwn(all, real) ? all[real] : undefined
  if (pins === undefined) return `it came with the workspace ${shown}, which nobody has trusted; ${remedy}`
  for (const file of files) {
    const name = pinName(file, root)
    const pinned = Object.hasOwn(pins.files, name) ? pins.files[name] : undefined
    const now = disk.sha256(file)
    if (isUnreadable(now)) return `${quoted(name)} cannot be read: ${now.why}`
    if (pinned === undefined) return `${quoted(name)} is new since the workspace was trusted; ${remedy}`
    if (pinned !== now) return `${quoted(name)} has changed since it was trusted; ${remedy}`
  }
  return undefined
}
