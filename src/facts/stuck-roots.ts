/**
 * Roots where a file access has outlived its time limit, because the drive may be dead. Node runs all file access on a
 * few libuv threads: each further access to such a root would block one more of them, until none is left.
 */
export interface StuckRoots {
  has(root: string): boolean
  /** Marks a root as stuck until the pending access settles. */
  hold(root: string, look: Promise<unknown>): void
}

export function stuckRoots(): StuckRoots {
  const looks = new Map<string, Set<Promise<unknown>>>()
  const release = async (root: string, look: Promise<unknown>) => {
    await look
    const others = looks.get(root)
    others?.delete(look)
    if (others?.size === 0) looks.delete(root)
  }
  return {
    has: (root) => looks.has(root),
    hold(root, look) {
      looks.set(root, (looks.get(root) ?? new Set()).add(look))
      void release(root, look)
    },
  }
}
