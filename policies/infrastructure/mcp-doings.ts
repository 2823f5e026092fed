import { toolWords } from 'hookgate/policy'
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
