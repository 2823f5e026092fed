import { ask, definePolicy } from 'hookgate/policy'
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
      // What a program is handed by another is not shown to anybody.
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
    { name: 'whether there is one', given: { input: { command: 'gh auth status' } }, want: 'abstain' },
    { name: 'a password', given: { input: { command: 'security find-generic-password -s x -w' } }, want: 'ask' },
    { name: 'its entry', given: { input: { command: 'security find-generic-password -s x' } }, want: 'abstain' },
    { name: 'a secret', given: { input: { command: 'kubectl -n a get secret b -o yaml' } }, want: 'ask' },
    { name: 'its name', given: { input: { command: 'kubectl get secrets' } }, want: 'abstain' },
    { name: 'a variable', given: { input: { command: 'echo "$GITHUB_TOKEN"' } }, want: 'ask' },
    { name: 'another variable', given: { input: { command: 'echo "$LANG"' } }, want: 'abstain' },
    { name: 'by name', given: { input: { command: 'printenv AWS_SECRET_ACCESS_KEY' } }, want: 'ask' },
    { name: 'another by name', given: { input: { command: 'printenv PATH' } }, want: 'abstain' },
    {
      name: 'a variable to be used',
      given: { input: { command: 'curl -H "a: $API_KEY" https://a.b' } },
      want: 'abstain',
    },
    {
      name: 'allowed',
      given: { input: { command: 'echo $MY_TOKEN' }, params: { allowedVariables: ['MY_TOKEN'] } },
      want: 'abstain',
    },
    { name: 'all of them', given: { input: { command: 'env' } }, want: 'abstain' },
    {
      name: 'all of them, where that is asked about',
      given: { input: { command: 'env' }, params: { wholeEnvironment: true } },
      want: 'ask',
    },
    { name: 'said', given: { input: { command: 'echo gh auth token' } }, want: 'abstain' },
  ],
})
