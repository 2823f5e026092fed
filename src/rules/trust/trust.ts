import type { Rule, Source } from '../../model/rule.ts'
import { placeText } from '../../model/errors.ts'
import { printable, quoted, shellWord } from '../../model/text.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { realPath } from '../../files/real-path.ts'
import { filesOf, filesRunBy, pinName } from './pinned-files.ts'
import type { RulesPlaces } from '../places.ts'
import type { Pins, TrustStore } from './trust-store.ts'

/** Decides which parts of a workspace are trusted: those whose content is the content that was pinned. */
export interface Trust {
  /** Returns why a source is not trusted and what to do; `undefined` if it is trusted. */
  ofSource(source: Source): string | undefined
  ofRule(rule: Rule): string | undefined
  /** Returns whether a source's file is unchanged since its workspace was trusted. */
  trusts(source: Source, file: string): boolean
  /**
   * Like `ofSource`, for a source that stays in force while its newer version does not load.
   *
   * Its file was checked when it was read, and its present content does not matter; files that run each time are
   * checked anew.
   */
  ofKeptSource(source: Source): string | undefined
  ofKeptRule(rule: Rule): string | undefined
}

export function trustBy(store: TrustStore, places: RulesPlaces, disk: Disk): Trust {
  const untrusted = (root: string, files: () => readonly string[] | undefined) =>
    store.problem === undefined
      ? untrustedReasonOf(root, files, store.pins, disk)
      : `nothing is trusted, because ${placeText(store.problem.place)} is broken: ${store.problem.message}`
  // Finding the files that a command names is slow, and a changed rules file may hold thousands of commands.
  const whyFile = ({ source }: Rule, root: string, filesOfIt: typeof filesOf) =>
    filesOfIt === filesOf && disk.see(source.file) === 'file' ? untrusted(root, () => [source.file]) : undefined
  const ofRule = (rule: Rule, filesOfIt: typeof filesOf) => {
    const { workspaceRoot } = rule.source
    if (workspaceRoot === undefined) return undefined
    return (
      whyFile(rule, workspaceRoot, filesOfIt) ??
      untrusted(workspaceRoot, () => filesOfIt(rule, workspaceRoot, places.home, disk))
    )
  }
  return {
    trusts: ({ workspaceRoot }, file) =>
      workspaceRoot === undefined || untrusted(workspaceRoot, () => [file]) === undefined,
    ofSource: ({ workspaceRoot, file }) =>
      // Cline's folders are not read: each script is checked by itself.
      workspaceRoot === undefined ? undefined : untrusted(workspaceRoot, () => [file]),
    ofRule: (rule) => ofRule(rule, filesOf),
    ofKeptSource: ({ workspaceRoot }) => (workspaceRoot === undefined ? undefined : untrusted(workspaceRoot, () => [])),
    ofKeptRule: (rule) => ofRule(rule, filesRunBy),
  }
}

/**
 * Returns why files are not trusted; `undefined` if they are.
 *
 * @param filesOfRule not called if nothing is pinned, since an untrusted workspace may have any number of rules
 */
function untrustedReasonOf(
  root: string,
  filesOfRule: () => readonly string[] | undefined,
  all: Pins,
  disk: Disk,
): string | undefined {
  const remedy = `review it, then run \`hookgate trust ${shellWord(printable(root))}\``
  const real = realPath(root)
  const pins = Object.hasOwn(all, real) ? all[real] : undefined
  if (pins === undefined) return `it came with the workspace ${quoted(root)}, which is not trusted; ${remedy}`
  const files = filesOfRule()
  if (files === undefined) return undeterminedFiles
  for (const file of files) {
    const name = pinName(file, root)
    const pinned = Object.hasOwn(pins.files, name) ? pins.files[name] : undefined
    if (pinned === undefined) return `${quoted(name)} is new since the workspace was trusted; ${remedy}`
    const now = disk.sha256(file)
    if (isUnreadable(now)) return `${quoted(name)} cannot be read: ${now.why}`
    if (pinned !== now) return `${quoted(name)} has changed since it was trusted; ${remedy}`
  }
  return undefined
}

const undeterminedFiles =
  'its command does not say which files it runs: it has patterns, variables or too many words, or runs what a folder, a ' +
  'Makefile or a package.json says; move it into a script, or spell out its paths, as in `"$CLAUDE_PROJECT_DIR"/guard.sh`'
