import { agentNames, explained } from './agent-names.ts'
import type { Command } from './command.ts'
import { change } from './enable.ts'

export const disable: Command = {
  summary: 'undo `hookgate enable`, to the byte',
  help: `hookgate disable: have an agent ask hookgate no more

  hookgate disable AGENT [--scope user|project]

Takes out what \`hookgate enable\` put in, and nothing else: what you have changed in your files since stays. Files and
folders that were made for it go with it, where nothing else is in them. The gate itself goes on: \`hookgate down\` ends
it.

${explained('  AGENT            ', agentNames)}
  --scope WHICH    \`user\` (default) or \`project\`, as it was enabled
  --dry-run        print which files would be changed, and change nothing
  --diff           the same as \`diff -u\` shows it, line by line
  --json           what was done, as JSON

  hookgate disable claude-code --dry-run
`,
  run: (invocation) => change('disable', undefined, invocation),
}
