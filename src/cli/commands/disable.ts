import { explainedColumn } from '../text/layout.ts'
import { agentList } from '../args/flags.ts'
import type { Command } from '../command.ts'
import { change } from './enable/enable.ts'
import { changeManaged, isManaged } from './enable/managed.ts'

export const disableCommand: Command = {
  summary: 'undo `hookgate enable`, to the byte',
  help: `hookgate disable: stop an agent from asking hookgate

  hookgate disable AGENT [--scope user|project]
  hookgate disable --managed AGENT…

Removes what \`hookgate enable\` added, and nothing else: your own changes since then stay. Files and folders that were
created for it are removed too, if nothing else is in them. The gate itself keeps running: \`hookgate down\` stops it.

${explainedColumn('  AGENT            ', agentList)}
  --scope WHICH    \`user\` (default) or \`project\`, as for \`enable\`
  --managed        undo \`hookgate enable --managed\`, as root
  --dry-run        print which files would change, and change nothing
  --diff           like --dry-run, but show the changes as \`diff -u\` does
  --json           as JSON: whether something was \`changed\`, \`files\` with their \`diff\`, \`copies\`, \`notes\`

  hookgate disable claude-code --dry-run
`,
  run: (invocation) =>
    isManaged(invocation.argv) ? changeManaged('disable', invocation) : change('disable', undefined, invocation),
}
