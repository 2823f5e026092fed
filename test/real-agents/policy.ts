/** What the policy of the tests says; none of it stands anywhere else. */
export const says = {
  no: 'hookgate-says-no-here',
  notToYou: 'hookgate-says-no-to-a-stranger',
  ask: 'hookgate-would-have-somebody-asked',
  adds: 'hookgate-adds-this-context',
  stops: 'hookgate-ends-this-turn',
} as const

/** The names in the input of a call, such as those of files, say what is decided about it. */
export const policy = `import { ask, context, definePolicy, deny, rewrite, stop } from 'hookgate/policy'

export default definePolicy({
  id: 'of-the-test',
  description: 'Decides by the names in the input of a call',
  on: 'PreToolUse',
  decide({ event, tool }) {
    const said = JSON.stringify(tool.input)
    if (said.includes('for-the-owner') && event.session.stranger) return deny('${says.notToYou}')
    if (said.includes('refused') || tool.command?.includes('refused')) return deny('${says.no}')
    if (said.includes('asked-about')) return ask('${says.ask}')
    if (said.includes('as-it-was')) return rewrite(JSON.parse(said.replaceAll('as-it-was', 'as-it-is-now')))
    if (said.includes('with-context')) return context('${says.adds}')
    if (said.includes('the-last')) return stop('${says.stops}')
  },
})
`

/** A hook in Claude Code's form, for whichever agent: it knows nothing of that agent's tools. */
export const rewritingHook = `#!/bin/sh
case $(cat) in
*'touch before-a-hook'*)
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"touch behind-a-hook"}}}'
esac
`
