import type { ShellWord } from '../../model/shell.ts'
import { unknownPart } from '../../model/shell.ts'
import { inFolder } from './archives.ts'
import type { Doing } from './doing.ts'
import { http } from './http.ts'
import { type Line, type Options, optionsOf, readLine } from './line.ts'
import { isUrl, remotePlace } from './looks.ts'
import type { Rows } from './row.ts'
import { behind } from './behind.ts'

/** Version control: which files a subcommand touches, and where it connects to. */
export const vcs: Rows = {
  git: {
    options:
      'C c git-dir=names work-tree=names namespace exec-path? super-prefix config-env attr-source +no-pager +paginate +bare +no-replace-objects +literal-pathspecs',
    operandsLast: true,
    also(line, doing) {
      const [verb, ...rest] = line.operands
      if (verb === undefined) return
      const folder = line.value('C', 'work-tree')
      const own = readLine(verb.value, rest, subcommandOptions.get(verb.value) ?? noOptions)
      subcommand(verb.value, own, (word) => (word === undefined ? undefined : inFolder(folder, word)), doing)
    },
  },
  'hg svn bzr fossil jj sl': {
    options: 'R=names repository=names cwd=names m message r rev b branch u username password config F=read file=read',
    also(line, doing) {
      const [verb, ...rest] = line.operands
      if (verb === undefined) return
      if (/^(?:clone|checkout|co|pull|push|update|fetch|incoming|outgoing|import|export|commit)$/.test(verb.value)) {
        const url = rest.find(({ value }) => isUrl(value))
        if (url !== undefined)
          doing.network(http(/^(?:push|import|commit)$/.test(verb.value) ? 'both' : 'receive', url))
      }
      if (/^(?:cat|blame|annotate)$/.test(verb.value)) for (const word of rest) doing.touch(word, 'read')
      else if (/^(?:rm|remove|delete|del)$/.test(verb.value))
        for (const word of rest) doing.touch(word, 'delete', { recursive: true })
      else if (/^(?:revert|restore)$/.test(verb.value))
        for (const word of rest) doing.touch(word, 'write', { recursive: true })
    },
  },
  'git-lfs git-crypt git-secret': { operands: 'none' },
  gh: {
    options:
      'R repo b body t title F=none body-file=read notes-file=read input=read f field raw-field d desc filename label env-file=read',
    also: hub,
  },
  'glab hub tea': { options: 'R repo b body d description t title F=read', also: hub },
}

/** What options take a value differs from one subcommand to the next. */
const subcommandOptions: ReadonlyMap<string, Options> = new Map(
  Object.entries({
    clone:
      'b branch o origin u upload-pack depth c config j jobs reference=names template=names separate-git-dir=into filter shallow-since',
    'fetch pull': 'depth j jobs o server-option s strategy X strategy-option upload-pack shallow-since refmap',
    push: 'o push-option repo receive-pack exec',
    'commit tag stash notes':
      'm message F=read file=read C c t=read template=read author date u? local-user fixup squash cleanup',
    add: 'pathspec-from-file=read chmod +dry-run +force +all',
    'rm mv': 'pathspec-from-file=read +dry-run +force +cached',
    'log show diff difftool':
      'n max-count S G L O=read format since until after before author grep skip output=write word-diff-regex',
    grep: 'e f=read A B C m max-depth threads O?',
    'blame annotate': 'L S=read contents=read date since ignore-rev ignore-revs-file=read',
    clean: 'e exclude +force +dry-run +quiet',
    restore: 's source pathspec-from-file=read +staged +worktree',
    'checkout switch': 'b B orphan c C conflict pathspec-from-file=read',
    'apply am': 'p C directory exclude include whitespace exclude-from=read +check +stat +cached +index',
    config:
      'f file t type default blob fixed-value? +get +get-all +list +unset +add +global +system +local +replace-all',
    archive: 'o=write output=write remote prefix format exec add-file=read',
    'format-patch': 'o=into output-directory=into n? subject-prefix start-number v',
    worktree: 'b B reason expire',
    'ls-files': 'x exclude X=read exclude-from=read exclude-per-directory',
    'hash-object': 't path',
    init: 'template=names separate-git-dir=into b initial-branch',
    'send-email': 'to cc bcc from smtp-server subject smtp-user smtp-pass',
  }).flatMap(([verbs, options]) => verbs.split(' ').map((verb): [string, Options] => [verb, optionsOf({ options })])),
)
const noOptions = optionsOf({})

