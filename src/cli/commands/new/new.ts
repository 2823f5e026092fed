import { resolve } from 'node:path'
import { placesFor } from '../../../rules/places.ts'
import { type Command, printed, usage } from '../../command.ts'
import { agentOf, choiceIn, parseFlags } from '../../args/flags.ts'
import { hookLanguages } from './hook-templates.ts'
import { makeHook } from './hook.ts'
import { makeManaged, managedText } from './managed.ts'
import { guardedTools } from './policy-templates.ts'
import { makePolicy } from './policy.ts'

export const newCommand: Command = {
  summary: 'a starting point for a policy, a hook, or the managed file of a machine',
  help: `hookgate new: a starting point that passes its own test

  hookgate new policy NAME [--tool write|shell] [--js] [--dir DIR]
      .hookgate/policies/NAME.policy.ts: a policy that guards files or, with \`--tool shell\`, commands, with examples.
      Unless hookgate is a dependency of the project, a tsconfig.json is added so that editors find its types

  hookgate new hook NAME [--agent AGENT] [--language node|bash|python] [--dir DIR]
      .hookgate/hooks/NAME: a hook that guards commands, in the format of Claude Code or of another agent, with a test,
      and its entry in .hookgate/hooks.json unless that file exists. For Cline it is .clinerules/hooks/NAME, where NAME
      is the event, PreToolUse

  hookgate new managed [--preset NAME] [--contact TEXT] [--otlp URL] [--dir DIR] [--print]
      The one file of rules for everybody on this machine, which no user loosens, with every key explained: as root in
      /etc/hookgate (on Windows in %ProgramData%\\hookgate), or in DIR, such as a repository of yours

  --js             write the policy in JavaScript
  --dir DIR        the project's folder; default: the current one
  --preset NAME    \`recommended\` (default), \`strict\` or \`observe\`
  --contact TEXT   whom to ask for an exception, shown with each refusal
  --otlp URL       the collector to which the record is sent
  --print          print the file, and write nothing

Existing files are never overwritten. A hook in bash needs jq.

  hookgate new policy no-generated-files
  hookgate test .hookgate/policies/no-generated-files.policy.ts

  hookgate new hook no-force-push
  node --test .hookgate/hooks/no-force-push.test.mjs
`,
  // oxlint-disable-next-line require-await -- exceptions must become rejections
  async run({ argv, cwd, env }) {
    const { values, positionals } = parseFlags('new', argv, flags, true)
    const [kind, name, ...rest] = positionals
    if (kind === undefined) throw usage('new needs `policy`, `hook` or `managed`', 'new')
    if (kind === 'managed') {
      if (name !== undefined) throw usage('new managed takes no name', 'new')
      const { preset = 'recommended', contact, otlp, dir } = values
      const choice = { preset, contact, otlp }
      if (values.print === true) return printed(managedText(choice))
      const { managedFolder } = placesFor({ env })
      return printed(makeManaged(dir === undefined ? managedFolder : resolve(cwd, dir), dir === undefined, choice))
    }
    if (kind !== 'hook' && kind !== 'policy') throw usage(`cannot create a \`${kind}\`, only a policy or a hook`, 'new')
    if (name === undefined || rest.length > 0) throw usage(`new ${kind} takes one name`, 'new')
    const where = { dir: resolve(cwd, values.dir ?? '.'), cwd }
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
  dir: { type: 'string' },
  preset: { type: 'string' },
  contact: { type: 'string' },
  otlp: { type: 'string' },
  print: { type: 'boolean' },
} as const
