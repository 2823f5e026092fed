/** What is done with a path. */
export type Role =
  /** No path at all. */
  | 'none'
  /** Its content. */
  | 'read'
  /** Its name, its attributes, the names in it. */
  | 'names'
  | 'write'
  /** Behind what it holds already. */
  | 'append'
  /** Read, and written anew. */
  | 'edit'
  /** Files are made in it, under names that are not said here. */
  | 'into'
  | 'delete'
  /** Read and deleted: what `mv` does with what it is given. */
  | 'move'
  /** Its mode, owner, times. */
  | 'mode'
  | 'execute'
