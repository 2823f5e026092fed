import type { Command } from '../command.ts'
import { usage } from '../command.ts'
import { emitFor } from './emit/emit.ts'
import { change } from './enable.ts'
import { agentOf } from '../args/flags.ts'
import { printAgentStatus } from './status.ts'

const verbs = ['--enable', '--disable', '--status'] as const

/** Creates an older command such as `hookgate cline-hook --enable`. Without such a flag it forwards events. */
export function olderName(name: string, bridged: string): Command {
  const agent = agentOf(bridged)
  const emit = emitFor(name, agent)
  return {
    help: `${emit.help}
  hookgate ${name} --enable     the same as \`hookgate enable ${agent}\`, with its options
  hookgate ${name} --disable    the same as \`hookgate disable ${agent}\`
  hookgate ${name} --status     the same as \`hookgate status ${agent}\`
`,
    // oxlint-disable-next-line require-await -- exceptions must become rejections
    async run(invocation) {
      const [verb, ...more] = verbs.filter((known) => invocation.argv.includes(known))
      if (verb === undefined) return emit.run(invocation)
      if (more.length > 0) throw usage(`${verb} and ${more.join(' and ')} cannot be combined`, name)
      const argv = invocation.argv.filter((word) => word !== verb)
      switch (verb) {
        case '--enable':
          return change('enable', agent, { ...invocation, argv })
        case '--disable':
          return change('disable', agent, { ...invocation, argv })
        case '--status':
          if (argv.some((word) => word !== '--json')) throw usage('--status takes no option except `--json`', name)
          return printAgentStatus(agent, invocation, argv.includes('--json'))
      }
    },
  }
}
