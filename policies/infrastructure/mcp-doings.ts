import { setOf, toolWords } from 'hookgate/policy'
import { textsIn } from './data/tool-input.ts'

/** Fields whose `true` makes git overwrite, and texts that do. */
const forcing = /^force$|^force(?:push|withlease|_push|_with_lease|d)$/i
const forced = /(?:^|\s)(?:-f|--force(?:-with-lease\S*)?|--mirror|\+\S+)(?:\s|$)/
/** Fields in which a tool takes the words of a command. */
const wordsKey = /^(?:command|cmd|args|arguments|options|flags|mode|action|operation|type)$/i

const hasForce = (value: unknown, depth = 0): boolean =>
  depth <= 4 &&
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, one]) => (one === true && forcing.test(key)) || hasForce(one, depth + 1))

/** Harm of git's tools to commits or files of which there is no other copy, by the tool's name or by a subcommand. */
export function gitLoss(parts: readonly string[], input: unknown): string | undefined {
  const texts = textsIn(input).flatMap(({ key, text }) => (wordsKey.test(key) ? [text] : []))
  const words = [...parts, ...texts.flatMap((text) => text.split(/\s+/))]
  const isForced = hasForce(input) || texts.some((text) => forced.test(text))
  if (isForced && (words.includes('push') || /\bupdate (?:git )?ref/.test(parts.join(' ')))) return 'push --force'
  if (words.includes('reset') && words.some((word) => /^(?:--)?hard$/i.test(word))) return 'reset --hard'
  return isForced && parts.includes('git') && words.includes('clean') ? 'clean --force' : undefined
}

/** Rights that let somebody do everything. */
const all = /^(?:admin|owner|maintain|administrator)$/i

/** True if a tool makes somebody an administrator. */
export const isGrant = (parts: readonly string[], input: unknown): boolean =>
  parts.some((part) => /^(?:add|invite|set|update|grant)$/.test(part)) &&
  parts.some((part) => /^(?:collaborators?|members?|invitation|permissions?)$/.test(part)) &&
  textsIn(input).some(
    ({ key, text }) => toolWords(key).some((word) => /^(?:role|permission)$/.test(word)) && all.test(text),
  )

/** True for what ends a contract with somebody: a subscription, an order that is paid. */
export const isCancelled = (parts: readonly string[]) =>
  parts.some((part) => /^(?:cancel|void|terminate)$/.test(part)) &&
  parts.some((part) => /^(?:subscriptions?|invoices?|payments?|orders?|plans?|contracts?|bookings?)$/.test(part))

/** True for the merge of a change that others are to review; git's own merge is the agent's. */
export const isMerge = (parts: readonly string[]) =>
  (/^(?:merge|accept|automerge)$/.test(parts[0] ?? '') || parts.at(-1) === 'merge') &&
  parts.some((part) => /^(?:pull|pullrequest|pr|mr|request)$/.test(part)) &&
  !parts.some((part) => about.has(part))
/** Words of tools that write about a request to merge. */
const about = setOf('create open update edit comment comments note notes diff changes approve review status'.split(' '))

/** True for a request to merge whose new status, or whose setting, merges it. */
export const isMergedByStatus = (parts: readonly string[], input: unknown) =>
  parts.some((part) => /^(?:update|edit|set|patch)$/.test(part)) &&
  parts.some((part) => /^(?:pull|pullrequest|pr|mr)$/.test(part)) &&
  (textsIn(input).some(({ key, text }) => /^(?:status|state)$/i.test(key) && /^(?:completed|merged)$/i.test(text)) ||
    (typeof input === 'object' && input !== null && 'autoComplete' in input && input.autoComplete === true))

/** True for a release that everybody gets, and is no draft. */
export const isPublished = (parts: readonly string[], input: unknown) =>
  /^(?:create|publish|submit|upload)$/.test(parts[0] ?? '') &&
  parts.some((part) => /^(?:release|releases|package|packages|listing)$/.test(part)) &&
  !(typeof input === 'object' && input !== null && 'draft' in input && input.draft === true)

/** True for a change of many things at once that customers see or pay. */
export const isBulk = (parts: readonly string[]) =>
  parts.some((part) => /^(?:bulk|batch|mass|all)$/.test(part)) &&
  parts.some((part) => /^(?:update|edit|set|change|modify|import|overwrite)$/.test(part)) &&
  parts.some((part) => /^(?:prices?|products?|customers?|users?|orders?|inventory|permissions?|contacts?)$/.test(part))

/** True for a setting that keeps a bill small and is taken away, or for machines that cost much. */
export const isDear = (parts: readonly string[], input: unknown) =>
  (parts.some((part) => /^(?:spend|spending|budget|budgets|billing|quota)$/.test(part)) && hasOff(input)) ||
  (parts.some((part) => /^(?:run|create|launch|start|resize|scale)$/.test(part)) &&
    textsIn(input).some(
      ({ key, text }) =>
        /type|size|sku/i.test(key) &&
        /^(?:p[3-6]\w*\.(?:8|16|24|48)xlarge|g[56]\w*\.48xlarge|\w+\.metal|standard_nd\w+|a[23]-\w+gpu-(?:8|16)g)$/i.test(
          text,
        ),
    ))
const hasOff = (input: unknown) =>
  typeof input === 'object' &&
  input !== null &&
  Object.entries(input).some(([key, one]) => /enabled|limit|cap/i.test(key) && (one === false || one === null))

/** Verbs after which something others use does not run, or is as it was before. */
const interrupting = /^(?:reset|pause|suspend|hibernate|shutdown|poweroff|failover|quarantine|deactivate)$/
const running =
  /^(?:branch|projects?|databases?|db|services?|servers?|instances?|clusters?|applications?|apps?|environments?|deployments?|campaigns?|ads?|subscriptions?|workspaces?|tables?|index|parent|account|users?|passwords?|credentials?|mfa|stack|queue|pipeline|warehouse|workflow|monitor|replica|node[_ ]?pool|site|domain|vm|machine)$/

/** True for a tool that stops or resets what others use, by its name. */
export const isInterrupted = (parts: readonly string[]) =>
  parts.some((part) => interrupting.test(part)) && parts.some((part) => running.test(part))

/** True for a tool that commits files by a server, straight to the branch that everybody builds on. */
export const isPushToMain = (parts: readonly string[], input: unknown) =>
  parts.some((part) => /^(?:push|create|update|upsert|commit|edit|write|put)$/.test(part)) &&
  parts.some((part) => /^(?:files?|commits?|contents?)$/.test(part)) &&
  textsIn(input).some(
    ({ key, text }) =>
      /^(?:branch|branch_?name|target_?branch|ref)$/i.test(key) &&
      /^(?:refs\/heads\/)?(?:main|master|trunk)$/.test(text),
  )
