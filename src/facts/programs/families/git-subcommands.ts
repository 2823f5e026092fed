import { behind, readOptions } from '../../../words/options.ts'
import { type ShellWord, unknownPart, unknownWord } from '../../../model/shell.ts'
import type { EffectRecorder, Role } from '../effects.ts'
import { http } from './http.ts'
import { isUrl, remotePlace, known } from '../words.ts'
import { startGitPatches } from '../patches.ts'
import type { Line, OutputOf, Row, Rows } from '../row.ts'
import { hasPair, withoutEnd } from '../../../model/text.ts'

/**
 * Rows of git's subcommands that work on the repository: its branches, tags, settings and objects. Their long options may
 * be cut short, so those that a policy looks for are here, with those that they could be taken for.
 */
const gitRepositorySubcommands: Rows = {
  commit: {
    options:
      'm message F file C reuse-message c reedit-message fixup squash author date t template trailer cleanup pathspec-from-file U unified inter-hunk-context u? S? gpg-sign +untracked-files +no-verify +verify +no-post-rewrite +amend +all +include +interactive +only +patch +quiet +verbose +allow-empty +allow-empty-message +no-edit +edit +signoff +no-signoff +dry-run +reset-author +short +branch +porcelain +long +null +status +no-status',
  },
  tag: {
    options:
      'm message F file u local-user sort format points-at contains no-contains merged no-merged cleanup trailer +delete +force +list +annotate +sign +no-sign +verify +create-reflog +color +column +edit +ignore-case',
  },
  branch: {
    options:
      'u set-upstream-to sort points-at format contains no-contains merged no-merged +delete +force +move +copy +list +all +remotes +verbose +quiet +track +no-track +edit-description +show-current +unset-upstream +create-reflog +color +no-color +column +ignore-case +abbrev',
  },
  notes: { options: 'm message F file C c t pathspec-from-file ref +force +staged +patch +quiet' },
  stash: {
    options: 'm message F file C c t pathspec-from-file ref +force +staged +patch +quiet',
    effects({ operands: [verb, ...files] }, recorder) {
      if (verb?.value === 'push') for (const file of files) recorder.touch(file, 'write', { recursive: true })
    },
  },
  switch: {
    options:
      'c create C force-create orphan conflict +force +discard-changes +detach +guess +no-guess +merge +quiet +progress +track +no-track +ignore-other-worktrees +no-merge +recurse-submodules +no-recurse-submodules +no-detach',
  },
  reset: {
    options:
      'pathspec-from-file U unified inter-hunk-context +hard +soft +mixed +merge +keep +quiet +patch +refresh +no-refresh +recurse-submodules +no-recurse-submodules +intent-to-add +pathspec-file-nul',
  },
  'read-tree': {
    options: 'prefix exclude-per-directory index-output=write +reset +empty +trivial +aggressive +dry-run +quiet',
    effects(line, recorder) {
      if (line.has('u')) recorder.touch(line.value('prefix'), 'into')
    },
  },
  merge: {
    options:
      'm message F file into-name s strategy X strategy-option cleanup S? gpg-sign +abort +continue +quit +no-verify +verify +quiet +verbose +commit +no-commit +edit +no-edit +squash +no-squash +signoff +stat +no-stat +log +autostash +no-autostash +allow-unrelated-histories +rerere-autoupdate +verify-signatures +overwrite-ignore +progress',
  },
  rebase: {
    options:
      'x=script exec=script onto s strategy X strategy-option C whitespace S? gpg-sign +root +abort +skip +continue +quit +edit-todo +show-current-patch +interactive +merge +no-verify +verify +quiet +verbose +stat +no-stat +signoff +autosquash +no-autosquash +autostash +no-autostash +keep-base +keep-empty +no-keep-empty +fork-point +no-fork-point +update-refs +rebase-merges +reset-author-date +committer-date-is-author-date +ignore-whitespace +reapply-cherry-picks +force-rebase +no-ff +rerere-autoupdate +apply',
  },
  'cherry-pick, revert': {
    options:
      'm mainline s strategy X strategy-option cleanup S? gpg-sign +abort +skip +continue +quit +no-commit +edit +no-edit +signoff +reference +ff +allow-empty +allow-empty-message +keep-redundant-commits +empty +rerere-autoupdate +no-verify',
  },
  'update-ref': { options: 'm +stdin +no-deref +create-reflog' },
  'symbolic-ref': { options: 'm +delete +quiet +short +recurse +no-recurse' },
  replace: { options: 'format +delete +force +graft +edit +list +raw +convert-graft-file' },
  gc: {
    options:
      'expire-to max-cruft-size +prune +no-prune +aggressive +auto +force +quiet +detach +no-detach +cruft +no-cruft +keep-largest-pack',
  },
  prune: { options: 'expire +dry-run +verbose +progress +exclude-promisor-objects' },
  reflog: {
    options:
      'expire expire-unreachable +all +dry-run +rewrite +updateref +stale-fix +verbose +single-worktree +date +format',
  },
  'filter-repo': {
    options:
      'path path-glob path-regex paths-from-file path-rename subdirectory-filter to-subdirectory-filter replace-text replace-message strip-blobs-bigger-than strip-blobs-with-ids mailmap refs source target tag-rename replace-refs state-branch blob-callback commit-callback message-callback name-callback email-callback filename-callback refname-callback +force +analyze +dry-run +invert-paths +use-base-name +quiet +partial +debug +prune-empty +prune-degenerate +stdin',
  },
  'fast-import': {
    options:
      'date-format max-pack-size big-file-threshold depth active-branches export-marks import-marks export-pack-edges cat-blob-fd +force +quiet +stats +done +allow-unsafe-features',
  },
  daemon: {
    options:
      'access-hook base-path interpolated-path timeout init-timeout max-connections pid-file user group listen port enable disable allow-override forbid-override',
  },
}

