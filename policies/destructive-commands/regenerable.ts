import type { Deletion } from './deletions.ts'

/**
 * Files and folders that builds, tests and package managers recreate, without folders that may also hold sources: `build`,
 * `out`. Lockfiles are among them, since the rule `lockfiles` asks about these.
 */
const names: readonly string[] = [
  'node_modules', '.venv', 'venv', '.eggs', '.tox', '.nox', '.gradle', '.terraform', '.dart_tool', 'elm-stuff',
  'dist', 'target', '_build', 'bazel-*', 'cmake-build-*', 'DerivedData', '*.egg-info', 'coverage', '.coverage', 'htmlcov',
  '.nyc_output', 'test-results', 'playwright-report', 'storybook-static', '.next', '.nuxt', '.output', '.svelte-kit',
  '.turbo', '.parcel-cache', '.angular', '.vite', '.expo', '.cache', '.pytest_cache', '.mypy_cache', '.ruff_cache',
  '__pycache__', '.hypothesis', '.sass-cache', 'zig-cache', 'zig-out', '.zig-cache', '.stack-work', 'dist-newstyle',
  '.ipynb_checkpoints', 'tmp', 'temp', 'Pods', 'index.lock', '.eslintcache', '.swc',
  'package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lockb', '.wrangler', '.serverless',
  '.DS_Store', '._*', 'Thumbs.db', 'desktop.ini',
] // prettier-ignore

export const regenerable = {
  type: 'strings',
  default: names,
  description: 'names of folders that may be deleted anywhere in the workspace; `*` matches any part of a name',
} as const

/** True if a build recreates everything of these names. `bin` may hold sources, but not beside `obj`: .NET builds both. */
export const areRegenerable = (all: readonly string[], isOne: (name: string) => boolean): boolean =>
  all.every((name) => isOne(name) || (name === 'bin' && all.includes('obj')))

/** True if a deletion affects only folders that a build recreates, in the workspace or in the home. */
export function isRegenerable({ path, sought = [] }: Deletion, isOne: (name: string) => boolean): boolean {
  const { root, inHome = '', absolute = '', pattern = absolute } = path
  const start = root === undefined ? absolute.length - inHome.length : root.length
  const isBuilt = (name: string) => isOne(name) || (name.includes('/') && name.split('/').some(isOne))
  return pattern.slice(start).split('/').some(isOne) || (sought.length > 0 && areRegenerable(sought, isBuilt))
}
