import type { WhyAnswer } from '../../../routes/why.ts'

/** The facts about a call, as far as the page shows them. */
export type ExplainedFacts = NonNullable<WhyAnswer['facts']>
type ExplainedCommand = ExplainedFacts['shell']['commands'][number]

/** Returns the indices of the commands that one command starts, or of those that none starts. */
export const childrenOf = (commands: readonly ExplainedCommand[], of: number | undefined): readonly number[] =>
  // A command comes after the one that starts it; one that does not is shown at the top, so that a tree has no loop.
  commands.flatMap(({ startedBy }, index) => {
    const above = startedBy !== undefined && startedBy < index ? startedBy : undefined
    return above === of ? [index] : []
  })

/** Formats a command with its words expanded. */
export function commandText({ written, args, assignments, redirections }: ExplainedCommand): string {
  return [
    ...assignments.map(({ name, value }) => `${name}=${wordText(value)}`),
    ...(written === undefined ? [] : [wordText(written)]),
    ...args.map(wordText),
    ...redirections.map(({ operator, target }) => `${operator} ${target === undefined ? '-' : wordText(target)}`),
  ].join(' ')
}

/** Stands for a part of a word that is not known: see `unknownPart` of the facts. */
const unknown = '\uFDD0'

/** An unknown part is shown as its variable, or as `…`. */
function wordText({ value, variable }: ExplainedCommand['args'][number]): string {
  const text = value.replaceAll(unknown, variable === undefined ? '…' : `$${variable}`)
  return /^[\w@%+=:,./~$…{}*?-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Says through what a command is reached, beyond the command that starts it. */
export function reachText({ reach }: ExplainedCommand, parent: ExplainedCommand | undefined): string {
  const own = reach.slice(parent?.reach.length ?? 0)
  const texts = own.map(({ through, program, name, language }) => {
    if (language !== undefined) return `${language} code`
    if (name !== undefined) return `${through} ${name}`
    return program ?? through
  })
  return texts.length === 0 ? '' : `through ${texts.join(', ')}`
}

/** Formats a path as far as it is known. */
export function pathText({
  written,
  absolute,
  real,
  pattern,
  recursive,
  metadata,
  unresolved,
}: ExplainedFacts['paths'][number]) {
  const notes = [
    ...(recursive === true ? ['and everything below'] : []),
    ...(metadata === true ? ['its entry only'] : []),
    ...(unresolved === true ? ['not fully known'] : []),
    ...(real === undefined ? [] : [`really ${real}`]),
  ]
  const known = pattern ?? (unresolved === true ? written : (absolute ?? written))
  return notes.length === 0 ? known : `${known} (${notes.join(', ')})`
}