const receives: Row['effects'] = ({ operands }, recorder) => connect(operands[0], 'receive', recorder)
const sends: Row['effects'] = ({ operands }, recorder) => connect(operands[0], 'send', recorder)
const shows: Row['effects'] = (line, recorder) => {
  if (line.has('name-only', 'name-status', 'numstat', 'stat', 'l', 'files-with-matches', 'L', 'files-without-match'))
    recorder.prints(known('.'))
  // A log says which changes there were, and only with some options what is in them.
  const role = isLog(line.program) && !showsPatch(line) ? 'names' : 'read'
  if (line.has('no-index')) touchAll(line.operands, role, recorder)
  else touchRevisions(line.operands, role, recorder)
}

const isLog = (subcommand: string): boolean => subcommand === 'log' || subcommand === 'shortlog'
const showsPatch = (line: Line): boolean => line.has('p', 'u', 'patch', 'L', 'c', 'cc', 'full-diff')

const look: Row = {
  options: 'n max-count S G L O format since until after before author grep skip output=write word-diff-regex',
  effects: shows,
}

/** What a subcommand puts out that shows files or changes, unless it only says which and how many. */
const changes =
  (isShown: (line: Line) => boolean = () => true): OutputOf =>
  (line) => {
    if (line.has('p', 'u', 'patch')) return 'history'
    const counts = line.has(
      'stat',
      'shortstat',
      'numstat',
      'name-only',
      'name-status',
      'quiet',
      'summary',
      'no-patch',
      's',
    )
    return counts || !isShown(line) ? 'counts' : 'history'
  }

/** Its long options may be cut short, so all of them are here. */
const push: Row = {
  options:
    'o push-option repo recurse-submodules receive-pack=script exec=script +all +branches +tags +mirror +delete +prune +dry-run +porcelain +force +force-with-lease +force-if-includes +follow-tags +no-follow-tags +signed +no-signed +atomic +no-atomic +set-upstream +thin +no-thin +quiet +verbose +progress +verify +no-verify +ipv4 +ipv6 +no-force +no-force-with-lease +no-recurse-submodules +help',
  effects: sends,
}

const listing: Row = {
  options: 'x exclude X exclude-from exclude-per-directory',
  effects({ operands }, recorder) {
    const plain = operands.filter(({ value }) => !value.includes(':'))
    touchAll(plain, 'names', recorder, false)
    for (const word of plain.length === 0 ? [known('.')] : plain) recorder.prints(word)
  },
}

