import { join, posix, win32 } from 'node:path'
import { sha256Of } from '../digest.ts'

/** The path of a Unix socket, with the NUL behind it, as macOS has it; Linux takes four more. */
const socketPathBytesMax = { darwin: 104, other: 108 }

/** The absolute paths of the files of one user's resident gate. */
export interface GatePaths {
  /** The gate's folder, accessible to its owner only. */
  readonly folder: string
  /** A Unix socket, or on Windows a named pipe, which is not a file. */
  readonly socket: string
  /** The socket's folder: `folder`, or another private one if that makes the path too long; `undefined` for a pipe. */
  readonly socketFolder: string | undefined
  /** The state file, a JSON `GateState`. */
  readonly state: string
  /** The file with the key by which the gate proves itself at the socket. */
  readonly key: string
  /** The file with the token that HTTP clients must send. */
  readonly token: string
  readonly log: string
  /** A folder that counts refused ends of turns in a row, shared with gates that decide a single event. */
  readonly stops: string
  /** A folder with refusals for `hookgate allow`, and what it granted. */
  readonly refusals: string
  /** The file with the key from which the topics of a push service are derived. */
  readonly approvalsKey: string
  /** The database of decisions. */
  readonly decisions: string
  /** The database of what rules look back at. */
  readonly past: string
  /** A folder with compiled policies. */
  readonly compiled: string
  /** A folder with one entry for each kind of `hookgate run` that needed a sandbox. */
  readonly sandboxed: string
  /** A folder with the projects of sessions whose events do not name them. */
  readonly sessions: string
  /** The lock that a gate holds as long as its process lives. */
  readonly gateLock: string
  /** The lock of a process that is starting or replacing the gate. */
  readonly startLock: string
}

export interface PlacesOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** `undefined` on Windows. */
  readonly uid: number | undefined
  readonly home: string
}

/** Computes the paths from its arguments alone: reads and creates no files. */
export function placesOf({ env, platform, uid, home }: PlacesOptions): GatePaths {
  const path = platform === 'win32' ? win32 : posix
  const folder = stateFolderOf(env, platform, home)
  const inFolder = (name: string) => path.join(folder, name)
  return {
    folder,
    ...keptIn(folder, inFolder),
    ...socketOf(folder, { env, platform, uid, home }),
    state: inFolder(gateStateName),
    key: inFolder('gate.key'),
    token: inFolder('token'),
    log: inFolder('gate.log'),
    approvalsKey: inFolder('approvals.key'),
    sandboxed: inFolder('sandboxed'),
    sessions: inFolder('sessions'),
    gateLock: inFolder('gate.lock'),
    startLock: inFolder('start.lock'),
  }
}

/** Returns the paths of what gates keep in a state folder from one event to the next. */
export const keptIn = (
  folder: string,
  inFolder = (name: string) => join(folder, name),
): Pick<GatePaths, 'stops' | 'refusals' | 'decisions' | 'past' | 'compiled'> => ({
  stops: inFolder('stops'),
  refusals: inFolder('refusals'),
  decisions: inFolder('decisions.db'),
  past: inFolder('past.db'),
  compiled: inFolder('compiled'),
})

/** Computes the path of the gate's folder from its arguments alone. */
export function stateFolderOf(env: PlacesOptions['env'], platform: NodeJS.Platform, home: string): string {
  const path = platform === 'win32' ? win32 : posix
  return path.resolve(usualStateFolder(env, platform, home))
}

function usualStateFolder(env: PlacesOptions['env'], platform: NodeJS.Platform, home: string): string {
  const { HOOKGATE_HOME: own, LOCALAPPDATA: local, XDG_STATE_HOME: xdg } = env
  if (own !== undefined && own !== '') return own
  if (platform === 'win32') return win32.join(nonEmpty(local) ?? win32.join(home, 'AppData', 'Local'), 'hookgate')
  // The XDG Base Directory Specification requires relative paths to be ignored.
  const state = xdg !== undefined && posix.isAbsolute(xdg) ? xdg : posix.join(home, '.local', 'state')
  return posix.join(state, 'hookgate')
}

const nonEmpty = (text: string | undefined) => (text === '' ? undefined : text)

function socketOf(
  folder: string,
  { env, platform, uid }: PlacesOptions,
): { readonly socket: string; readonly socketFolder: string | undefined } {
  // Gates with different folders may share a socket folder: the hash keeps their sockets apart.
  const name = sha256Of(folder).slice(0, 16)
  if (platform === 'win32') return { socket: `\\\\.\\pipe\\hookgate-${name}`, socketFolder: undefined }
  const { XDG_RUNTIME_DIR: runtime } = env
  const runtimeFolder = runtime !== undefined && posix.isAbsolute(runtime) ? posix.join(runtime, 'hookgate') : undefined
  const candidates = [
    { socketFolder: folder, socket: posix.join(folder, 'gate.sock') },
    ...[runtimeFolder, `/tmp/hookgate-${uid ?? 0}`]
      .filter((short) => short !== undefined)
      .map((short) => ({ socketFolder: short, socket: posix.join(short, `${name}.sock`) })),
  ]
  const { darwin, other } = socketPathBytesMax
  const bytesMax = platform === 'darwin' ? darwin : other
  const fits = ({ socket }: { readonly socket: string }) => Buffer.byteLength(socket) < bytesMax
  // The last candidate, in `/tmp`, always fits.
  return candidates.find(fits) ?? { socketFolder: folder, socket: posix.join(folder, 'gate.sock') }
}

/** Returns the folder in which hookgate keeps what an administrator has done for the whole machine: root's alone. */
export function machineFolder(
  platform: NodeJS.Platform,
  { ProgramData: data }: Readonly<Record<string, string | undefined>>,
): string {
  if (platform === 'win32') return join(data ?? 'C:\\ProgramData', 'hookgate', 'enabled')
  return platform === 'darwin' ? '/var/db/hookgate' : '/var/lib/hookgate'
}

/** Names in hookgate's state folder that more than one part of it reads. */

/** The state file of the resident gate. */
export const gateStateName = 'gate.json'
/** Says at which port the page of `hookgate ui` is, as long as that is open. */
export const pageStateName = 'page.json'
/** The folder with one record for each settings file that `hookgate enable` has changed. */
export const enabledName = 'enabled'
/** The folder of signed bundles. */
export const bundlesName = 'bundles'
