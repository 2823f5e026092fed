import type { Family } from '../program.ts'
import type { Impact } from '../../../model/impact.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import type { Deed, DeedCondition, Deeds } from '../deeds/deeds.ts'
import type { LooseLine } from '../../../words/loose-line.ts'

export const rclone: Deeds = {
  says: {
    'sync|bisync|copy|copyto': {
      kind: 'delete',
      object: 'all that the source lacks in',
      names: 'last',
      trial: '--dry-run',
    },
    'purge|rmdirs': { kind: 'delete', object: 'folder, with everything in it', trial: '--dry-run' },
    deletefile: { kind: 'delete', object: 'file', trial: '--dry-run' },
    delete: { kind: 'delete', object: 'files in', trial: '--dry-run' },
    cleanup: { kind: 'delete', object: 'old versions in' },
    backend: { kind: 'change', object: 'remote storage', names: 'last' },
    'move|moveto': { kind: 'change', object: 'files of', names: 'first', trial: '--dry-run' },
    dedupe: { kind: 'delete', object: 'duplicates in', names: 'last' },
    rmdir: { kind: 'delete', object: 'folder' },
    config: { kind: 'delete', object: 'the settings of remote' },
    settier: { kind: 'change', object: 'files in', names: 'last' },
  },
  valued:
    'config P transfers checkers include exclude filter filter-from files-from max-age min-age max-size min-size bwlimit log-file log-level ' +
    'backup-dir suffix compare-dest copy-dest drive-shared-with-me max-delete password-command',
  flags: 'P progress i interactive',
  never: [
    'sync|purge|delete|deletefile|cleanup|rmdirs',
    'bisync --resync|--force',
    'copy|copyto --delete-excluded',
    'backend cleanup',
  ],
  work: ['move|moveto', 'bisync', 'dedupe', 'rmdir', 'config delete', 'settier', 'backend *'],
  trials: 'n',
}

/** Options that make rsync delete: in the destination, or the very files it has copied. */
const rsyncDeletes = [
  'del',
  'delete',
  'delete-before',
  'delete-during',
  'delete-delay',
  'delete-after',
  'delete-excluded',
  'delete-missing-args',
]

const isRemote = (place: string) => /^[^/]*:/.test(place) || place.startsWith('rsync://')

