import { hookgateHere } from '../support/cli.ts'

const helpOf = async (argv: readonly string[]) => (await hookgateHere([...argv, '--help'])).stdout

const title = "# Command line\n\n<!-- Written by `npm run docs` from the commands' own help. -->\n"

/** Renders `docs/cli.md` from what `hookgate --help` and each command's `--help` print. */
export async function cliPage(): Promise<string> {
  const overview = await helpOf([])
  const names = [...overview.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name = '']) => name)
  const sections = await Promise.all(
    names.map(async (name) => `## \`hookgate ${name}\`\n\n${fenced(await helpOf([name]))}`),
  )
  return [title, fenced(overview), ...sections].join('\n')
}

const fenced = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`
