import type { Impact } from '../../../model/impact.ts'
import { onlyTries } from '../../../words/options.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { makeImpact } from '../make-impact.ts'

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
const clouds = new Set([
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
])
/** Machines of many processors for graphics, and whole ones. */
const dear =
  /(?:^|[\s_.-])(?:p[3-6]\w*\.(?:8|16|24|48)xlarge|p5\w*\.|g[56]\w*\.(?:24|48)xlarge|trn\d\w*\.32xlarge|[a-z]\d\w*\.metal|u-\d+tb|a[23]-(?:mega|ultra|high)gpu-(?:8|16)g|nvidia-h[12]00|standard_nd\w+)/i
const verbs = /^(?:run-instances|create-?\w*|resize|scale|update-?\w*|set-desired-capacity|add|start|launch)/
/** More machines than anybody starts to try something. */
const manyMachines = 50

const rules = { valued: [...counts, ...kinds].join(' ') }

/** Finds commands that start machines which cost more than a trial does: by their kind, or by their number. */
export function dearMachines(call: Call): readonly Impact[] {
  if (!clouds.has(call.program)) return []
  const line = lineIn(call, rules)
  const verb = line.words.slice(0, 4).find(({ text }) => verbs.test(text))
  if (verb === undefined || onlyTries(call.args, 'dry-run', 'help', 'generate-cli-skeleton')) return []
  const given = (names: readonly string[], isMuch: (value: string) => boolean) =>
    names.find((name) => line.options.get(name)?.some(isMuch) === true)
  const name =
    given(kinds, (value) => dear.test(value)) ??
    given(counts, (value) => value.split(/[:,]/).some((one) => Number.parseInt(one, 10) >= manyMachines))
  if (name === undefined) return []
  const words = `${verb.text} --${name}`
  const values = line.options.get(name) ?? []
  const object = kinds.includes(name) ? 'dear machine' : `${values.join(', ')} machines`
  const names = kinds.includes(name) ? values : []
  return [
    makeImpact(call, line, {
      kind: 'pay',
      thing: 'money',
      area: 'cloud-providers',
      object,
      names,
      undo: 'work',
      words,
    }),
  ]
}
