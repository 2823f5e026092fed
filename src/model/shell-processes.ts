/**
 * By what a command chooses processes. With an owner or a parent, all that they have; a `line` is a pattern for whole command
 * lines; a `mount` has files that processes use; those that are `found` are only known when something else has found them.
 */
export type ChosenBy =
  | 'id'
  | 'name'
  | 'pattern'
  | 'line'
  | 'owner'
  | 'parent'
  | 'port'
  | 'file'
  | 'mount'
  | 'found'
  | 'all'
