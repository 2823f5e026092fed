import { createHash } from 'node:crypto'
import { posix, win32 } from 'node:path'
import { limits } from '../model/limits.ts'

/** Where the resident gate of one user keeps what it has. Absolute paths all. */
export interface Places {
  /** For its owner only. */
  readonly folder: string
  /** A Unix socket, or on Windows a named pipe, which is no file. */
  readonly socket: string
  /** What the socket is in: `folder`, or another one for its owner only where that would be too long; none for a pipe. */
  readonly socketFolder: string | undefined
  /** Who the gate is, as JSON: see `GateState`. */
  readonly state: string
  /** What HTTP clients must know. */
  readonly token: string
  readonly log: string
  /** How often in a row the ends of turns were refused: a folder, shared with gates that decide one event each. */
  readonly stops: string
  /** The projects of sessions that do not name theirs: a folder. */
  readonly sessions: string
  /** Held by the gate for as long as it lives. */
  readonly gateLock: string
  /** Held by whoever is about to start, replace or end the gate. */
  readonly startLock: string
}

export interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** `undefined` on Windows. */
  readonly uid: number | undefined
  readonly home: string
}

/** Pure: nothing is looked up and nothing is made. */
export function placesOf({ env, platform, uid, home }: Whereabouts): Places {
  const path = platform === 'win32' ? win32 : posix
  const folder = path.resolve(folderOf(env, platform, home))
  const inFolder = (name: string) => path.join(folder, name)
  return {
    folder,
    ...socketOf(folder, { env, platform, uid, home }),
    state: inFolder('gate.json'),
    token: inFolder('token'),
    log: inFolder('gate.log'),
    stops: inFolder('stops'),
    sessions: inFolder('sessions'),
    gateLock: inFolder('gate.lock'),
    startLock: inFolder('start.lock'),
  }
}

function folderOf(env: Whereabouts['env'], platform: NodeJS.Platform, home: string): string {
  const { HOOKGATE_HOME: own, LOCALAPPDATA: local, XDG_STATE_HOME: xdg } = env
  if (own !== undefined && own !== '') return own
  if (platform === 'win32') return win32.join(nonEmpty(local) ?? win32.join(home, 'AppData', 'Local'), 'hookgate')
  // The XDG specification has relative paths ignored.
  const state = xdg !== undefined && posix.isAbsolute(xdg) ? xdg : posix.join(home, '.local', 'state')
  return posix.join(state, 'hookgate')
}

const nonEmpty = (text: string | undefined) => (text === '' ? undefined : text)

function socketOf(
  folder: string,
  { env, platform, uid }: Whereabouts,
): { readonly socket: string; readonly socketFolder: string | undefined } {
  // Folders of two gates may both be too long: the name tells them apart.
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (platform === 'win32') return { socket: `\\\\.\\pipe\\hookgate-${name}`, socketFolder: undefined }
  const { XDG_RUNTIME_DIR: runtime } = env
  const runtimeFolder = runtime !== undefined && posix.isAbsolute(runtime) ? posix.join(runtime, 'hookgate') : undefined
  const candidates = [
    { socketFolder: folder, socket: posix.join(folder, 'gate.sock') },
    ...[runtimeFolder, `/tmp/hookgate-${uid ?? 0}`]
      .filter((short) => short !== undefined)
      .map((short) => ({ socketFolder: short, socket: posix.join(short, `${name}.sock`) })),
  ]
  const { darwin, other } = limits.socketPathBytesMax
  const bytesMax = platform === 'darwin' ? darwin : other
  const fits = ({ socket }: { readonly socket: string }) => Buffer.byteLength(socket) < bytesMax
  // The last is a name of our own and always fits.
  return candidates.find(fits) ?? { socketFolder: folder, socket: posix.join(folder, 'gate.sock') }
}
