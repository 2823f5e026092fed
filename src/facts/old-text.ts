import { limits } from '../model/limits.ts'
import type { ShellSurroundings } from '../model/shell.ts'
import { isMissing, placeIn, readRegularFile, realPlace, textOf } from './declared/inside.ts'
import { realPathOf } from './file-system.ts'
import { rootOf } from './paths/place.ts'
import type { OldText } from './text-changes.ts'
import { lookUpInTime, type StuckRoots } from './timed-lookups.ts'

/**
 * Opens the reading of files as they are before a call. Nothing outside of the workspace is read, and no reading takes
 * longer than `limits.realPathsMs`.
 */
export function openOldText({ workspaceRoots }: ShellSurroundings, stuck: StuckRoots): OldText {
  return async (path) => {
    const inside = rootOf(workspaceRoots, path)
    if (inside === undefined) return undefined
    const { root, inRoot } = inside
    const look = { root, run: async () => textIn(root, inRoot) }
    const found = await lookUpInTime(new Map([[path, look]]), { ms: limits.realPathsMs, stuck, skipped: undefined })
    return found.get(path)
  }
}

/** Never rejects: a file that cannot be read has no known text. */
async function textIn(root: string, inRoot: string): Promise<string | undefined> {
  try {
    const place = placeIn(root, inRoot)
    const real = isMissing(place) ? undefined : await realPlace(place)
    if (typeof real !== 'string') return undefined
    const read = await readRegularFile(real, await realPathOf(root), limits.factBytesMax)
    return typeof read === 'string' || !read.whole ? undefined : textOf(read.bytes, true)
  } catch {
    return undefined
  }
}
