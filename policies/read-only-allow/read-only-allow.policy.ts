import { allow, ask, definePolicy } from 'hookgate/policy'
import { whyNotHarmless } from './judge.ts'

export default definePolicy({
  id: 'read-only-allow',
  description: 'Allows shell commands that are known to be harmless, so that nobody is asked about them',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    otherwise: {
      type: 'string',
      default: 'abstain',
      oneOf: ['abstain', 'ask'],
      description: 'what is said of all other commands: nothing, or the person is asked',
    },
    also: {
      type: 'strings',
      default: [],
      description: 'first words of further commands that are harmless here, such as `npm test`',
    },
    not: {
      type: 'strings',
      default: [],
      description: 'first words of commands that are not to be allowed, such as `curl` or `git fetch`',
    },
  },
  decide({ event, tool, shell, params }) {
    const roots = [...event.workspaceRoots, ...(event.session.cwd === undefined ? [] : [event.session.cwd])]
    const why = whyNotHarmless(tool.command ?? '', shell, roots, params)
    if (why === undefined) return allow()
    return params.otherwise === 'ask' ? ask(`not known to be harmless: ${why}`) : undefined
  },
})
