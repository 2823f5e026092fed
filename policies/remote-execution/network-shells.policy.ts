import { definePolicy, deny } from 'hookgate/policy'
import { networkShellExamples } from './examples/network-shells.ts'
import { isShellOpened } from './opened.ts'

export default definePolicy({
  id: 'network-shells',
  description: 'Refuses shells that can be controlled remotely',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { impacts: ['opened-access'] },
  params: {
    allowNetworkShells: { type: 'boolean', default: false, description: 'whether such shells are part of the work' },
  },
  decide({ impacts, params }) {
    if (params.allowNetworkShells) return undefined
    const opened = impacts.find(isShellOpened)
    if (opened === undefined) return undefined
    return deny(
      'this gives a shell to the other end of a connection: run the commands that you need yourself, or use ssh',
      { at: opened.by },
    )
  },
  examples: networkShellExamples,
})
