import type { BuiltinHandler, Rule } from '../model/rule.ts'

/** What rules that hookgate evaluates itself differ in. */
type BuiltinParts = Pick<Rule, 'id' | 'source' | 'onFailure' | 'mode'> & {
  readonly builtin: BuiltinHandler['builtin']
  /** Default: every tool call, before it is made. */
  readonly match?: Partial<Rule['match']>
}

/** Makes a rule that hookgate evaluates itself. */
export const builtinRule = ({ builtin, match, ...parts }: BuiltinParts): Rule => ({
  ...parts,
  match: {
    spelled: 'PreToolUse',
    events: ['PreToolUse'],
    triggers: undefined,
    matcher: { kind: 'any' },
    subject: { kind: 'any' },
    condition: undefined,
    ...match,
  },
  handler: { kind: 'builtin', builtin },
  timeoutMs: undefined,
  sequence: undefined,
  untrustedReason: undefined,
})
