import { abstains, asks, definePolicy, onlyTries, type PolicyAnswer } from 'hookgate/policy'
import { type Call, callsIn } from './cli/calls.ts'
import { allowed, answered } from './cli/example.ts'
import { answerTo, isAllowed, params, strictest } from './cli/judge.ts'
import { lineIn } from './cli/line.ts'
import { judge } from './impacts.ts'

/** Options that say how many machines there are to be, and what kind. */
const counts = [
  'count',
  'num-nodes',
  'node-count',
  'desired-capacity',
  'max-size',
  'replicas',
  'instance-count',
  'max-instances',
  'nodes',
]
const kinds = [
  'instance-type',
  'machine-type',
  'size',
  'vm-size',
  'accelerator',
  'instance-types',
  'node-vm-size',
  'node-type',
]
const clouds = [
  'aws',
  'gcloud',
  'az',
  'eksctl',
  'doctl',
  'hcloud',
  'linode-cli',
  'ibmcloud',
  'oci',
  'databricks',
  'fly',
  'flyctl',
  'runpodctl',
  'lambda',
]
/** Machines of many processors for graphics, and whole ones. */
const dear =
  /(?:^|[\s_.-])(?:p[3-6]\w*\.(?:8|16|24|48)xlarge|p5\w*\.|g[56]\w*\.(?:24|48)xlarge|trn\d\w*\.32xlarge|[a-z]\d\w*\.metal|u-\d+tb|a[23]-(?:mega|ultra|high)gpu-(?:8|16)g|nvidia-h[12]00|standard_nd\w+)/i
const verbs = /^(?:run-instances|create-?\w*|resize|scale|update-?\w*|set-desired-capacity|add|start|launch)/
/** More machines than anybody starts to try something. */
const manyMachines = 50

/** Returns the option by which a command starts machines that cost more than a trial does. */
export function dearMachines(call: Call): string | undefined {
  if (!clouds.includes(call.program)) return undefined
  const line = lineIn(call, { valued: [...counts, ...kinds].join(' ') })
  const verb = line.words.slice(0, 4).find(({ text }) => verbs.test(text))
  if (verb === undefined) return undefined
  const given = (names: readonly string[], isMuch: (value: string) => boolean) =>
    names.find((name) => line.options.get(name)?.some(isMuch) === true)
  const name =
    given(kinds, (value) => dear.test(value)) ??
    given(counts, (value) => value.split(/[:,]/).some((one) => Number.parseInt(one, 10) >= manyMachines))
  return name === undefined ? undefined : `${verb.text} --${name}`
}

const machines = {
  harm: 'starts machines that are billed by the hour, and dearly',
  instead: 'take the smallest that will do, or say what it costs and have the person start them',
}

export default definePolicy({
  id: 'spending',
  severity: 'medium',
  description: 'Asks before an account is bound to pay: reservations, domains, budgets, and dear or many machines',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: clouds, impacts: ['pay'] },
  params,
  decide({ shell, impacts, params: given }) {
    const answers: PolicyAnswer[] = []
    const bought = judge(impacts, 'spending', given)
    if (bought !== undefined) answers.push(bought)
    for (const call of callsIn(shell)) {
      const how = dearMachines(call)
      if (how === undefined || isAllowed(call, given.allowed)) continue
      if (onlyTries(call.args, 'dry-run', 'help', 'generate-cli-skeleton')) continue
      answers.push(answerTo({ effect: 'ask', words: how }, call, given, machines))
    }
    return strictest(answers)
  },
  examples: [
    asks('aws ec2 run-instances --instance-type p5.48xlarge --count 2 --image-id ami-1'),
    asks('aws ec2 run-instances --instance-type t3.micro --count 200 --image-id ami-1'),
    abstains('aws ec2 run-instances --instance-type t3.micro --count 1 --image-id ami-1'),
    abstains('aws ec2 run-instances --instance-type p5.48xlarge --dry-run'),
    abstains('aws ec2 describe-instance-types --instance-types p5.48xlarge'),
    asks('gcloud container clusters resize main --num-nodes 300 --quiet'),
    abstains('gcloud container clusters resize main --num-nodes 3'),
    asks('aws savingsplans create-savings-plan --savings-plan-offering-id a --commitment 100'),
    abstains('aws ce get-cost-and-usage'),
    asks('gcloud billing projects unlink shop'),
    asks('vercel domains buy shop.example'),
    allowed('vercel domains buy shop.example', 'vercel domains'),
    answered('vercel domains buy shop.example', 'deny'),
  ],
})
