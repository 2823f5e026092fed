import type { HookEvent } from '../../model/event.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import type { JsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { PermissionEntry } from '../../model/rule.ts'
import type { ShellCommand, ShellFacts, ShellRedirection, ShellWord } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { domainMeets, isOnCommand, namesTool } from '../../rules/match/condition.ts'
import { commandGlob, literal, meeting } from '../../rules/match/glob.ts'
import { mayExpandBraces } from '../../rules/match/shell-condition.ts'
import { accessesOf, isCovered, type PathBases } from './permission-paths.ts'

/**
 * Returns the entries of an `allow` list that together allow a call; `undefined` if a part of it is not allowed.
 *
 * INVARIANT: only a certain match allows. Whatever is unknown, or does more than its words say, is left to the agent's
 * own prompt.
 */
export function allowingEntries(
  entries: readonly PermissionEntry[],
  event: HookEvent,
  facts: ToolFacts,
  bases: PathBases,
): readonly PermissionEntry[] | undefined {
  const { tool } = event
  // The shape of an unknown tool's input is no certain match.
  if (tool === undefined || tool.inferred) return undefined
  const named = entries.filter((entry) => namesTool(entry, event.agent, tool))
  const whole = named.find(({ pattern }) => pattern === undefined)
  if (whole !== undefined) return [whole]
  switch (toolCarries[tool.kind].subject) {
    case 'command': {
      const onCommands = named.filter((entry) => isOnCommand(entry, event))
      const isTooLong = (tool.command ?? '').length > limits.conditionSubjectCharactersMax
      return isTooLong || runsInNamedFolder(tool.input) ? undefined : entriesForCommands(onCommands, facts.shell)
    }
    case 'path':
      // Tools of one purpose share their entries, as in `deny`: `Edit(src/**)` is about every tool that writes.
      return facts.paths.length === 0
        ? undefined
        : allOrNone(
            facts.paths.map((path) =>
              entries.find(
                ({ kinds, pattern }) =>
                  pattern !== undefined && accessesOf(kinds).includes(path.access) && isCovered(pattern, path, bases),
              ),
            ),
          )
    case 'url': {
      const url = tool.url ?? ''
      const isAddress = /^https?:\/\/[^\s@\\]+$/i.test(url) && (URL.parse(url)?.hostname ?? '') !== ''
      return isAddress ? allOrNone([named.find(({ pattern }) => domainMeets(pattern ?? '', url))]) : undefined
    }
    case 'input':
      return undefined
  }
}

/** Some agents name the folder of a command in a field of its own, which is not among the facts. */
export const runsInNamedFolder = (input: JsonObject): boolean =>
  Object.entries(input).some(([key, value]) => folderKey.test(key) && value !== '' && value !== null)
/** Returns the folders in such fields. */
export const namedFolders = (input: JsonObject): readonly string[] =>
  Object.entries(input).flatMap(([key, value]) => (folderKey.test(key) && typeof value === 'string' ? [value] : []))
const folderKey = /^(?:cwd|dir|dir_?path|directory|work_?dir|working_?dir(?:ectory)?)$/i

function allOrNone(entries: readonly (PermissionEntry | undefined)[]): readonly PermissionEntry[] | undefined {
  const found = entries.filter((entry) => entry !== undefined)
  return found.length === entries.length && found.length > 0 ? found : undefined
}

/** Returns the entries for all commands. A `cd` into a workspace needs none, but alone it is not worth an answer. */
function entriesForCommands(
  entries: readonly PermissionEntry[],
  { commands, flows, uncertain, forkBomb }: ShellFacts,
): readonly PermissionEntry[] | undefined {
  if (entries.length === 0 || uncertain.length > 0 || forkBomb === true) return undefined
  if (flows.some((flow) => flow.as === 'code') || !commands.every(isPlain)) return undefined
  const judged = commands.filter((command) => !entersWorkspace(command))
  return allOrNone(judged.map((command) => entries.find(({ pattern }) => matchesExactly(pattern ?? '', command))))
}

/** Returns whether a command does nothing but what its known words say, here and as the caller. */
function isPlain({ written, args, assignments, redirections, elsewhere, user, uncertain }: ShellCommand): boolean {
  return (
    written !== undefined &&
    [written, ...args].every(isKnownWord) &&
    assignments.length === 0 &&
    redirections.every(leadsNowhere) &&
    elsewhere === undefined &&
    user === undefined &&
    uncertain.length === 0
  )
}

/** A brace that is left in a word may be expanded by another shell than the one that was analysed. */
export const isKnownWord = ({ value, unresolved, several, pattern }: ShellWord): boolean =>
  unresolved === undefined &&
  several === undefined &&
  pattern === undefined &&
  !value.includes('\0') &&
  !mayExpandBraces(value)

/** Returns whether a redirection neither reads nor writes a file. */
export const leadsNowhere = ({ target }: ShellRedirection): boolean =>
  target === undefined || (target.value === '/dev/null' && target.unresolved === undefined)

function entersWorkspace({ written, args, paths: [folder, ...others] }: ShellCommand): boolean {
  return written?.value === 'cd' && args.length === 1 && folder?.root !== undefined && others.length === 0
}

/** Words are joined by a character that no word contains, so that a blank within a word separates nothing. */
const wordEnd = 0

function matchesExactly(pattern: string, { written, args }: ShellCommand): boolean {
  const words = [written, ...args].map((word) => word?.value ?? '')
  return meeting(commandGlob(pattern.trim(), wordEnd), false)(literal(words.join(String.fromCharCode(wordEnd))))
}
