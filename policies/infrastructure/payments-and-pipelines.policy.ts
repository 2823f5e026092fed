import { abstains, asks, definePolicy, onlyTries, type PolicyAnswer } from 'hookgate/policy'
import { type Call, callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, strictest, type Words } from './cli/judge.ts'
import { isOneOf } from './cli/line.ts'
import { mergesByGraph } from './data/graphql.ts'
import { forgeRequestOf, type Request, requestOf, requestPrograms } from './data/requests.ts'
import { kindOf } from './data/releases.ts'
import { tokensOf } from './data/targets.ts'
import { hostOf, isLoopback } from './hosts.ts'
import { judge } from './impacts.ts'

const pipelines: Words = {
  harm: 'changes what the pipelines of everybody are given',
  instead: 'name the change and have the person make it',
}
const money: Words = {
  harm: 'moves money or ends what a customer pays for',
  instead: 'use a test account on this machine, or have the person do it',
}

interface Family {
  readonly words: Words
  readonly path: RegExp
  /** The hosts that serve such paths; any, where it is absent. */
  readonly host?: RegExp
}

const payers =
  /(?:^|\.)(?:stripe|paypal|adyen|squareup|mollie|wise|transferwise|razorpay|checkout|gocardless|braintreegateway|coinbase|plaid|paddle|chargebee)\.(?:com|io|net)$/

/** GitHub, GitLab, Gitea, Bitbucket; Azure says it in the body. */
const merging: Family = {
  words: {
    harm: 'merges a change into a branch that others build on',
    instead: 'name the request and have the person merge it',
  },
  path: /\/(?:merge_requests|pulls|pullrequests)\/[^/?]+\/(?:merge|approve)\b|\/repos\/[^/?]+\/[^/?]+\/merges(?:[?]|$)/i,
}
const completed = /"status"\s*:\s*"completed"/

const releasing: Family = {
  words: {
    harm: 'publishes a release, which everybody who follows the project gets',
    instead: 'make it a draft, and have the person publish it',
  },
  path: /\/(?:repos\/[^/?]+\/[^/?]+|projects\/[^/?]+)\/releases(?:\?|$)/i,
}
const draft = /"?draft"?\s*[:=]\s*true/

/** What a request changes by its path, unless it only reads. */
const families: readonly Family[] = [
  {
    words: money,
    host: payers,
    path: /\/(?:refunds?|payouts?|transfers?|topups|charges|withdrawals?|disbursements?|payments|payment_intents|captures)(?:[/?]|$)|\/(?:subscriptions|orders|invoices)\/[^/?]+\/(?:cancel|void|refund|pay)\b/i,
  },
  { words: money, path: /\/(?:payouts|refunds?)(?:\?|$)|\/refund(?:\?|$)/i },
  // GitLab, GitHub, CircleCI, Bitbucket
  {
    words: pipelines,
    path: /\/api\/v4\/(?:(?:projects|groups)\/[^/?]+|admin\/ci)\/variables\b|\/actions\/(?:organization-)?(?:secrets|variables)\b|\/dependabot\/secrets\b|\/project\/[^?]+\/envvar\b|\/context\/[^/?]+\/environment-variable\b|\/pipelines_config\/variables\b/i,
  },
  merging,
  releasing,
]

const reads = /^(?:GET|HEAD|OPTIONS)$/

/** Returns what a request would do, if it is one of the families. */
function familyOf({ method, urls, body }: Request): Family | undefined {
  if (reads.test(method)) return undefined
  if (urls.some((url) => /\bgraphql\b/i.test(url)) && mergesByGraph(body)) return merging
  if (urls.some((url) => /\/pullrequests\/[^/?]+(?:[?]|$)/i.test(url)) && completed.test(body)) return merging
  return families.find(
    ({ path, host, words }) =>
      !(words === releasing.words && draft.test(body)) &&
      urls.some((url) => !isLoopback(url) && path.test(url) && (host === undefined || host.test(hostOf(url)))),
  )
}

/** Words of tasks by which people are paid, or money leaves an account. */
const payingWords =
  'payroll payout payouts sepa ebics bacs disburse disbursement disbursements remittance salaries wages'
/** Words of tasks that only prepare, show or try it. */
const preparing =
  'test tests spec specs preview dry list show report status check lint seed fake mock generate gen build dev docs validate template init new help types typecheck watch'

