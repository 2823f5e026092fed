import { families } from '../../src/facts/programs/families.ts'

const title =
  '# Known programs\n\n<!-- Written by `npm run docs` from the table of programs. -->\n\n' +
  'What these programs do to things that others depend on is known, as [impacts](impacts.md). Each is said once, in a file of\n' +
  '`src/facts/programs/families/`, with examples.\n\n'

const doing = families.flatMap(({ area, programs }) =>
  Object.entries(programs).flatMap(([keys, { does = [] }]) =>
    [does].flat().flatMap((deeds) => {
      const name = deeds.area ?? area
      return name === undefined ? [] : keys.split(' ').map((program) => ({ area: name, program }))
    }),
  ),
)

const examples = Map.groupBy(
  families.flatMap(({ area, examples: all = {} }) =>
    Object.entries(all).map(([command, said]) => ({ area, command, said })),
  ),
  ({ area }) => area,
)

/** Puts names into lines that a person can read in any editor. */
function wrapped(names: readonly string[]): string {
  const lines: string[] = []
  for (const name of names) {
    const longer = `${lines.at(-1)}, ${name}`
    if (lines.length > 0 && longer.length < 118) lines[lines.length - 1] = longer
    else lines.push(name)
  }
  return lines.join(',\n')
}

/** Renders `docs/known-programs.md` from the families of programs. */
export const knownProgramsPage = (): string =>
  title +
  [...Map.groupBy(doing, ({ area }) => area)]
    .map(([area, entries]) => {
      const { command, said } = examples.get(area)?.find((one) => one.said !== '') ?? {}
      const example = command === undefined ? '' : `For example: \`${command}\` ${said}.\n\n`
      const names = [...new Set(entries.map(({ program }) => program))].toSorted()
      return `## ${area}\n\n${example}${wrapped(names.map((name) => `\`${name}\``))}\n`
    })
    .join('\n')
