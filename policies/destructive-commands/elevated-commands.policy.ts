import { abstains, answerTo, asks, definePolicy } from 'hookgate/policy'

export default definePolicy({
  id: 'elevated-commands',
  severity: 'low',
  description: "Asks before anything is done with another user's rights",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['privileges'] },
  params: {
    elevatedPrograms: {
      type: 'strings',
      default: [],
      description: 'programs that `sudo` may start without asking',
    },
  },
  decide({ impacts, params }) {
    const asked = impacts.find(
      ({ area, names }) =>
        area === 'privileges' && (names.length === 0 || !names.every((name) => params.elevatedPrograms.includes(name))),
    )
    return asked && answerTo(asked)
  },
  examples: [
    asks('as root', 'sudo ls /root'),
    abstains('as oneself', 'ls /root'),
    asks('as another user', 'su other -c ls'),
    abstains('what is allowed', 'sudo -l'),
    abstains('in a string', 'echo "sudo ls"'),
    abstains('where it is allowed', 'sudo apt-get update', { params: { elevatedPrograms: ['apt-get'] } }),
    asks('something else', 'sudo make install', { params: { elevatedPrograms: ['apt-get'] } }),
  ],
})
