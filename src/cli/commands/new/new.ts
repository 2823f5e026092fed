import { resolve } from 'node:path'
import { type Command, printed, usage } from '../../command.ts'
import { agentOf, choiceIn, parseFlags } from '../../args/flags.ts'
import { hookLanguages } from './hook-templates.ts'
import { makeHook } from './hook.ts'
import { guardedTools } from './policy-templates.ts'
import { makePolicy } from './policy.ts'

export const newCommand: Command = {
  summary: 'a starting point for a policy, with examples, or for a hook, with a test',
  help: `hookgate new: a starting point that passes its own test

  hookgate new policy NAME [--tool write|shell] [--js] [--dir DIR]
      .hookgate/policies/NAME.policy.ts: a policy that guards files or, with \`--tool shell\`, commands, with examples.
      Unless hookgate is a dependency of the project, a tsconfig.json is added so that editors find its types

  hookgate new hook NAME [--agent AGENT] [--language node|bash|python] [--dir DIR]
      .hookgate/hooks/NAME: a hook that guards commands, in the format of Claude Code or of another agent, with a test,
      and its entry in .hookgate/hooks.json unless that file exists. For Cline it is .clinerules/hooks/NAME, where NAME
      is the event, PreToolUse

  --js             write the policy in JavaScript
  --dir DIR        the project's folder; default: the current one

Existing files are never overwritten. A hook in bash needs jq.

  hookgate new policy no-generated-files
  hookgate test .hookgate/policies/no-generated-files.policy.ts

  hookgate new hook no-force-push
  node --test .hookgate/hooks/no-force-push.test.mjs
`,
  // oxlint-disable-next-line require-await -- exceptions must become rejections
  async run({ argv, cwd }) {
    const { values, positionals } = parseFlags('new', argv, flags, true)
    const [kind, name, ...rest] = positionals
    if (kind === undefined) throw usage('new needs `policy` or `hook`', 'new')
    if (kind !== 'hook' && kind !== 'policy') throw usage(`cannot create a \`${kind}\`, only a policy or a hook`, 'new')
    if (name === undefined || rest.length > 0) throw usage(`new ${kind} takes one name`, 'new')
    const where = { dir: resolve(cwd, values.dir), cwd }
    if (kind === 'policy')
      return printed(
        makePolicy(name, {
          tool: choiceIn('new', 'tool', values.tool, guardedTools) ?? 'write',
          js: values.js === true,
          ...where,
        }),
      )
    const language = choiceIn('new', 'language', values.language, hookLanguages) ?? 'node'
    return printed(await makeHook(name, agentOf(values.agent), language, where))
  },
}

const flags = {
  agent: { type: 'string', default: 'claude-code' },
  language: { type: 'string' },
  tool: { type: 'string' },
  js: { type: 'boolean' },
  dir: { type: 'string', default: '.' },
} as const
