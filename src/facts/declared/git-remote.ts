import { dirname, join, resolve } from 'node:path'
import type { FactValue } from '../../model/policy.ts'
import { isMissing, missing, placeIn, textOf } from './inside.ts'
import { below } from '../paths/place.ts'
import type { FileReader } from './remembered-files.ts'
import { orAbsent, realPathOf, statOf } from '../timed-lookups.ts'

/**
 * Reads the URL of a remote as the configuration of the repository around a root has it. Included files, the user's own
 * configuration and `insteadOf` are not considered.
 */
export const gitRemote = (name: string, root: string, home: string, files: FileReader): Promise<FactValue> =>
  inRepository(root, home, files, (gitFolder) => remoteIn(name, gitFolder, files))

async function remoteIn(name: string, gitFolder: string, files: FileReader): Promise<FactValue | undefined> {
  const head = await lineOf(gitFolder, 'HEAD', files)
  if (typeof head !== 'string') return head
  // The folder of a worktree is below the repository's, which alone has the configuration.
  const common = await lineOf(gitFolder, 'commondir', files)
  if (typeof common === 'object') return common
  const folder = common === undefined ? gitFolder : resolve(gitFolder, common)
  if (below(folder, gitFolder) === undefined) return missing('commondir', 'does not lead to the repository')
  const config = await configIn(folder, files)
  if (typeof config !== 'string') return config
  const url = urlIn(config, name)
  if (url === undefined) return missing(name, 'is no remote with a URL in `.git/config`')
  const value = withoutUser(url)
  return value === undefined ? missing(name, 'has a URL that could contain a password') : { value }
}

async function configIn(folder: string, files: FileReader): Promise<string | FactValue> {
  const place = placeIn(folder, 'config')
  if (isMissing(place)) return place
  const content = await files.read(place)
  if (content === undefined) return missing('config', 'does not exist')
  if (isMissing(content)) return content
  // Truncation could cut a URL short.
  if (!content.whole) return missing('config', 'is too large')
  return textOf(content.bytes, true) ?? missing('config', 'is not UTF-8')
}

/** Finds the first URL of a remote, which is the one that git fetches from. */
function urlIn(config: string, name: string): string | undefined {
  let remote: string | undefined
  for (const line of linesOf(config)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line)
    if (section !== null) remote = isRemote(section[1]) ? section[2]?.replaceAll(/\\(.)/g, '$1') : undefined
    const url = /^\s*url\s*=(.*)$/i.exec(section?.[3] ?? line)?.[1]
    if (url !== undefined && remote === name) return valueOf(url)
  }
  return undefined
}
const isRemote = (section: string | undefined) => section?.toLowerCase() === 'remote'

