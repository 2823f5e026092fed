import type { Impact } from '../../../model/impact.ts'
import { onlyTries, wordsBeside } from '../../../words/options.ts'
import type { Call } from '../../../words/calls.ts'
import { lineIn } from '../../../words/loose-line.ts'
import { makeImpact } from '../make-impact.ts'
import { namesOneOf } from '../../../words/names.ts'
import { codeOnStdin, hasTrait } from '../../programs/table.ts'
import { deedsOf } from '../by-deeds.ts'

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
/** Machines of many processors for graphics, and whole ones. */
const dear =
  /(?:^|[\s_.-])(?:p[3-6]\w*\.(?:8|16|24|48)xlarge|p5\w*\.|g[56]\w*\.(?:24|48)xlarge|trn\d\w*\.32xlarge|[a-z]\d\w*\.metal|u-\d+tb|a[23]-(?:mega|ultra|high)gpu-(?:8|16)g|nvidia-h[12]00|standard_nd\w+)/i
const verbs = /^(?:run-instances|create-?\w*|resize|scale|update-?\w*|set-desired-capacity|add|start|launch)/
/** More machines than anybody starts to try something. */
const manyMachines = 50

const rules = { valued: [...counts, ...kinds].join(' ') }

/** Finds commands that start machines which cost more than a trial does: by their kind, or by their number. */
export function dearMachines(call: Call): readonly Impact[] {
  if (!hasTrait(call.program, 'rentsMachines')) return []
  const line = lineIn(call, rules)
  const verb = line.words.slice(0, 4).find(({ text }) => verbs.test(text))
  if (verb === undefined || onlyTries(call.args, 'dry-run', 'help', 'generate-cli-skeleton')) return []
  const given = (names: readonly string[], isMuch: (value: string) => boolean) =>
    names.find((name) => line.options.get(name)?.some(isMuch) === true)
  const name =
    given(kinds, (value) => dear.test(value)) ??
    given(counts, (value) => value.split(/[:,]/).some((one) => Number.parseInt(one, 10) >= manyMachines))
  if (name === undefined) return []
  const words = [...line.words.slice(0, line.words.indexOf(verb) + 1).map(({ text }) => text), `--${name}`].join(' ')
  const values = line.options.get(name) ?? []
  const object = kinds.includes(name) ? 'costly machine' : `${values.join(', ')} machines`
  const names = kinds.includes(name) ? values : []
  return [
    makeImpact(call, line, {
      kind: 'spend',
      thing: 'money',
      area: 'cloud-providers',
      object,
      names,
      undo: 'work',
      words,
    }),
  ]
}

const script = /\.(?:sh|bash|zsh|py|js|ts|mjs|cjs|rb|pl|php|ps1|go)$/

/** Words of tasks by which people are paid, or money leaves an account. */
const payingWords =
  'payroll payout payouts sepa ebics bacs disburse disbursement disbursements remittance salaries wages'.split(' ')
/** Words of tasks that only prepare, show or try it. */
const preparing =
  'test tests spec specs preview dry list show report status check lint seed fake mock generate gen build dev docs validate template init new help types typecheck watch'.split(
    ' ',
  )

/** Finds tasks of a project, and its scripts, that pay somebody by their names. */
export function paidTasks(call: Call): readonly Impact[] {
  const names = taskNames(call)
  const plain = names.map((name) => name.replace(/^.*\/(?=[^/])/, ''))
  const task = names.find((name) => namesOneOf(name, payingWords))
  if (task === undefined || plain.some((name) => namesOneOf(name, preparing))) return []
  if (onlyTries(call.args, 'dry-run', 'dryrun', 'preview', 'help', 'h', 'T', 'P', 'tasks', 'list', 'n')) return []
  return [
    makeImpact(call, lineIn(call, {}), {
      kind: 'pay',
      thing: 'money',
      area: 'accounts-and-payments',
      object: 'money',
      names: [],
      undo: 'work',
      words: task === call.program ? '' : task,
    }),
  ]
}

/** Returns the names of the task or the script that a command runs. */
function taskNames({ program, args, command: { written } }: Call): readonly string[] {
  const named = wordsBeside(args)
  const isFile = (codeOnStdin(program) !== undefined || hasTrait(program, 'sources')) && script.test(named[0] ?? '')
  const isTask = isFile || named[0] === 'artisan' || named[0]?.endsWith('manage.py') === true
  if (/^(?:php$|python)/.test(program) ? isTask : isFile || hasTrait(program, 'tasks')) return named.slice(0, 2)
  const own = written?.value ?? ''
  const isOwn = script.test(own) || /^(?:\.{1,2}\/|[\w-]+\/)/.test(own)
  return isOwn && deedsOf(program).length === 0 ? [own.split('/').at(-1) ?? '', ...named.slice(0, 1)] : []
}
