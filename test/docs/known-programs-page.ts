import { families } from '../../src/facts/impacts/families/index.ts'

const title =
  '# Known programs\n\n<!-- Written by `npm run docs` from the tables of programs. -->\n\n' +
  'What these programs do to things that others depend on is known, as [impacts](impacts.md). Each is in the file of its\n' +
  'area, `src/facts/impacts/families/AREA.ts`, with examples.\n\n'

/** Renders `docs/known-programs.md` from the families of programs. */
export const knownProgramsPage = (): string =>
  title +
  families
    .map(({ area, programs, examples = {} }) => {
      const [command, said] = Object.entries(examples).find(([, text]) => text !== '') ?? []
      const example = command === undefined ? '' : `For example: \`${command}\` ${said}.\n\n`
      const names = Object.keys(programs).flatMap((key) => key.split(' '))
      return `## ${area}\n\n${example}${names
        .toSorted()
        .map((name) => `\`${name}\``)
        .join(', ')}\n`
    })
    .join('\n')
