import { abstains, ask, asks, definePolicy, type ShellCommand } from 'hookgate/policy'
import { type Call, callIn } from './calls.ts'

const emptying: readonly Call[] = [
  { programs: 'trash-empty', does: 'empty the trash' },
  { programs: 'gio', words: /^trash\b.*--empty/, does: 'empty the trash' },
  { programs: 'trash', words: /^(?:--empty|-e|-s)\b/, does: 'empty the trash' },
  {
    programs: 'osascript',
    words: /\bempty\s+(?:the\s+)?trash\b|\.emptyTrash\(|\btrash\.empty\(/i,
    does: 'empty the trash',
  },
]

/** A script on stdin counts as one on the command line. */
const withScript = (command: ShellCommand): ShellCommand =>
  command.program === 'osascript' && command.stdin !== undefined ? { ...command, args: [command.stdin] } : command

export default definePolicy({
  id: 'emptied-trash',
  severity: 'high',
  description: 'Asks before the trash is emptied, where a person keeps what may still be needed',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: emptying.map(({ programs }) => programs) },
  decide({ shell }) {
    const at = shell.commands.findIndex((command) => callIn(withScript(command), emptying) !== undefined)
    return at === -1
      ? undefined
      : ask(`${shell.commands[at]?.program} would empty the trash: what is in it cannot be restored then`, { at })
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
