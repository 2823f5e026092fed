import { abstains, answerTo, asks, definePolicy } from 'hookgate/policy'

export default definePolicy({
  id: 'emptied-trash',
  severity: 'high',
  description: 'Asks before the trash is emptied, where a person keeps what may still be needed',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { impacts: ['trash'] },
  decide({ impacts }) {
    const emptied = impacts.find(({ area }) => area === 'trash')
    return emptied && answerTo(emptied, 'ask')
  },
  examples: [
    asks('by Finder', `osascript -e 'tell application "Finder" to empty trash'`),
    asks('by Finder, in more words', `osascript -e 'tell app "Finder"' -e 'empty the trash' -e 'end tell'`),
    asks('by a script on stdin', `osascript <<'A'\ntell application "Finder"\n  empty trash\nend tell\nA`),
    asks('in JavaScript', `osascript -l JavaScript -e 'Application("Finder").trash.empty()'`),
    abstains('a list of it', `osascript -e 'tell application "Finder" to get items of trash'`),
    asks('by trash-cli', 'trash-empty'),
    abstains('its help', 'trash-empty --help'),
    asks('by gio', 'gio trash --empty'),
    abstains('into it', 'gio trash a.txt'),
    abstains('as text', `echo 'tell application "Finder" to empty trash'`),
  ],
})
