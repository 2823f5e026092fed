import type { Family } from '../program.ts'

/** Matches scripts of macOS that empty the trash. */
const emptyingScript = /\bempty\s+(?:the\s+)?trash\b|\.emptyTrash\(|\btrash\.empty\(/i

/** Commands that empty the trash, from which a person could still restore files. */
export const trash: Family = {
  area: 'trash',

  programs: {
    'trash-empty': { does: { never: [''] } },
    gio: { does: { never: ['trash --empty'] } },
    trash: { does: { never: ['--empty|-e|-s'] } },
    osascript: {
      does: {
        never: [''],
        when: ({ args, command: { stdin } }) =>
          emptyingScript.test([...args, ...(stdin === undefined ? [] : [stdin])].map(({ value }) => value).join(' ')),
      },
    },
  },
  examples: {
    'trash-empty': 'deletes everything in the trash, for good',
    'trash-empty --help': '',
    'gio trash --empty': 'deletes everything in the trash, for good',
    'gio trash a.txt': '',
    'trash -e': 'deletes everything in the trash, for good',
    'trash a.txt': '',
  },
}
