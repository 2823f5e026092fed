import { isAbsolute, relative, resolve } from 'node:path'
import type { ToolKind } from '../model/event.ts'
import type { PathAccess, ShellSurroundings, TouchedPath } from '../model/shell.ts'
import { noShellFacts, type ToolCall, type ToolFacts } from '../model/tool-facts.ts'
import { shellFacts } from './shell/shell-facts.ts'

/** What a tool call would do, by its own words. Nothing is run, and nothing is looked at. */
export function toolFacts({ kind, command, paths }: ToolCall, around: ShellSurroundings): ToolFacts {
  const shell = kind === 'shell' && command !== undefined ? shellFacts(command, around) : noShellFacts
  const own = paths.map((written) => touched(written, kind, around))
  return { shell, paths: [...own, ...shell.commands.flatMap((one) => one.paths)] }
}

/** What a tool does with the files that its input names. Of one that is not known, the worst that it may. */
const accesses: Readonly<Record<ToolKind, PathAccess>> = {
  shell: 'read',
  read: 'read',
  write: 'write',
  edit: 'write',
  search: 'read',
  list: 'read',
  fetch: 'read',
  websearch: 'read',
  browser: 'read',
  agent: 'read',
  mcp: 'write',
  other: 'write',
}

function touched(written: string, kind: ToolKind, { cwd, home, workspaceRoots }: ShellSurroundings): TouchedPath {
  const absolute = resolve(cwd, written)
  const root = workspaceRoots.find((one) => isBelow(absolute, one))
  return {
    written,
    access: accesses[kind],
    absolute,
    ...(kind === 'search' && { recursive: true }),
    ...(kind === 'list' && { metadata: true }),
    ...(root !== undefined && { root, inRoot: relative(root, absolute) }),
    ...(home !== undefined && isBelow(absolute, home) && { inHome: relative(home, absolute) }),
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way.split('/', 1)[0] !== '..')
}