/** True if a local folder is in the workspace or a temporary folder. */
function isOurs(place: ShellWord, call: Call): boolean {
  const touched = call.command.paths.filter((path) => path.written === place.value)
  if (touched.length > 0) {
    return touched.every((path) => path.root !== undefined || /^\/(?:var\/)?tmp\//.test(path.absolute ?? ''))
  }
  return (
    place.unresolved !== true &&
    !place.value.startsWith('~') &&
    !place.value.includes('..') &&
    !place.value.startsWith('/')
  )
}

/** Folders that hold nothing but what a build puts there. */
const built = /(?:^|\/)(?:dist|target|_site|_build|\.next|\.nuxt|\.output|coverage|storybook-static|tmp)(?:\/|$)/

/** True if a local folder is one that a build fills anew, or a temporary one. */
function isBuilt(place: ShellWord, call: Call): boolean {
  const touched = call.command.paths.filter((path) => path.written === place.value)
  return (
    touched.length > 0 &&
    touched.every(({ inRoot, absolute = '', unresolved }) =>
      unresolved === true ? false : inRoot === undefined ? /^\/(?:var\/)?tmp\/./.test(absolute) : built.test(inRoot),
    )
  )
}

/** Returns whether a deletion by rsync can be undone: in the workspace and on other machines, with some work. */
export function undoOf(call: Call, line: LooseLine): Impact['undo'] | undefined {
  if (line.surely('n', 'dry-run') || line.surely('list-only') || line.surely('help')) return undefined
  const deleting = rsyncDeletes.find((name) => line.has(name))
  const moving = line.has('remove-source-files', 'remove-sent-files')
  if (deleting === undefined && !moving) return undefined
  const places = line.words.flatMap((word) => call.args.find((arg) => arg.value === word.text) ?? [])
  const emptied = deleting === undefined ? places.slice(0, -1) : places.slice(-1)
  if (emptied.length > 0 && emptied.every((place) => isBuilt(place, call))) return undefined
  const isSpared = emptied.length > 0 && emptied.every((place) => isRemote(place.value) || isOurs(place, call))
  return isSpared ? 'work' : 'never'
}

/** The folder of another machine that `me@host:/etc` and `rsync://host/x` name. */
const folderThere = (place: string) =>
  /^[^/:\\]{2,}::?(.*)$/s.exec(place)?.[1] ?? /^(?:scp|rsync|sftp|ssh):\/\/[^/]+(\/.*)?$/s.exec(place)?.[1] ?? ''
const systemFolder = /^\/+(?:$|(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|root|opt|var(?!\/tmp(?:\/|$)))(?:\/|$))/

/** True if the last of several places is where another machine's system lives. A word that only the run knows may be none. */
export const goesToSystem: DeedCondition = (_, { words }) =>
  systemFolder.test(folderThere(words.slice(1).findLast(({ unknown }) => !unknown)?.text ?? ''))
export const overSystem = { kind: 'overwrite', object: 'files of the system at', names: 'last' } as const

export const rsyncPatterns = [
  `${rsyncDeletes.map((name) => `--${name}`).join('|')}|--remove-source-files|--remove-sent-files`,
]

/** How rsync's deletions are named: by its destination, or by its sources if it deletes these. */
export const mirrored: Deed = {
  object: 'all that the source lacks in',
  names: 'last',
  trial: '--dry-run',
  says: { '--remove-source-files|--remove-sent-files': { object: 'files of', names: 'first' } },
}

const programs: Family['programs'] = {
  rdist: { does: { object: 'all that the source lacks in', names: 'last', work: ['-R'] } },
  unison: {
    does: {
      object: 'all that the source lacks in',
      names: 'last',
      work: ['-force', '-batch'],
      oneDash: true,
      valued: 'force prefer root',
    },
  },

  csync2: { does: { object: 'all that the source lacks in', names: 'last', work: ['-x|-f'] } },
  robocopy: {
    does: {
      object: 'all that the source lacks in',
      names: 'none',
      trial: '/L',
      never: ['* * /mir|/purge|/move|/mov'],
      work: ['* * * /mir|/purge|/move|/mov'],
    },
  },
  mutagen: {
    does: {
      says: {
        'sync reset': { kind: 'change', object: 'the state of' },
        'sync terminate': { kind: 'stop', object: 'synchronization' },
      },
      work: ['sync reset', 'sync terminate'],
    },
  },
  osync: { does: { object: 'all that the source lacks in', names: 'last', work: [''] } },
}

/** Programs that make one side like the other, and delete what it has more. */
export const mirrors: Family = {
  area: 'mirrors',

  programs,
  examples: {
    'rsync -a --delete /src/ /srv/site/': 'deletes all that the source lacks in `/srv/site/`, for good',
    'rsync -a --delete -n /src/ /srv/site/': '',
    'rsync -a --remove-source-files /srv/in/ ./in/': 'deletes files of `/srv/in/`, for good',
    'rsync -a ./site host.example.com:/srv/site/': 'changes what is stored there',
    'rclone sync ./site remote:site': 'deletes all that the source lacks in `remote:site`, for good',
    'rclone sync --dry-run ./site remote:site': '',
    'rclone purge remote:logs': 'deletes folder `remote:logs`, with everything in it, for good',
    'rclone move ./a remote:a': 'changes files of `./a`',
    'scp app.conf root@host.example.com:/etc/app.conf':
      'overwrites files of the system at `root@host.example.com:/etc/app.conf`, for good',
    'mutagen sync terminate web': 'stops synchronization `web`',
    'robocopy a b /mir': 'deletes all that the source lacks, for good',
  },
}
