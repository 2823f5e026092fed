import { mayBeOption } from '../looks/look.ts'
import { liveByVerbs, type Deed, type DeedCondition, type Deeds } from '../deeds/deeds.ts'
import type { Impact } from '../../../model/impact.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Call } from '../../../words/calls.ts'
import type { LooseLine } from '../../../words/loose-line.ts'
import type { EffectRecorder } from '../effects.ts'
import { namesThisMachine, remotePlace, splitWords, known } from '../words.ts'
import type { Family } from '../program.ts'
import type { Line, Row } from '../row.ts'
import { emptiedBy } from './coreutils.ts'
import { named, startConnection } from './remote.ts'

/** True unless all places are folders here: what happens to those, their paths tell. */
const hasStore: DeedCondition = (_, { words: [verb, ...places] }) =>
  !/^(?:(?:bi)?sync|(?:copy|move)(?:to)?|purge|delete(?:file)?|rmdirs?)$/.test(verb?.text ?? '') ||
  places.some(({ text, unknown }) => unknown || text.includes(':'))

const rclone: Deeds = {
  when: hasStore,
  says: {
    'sync|bisync|copy|copyto': {
      kind: 'delete',
      object: 'files that are only in',
      names: 'last',
      trial: '--dry-run',
    },
    'purge|rmdirs': { kind: 'delete', object: 'folder, with everything in it', trial: '--dry-run' },
    deletefile: { kind: 'delete', object: 'file', trial: '--dry-run' },
    delete: { kind: 'delete', object: 'files in', trial: '--dry-run' },
    cleanup: { kind: 'delete', object: 'old versions in' },
    backend: { kind: 'change', object: 'remote storage', names: 'last' },
    'move|moveto': { kind: 'delete', object: 'what it has copied from', names: 'first', trial: '--dry-run' },
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

/**
 * Returns whether a deletion by rsync can be undone: on other machines, with some work. In the workspace and in temporary
 * folders it is a deletion like any other, which the path tells.
 */
function undoOf(call: Call, line: LooseLine): Impact['undo'] | undefined {
  if (line.surely('n', 'dry-run') || line.surely('list-only') || line.surely('help')) return undefined
  const deleting = rsyncDeletes.find((name) => line.has(name))
  const moving = line.has('remove-source-files', 'remove-sent-files')
  if (deleting === undefined && !moving) return undefined
  const places = line.words.flatMap((word) => call.args.find((arg) => arg.value === word.text) ?? [])
  const emptied = deleting === undefined ? places.slice(0, -1) : places.slice(-1)
  const elsewhere = emptied.filter((place) => isRemote(place.value) || !isOurs(place, call))
  if (emptied.length > 0 && elsewhere.length === 0) return undefined
  return emptied.length > 0 && elsewhere.every(({ value }) => isRemote(value)) ? 'work' : 'never'
}

/** The folder of another machine that `me@host:/etc` and `rsync://host/x` name. */
const folderThere = (place: string) =>
  /^[^/:\\]{2,}::?(.*)$/s.exec(place)?.[1] ?? /^(?:scp|rsync|sftp|ssh):\/\/[^/]+(\/.*)?$/s.exec(place)?.[1] ?? ''
const systemFolder = /^\/+(?:$|(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|root|opt|var(?!\/tmp(?:\/|$)))(?:\/|$))/

/** True if the last of several places is where another machine's system lives. A word that only the run knows may be none. */
const goesToSystem: DeedCondition = (_, { words }) =>
  systemFolder.test(folderThere(words.slice(1).findLast(({ unknown }) => !unknown)?.text ?? ''))
const overSystem = { kind: 'overwrite', object: 'files of the system at', names: 'last' } as const

const rsyncPatterns = [`${rsyncDeletes.map((name) => `--${name}`).join('|')}|--remove-source-files|--remove-sent-files`]

/** How rsync's deletions are named: by its destination, or by its sources if it deletes these. */
const mirrored: Deed = {
  object: 'files that are only in',
  names: 'last',
  trial: '--dry-run',
  says: { '--remove-source-files|--remove-sent-files': { object: 'files of', names: 'first' } },
}

/** Records a copy between `host:path` and local paths. @param isTrial if it only says what it would copy */
function copied(line: Line, recorder: EffectRecorder, recursive: boolean, isTrial = false): void {
  const { operands } = line
  if (operands.length < 2) {
    // A single operand is listed.
    const remote = operands[0] === undefined ? undefined : remotePlace(operands[0].value)
    if (remote !== undefined) recorder.network({ kind: 'copy', direction: 'receive', ...named(remote.host) })
    else recorder.touch(operands[0], 'names', { recursive })
    return
  }
  const last = operands.at(-1)
  // What only the run knows may be an option: then the last place is the one before it.
  const before = operands.at(-2)
  const to =
    operands.length > 2 && last !== undefined && mayBeOption(last) && remotePlace(before?.value ?? '') !== undefined
      ? before
      : last
  const remoteTo = to === undefined ? undefined : remotePlace(to.value)
  let from: string | undefined
  for (const word of operands.filter((one) => one !== to)) {
    const remote = remotePlace(word.value)
    if (remote === undefined) recorder.touch(word, 'read', { recursive: recursive || word.value.endsWith('/') })
    else from = remote.host
  }
  if (remoteTo !== undefined)
    recorder.network({ kind: 'copy', direction: isTrial ? 'receive' : 'send', ...named(remoteTo.host) })
  else {
    if (from !== undefined) recorder.network({ kind: 'copy', direction: 'receive', ...named(from) })
    recorder.touch(to, isTrial ? 'names' : recursive || operands.length > 2 ? 'into' : 'write')
  }
}

const secureCopy: Row = {
  options: 'c F=key i=key J l o P S=execute X D pw',
  silent: true,
  ignoresStdin: true,
  effects: (line, recorder) => copied(line, recorder, line.has('r')),
  starts: startConnection,
}

const isStore = ({ value }: ShellWord): boolean => remotePlace(value) !== undefined || value.startsWith(':')

/** Records a transfer such as `rclone copy SRC DST`, where a place with a colon is a remote store. */
function stored(line: Line, recorder: EffectRecorder): void {
  const [verb, from, to] = line.operands
  if (verb === undefined || from === undefined) return
  if (to === undefined) {
    if (isStore(from)) recorder.network({ kind: 'share', direction: verb.value === 'rcat' ? 'send' : 'receive' })
    else if (/^(?:delete|purge|rmdir|rmdirs|deletefile)$/.test(verb.value))
      recorder.touch(from, 'delete', { recursive: true })
    else recorder.touch(from, 'names', { recursive: true })
    return
  }
  if (!isStore(from)) {
    recorder.touch(from, 'read', { recursive: true })
    if (verb.value.startsWith('move')) recorder.touch(from, 'delete', { recursive: true })
  }
  if (!isStore(to)) recorder.touch(to, 'into')
  if (!isStore(to) && verb.value === 'sync' && !line.surely('n', 'dry-run'))
    recorder.touch(to, 'delete', { recursive: true })
  if (isStore(to)) recorder.network({ kind: 'share', direction: line.surely('n', 'dry-run') ? 'receive' : 'send' })
  else if (isStore(from)) recorder.network({ kind: 'share', direction: 'receive' })
}

/** The folders among the words of robocopy, whose options begin with a slash. */
const placesOf = ({ operands }: Line) => operands.filter(({ value }) => !value.startsWith('/')).slice(0, 2)
const slashed = ({ operands }: Line, ...names: readonly string[]) =>
  operands.some(({ value }) => value.startsWith('/') && names.includes(value.slice(1).toLowerCase()))

/** True for a relative path that leads down. A shell may have taken its backslashes away, but not what these led out of. */
const isBelow = (path: string) => !/^[\\/~%]|\.\.|:/.test(path)

const programs: Family['programs'] = {
  rsync: {
    copies: true,
    saysWhatChanges: true,
    options:
      'e=words rsh=words rsync-path exclude include exclude-from=read include-from=read files-from=list f filter T=into temp-dir=into compare-dest=names copy-dest=names link-dest=names partial-dir=into backup-dir=into suffix log-file=append log-file-format password-file=key port sockopts bwlimit timeout contimeout chmod chown usermap groupmap out-format max-size min-size max-delete max-alloc block-size B M remote-option info debug stderr address iconv copy-as outbuf checksum-seed modify-window stop-at stop-after time-limit write-batch=write only-write-batch=write read-batch=read checksum-choice cc compress-choice zc compress-level zl skip-compress protocol early-input=read +archive +recursive +delete +delete-before +delete-during +delete-after +delete-delay +delete-excluded +delete-missing-args +remove-source-files +dry-run +verbose +compress +partial +progress +human-readable +update +checksum +links +perms +times +owner +group +devices +specials +relative +force +stats +existing +ignore-existing +inplace +append +whole-file +mkpath +list-only',
    ignoresStdin: true,
    how: ({ operands }) => emptiedBy(operands),
    starts(line, starts) {
      const fallback = line.has('e', 'rsh') ? undefined : starts.variable('RSYNC_RSH')
      if (fallback !== undefined) starts.words(splitWords(fallback.value))
      const isHere = line.operands.some(({ value }) => namesThisMachine(known(remotePlace(value)?.host ?? '')))
      const where = { ...(isHere ? {} : { elsewhere: true as const }), cwd: undefined }
      for (const path of line.values('rsync-path')) starts.script(path, where)
    },
    effects(line, recorder) {
      const recursive = line.has('a', 'r', 'archive', 'recursive', 'files-from')
      const isTrial = line.surely('n', 'dry-run')
      copied(line, recorder, recursive, isTrial)
      if (isTrial) return
      const to = line.operands.at(-1)
      const deletes =
        line.given.some(({ name }) => name.startsWith('delete') && name !== 'delete-missing-args') || line.has('del')
      if (deletes && to !== undefined && line.operands.length > 1 && remotePlace(to.value) === undefined) {
        recorder.touch(to, 'delete', { recursive: true })
      }
      if (line.has('remove-source-files')) {
        for (const word of line.operands.slice(0, -1))
          if (remotePlace(word.value) === undefined) recorder.touch(word, 'delete', { recursive: true })
      }
    },
    does: [
      {
        also: [
          { ...mirrored, never: rsyncPatterns, when: (call, line) => undoOf(call, line) === 'never' },
          { ...mirrored, work: rsyncPatterns, when: (call, line) => undoOf(call, line) === 'work' },
          { ...overSystem, work: ['* *'], when: goesToSystem },
        ],
        trials: 'n list-only',
      },
      liveByVerbs('publish', 'deploy'),
    ],
  },
  scp: {
    ...secureCopy,
    saysWhatChanges: true,
    does: [{ ...overSystem, never: ['* *'], when: goesToSystem }, liveByVerbs('publish', 'deploy')],
  },
  pscp: { ...secureCopy, saysWhatChanges: true },
  rclone: {
    options:
      'config=read password-command=script include exclude filter filter-from=read include-from=read exclude-from=read files-from=list files-from-raw=list transfers checkers bwlimit log-file=append max-age min-age max-size backup-dir',
    listed: 'include-from filter-from',
    effects: stored,
    does: [rclone, liveByVerbs('publish', 'deploy')],
    looks: {
      options: 'config',
      never: '--password-command|--rc|--log-file',
      lines: 'ls|lsl|lsd|lsf|lsjson|size|listremotes|version|about|tree|check; help',
    },
  },
  rdist: { does: { object: 'files that are only in', names: 'last', work: ['-R'] } },
  unison: {
    does: {
      object: 'files that are only in',
      names: 'last',
      work: ['-force', '-batch'],
      oneDash: true,
      valued: 'force prefer root',
    },
  },
  csync2: { does: { object: 'files that are only in', names: 'last', work: ['-x|-f'] } },
  robocopy: {
    how: (line) => emptiedBy(placesOf(line)),
    effects(line, recorder) {
      const [from, to] = placesOf(line)
      if (slashed(line, 'l')) return
      recorder.touch(from, slashed(line, 'mov', 'move') ? 'delete' : 'read', { recursive: true })
      recorder.touch(to, 'into')
      if (slashed(line, 'mir', 'purge')) recorder.touch(to, 'delete', { recursive: true })
    },
    does: {
      // What happens to folders of the workspace, their paths tell.
      when: (_, { words }) => !words.slice(0, 2).every(({ text, unknown }) => !unknown && isBelow(text)),
      object: 'files that are only in',
      names: 'none',
      trial: '/L',
      windows: 'slashes',
      trials: 'l',
      flags: 'mir purge move mov e s z',
      work: ['* * /mir|/purge|/move|/mov'],
      // Of files that are named, it is no more than these.
      neverIf: (_, { words }) => words.length === 2,
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
  osync: { does: { object: 'files that are only in', names: 'last', work: [''] } },
}

/** Programs that copy between places, and may make one side like the other and delete what it has more. */
export const mirrors: Family = {
  area: 'mirrors',
  programs,
  examples: {
    'rsync -a --delete /src/ /srv/site/': 'deletes files that are only in `/srv/site/`, for good',
    'rsync -a --delete -n /src/ /srv/site/': '',
    'rsync -a --remove-source-files /srv/in/ ./in/': 'deletes files of `/srv/in/`, for good',
    'rsync ./site host.example.com:/srv/site/': 'changes stored files',
    'rclone sync ./site remote:site': 'deletes files that are only in `remote:site`, for good',
    'rclone sync --dry-run ./site remote:site': '',
    'rclone purge remote:logs': 'deletes folder `remote:logs`, with everything in it, for good',
    'rclone move ./a remote:a': 'deletes what it has copied from `./a`',
    'scp app.conf root@host.example.com:/etc/app.conf':
      'overwrites files of the system at `root@host.example.com:/etc/app.conf`, for good',
    'mutagen sync terminate web': 'stops synchronization `web`',
    'robocopy C:\\a D:\\b /mir': 'deletes files that are only there, for good',
    'robocopy a b /mir': '',
  },
}
