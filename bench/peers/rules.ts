import { forbidden } from '../support/subject.ts'

/**
 * The rules as a JavaScript function from the event's JSON to the decision, for peers that run JavaScript. Like
 * policies, each rule reads the command by itself.
 */
export function decideSource(rules: number): string {
  const list = Array.from(
    { length: rules },
    (_, rule) => `(tool) => tool.command?.includes(${JSON.stringify(forbidden(rule))}) ? 'deny' : undefined`,
  )
  return `(() => {
  const rules = [${list.join(',\n')}]
  return (json) => {
    const event = JSON.parse(json)
    if (event.hook_event_name !== 'PreToolUse' || event.tool_name !== 'Bash') return 'abstain'
    let decision = 'abstain'
    for (const rule of rules) if (rule(event.tool_input) === 'deny') decision = 'deny'
    return decision
  }
})()`
}

/** Quotes a text as JSON, which without control characters is also a valid string in Cedar and similar languages. */
export const quoted = (text: string) => JSON.stringify(text)
