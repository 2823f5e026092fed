/**
 * Roots into which a look has not come back in its time: their drive may be dead. All of Node's file access runs on a
 * few threads, and each further look would take one more of them, until none is left for anybody.
 */
export interface StuckRoots {
  has(root: string): boolean
  /** Holds a root for stuck until the look has come back after all. */
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
