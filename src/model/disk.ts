/** Type of the entry at a path, after following symbolic links. */
export type Seen = 'absent' | 'file' | 'folder' | Unreadable

/** An entry that exists and cannot be used. INVARIANT: it is never treated as `absent`, for it may be a guard. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly why: string
  /** Set for a symbolic link that leads nowhere, in whose place an agent sees no file. */
  readonly dangling?: true
  /** Set for a path that leads outside the workspace whose rules name it: nothing else is known of it. */
  readonly isOutside?: true
}

/** Reads files and records every path that was accessed, so that later changes can be detected. */
export interface Disk {
  see(path: string): Seen
  executable(path: string): boolean
  /** Lists a folder as far as possible. For hints in messages only, never for discovery. */
  names(folder: string): readonly string[]
  /** Lists a folder, sorted. Adding or removing an entry later counts as a change. */
  list(folder: string): readonly string[] | Unreadable
  read(path: string, bytesMax: number): Uint8Array | Unreadable
  /**
   * SHA-256 of a file's content, in hexadecimal digits. If the file was read before, it is of that content.
   *
   * @param bytesMax default: `limits.pinnedFileBytesMax`
   */
  sha256(path: string, bytesMax?: number): string | Unreadable
  /** Returns true if any user but the one who runs the gate could have modified or replaced the file. */
  writableByOthers(path: string): boolean
  /** Returns true if no accessed path has changed since. */
  unchanged(): boolean
  /** Work spent on policy folders so far, over all of them: a repository may have one in each of its folders. */
  readonly searched: { workspaceEntries: number; misnamedBytes: number }
}

export function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unreadable'
}
