import { abstains, allow, allows, ask, definePolicy } from 'hookgate/policy'
import { whyNot } from './why-not.ts'

export default definePolicy({
  id: 'read-only-allow',
  severity: 'low',
  description: 'Allows shell commands that are known to be harmless, without a question',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { harmless: true },
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
  decide({ shell, params }) {
    const why = whyNot(shell, params)
    if (why === undefined) return allow('known to be harmless')
    return params.otherwise === 'ask' ? ask(why) : undefined
  },
  examples: [
    {
      name: 'a list',
      given: { input: { command: 'ls -la src' } },
      want: { effect: 'allow', reason: 'known to be harmless' },
    },
    abstains('a list in a file', 'ls -la src > list.txt'),
    allows('nothing but a comment', '# later'),
    allows('a pipeline', 'git log --oneline | head -5'),
    abstains('a pipeline into a shell', 'git log --oneline | sh'),
    allows('a search', "find . -name '*.ts' -exec wc -l {} +"),
    abstains('a search that deletes', "find . -name '*.ts' -delete"),
    allows('an option of sort', 'sort -u names.txt'),
    abstains('another one of it', 'sort -uo names.txt names.txt'),
    allows('code that prints', "awk '{print $1}' a.txt"),
    abstains('code that starts', "awk '{system($1)}' a.txt"),
    allows('a download that is shown', 'curl -s https://example.com'),
    abstains('an upload', 'curl -s -T a.txt https://example.com'),
    abstains('a secret', 'cat .env'),
    allows('an example of one', 'cat .env.example'),
    allows('a substitution', 'echo "$(git status)"'),
    abstains('another one', 'echo "$(git push)"'),
    abstains('what cannot be read', 'ls "'),
    allows('a cloud that lists', 'aws ec2 describe-instances'),
    allows('the help of a cloud', 'aws s3 rm help'),
    allows('the help of what starts others', 'docker run --help'),
    abstains('the help of what it starts', 'docker run alpine --help'),
    allows('the names in a project of containers', 'docker compose config --services'),
    abstains('its settings, with all variables', 'docker compose config'),
    allows('processes', 'ps aux'),
    abstains('processes with their variables', 'ps auxe'),
    abstains('a cloud that changes', 'aws ec2 run-instances'),
    {
      name: 'the person is asked about all others',
      given: { input: { command: 'make' }, params: { otherwise: 'ask' } },
      want: { effect: 'ask', reason: '`make` is not known to be read-only' },
    },
    allows('and not about those that only read', 'make --version', { params: { otherwise: 'ask' } }),
    allows('one that the person vouches for', 'npm test', { params: { also: ['npm test'] } }),
    abstains('one that begins otherwise', 'npm run test', { params: { also: ['npm test'] } }),
    abstains('one that the person does not want', 'curl -s https://example.com', { params: { not: ['curl'] } }),
  ],
})