/** Splits a configuration into lines, joined where a backslash ends one, and without lines that are comments. */
const linesOf = (config: string) =>
  config
    .replaceAll(/^[ \t]*[#;].*$/gm, '')
    .replaceAll(/(?<!\\)((?:\\\\)*)\\\r?\n/g, '$1')
    .split(/\r?\n/)

/** Reads a value as git does: quotes are removed, and a comment ends it. */
function valueOf(written: string): string {
  const parts = [...written.trim().matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^"#;\\]|\\.)+)|([#;].*)/g)]
  const [comment = ''] = parts.flatMap(([, , , text]) => text ?? [])
  // An unquoted `#` in a password makes a comment of its rest, and a host of its beginning.
  if (comment.includes('@')) return ''
  return parts
    .map(([, quoted, bare]) =>
      (quoted ?? bare ?? '').replaceAll(/\\(.)/g, (_, mark: string) => escapes.get(mark) ?? mark),
    )
    .join('')
    .trim()
}
const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['b', '\b'],
])

/**
 * Removes the user and the password from a URL, or from git's short form `user@host:path`. A token can be in either.
 *
 * INVARIANT: returns `undefined` unless what remains is certain to contain neither: no `@` is left, and a URL's host is
 * nothing but a host. Otherwise a password with a slash, or one without a URL's scheme before it, would be disclosed.
 */
function withoutUser(url: string): string | undefined {
  if (url === '' || hasUnprintable.test(url)) return undefined
  const [, scheme = '', authority = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#\\]*)(.*)$/i.exec(url) ?? []
  if (scheme === '') {
    const short = url.replace(/^[^/\\:]*@/, '')
    return /[@?#]|%40/.test(short) ? undefined : short
  }
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (!isHost.test(host) || /@|%40/.test(rest)) return undefined
  return `${scheme}${host}${rest.replace(/[?#][^]*/, '')}`
}
/** A host and port, or nothing, as in `file:///`. */
const isHost = /^(?:(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])(?::\d*)?)?$/iu
// oxlint-disable-next-line no-control-regex -- no URL of a remote contains any
const hasUnprintable = /[\u0000-\u0020\u007f-\u009f]/

/**
 * Reads the branch that is checked out in the repository around a root, as `git branch --show-current` prints it. Starts
 * no process, and reads nothing of a repository but the location of its `.git` and its `HEAD`.
 */
export const gitBranch = (root: string, home: string, files: FileReader): Promise<FactValue> =>
  inRepository(root, home, files, branchIn)

async function branchIn(gitFolder: string, files: FileReader): Promise<FactValue | undefined> {
  const head = await lineOf(gitFolder, 'HEAD', files)
  if (typeof head !== 'string') return head
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) return missing('HEAD', 'is detached: no branch is checked out')
  const branch = /^ref:\s*refs\/heads\/(\S+)$/.exec(head)?.[1]
  // INVARIANT: of the file's content, only what git itself accepts as a branch name is disclosed.
  if (branch === undefined || isNoName.test(branch)) return missing('HEAD', 'does not name a branch')
  if (branch === '.invalid')
    return missing('HEAD', 'does not name a branch: the repository keeps its branches in a reftable')
  return { value: branch }
}
// oxlint-disable-next-line no-control-regex -- git refuses control characters in the names of branches
const isNoName = /[\u0000-\u0020\u007f-\u009f~^:?*[\\]|\.\./

/** Reads a fact from a repository's git folder; `undefined` if the folder is none. */
type ReadGitFolder = (gitFolder: string, files: FileReader) => Promise<FactValue | undefined>

/** Finds the repository around a root, and reads a fact from its git folder. Starts no process. */
async function inRepository(root: string, home: string, files: FileReader, read: ReadGitFolder): Promise<FactValue> {
  const own = await factAt(root, files, read)
  if (own !== undefined) return own
  const realHome = await orAbsent(realPathOf(home))
  const above = await factAbove(await realPathOf(root), realHome, files, read)
  return above ?? missing(root, 'is not in a git repository')
}

/** Searches the parent folders, up to the home folder: a repository above home would belong to no project in it. */
async function factAbove(
  folder: string,
  home: string | undefined,
  files: FileReader,
  read: ReadGitFolder,
): Promise<FactValue | undefined> {
  const parent = dirname(folder)
  if (folder === home || folder === parent) return undefined
  return (await factAt(parent, files, read)) ?? factAbove(parent, home, files, read)
}

/**
 * Reads the fact of the repository whose top is this folder; `undefined` if it is no repository's top. Like git, treats
 * a `.git` folder without a `HEAD` as no repository.
 */
async function factAt(folder: string, files: FileReader, read: ReadGitFolder): Promise<FactValue | undefined> {
  const fact = await read(join(folder, '.git'), files)
  if (fact !== undefined) return fact
  const stat = await orAbsent(statOf(join(folder, '.git')))
  if (stat === undefined || stat.isDirectory()) return undefined
  const gitFolder = await pointedFolder(folder, files)
  if (typeof gitFolder !== 'string') return gitFolder
  return (await read(gitFolder, files)) ?? missing('.git', 'does not lead to a repository')
}

/** Reads the `.git` file that worktrees and submodules have instead of a `.git` folder. */
async function pointedFolder(folder: string, files: FileReader): Promise<string | FactValue> {
  const pointing = await lineOf(folder, '.git', files)
  if (pointing === undefined || typeof pointing !== 'string') return pointing ?? missing('.git', 'does not exist')
  if (!pointing.startsWith('gitdir: ')) return missing('.git', 'is not a repository and does not lead to one')
  return resolve(folder, pointing.slice('gitdir: '.length))
}

/** Reads a one-line file, without its line end. */
async function lineOf(folder: string, name: string, files: FileReader): Promise<string | FactValue | undefined> {
  const place = placeIn(folder, name)
  if (isMissing(place)) return place
  const content = await files.read(place)
  if (content === undefined || isMissing(content)) return content
  return textOf(content.bytes, content.whole)?.trimEnd() ?? missing(name, 'is not UTF-8')
}
