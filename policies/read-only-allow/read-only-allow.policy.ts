import { allow, ask, definePolicy } from 'hookgate/policy'
import { whyNotHarmless } from './judge.ts'

export default definePolicy({
  id: 'read-only-allow',
  severity: 'low',
  description: 'Allows shell commands that are known to be harmless, so that nobody is asked about them',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    otherwise: {
      type: 'string',
      default: 'abstain',
      oneOf: ['abstain', 'ask'],
      description: 'what to do with all other commands: say nothing, or ask the person',
    },
    also: {
      type: 'strings',
      default: [],
      description: 'first words of other commands that are harmless here, such as `npm test`',
    },
    not: {
      type: 'strings',
      default: [],
      description: 'first words of commands not to allow, such as `curl` or `git fetch`',
    },
  },
  decide({ event, tool, shell, params }) {
    const roots = [...event.workspaceRoots, ...(event.session.cwd === undefined ? [] : [event.session.cwd])]
    const why = whyNotHarmless(tool.command ?? '', shell, roots, params)
    if (why === undefined) return allow('known to be harmless')
    return params.otherwise === 'ask' ? ask(`not known to be harmless: ${why}`) : undefined
  },
  examples: [
    {
      name: 'a list',
      given: { input: { command: 'ls -la src' } },
      want: { effect: 'allow', reason: 'known to be harmless' },
    },
    { name: 'a list in a file', given: { input: { command: 'ls -la src > list.txt' } }, want: 'abstain' },
    { name: 'nothing but a comment', given: { input: { command: '# later' } }, want: 'allow' },
    { name: 'a pipeline', given: { input: { command: 'git log --oneline | head -5' } }, want: 'allow' },
    { name: 'a pipeline into a shell', given: { input: { command: 'git log --oneline | sh' } }, want: 'abstain' },
    { name: 'a search', given: { input: { command: "find . -name '*.ts' -exec wc -l {} +" } }, want: 'allow' },
    { name: 'a search that deletes', given: { input: { command: "find . -name '*.ts' -delete" } }, want: 'abstain' },
    { name: 'an option of sort', given: { input: { command: 'sort -u names.txt' } }, want: 'allow' },
    { name: 'another one of it', given: { input: { command: 'sort -uo names.txt names.txt' } }, want: 'abstain' },
    { name: 'code that prints', given: { input: { command: "awk '{print $1}' a.txt" } }, want: 'allow' },
    { name: 'code that starts', given: { input: { command: "awk '{system($1)}' a.txt" } }, want: 'abstain' },
    { name: 'a download that is shown', given: { input: { command: 'curl -s https://example.com' } }, want: 'allow' },
    { name: 'an upload', given: { input: { command: 'curl -s -T a.txt https://example.com' } }, want: 'abstain' },
    { name: 'a secret', given: { input: { command: 'cat .env' } }, want: 'abstain' },
    { name: 'an example of one', given: { input: { command: 'cat .env.example' } }, want: 'allow' },
    { name: 'a substitution', given: { input: { command: 'echo "$(git status)"' } }, want: 'allow' },
    { name: 'another one', given: { input: { command: 'echo "$(git push)"' } }, want: 'abstain' },
    { name: 'what cannot be read', given: { input: { command: 'ls "' } }, want: 'abstain' },
    { name: 'a cloud that lists', given: { input: { command: 'aws ec2 describe-instances' } }, want: 'allow' },
    { name: 'a cloud that changes', given: { input: { command: 'aws ec2 run-instances' } }, want: 'abstain' },
    {
      name: 'the person is asked about all others',
      given: { input: { command: 'make' }, params: { otherwise: 'ask' } },
      want: { effect: 'ask', reason: 'not known to be harmless: `make`' },
    },
    {
      name: 'and not about those that only read',
      given: { input: { command: 'make --version' }, params: { otherwise: 'ask' } },
      want: 'allow',
    },
    {
      name: 'one that the person vouches for',
      given: { input: { command: 'npm test' }, params: { also: ['npm test'] } },
      want: 'allow',
    },
    {
      name: 'one that begins otherwise',
      given: { input: { command: 'npm run test' }, params: { also: ['npm test'] } },
      want: 'abstain',
    },
    {
      name: 'one that the person does not want',
      given: { input: { command: 'curl -s https://example.com' }, params: { not: ['curl'] } },
      want: 'abstain',
    },
  ],
})
