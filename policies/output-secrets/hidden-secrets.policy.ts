import { context, definePolicy, replaceOutput } from 'hookgate/policy'

export default definePolicy({
  id: 'hidden-secrets',
  description:
    'Hides secrets in outputs: tokens, keys and passwords by their forms, names, and the files that were read',
  severity: 'high',
  on: ['PostToolUse', 'PostToolUseFailure'],
  facts: { secrets: { hiddenSecrets: true } },
  decide({ facts: { secrets } }) {
    if (!secrets) return undefined
    const what = secrets.hidden.join(', ')
    if (secrets.output !== undefined) return replaceOutput(secrets.output, `hides ${what}`)
    return context(`The error of this call shows a secret (${what}): do not repeat it, and do not use it as it is.`)
  },
  examples: [
    {
      name: 'a token',
      given: {
        tool: 'shell',
        input: { command: 'gh auth token' },
        result: { output: { stdout: 'ghp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9aB1cD3eF5\n', stderr: '' } },
      },
      want: { output: { stdout: '[hidden by hookgate: GitHub token; use $(gh auth token)]\n', stderr: '' } },
    },
    {
      name: 'a file of variables',
      given: {
        tool: 'shell',
        input: { command: 'cat .env' },
        result: { output: 'PORT=3000\nDB_PASSWORD=Vq7rT2mK9xW4\n' },
      },
      want: {
        output: 'PORT=3000\nDB_PASSWORD=[hidden by hookgate: value of DB_PASSWORD; load .env and use $DB_PASSWORD]\n',
      },
    },
    {
      name: 'variables',
      given: {
        tool: 'shell',
        input: { command: 'env' },
        result: { output: 'HOME=/home/u\nSTRIPE_KEY=Vq7rT2mK9xW4Zz81\n' },
      },
      want: { output: 'HOME=/home/u\nSTRIPE_KEY=[hidden by hookgate: value of STRIPE_KEY; use $STRIPE_KEY]\n' },
    },
    {
      name: 'the error of a call',
      given: {
        event: 'PostToolUseFailure',
        tool: 'shell',
        input: { command: 'git push' },
        result: { error: 'remote: ghp_Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9aB1cD3eF5 is not valid' },
      },
      want: { context: 'GitHub token' },
    },
    {
      name: 'an output without secrets',
      given: {
        tool: 'shell',
        input: { command: 'git log --oneline' },
        result: { output: '0d3f1e2 Add the token of the page' },
      },
      want: 'abstain',
    },
    { name: 'no output', given: { tool: 'shell', input: { command: 'true' } }, want: 'abstain' },
  ],
})
