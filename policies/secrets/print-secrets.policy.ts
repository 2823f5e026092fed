import { abstains, ask, asks, definePolicy, setOf, type ShellFacts } from 'hookgate/policy'
import { printed, printsEnvironment, shownVariable } from './printers.ts'

const filters = setOf(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'awk', 'gawk', 'sed', 'findstr'])
const telling =
  /secret|token|passw|api.?key|credential|private|\bpass\b|(?:^|[^a-z])key|(?:^|[^a-z])(?:aws|pat|auth)(?:[^a-z]|$)/i

/** Returns the program that picks secrets out of the variables that a command prints. */
function filterOf({ commands, flows }: ShellFacts, at: number): number | undefined {
  const next = flows.find(({ from, via }) => from === at && via === 'pipe')?.to
  const filter = next === undefined ? undefined : commands[next]
  if (next === undefined || filter === undefined || !filters.has(filter.program)) return undefined
  const words = filter.args.map(({ value }) => value)
  const showsNone = words.some((word) => /^-[a-zA-Z]*[cqvlL]|^--(?:count|quiet|invert-match)/.test(word))
  const isHandedOn = flows.some(({ from, to }) => from === next && !filters.has(commands[to]?.program ?? ''))
  return !showsNone && !isHandedOn && words.some((word) => telling.test(word)) ? next : undefined
}

export default definePolicy({
  id: 'print-secrets',
  description: 'Asks before printing a password or token held by a program or a variable',
  severity: 'high',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    allowedVariables: { type: 'strings', default: [], description: 'variables that may be printed, by name' },
    wholeEnvironment: {
      type: 'boolean',
      default: false,
      description: 'whether to also ask before all variables are printed: `env`, `printenv`, `set`',
    },
  },
  decide({ shell, params }) {
    const handedOn = new Set(shell.flows.map(({ from }) => from))
    for (const [at, command] of shell.commands.entries()) {
      const variable = shownVariable(command)
      const goesOn = handedOn.has(at)
      if (variable !== undefined && !goesOn && !params.allowedVariables.includes(variable)) {
        return ask(`${variable} has the name of a secret: use it where it is needed, without printing it`, { at })
      }
      const what = printed(command)
      // Output that goes to another program is not shown.
      if (what !== undefined && !goesOn) {
        return ask(`this prints ${what}: have the program that needs it read it itself`, { at })
      }
      const filter = printsEnvironment(command) ? filterOf(shell, at) : undefined
      if (filter !== undefined) {
        return ask(
          'this prints the variables whose names are those of secrets: name the one that you need, and use it',
          {
            at: filter,
          },
        )
      }
      if (params.wholeEnvironment && !goesOn && printsEnvironment(command)) {
        return ask('this prints all variables, possibly including passwords: name the one that you need', {
          at,
        })
      }
    }
    return undefined
  },
  examples: [
    { name: 'a token', given: { input: { command: 'gh auth token' } }, want: { effect: 'ask', reason: 'GitHub' } },
    abstains('whether there is one', 'gh auth status'),
    asks('a password', 'security find-generic-password -s x -w'),
    abstains('its entry', 'security find-generic-password -s x'),
    asks('a secret', 'kubectl -n a get secret b -o yaml'),
    abstains('its name', 'kubectl get secrets'),
    asks('a variable', 'echo "$GITHUB_TOKEN"'),
    abstains('another variable', 'echo "$LANG"'),
    asks('by name', 'printenv AWS_SECRET_ACCESS_KEY'),
    abstains('another by name', 'printenv PATH'),
    abstains('a variable to be used', 'curl -H "a: $API_KEY" https://a.b'),
    abstains('allowed', 'echo $MY_TOKEN', { params: { allowedVariables: ['MY_TOKEN'] } }),
    abstains('all of them', 'env'),
    asks('those that are secret', 'env | grep -i token'),
    asks('those of a cloud', 'printenv | grep AWS_'),
    abstains('those of another kind', 'env | grep NODE'),
    abstains('how many there are', 'env | grep -c TOKEN'),
    abstains('their names', 'env | cut -d= -f1 | grep TOKEN'),
    abstains('what is left of them', 'env | grep -v SECRET | sort'),
    asks('all of them, with `wholeEnvironment`', 'env', { params: { wholeEnvironment: true } }),
    abstains('only printed', 'echo gh auth token'),
  ],
})