/** Rows of git's subcommands, which differ in the options that take a value and in what they do. */
export const gitSubcommands: Rows = {
  ...gitRepositorySubcommands,
  clone: {
    options:
      'b branch o origin u=script upload-pack=script depth c config j jobs reference template separate-git-dir=into filter shallow-since',
    silent: true,
    effects({ operands: [url, folder] }, recorder) {
      connect(url, 'receive', recorder)
      recorder.touch(folder ?? (url === undefined ? undefined : clonedInto(url)), 'into')
      if (url !== undefined && !isRemote(url)) recorder.touch(url, 'read', { recursive: true })
    },
  },
  'fetch, pull': {
    options: 'depth deepen j jobs o server-option s strategy X strategy-option upload-pack=script shallow-since refmap',
    effects: receives,
  },
  'ls-remote, fetch-pack': {
    options: 'upload-pack=script exec=script o server-option sort',
    effects: receives,
  },
  'push, send-pack, http-push': push,
  'send-email': {
    options:
      'to cc bcc from smtp-server subject smtp-user smtp-pass to-cmd=script cc-cmd=script header-cmd=script sendmail-cmd=script smtp-server-option=script',
    effects: sends,
  },
  subtree: {
    options: 'P prefix m message b branch annotate onto',
    effects(line, recorder) {
      if (/^(?:add|merge|pull)$/.test(line.operands[0]?.value ?? '')) recorder.touch(line.value('P', 'prefix'), 'into')
    },
  },
  'svn, p4': {
    options: 'r revision username T trunk t tags b branches prefix authors-file=read',
    effects({ operands: [verb, url, folder] }, recorder) {
      if (verb?.value !== 'clone' || url === undefined) return
      connect(url, 'receive', recorder)
      recorder.touch(folder ?? clonedInto(url), 'into')
    },
  },
  submodule: {
    options:
      'b branch name reference depth j jobs filter +force +all +init +recursive +remote +quiet +merge +rebase +checkout +default +cached +files',
    effects({ operands: [verb, url, folder] }, recorder) {
      if (verb?.value === 'add' || verb?.value === 'update') connect(url, 'receive', recorder)
      if (verb?.value === 'add' && url !== undefined) recorder.touch(folder ?? clonedInto(url), 'into')
    },
    starts(_, starts, { args }) {
      const at = args.findIndex(({ value }) => value === 'foreach')
      const { operands } = readOptions(at === -1 ? [] : args.slice(at + 1), { operandsLast: true })
      if (operands.length === 1 && operands[0] !== undefined) starts.script(operands[0], { cwd: undefined })
      else if (operands.length > 1) starts.words(operands, { cwd: undefined })
    },
  },
  'for-each-repo': {
    options: 'config',
    operandsLast: true,
    starts({ operands }, starts) {
      if (operands.length > 0) starts.words([known('git'), ...operands], { cwd: undefined })
    },
  },
  bisect: {
    operandsLast: true,
    starts({ operands: [verb, ...rest] }, starts) {
      if (verb?.value === 'run' && rest.length > 0) starts.words(rest)
    },
  },
  'filter-branch': {
    options:
      'setup=script env-filter=script tree-filter=script index-filter=script parent-filter=script msg-filter=script commit-filter=script tag-name-filter=script subdirectory-filter original d state-branch +force +prune-empty +remap-to-ancestor',
  },
  'add, stage, hash-object': {
    options: 'pathspec-from-file chmod t path +dry-run +force +all',
    effects(line, recorder) {
      if (!isDry(line)) touchAll(line.operands, 'read', recorder)
    },
  },
  rm: {
    options: 'pathspec-from-file +dry-run +force +cached +quiet +ignore-unmatch +sparse +pathspec-file-nul',
    effects(line, recorder) {
      if (!line.has('cached') && !isDry(line)) touchAll(line.operands, 'delete', recorder, line.has('r'))
    },
  },
  mv: {
    options: '+dry-run +force',
    effects(line, recorder) {
      touchAll(line.operands.slice(0, -1), isDry(line) ? 'names' : 'move', recorder, false)
      if (!isDry(line)) touchAll(line.operands.slice(-1), 'write', recorder, false)
    },
  },
  // `co` is what nearly everybody calls it.
  'checkout, co': {
    options:
      'b B orphan conflict pathspec-from-file U unified inter-hunk-context +force +patch +ours +theirs +detach +track +no-track +guess +no-guess +merge +quiet +progress +no-progress +overlay +no-overlay +recurse-submodules +no-recurse-submodules +ignore-skip-worktree-bits +ignore-other-worktrees +overwrite-ignore +no-overwrite-ignore +pathspec-file-nul +no-detach +no-merge +no-force',
    // The operands do not show where `--` stood, so those with a leading dot or a file extension count as paths.
    effects(line, recorder) {
      const paths = line.operands.filter(
        ({ value }) => value.startsWith('.') || hasPair(value, '/', '.') || /^[^/]+\.\w+$/.test(value),
      )
      if (!line.has('b', 'B', 'orphan')) touchAll(paths, 'write', recorder)
    },
  },
  restore: {
    options:
      's source conflict pathspec-from-file U unified inter-hunk-context +staged +worktree +patch +ours +theirs +merge +quiet +progress +overlay +no-overlay +ignore-unmerged +no-staged +no-worktree +recurse-submodules +no-recurse-submodules +ignore-skip-worktree-bits +pathspec-file-nul',
    effects(line, recorder) {
      if (!line.has('staged', 'S') || line.has('worktree', 'W')) touchAll(line.operands, 'write', recorder)
    },
  },
  clean: {
    options: 'e exclude +force +dry-run +interactive +quiet',
    effects(line, recorder) {
      if (isDry(line) || !line.has('f', 'force')) return
      touchAll(line.operands.length > 0 ? line.operands : [known('.')], 'delete', recorder)
    },
  },
  'apply, am': {
    options:
      'p C directory exclude include whitespace exclude-from patch-format S? gpg-sign +check +stat +cached +index +abort +skip +continue +quit +no-verify +reverse',
    starts: startGitPatches,
    effects(line, recorder) {
      touchAll(line.operands, 'read', recorder, false)
      if (!line.has('check', 'stat', 'numstat', 'summary', 'cached'))
        recorder.touch(line.value('directory') ?? known('.'), 'into')
    },
  },
  'log, shortlog': { ...look, output: changes(showsPatch) },
  'show, diff': { ...look, output: changes() },
  difftool: { options: 'x=script extcmd=script t tool', effects: shows },
  grep: {
    output: ({ has }) =>
      has('c', 'count', 'l', 'files-with-matches', 'name-only', 'L', 'files-without-match', 'q', 'quiet')
        ? 'counts'
        : 'history',
    options: 'e f A B C m max-depth threads O? open-files-in-pager?',
    effects: shows,
    starts(line, starts) {
      for (const pager of line.values('O', 'open-files-in-pager')) if (pager.value !== '') starts.script(pager)
    },
  },
  'blame, annotate': {
    output: 'history',
    options: 'L S contents date since ignore-rev ignore-revs-file',
    effects: shows,
  },
  'cat-file': { output: ({ has }) => (has('e', 's', 't') ? 'counts' : 'history'), effects: shows },
  'rev-parse': {
    effects(line, recorder, command) {
      // The folder that it names lies above, and not below what it is asked about.
      if (line.has('show-toplevel', 'show-superproject-working-tree')) recorder.prints(unknownWord)
      shows(line, recorder, command)
    },
  },
  config: {
    options:
      'f file t type default blob comment value url +fixed-value +all +regexp +append +get +get-all +get-regexp +get-urlmatch +get-color +get-colorbool +list +unset +unset-all +add +replace-all +rename-section +remove-section +edit +null +name-only +show-origin +show-scope +includes +no-includes +global +system +local +worktree',
    effects: recordConfig,
  },
  'fast-export': { output: 'repository', options: 'export-marks=write import-marks=read' },
  bundle: {
    output: ({ operands: [verb] }) => (verb?.value === 'create' ? 'repository' : undefined),
    effects({ operands: [verb, file] }, recorder) {
      recorder.touch(file, verb?.value === 'create' ? 'write' : 'read')
    },
  },
  'pack-objects': { options: 'window depth threads', first: 'write' },
  'index-pack': { options: 'o=write threads', operands: 'read' },
  'merge-file': { options: 'L marker-size', first: 'edit', firstUnless: 'p stdout', operands: 'read' },
  mailinfo: { options: 'encoding', operands: 'write' },
  mailsplit: { options: 'o=into d f', operands: 'read' },
  cvsimport: { options: 'C=into r o k d A=read p P=read m M S L z s R', operands: 'none' },
  'bugreport, diagnose': { options: 'o=into output-directory=into s suffix mode diagnose?' },
  maintenance: { options: 'config-file=edit task schedule scheduler' },
  'credential-store': { options: 'file=edit' },
  'checkout-index': { options: 'prefix=into stage +all +force +index +quiet +no-create +temp +stdin' },
  archive: {
    output: 'repository',
    options: 'o=write output=write remote prefix format exec=script add-file',
    effects(line, recorder) {
      const remote = line.value('remote')
      if (remote !== undefined) connect(remote, 'receive', recorder)
      touchRevisions(line.operands.slice(1), 'read', recorder)
    },
  },
  init: {
    options: 'template separate-git-dir=into b initial-branch object-format ref-format +bare +quiet +shared',
    first: 'into',
  },
  worktree: {
    options:
      'b B reason expire +force +detach +checkout +no-checkout +lock +quiet +track +no-track +guess-remote +orphan +porcelain +verbose +dry-run',
    effects({ operands: [verb, folder, to] }, recorder) {
      if (verb?.value === 'add') recorder.touch(folder, 'into')
      else if (verb?.value === 'remove') recorder.touch(folder, 'delete', { recursive: true })
      else if (verb?.value === 'move') {
        recorder.touch(folder, 'move')
        recorder.touch(to, 'into')
      }
    },
  },
  'format-patch': {
    output: 'history',
    options: 'o=into output-directory=into n? subject-prefix start-number v',
    effects(line, recorder) {
      if (!line.has('stdout', 'o', 'output-directory')) recorder.touch(known('.'), 'into')
    },
  },
  'ls-files': { ...listing, search: ({ operands }) => ({ finds: 'files', names: operands.map(({ value }) => value) }) },
  'check-ignore, check-attr, status': listing,
}