type InFolder = (word: ShellWord | undefined) => ShellWord | undefined

function subcommand(verb: string, line: Line, at: InFolder, doing: Doing): void {
  const { operands } = line
  const each = (words: readonly ShellWord[], role: Parameters<Doing['touch']>[1], recursive = false) => {
    for (const word of words) doing.touch(at(word), role, { recursive })
  }
  const isDry = line.has('n', 'dry-run')
  switch (verb) {
    case 'clone': {
      const [url, folder] = operands
      connect(url, 'receive', doing)
      doing.touch(at(folder ?? (url === undefined ? undefined : clonedInto(url))), 'into')
      if (url !== undefined && !isRemote(url)) doing.touch(at(url), 'read', { recursive: true })
      doing.silent()
      return
    }
    case 'fetch':
    case 'pull':
    case 'ls-remote':
    case 'remote-update':
      connect(operands[0], 'receive', doing)
      return
    case 'push':
    case 'send-email':
    case 'send-pack':
      connect(operands[0], 'send', doing)
      return
    case 'submodule':
      if (operands[0]?.value === 'add' || operands[0]?.value === 'update') connect(operands[1], 'receive', doing)
      return
    case 'add':
    case 'stage':
    case 'hash-object':
      if (!isDry) each(operands, 'read', true)
      return
    case 'rm':
      if (!line.has('cached') && !isDry) each(operands, 'delete', line.has('r'))
      return
    case 'mv':
      each(operands.slice(0, -1), isDry ? 'names' : 'move')
      if (!isDry) each(operands.slice(-1), 'write')
      return
    case 'checkout':
      // What stands behind `--` comes last among the operands, and nobody says where it begins: names with a dot or a slash.
      if (!line.has('b', 'B', 'orphan'))
        each(
          operands.filter(({ value }) => /^\.|\/.*\.|^[^/]+\.\w+$/.test(value)),
          'write',
          true,
        )
      return
    case 'restore':
      if (!line.has('staged', 'S') || line.has('worktree', 'W')) each(operands, 'write', true)
      return
    case 'clean':
      if (isDry || !line.has('f', 'force')) return
      each(operands.length > 0 ? operands : [{ value: '.' }], 'delete', true)
      return
    case 'apply':
    case 'am':
      each(operands, 'read')
      if (!line.has('check', 'stat', 'numstat', 'summary', 'cached'))
        doing.touch(at(line.value('directory') ?? { value: '.' }), 'into')
      return
    case 'show':
    case 'blame':
    case 'annotate':
    case 'cat-file':
    case 'log':
    case 'diff':
    case 'difftool':
    case 'grep':
    case 'rev-parse':
      if (line.has('no-index')) each(operands, 'read', true)
      else revisions(operands, at, doing)
      return
    case 'config':
      doing.touch(at(line.value('f', 'file')), line.has('get', 'get-all', 'get-regexp', 'l', 'list') ? 'read' : 'edit')
      if (line.has('global')) doing.touch({ value: '~/.gitconfig' }, isReading(line) ? 'names' : 'edit')
      if (line.has('system')) doing.touch({ value: '/etc/gitconfig' }, isReading(line) ? 'names' : 'edit')
      return
    case 'bundle':
      doing.touch(at(operands[1]), operands[0]?.value === 'create' ? 'write' : 'read')
      return
    case 'archive':
      if (line.value('remote') !== undefined) connect(line.value('remote'), 'receive', doing)
      return
    case 'init':
      each(operands.slice(0, 1), 'into')
      return
    case 'worktree':
      if (operands[0]?.value === 'add') each(operands.slice(1, 2), 'into')
      else if (operands[0]?.value === 'remove') each(operands.slice(1, 2), 'delete', true)
      return
    case 'format-patch':
      if (!line.has('stdout')) doing.touch(at({ value: '.' }), 'into')
      return
    case 'ls-files':
    case 'check-ignore':
    case 'check-attr':
    case 'status':
      each(operands.filter(isPlain), 'names')
      return
    default:
  }
}

