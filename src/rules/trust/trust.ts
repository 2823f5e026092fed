import type { Rule, Source } from '../../model/rule.ts'
import { placeText } from '../../model/errors.ts'
import { printable, quoted } from '../../model/text.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { realPath } from '../../files/real-path.ts'
import { filesOf, filesRunBy, pinName } from './pinned-files.ts'
import type { Places } from '../places.ts'
import type { Pins, TrustStore } from './trust-store.ts'
import { shellWord } from '../../model/shell-word.ts'

/** Decides what of a workspace is trusted: what is pinned, and still has the content that was pinned. */
export interface Trust {
  /** Why a source is not trusted, and what to do; `undefined` for one that is. */
  ofSource(source: Source): string | undefined
  ofRule(rule: Rule): string | undefined
  /** Whether a file of a source is as it was when the workspace that the source came with was trusted. */
  trusts(source: Source, file: string): boolean
  /**
   * The same of what was trusted when it was taken, and is kept while what has come after it does not load. What was read
   * then is what was pinned, whatever has become of its file; what is run is read anew each time.
   */
  ofKeptSource(source: Source): string | undefined
  ofKeptRule(rule: Rule): string | undefined
}

const trusted = () => undefined
const everything: Trust = {
  ofSource: trusted,
  ofRule: trusted,
  trusts: () => true,
  ofKeptSource: trusted,
  ofKeptRule: trusted,
}

export function trustBy(store: TrustStore, places: Places, disk: Disk): Trust {
  if (places.trustWorkspace) return everything
  const untrusted = (root: string, files: () => readonly string[] | undefined) =>
    store.problem === undefined
      ? untrustedReasonOf(root, files, store.pins, disk)
      : `nothing is trusted, because ${placeText(store.problem.place)} is broken: ${store.problem.message}`
  // Looking for what a command names takes its time, and a rules file that has changed may hold thousands of them.
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
      // Cline's folders are not read: each script stands for itself.
      workspaceRoot === undefined ? undefined : untrusted(workspaceRoot, () => [file]),
    ofRule: (rule) => ofRule(rule, filesOf),
    ofKeptSource: ({ workspaceRoot }) => (workspaceRoot === undefined ? undefined : untrusted(workspaceRoot, () => [])),
    ofKeptRule: (rule) => ofRule(rule, filesRunBy),
  }
}

/** @param filesOfRule not asked for where nothing is pinned: an untrusted workspace may have any number of rules */
function untrustedReasonOf(
  root: string,
  filesOfRule: () => readonly string[] | undefined,
  all: Pins,
  disk: Disk,
): string | undefined {
  const remedy = `review it, then run \`hookgate trust ${shellWord(printable(root))}\``
  const real = realPath(root)
  const pins = Object.hasOwn(all, real) ? all[real] : undefined
  if (pins === undefined) return `it came with the workspace ${quoted(root)}, which nobody has trusted; ${remedy}`
  const files = filesOfRule()
  if (files === undefined) return untold
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

const untold =
  'its command does not say which files it runs: it has patterns, variables or too many words, or runs what a folder, a ' +
  'Makefile or a package.json says; move it into a script, or spell out its paths, as in `"$CLAUDE_PROJECT_DIR"/guard.sh`'
