import { type Command, printed } from './command.ts'
import { agentOf, parseFlags, usage } from './flags.ts'
import { languages } from './new/hook-templates.ts'
import { agentHook, clineHook } from './new/make-hook.ts'
import { makePolicy } from './new/make-policy.ts'

export const newCommand: Command = {
  summary: 'a starting point for a policy, with examples, or for a hook, with a test',
  help: `hookgate new: a starting point that passes its own test

  hookgate new policy NAME [--event EVENT] [--tool write|shell] [--js] [--dir DIR]
      a policy with examples: .hookgate/policies/NAME.policy.ts; --event is PreToolUse (default: guards files, or
      with \`--tool shell\` commands) or UserPromptSubmit (adds context). Where hookgate is not installed as a
      dependency, a tsconfig.json is added so that editors find its types

  hookgate new hook NAME [--agent AGENT] [--event EVENT] [--language node|bash|python] [--dir DIR]
      a hook in the format of Claude Code, or of another agent: .hookgate/hooks/NAME, its test beside it, and its entry
      in .hookgate/hooks.json where there is none yet; --event is PreToolUse (default: a guard) or UserPromptSubmit
      (adds context), or the agent's own name for it

  hookgate new hook EVENT --agent cline [--language node|bash|python] [--dir DIR]
      a Cline hook: .clinerules/hooks/EVENT and its test; EVENT is PreToolUse (a guard) or UserPromptSubmit (adds
      context)

Existing files are never overwritten. bash needs jq.

  hookgate new policy no-generated-files
  hookgate test .hookgate/policies/no-generated-files.policy.ts

  hookgate new hook no-force-push
  node --test .hookgate/hooks/no-force-push.test.mjs
`,
  async run({ argv, cwd }) {
    const { values, positionals } = parseFlags('new', argv, flags, true)
    const [kind, name, ...rest] = positionals
    if (kind === undefined) throw usage('new what?', 'new')
    if (kind !== 'hook' && kind !== 'policy') throw usage(`cannot create a \`${kind}\`, only a policy or a hook`, 'new')
    if (name === undefined || rest.length > 0) throw usage(`new ${kind} takes one name`, 'new')
    const dir = values.dir ?? cwd
    if (kind === 'policy')
      return printed(makePolicy(name, { event: values.event, tool: values.tool, js: values.js === true, dir, cwd }))
    if (!/^[\w.-]{1,100}$/.test(name) || name.startsWith('.'))
      throw usage(`\`${name}\` is not a valid file name`, 'new')
    const agent = agentOf('new', values.agent) ?? 'claude-code'
    const language = languages.find((known) => known === values.language)
    if (language === undefined)
      throw usage(`--language must be one of ${languages.join(', ')}, not \`${values.language}\``, 'new')
    const hook =
      agent === 'cline' ? clineHook(name, language, dir, cwd) : agentHook(agent, name, values.event, language, dir, cwd)
    return printed(await hook)
  },
}

const flags = {
  agent: { type: 'string' },
  event: { type: 'string', default: 'PreToolUse' },
  language: { type: 'string', default: 'node' },
  tool: { type: 'string' },
  js: { type: 'boolean' },
  dir: { type: 'string' },
} as const