const isReading = (line: Line): boolean =>
  line.has('get', 'get-all', 'get-regexp', 'l', 'list') || line.operands.length < 2
const isPlain = ({ value }: ShellWord): boolean => !value.includes(':')
const isRemote = ({ value }: ShellWord): boolean => isUrl(value) || remotePlace(value) !== undefined

/** `HEAD:.env`: a file as it was. */
function revisions(words: readonly ShellWord[], at: InFolder, doing: Doing): void {
  for (const word of words) {
    const colon = word.value.indexOf(':')
    if (colon === -1 || isUrl(word.value)) {
      if (/^\.|[/.]/.test(word.value) && !/\.\./.test(word.value)) doing.touch(at(word), 'read')
      continue
    }
    // `:0:path` has a stage in front.
    const skip = /^:[0-3]:/.test(word.value) ? 3 : colon + 1
    doing.touch(at(behind(word, skip)), 'read')
  }
}

function connect(word: ShellWord | undefined, direction: 'send' | 'receive', doing: Doing): void {
  if (word === undefined) return doing.network({ direction })
  if (isUrl(word.value)) {
    if (!/^file:/i.test(word.value)) doing.network(http(direction, word))
    return
  }
  const remote = remotePlace(word.value)
  if (remote !== undefined)
    doing.network({ direction, ...(remote.host.includes(unknownPart) ? {} : { host: remote.host.toLowerCase() }) })
  else if (!/^[./~]/.test(word.value)) doing.network({ direction })
}

/** `git clone https://host/owner/name.git` makes a folder `name`. */
function clonedInto(url: ShellWord): ShellWord {
  const bare = url.value.replace(/\/+$/, '').replace(/\.git$/, '')
  const value = bare.slice(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf(':')) + 1)
  return { ...url, value: value === '' ? '.' : value }
}

/** `gh gist create f`, `gh release upload TAG f`, `gh api -F name=@f`. */
function hub(line: Line, doing: Doing): void {
  const [noun, verb, ...rest] = line.operands
  const sends =
    (noun?.value === 'gist' && (verb?.value === 'create' || verb?.value === 'edit')) ||
    verb?.value === 'upload' ||
    verb?.value === 'create'
  for (const { name, value } of line.given) {
    if (value === undefined || (name !== 'F' && name !== 'field')) continue
    const file = /^[^=]*=@/.exec(value.value)
    if (file !== null) doing.touch(behind(value, file[0].length), 'read')
  }
  if (noun?.value === 'gist' && verb?.value === 'create') for (const word of rest) doing.touch(word, 'read')
  else if (noun?.value === 'release' && (verb?.value === 'upload' || verb?.value === 'create'))
    for (const word of rest.slice(1)) doing.touch(word, 'read')
  else if (noun?.value === 'secret' || noun?.value === 'variable')
    doing.network({ direction: 'send', host: 'github.com' })
  if (sends || noun?.value === 'api')
    doing.network({ direction: 'both', host: line.program === 'glab' ? 'gitlab.com' : 'github.com' })
  else if (verb?.value === 'clone' || verb?.value === 'download' || verb?.value === 'view')
    doing.network({ direction: 'receive', host: 'github.com' })
}
