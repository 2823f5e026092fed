/** What stands at a path, symbolic links followed. */
export type Seen = 'absent' | 'file' | 'folder' | Unreadable

/** Something is there and cannot be used. INVARIANT: it is never taken for `absent`, for it may be a guard. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly why: string
}

/** Reads files, and remembers every path it was asked about, so that it can be told later whether any has changed. */
export interface Disk {
  see(path: string): Seen
  executable(path: string): boolean
  /** What a folder holds, as far as it can be listed. For hints only: nothing is found by it. */
  names(folder: string): readonly string[]
  /** What a folder holds, sorted. That something is added to it or taken away counts as a change. */
  list(folder: string): readonly string[] | Unreadable
  read(path: string, bytesMax: number): Uint8Array | Unreadable
  /** The SHA-256 of a file's content, in hexadecimal digits: of the very content that was read, where it was. */
  sha256(path: string): string | Unreadable
  /** Whether somebody else than the user who runs the gate could have changed it, or put something else in its place. */
  writableByOthers(path: string): boolean
  /** Whether nothing that was seen has changed since. */
  unchanged(): boolean
  /** What was looked at in folders of policies so far: a repository may have one in each of its folders. */
  readonly searched: { workspaceEntries: number; misnamedBytes: number }
}

export function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unreadable'
}
