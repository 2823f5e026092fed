import { abstains, ask, asks, definePolicy } from 'hookgate/policy'
import { printed, printsEnvironment, shownVariable } from './printers.ts'

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
    asks('all of them, with `wholeEnvironment`', 'env', { params: { wholeEnvironment: true } }),
    abstains('only printed', 'echo gh auth token'),
  ],
})