const isDry = (line: Line): boolean => line.surely('n', 'dry-run')
const isRemote = ({ value }: ShellWord): boolean => isUrl(value) || remotePlace(value) !== undefined

function touchAll(words: readonly ShellWord[], role: Role, recorder: EffectRecorder, recursive = true): void {
  for (const word of words) recorder.touch(word, role, { recursive })
}

function recordConfig(line: Line, recorder: EffectRecorder): void {
  const lists = line.has('get', 'get-all', 'get-regexp', 'l', 'list')
  recorder.touch(line.value('f', 'file'), lists ? 'read' : 'edit')
  const role = lists || line.operands.length < 2 ? 'names' : 'edit'
  if (line.has('global')) recorder.touch(known('~/.gitconfig'), role)
  if (line.has('system')) recorder.touch(known('/etc/gitconfig'), role)
}

/** Records reads of operands that name a file, also in a revision: `HEAD:.env`. */
function touchRevisions(words: readonly ShellWord[], role: Role, recorder: EffectRecorder): void {
  for (const word of words) {
    const colon = word.value.indexOf(':')
    if (colon === -1 || isUrl(word.value)) {
      if (/^\.|[/.]/.test(word.value) && !/\.\./.test(word.value)) recorder.touch(word, role)
      continue
    }
    // `:0:path` begins with an index stage.
    recorder.touch(behind(word, /^:[0-3]:/.test(word.value) ? 3 : colon + 1), role)
  }
}

function connect(word: ShellWord | undefined, direction: 'send' | 'receive', recorder: EffectRecorder): void {
  if (word === undefined) return recorder.network({ kind: 'project', direction })
  if (isUrl(word.value)) {
    if (!/^file:/i.test(word.value)) recorder.network(http(direction, word, 'project'))
    return
  }
  const remote = remotePlace(word.value)
  if (remote !== undefined)
    recorder.network({
      kind: 'project',
      direction,
      ...(remote.host.includes(unknownPart) ? {} : { host: remote.host.toLowerCase() }),
    })
  else if (!/^[./~]/.test(word.value)) recorder.network({ kind: 'project', direction })
}

/** Returns the folder that a clone creates: `name` for `git clone https://host/owner/name.git`. */
export function clonedInto(url: ShellWord): ShellWord {
  const bare = withoutEnd(url.value, '/').replace(/\.git$/, '')
  const value = bare.slice(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf(':')) + 1)
  return { ...url, value: value === '' ? '.' : value }
}
