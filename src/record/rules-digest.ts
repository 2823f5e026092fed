import { createHash } from 'node:crypto'
import type { Rule, RuleSet } from '../model/rule.ts'

/**
 * Returns a digest of the rules in force: equal for the same entries and the same code of policies. The scripts that
 * hooks start are not read for it.
 */
export const rulesDigest = (rules: RuleSet): string => rules.prepared(digestOf)

function digestOf({ rules, exceptions }: RuleSet): string {
  const text = JSON.stringify([rules.map(withoutPlaces), exceptions], (_key, value: unknown) =>
    value instanceof RegExp ? value.source : value,
  )
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Leaves out where a policy happens to be in the sandbox, and which gate is running. */
function withoutPlaces({ handler, ...rule }: Rule): unknown {
  switch (handler.kind) {
    case 'command':
      return { ...rule, handler }
    case 'remote':
      return { ...rule, handler: { asks: handler.asks, url: handler.server.url } }
    case 'policy': {
      const { policy, digest, params } = handler
      return { ...rule, handler: { policy, digest, params } }
    }
    case 'builtin': {
      const { builtin } = handler
      return { ...rule, handler: builtin.kind === 'self-protection' ? builtin.kind : builtin }
    }
  }
}
