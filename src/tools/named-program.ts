import { toolWords } from '../words/names.ts'

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Command-line programs that servers wrap, and whose arguments alone they take. */
const programs = wordSet(
  'ansible argocd aws az bq brew cargo doctl docker eksctl firebase fly flyctl gcloud gh git glab gsutil helm heroku istioctl kubectl netlify npm nomad oc pip pnpm podman pulumi railway stripe supabase systemctl terraform terragrunt tofu uv vault vercel wrangler yarn',
)

/** Words of a tool's name that say no more than that it runs the program. */
const neutral = wordSet('run exec execute call invoke command commands cmd cli tool generic raw mcp server query')

/**
 * Returns the command line of a tool that is named after the program that it runs, and takes only what comes behind the
 * program's name: `run_gcloud_command` with `["projects", "delete", "x"]`. `undefined` for other tools.
 *
 * @param name of the tool, behind its server's and `__` if it has one
 */
export function namedProgramCommand(name: string, given: string): string | undefined {
  const text = given.trim()
  const words = toolWords(name)
  const program = words.findLast((word) => programs.has(word))
  if (program === undefined || text === '') return undefined
  // A server's name is anybody's choice; of the tool's, no word may say that it does something else.
  const own = toolWords(name.slice(name.lastIndexOf('__') + 1))
  if (!own.every((word) => word === program || neutral.has(word))) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  return lines.map((line) => (line.startsWith(`${program} `) ? line : `${program} ${line}`)).join('\n')
}
