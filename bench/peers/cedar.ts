import { type CedarValueJson, preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import type { Candidate } from '../support/candidate.ts'
import { forbidden } from '../support/subject.ts'
import { quoted } from './rules.ts'

const user = { type: 'User', id: 'agent' }
const tool = { type: 'Tool', id: 'Bash' }

/** Cedar compiled to WebAssembly, in the caller's thread, its policies parsed once. The context is the whole event. */
export function cedar(rules: number): Candidate {
  const forbids = Array.from(
    { length: rules },
    (_, rule) => `forbid (principal, action == Action::"PreToolUse", resource == Tool::"Bash")
when { context.tool_input has command && context.tool_input.command like ${quoted(`*${forbidden(rule)}*`)} };`,
  )
  const staticPolicies = ['permit (principal, action, resource);', ...forbids].join('\n')
  const preparsedPolicySetId = `bench-${rules}`
  const parsed = preparsePolicySet(preparsedPolicySetId, { staticPolicies })
  if (parsed.type === 'failure') throw new Error(JSON.stringify(parsed.errors))
  return {
    name: '`@cedar-policy/cedar-wasm`',
    kind: 'sandboxed',
    decide({ json }) {
      const context = JSON.parse(json) as Record<string, CedarValueJson> & { readonly hook_event_name: string }
      const answer = statefulIsAuthorized({
        principal: user,
        action: { type: 'Action', id: context.hook_event_name },
        resource: tool,
        context,
        preparsedPolicySetId,
        entities: [],
      })
      if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors))
      return answer.response.decision === 'deny' ? 'deny' : 'abstain'
    },
    close() {},
  }
}