/** Returns the task of a project, or its script, that pays somebody by its name. */
function paidTask({ program, args, command }: Call): string | undefined {
  const kind = kindOf(program, command.written, args)
  if (kind === undefined || (kind === 'program' && program !== 'rake')) return undefined
  const words = args.map(({ value }) => value)
  if (onlyTries(args, 'dry-run', 'dryrun', 'preview', 'help', 'h', 'T', 'P', 'tasks', 'list', 'n')) return undefined
  const named = words.filter((word) => !word.startsWith('-')).slice(0, 2)
  const names = kind === 'script' ? [command.written?.value.split('/').at(-1) ?? '', ...named.slice(0, 1)] : named
  const tokens = names.flatMap((name) => tokensOf(name.replace(/^.*\/(?=[^/])/, '')))
  if (tokens.some((token) => isOneOf(token, preparing))) return undefined
  return names.find((name) => tokensOf(name).some((token) => isOneOf(token, payingWords)))
}

export default definePolicy({
  id: 'payments-and-pipelines',
  severity: 'high',
  description:
    'Asks before requests that move money, and before variables and secrets of pipelines are set or a change is merged by request',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...requestPrograms, 'gh glab hub tea', payingWords], impacts: ['change'] },
  params: {
    ...params,
    allowedHosts: {
      type: 'strings',
      default: [],
      description: 'hosts that may be asked for such changes, without port: `api.test`',
    },
  },
  decide({ shell, impacts, params: given }) {
    const answers: PolicyAnswer[] = []
    const byCommand = judge(impacts, 'payments-and-pipelines', given)
    if (byCommand !== undefined) answers.push(byCommand)
    for (const call of callsIn(shell)) {
      const task = paidTask(call)
      if (task !== undefined && !isAllowed(call, given.allowed))
        answers.push(answerTo({ effect: 'ask', words: `… ${task}` }, call, given, money))
      const request = requestOf(call) ?? forgeRequestOf(call, shell)
      const family = request === undefined ? undefined : familyOf(request)
      if (request === undefined || family === undefined || isAllowed(call, given.allowed)) continue
      if (request.urls.every((url) => given.allowedHosts.includes(hostOf(url)))) continue
      answers.push(answerTo({ effect: 'ask', words: `… ${request.method}` }, call, given, family.words))
    }
    return strictest(answers)
  },
  examples: [
    asks('gh secret set NPM_TOKEN --body x'),
    asks('gh variable set REGION -b eu'),
    abstains('gh secret list'),
    asks('glab variable set REGION eu'),
    abstains('glab variable list'),
    asks('curl -X PUT https://gitlab.com/api/v4/projects/3/variables/TOKEN --form value=x'),
    asks('curl https://gitlab.example.com/api/v4/groups/3/variables -d key=A -d value=x'),
    abstains('curl https://gitlab.com/api/v4/projects/3/variables'),
    asks("curl -X PUT https://api.github.com/repos/a/b/actions/secrets/X -d '{}'"),
    asks('curl -X PUT https://api.github.com/repos/a/b/pulls/3/merge'),
    abstains('curl https://api.github.com/repos/a/b/pulls/3/merge'),
    asks('gh api repos/a/b/merges -f base=main -f head=x'),
    abstains('gh api repos/a/b/pulls/3/merge'),
    asks('glab api -X PUT projects/3/merge_requests/4/merge'),
    asks(
      'gh api graphql -f query=\'mutation { mergePullRequest(input: { pullRequestId: "a" }) { clientMutationId } }\'',
    ),
    abstains('gh api graphql -f query=\'{ repository(owner: "a", name: "b") { mergeCommitAllowed } }\''),
    asks('curl https://api.stripe.com/v1/refunds -u k: -d charge=ch_1'),
    asks('curl -X POST https://api.stripe.com/v1/subscriptions/sub_1/cancel'),
    asks('curl -X POST https://shop.example.com/api/payouts -d amount=5'),
    abstains('curl https://api.stripe.com/v1/charges?limit=3 -u k:'),
    abstains('curl https://api.stripe.com/v1/customers -u k: -d email=a@b.example'),
    abstains('curl -X POST http://localhost:3000/refunds -d charge=ch_1'),
    abstains('a host that is allowed', 'curl -X POST https://pay.test/refunds -d a=b', {
      params: { allowedHosts: ['pay.test'] },
    }),
    asks('bundle exec rake "payroll:close[2026-03]"'),
    asks('bin/ebics upload out/pain001.xml --live'),
    abstains('bundle exec rspec spec/payroll'),
    abstains('npm run payouts:preview'),
    abstains('rg payroll app/'),
    abstains('echo gh secret set A'),
    allowed('gh secret set NPM_TOKEN --body x', 'gh secret set'),
    answered('gh secret set NPM_TOKEN --body x', 'deny'),
  ],
})
