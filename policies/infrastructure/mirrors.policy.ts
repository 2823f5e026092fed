import { abstains, asks, definePolicy, denies, type ShellWord } from 'hookgate/policy'
import { answerTo, type Cli, dangerOf, isAllowed, params, strictest } from './cli/judge.ts'
import { allowed, answered } from './cli/example.ts'
import { type Call, callsIn } from './cli/calls.ts'
import { type Line, lineIn } from './cli/line.ts'

const rclone: Cli = {
  valued:
    'config P transfers checkers include exclude filter filter-from files-from max-age min-age max-size min-size bwlimit log-file log-level ' +
    'backup-dir suffix compare-dest copy-dest drive-shared-with-me max-delete password-command',
  flags: 'P progress i interactive',
  deny: [
    'sync|purge|delete|deletefile|cleanup|rmdirs',
    'bisync --resync|--force',
    'copy|copyto --delete-excluded',
    'backend cleanup',
  ],
  ask: ['move|moveto', 'bisync', 'dedupe', 'rmdir', 'config delete', 'settier', 'backend *'],
  trials: 'n',
}

/** Mirrors other than rsync: they make one side like the other, and delete what it has more. */
const table: Readonly<Record<string, Cli>> = {
  rclone,
  rdist: { ask: ['-R'] },
  unison: { ask: ['-force', '-batch'], oneDash: true, valued: 'force prefer root' },
  lftp: { ask: ['-c|-e'], valued: 'u p' },
  csync2: { ask: ['-x|-f'] },
  robocopy: { deny: ['* * /mir|/purge|/move|/mov'], ask: ['* * * /mir|/purge|/move|/mov'] },
  mutagen: { ask: ['sync reset', 'sync terminate'] },
  osync: { ask: [''] },
}

/** Short options of rsync that take the next word or the rest of theirs. */
const rsyncValued =
  'e B f T M out-format rsh rsync-path log-file exclude include exclude-from include-from files-from backup-dir suffix chmod chown usermap groupmap bwlimit timeout port password-file compare-dest link-dest copy-dest temp-dir partial-dir max-delete max-size min-size modify-window filter info debug'

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

/** Rates a deletion by rsync: refused outside of the workspace, asked about in it and on other machines. */
function rsyncDanger(line: Line, call: Call): { effect: 'deny' | 'ask'; words: string } | undefined {
  if (line.surely('n', 'dry-run') || line.surely('list-only') || line.surely('help')) return undefined
  const deleting = rsyncDeletes.find((name) => line.has(name))
  const moving = line.has('remove-source-files', 'remove-sent-files')
  if (deleting === undefined && !moving) return undefined
  const places = line.words.flatMap((word) => call.args.find((arg) => arg.value === word.text) ?? [])
  const emptied = deleting === undefined ? places.slice(0, -1) : places.slice(-1)
  const words = deleting === undefined ? '--remove-source-files' : `--${deleting}`
  if (emptied.length > 0 && emptied.every((place) => isBuilt(place, call))) return undefined
  const isSpared = emptied.length > 0 && emptied.every((place) => isRemote(place.value) || isOurs(place, call))
  return { effect: isSpared ? 'ask' : 'deny', words }
}

/** Folders of another machine that its system lives in. */
const systemFolder = /^[^/]*:\/+(?:etc|usr|bin|sbin|lib\w*|boot|dev|proc|sys|root|var\/(?:lib|spool|log))(?:\/|$)/

/** A copy over what another machine's system is made of. */
function copyDanger(line: Line): { effect: 'deny' | 'ask'; words: string } | undefined {
  const last = line.words.at(-1)?.text ?? ''
  return line.words.length > 1 && systemFolder.test(last) ? { effect: 'deny', words: `… ${last}` } : undefined
}

const scpValued = 'c D F i J l o P S X'

const knownOf = (program: string): Cli | undefined => {
  if (program === 'rsync') return { valued: rsyncValued }
  if (program === 'scp') return { valued: scpValued }
  return Object.hasOwn(table, program) ? table[program] : undefined
}

const words = {
  harm: 'deletes or overwrites what is at the other end: an empty or wrong source empties it',
  instead: 'try it with `--dry-run` (`-n`) and read the list, copy without deleting, or have the person run it',
}

export default definePolicy({
  id: 'mirrors',
  severity: 'high',
  description:
    'Keeps rsync, rclone and the like from deleting what the other end does not have, and scp from overwriting another system',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: [...Object.keys(table), 'rsync scp'] },
  params,
  decide({ shell, params: given }) {
    const answers = callsIn(shell).flatMap((call) => {
      const cli = knownOf(call.program)
      if (cli === undefined) return []
      const line = lineIn(call, cli)
      if (isAllowed(call, given.allowed, line)) return []
      const danger =
        call.program === 'scp'
          ? copyDanger(line)
          : call.program === 'rsync'
            ? rsyncDanger(line, call)
            : dangerOf(cli, line)
      return danger === undefined ? [] : [answerTo(danger, call, given, words)]
    })
    return strictest(answers)
  },
  examples: [
    denies('rsync -a --delete /src/ /srv/site/'),
    denies('rsync -a --del /src/ ~/site'),
    denies('rsync -a --delete-excluded --numeric-ids /src/ /srv/site/'),
    denies('rsync -a --remove-source-files /srv/in/ ./in/'),
    denies('rclone sync ./site remote:site'),
    denies('rclone --config c.conf purge remote:logs'),
    denies('rclone delete remote:logs --min-age 30d'),
    denies('rclone deletefile remote:logs/a'),
    asks('rsync -a --delete build/ host.example.com:/srv/site/'),
    asks('rsync -a --delete src/ build/'),
    abstains('rsync -a --delete public/ dist/public/'),
    abstains('rsync -a --delete ./ /tmp/copy/'),
    denies('rsync -a --delete public/ $OUT/dist/'),
    denies('rsync -a --delete public/ /srv/dist/'),
    denies('scp app.conf root@host.example.com:/etc/app.conf'),
    abstains('scp app.conf me@host.example.com:app.conf'),
    abstains('scp host.example.com:/etc/hosts ./hosts'),
    asks('rclone move ./a remote:a'),
    abstains('rsync -a /src/ /srv/site/'),
    abstains('rsync -an --delete /src/ /srv/site/'),
    abstains('rsync -a --delete --dry-run /src/ /srv/site/'),
    abstains('rsync -a --exclude --delete /src/ /srv/site/'),
    abstains('rclone sync ./site remote:site --dry-run'),
    abstains('rclone copy ./site remote:delete'),
    abstains('rclone ls remote:sync'),
    abstains('rclone size remote:logs'),
    abstains('printf "%s" "rclone sync /a b: --delete"'),
    allowed('rsync -a --delete /src/ /srv/site/', 'rsync'),
    answered('rsync -a --delete /src/ /srv/site/', 'ask'),
  ],
})
