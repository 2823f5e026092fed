import type { Family } from '../program.ts'

/** Matches scripts of macOS that empty the trash. */
export const emptyingScript = /\bempty\s+(?:the\s+)?trash\b|\.emptyTrash\(|\btrash\.empty\(/i

/** Commands that empty the trash, from which a person could still restore files. */
export const trash: Family = {
  area: 'trash',

  programs: {
    'trash-empty': { silent: true, saysWhatStarts: true, does: { never: [''] } },
    gio: {
      options: 'a b s',
      operands: 'read',
      subcommands: { 'trash, remove': { operands: 'delete', recursive: true, silent: true } },
      saysWhatStarts: true,
      obeysFolder: true,
      does: { never: ['trash --empty'] },
    },
    trash: {
      operands: 'delete',
      recursive: true,
      silent: true,
      ignoresStdin: true,
      saysWhatStarts: true,
      does: { never: ['--empty|-e|-s'] },
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
