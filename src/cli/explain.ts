import { openEventFacts } from '../facts/tool-call.ts'
import { createGate } from '../gate.ts'
import { planFor } from '../rules/index.ts'
import { type Command, jsonText, printed } from './command.ts'
import { decidingFlags } from './flags.ts'
import { decidingHelp } from './run.ts'
import { trace } from './trace.ts'

export const explainCommand: Command = {
  summary: 'decide one event and say why: the plan, each rule’s answer, how long it took',
  help: `hookgate explain: decide one event and say why

  hookgate explain [options] < event.json

Takes the same options as \`hookgate run\` and runs the same hooks and policies, then prints a readable report: which
rules apply, which are skipped and why, what each one answered, how long it took, and how that led to the verdict. For a
shell command it also shows every command that would run, what each was unwrapped from, which files it touches, where
its bytes go, what is uncertain, and which rule is about which command.

${decidingHelp}
  --json                    the report as one JSON object: event, plan, skipped, shell, paths, notes, alarms, verdict

  echo '{"session_id":"s","transcript_path":"","cwd":"'$PWD'","hook_event_name":"PreToolUse","tool_name":"Bash",
         "tool_input":{"command":"git push --force"}}' | hookgate explain --agent claude-code
`,
  async run({ argv, stdin, env }) {
    const flags = decidingFlags('explain', argv)
    // One event can use only one thread, and each thread loads every policy.
    const gate = createGate({ ...flags.gate, env, policyThreads: 1 })
    try {
      const event = await gate.decode(await stdin, flags.agent && { agent: flags.agent })
      const rules = await gate.rulesFor(event)
      const verdict = await gate.decide(event)
      const found = await openEventFacts()(event, env)
      if (!flags.json) return printed(trace(event, rules, verdict, { stream: process.stdout, found }))
      const plan = planFor(event, rules, found.shell).rules
      const shown = {
        event,
        plan: plan.map(({ id, source, handler, onFailure, timeoutMs, untrustedReason }) => ({
          ruleId: id,
          file: source.file,
          scope: source.scope,
          handler,
          onFailure,
          timeoutMs: timeoutMs ?? flags.gate.timeoutMs,
          ...(untrustedReason !== undefined && { untrustedReason }),
        })),
        skipped: rules.rules.map(({ id }) => id).filter((id) => !plan.some((rule) => rule.id === id)),
        ...found,
        notes: rules.notes,
        alarms: rules.alarms,
        verdict,
      }
      return printed(jsonText(shown, 2))
    } finally {
      gate.kill()
    }
  },
}
