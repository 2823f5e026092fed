import type { JsonObject } from '../../model/json.ts'
import type { Handler, Matcher, Program, Rule, RuleSet } from '../../model/rule.ts'
import { maskSecrets } from '../../record/mask.ts'

/** Returns the rules in force as JSON, in plan order, for `GET /v1/rules`. */
export function rulesShown({ rules, notes, alarms }: RuleSet): JsonObject {
  return { rules: rules.map(ruleShown), notes, alarms }
}

function ruleShown({ id, source, match, handler, onFailure, timeoutMs, untrustedReason }: Rule): JsonObject {
  return {
    id,
    source: { id: source.id, scope: source.scope, file: source.file },
    events: match.events,
    ...(match.triggers !== undefined && { triggers: match.triggers }),
    matcher: matcherShown(match.matcher),
    ...(match.condition !== undefined && { if: match.condition.text }),
    handler: handlerShown(handler),
    onFailure,
    timeoutMs: timeoutMs ?? null,
    /** Why the rule is not trusted, and what to do. */
    untrustedReason: untrustedReason ?? null,
  }
}

/** Formats the matcher for the tool or trigger: `*`, exact names, or a regular expression. */
function matcherShown(matcher: Matcher): string | readonly string[] {
  switch (matcher.kind) {
    case 'any':
      return '*'
    case 'names':
      return matcher.names
    case 'pattern':
      return `/${matcher.pattern.source}/`
  }
}

/** Omits a handler's environment and parameters, which may contain secrets. */
function handlerShown(handler: Handler): JsonObject {
  switch (handler.kind) {
    case 'command':
      return { kind: 'command', dialect: handler.dialect, program: programShown(handler.program), async: handler.async }
    case 'policy':
      return { kind: 'policy', policy: handler.policy, file: handler.file }
  }
}

function programShown(program: Program): string | readonly string[] {
  switch (program.form) {
    case 'shell':
      return maskSecrets(program.command)
    case 'exec':
      return [program.file, ...program.args].map(maskSecrets)
    case 'script':
      return program.file
  }
}
